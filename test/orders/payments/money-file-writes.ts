import assert from "node:assert/strict";
import { bankFile, bankRows, imported, undone } from "./money-files.ts";
import { amountOf, DAYS, invoiceBody, invoicesOf, oneOf, paymentsOf, shuffled, type Stage } from "./money-stage.ts";
import { writes } from "./money-writes.ts";

/** Files of banks and of invoices, again and overlapping, and their undo. */
export const fileWrites = {
  async bankFile(stage: Stage) {
    const rows = await bankRows(stage, 4);
    const { path, payments } = await imported(stage, "payments", bankFile(rows));
    assert.equal(payments.length, rows.length);
    const again = await imported(stage, "payments", bankFile(rows));
    assert.deepEqual(again.payments, [], "the same file again");
    const further = await bankRows(stage, 2);
    const overlapping = await imported(stage, "payments", bankFile([...rows.slice(1), ...further]));
    assert.equal(overlapping.payments.length, further.length, "a file that overlaps");
    stage.imports.push({ path, payments }, overlapping);
  },
  async bankFileUndone(stage: Stage) {
    const before = await paymentsOf(stage);
    const { path, payments } = await imported(stage, "payments", bankFile(await bankRows(stage, 3)));
    await undone(stage, path, payments);
    assert.deepEqual(await paymentsOf(stage), before);
  },
  async earlierImportUndone(stage: Stage) {
    const [first] = shuffled(stage, stage.imports);
    if (first === undefined) return;
    stage.imports = stage.imports.filter((each) => each !== first);
    await undone(stage, first.path, first.payments);
  },
  async invoiceFile(stage: Stage) {
    const companies = await stage.server.sql(
      "select tax_id from companies where tenant_id = $1 and id = any($2::bigint[])",
      [stage.tenant.id, stage.companies],
    );
    const rows = Array.from({ length: 4 }, () => {
      const { number, total, status, issued_on: issued, due_on: due } = invoiceBody(stage);
      return [oneOf(stage, companies).tax_id, number, total ?? "1.00", "RON", status, issued ?? "", due ?? ""];
    });
    const known = (await invoicesOf(stage))
      .slice(-2)
      .map(({ number }) => ["", number, amountOf(stage), "RON", "issued", DAYS[1], ""]);
    const csv = `company_tax_id,number,total,currency,status,issued_on,due_on\n${[...rows, ...known].map((cells) => cells.join(",")).join("\n")}\n`;
    stage.imports.push(await imported(stage, "invoices", csv));
  },
  async invoiceFileUndone(stage: Stage) {
    await fileWrites.invoiceFile(stage);
    const { path, payments } = stage.imports.pop() ?? { path: "", payments: [] };
    if (stage.random(2) === 0) await writes.payment(stage);
    await undone(stage, path, payments);
  },
};
