import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import type { Answer, TestTenant } from "../../harness.ts";
import { startImportServer } from "./import-server.ts";

/** What docs/csv.md 3 and 7 promise of invoices and their lines. */
const server = await startImportServer();
const SENT = { row: ["Cannot change an invoice that was sent to the warehouse."] };
const HEADER = "invoice_number,position,sku,description,quantity,unit_price";
const none = { created: 0, updated: 0, rejected: [] };

test("lines of a file are added to their invoices, and replaced by number and position; columns that it lacks stay", async () => {
  const tenant = await server.createTenant();
  const invoice = await invoiceOf(tenant, "F1");
  const other = await invoiceOf(tenant, "F2");
  const csv = `${HEADER}\nF1,20,B,Second,2,0.10\nF1,10,A,First,1,12.50\nF2,1,,Only,3.000,-1\nF1,30,C,Third,3,3\n`;
  assert.deepEqual(await server.importing(tenant, "invoice_lines", csv), { ...none, created: 4 });
  const line = (sku: string | null, description: string, quantity: string, unit_price: string) => ({
    sku,
    description,
    quantity,
    unit_price,
  });
  const second = line("B", "Second", "2", "0.10");
  const third = line("C", "Third", "3", "3");
  assert.deepEqual(await linesOf(tenant, invoice), [line("A", "First", "1", "12.50"), second, third]);
  assert.deepEqual(await linesOf(tenant, other), [line(null, "Only", "3.000", "-1")]);

  const before = (await show(tenant, invoice)).updated_at;
  assert.deepEqual(await server.importText(tenant, "invoice_lines", csv), { ...none, updated: 4 });
  assert.equal((await show(tenant, invoice)).updated_at, before, "the same lines again change nothing");

  const partial = "invoice_number,position,sku,unit_price\nF1,10,,12.5\nF1,20,B2,\nF1,40,D,1\nF1,10,A3,7\n";
  const { created, updated, rejected } = await server.importText(tenant, "invoice_lines", partial);
  assert.deepEqual([created, updated], [0, 2]);
  assert.deepEqual(rejected, [
    { line: 3, errors: { unit_price: ["The unit price field is required."] } },
    {
      line: 4,
      errors: {
        description: ["The description field is required."],
        quantity: ["The quantity field is required."],
      },
    },
  ]);
  assert.deepEqual(await linesOf(tenant, invoice), [line("A3", "First", "1", "7"), second, third]);
  const changes = (await tenant.get(`${invoice}/history`)).body.data;
  assert.deepEqual(
    changes.map(({ action, changed, by }: Record<string, Record<string, unknown>>) => [
      action,
      changed?.lines,
      by?.kind,
    ]),
    [
      ["updated", { changed: true }, "import"],
      ["updated", { changed: true }, "import"],
      ["created", undefined, "key"],
    ],
  );
});

test("a line names an existing invoice, and a position from 1; others are reported", async () => {
  const tenant = await server.createTenant();
  const foreign = await server.createTenant();
  await invoiceOf(tenant, "F1");
  await invoiceOf(foreign, "THEIRS");
  const hidden = await show(tenant, await invoiceOf(tenant, "HIDDEN"));
  await server.sql("update companies set deleted_at = now() where id = $1", [hidden.company_id]);
  const rows = ["F9,1", "THEIRS,1", "HIDDEN,1", "f1,1", ",1", "F1,", "F1,0", "F1,x", "F1,2147483648", "F1,2147483647"];
  const csv = [HEADER, ...rows.map((row) => `${row},,A,1,1`), `F9,0,,,1e3,`].join("\n");
  const { created, rejected } = await server.importText(tenant, "invoice_lines", csv);
  assert.equal(created, 1);
  const unknown = { invoice_number: ["The selected invoice number is invalid."] };
  assert.deepEqual(
    rejected.map(({ errors }) => errors),
    [
      unknown,
      unknown,
      unknown,
      unknown,
      { invoice_number: ["The invoice number field is required."] },
      { position: ["The position field is required."] },
      { position: ["The position field must be at least 1."] },
      { position: ["The position field must be an integer."] },
      { position: ["The position field must not be greater than 2147483647."] },
      {
        ...unknown,
        position: ["The position field must be at least 1."],
        description: ["The description field is required."],
        quantity: ["The quantity field must be a number."],
        unit_price: ["The unit price field is required."],
      },
    ],
  );
  assert.match(await server.refused(tenant, "invoice_lines", "invoice_number,sku\nF1,A\n"), /no column position/);
});

test("an invoice has at most 500 lines, from a file too, however many batches they come in", async () => {
  const tenant = await server.createTenant();
  const invoice = await invoiceOf(tenant, "F1");
  const rows = Array.from({ length: 1_003 }, (_, index) => `F1,${(index % 502) + 1},S${index},A,1,1`);
  const { created, updated, rejected } = await server.importText(tenant, "invoice_lines", [HEADER, ...rows].join("\n"));
  assert.deepEqual([created, updated, rejected.length], [500, 500, 3]);
  const tooMany = { row: ["The lines field must not have more than 500 items."] };
  assert.deepEqual(rejected.map(({ line, errors }) => [line, errors]).slice(0, 2), [
    [502, tooMany],
    [503, tooMany],
  ]);
  const lines = await linesOf(tenant, invoice);
  assert.deepEqual([lines.length, lines[0]?.sku, lines[498]?.sku, lines[499]?.sku], [500, "S502", "S1000", "S1001"]);
});

test("many invoices' lines in one file, and an export of them that another tenant takes", async () => {
  const [from, to] = [await server.createTenant(), await server.createTenant()];
  const numbers = Array.from({ length: 120 }, (_, index) => `F${index}`);
  for (const tenant of [from, to]) {
    await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
    const csv = ["number,company_tax_id", ...numbers.map((number) => `${number},RO1`)].join("\n");
    assert.equal((await server.importText(tenant, "invoices", csv)).created, 120);
  }
  const rows = [3, 1, 2].flatMap((position) =>
    numbers.map((number) => `${number},${position},"a, ""b""\nș",D,1.50,-0.000001`),
  );
  assert.equal((await server.importText(from, "invoice_lines", [HEADER, ...rows].join("\n"))).created, 360);
  const exported = await server.exporting(from, "invoice_lines");
  assert.ok(exported.startsWith(`invoice_id,${HEADER},unit,vat_rate\r\n`));
  const cells = valuesOf(exported);
  assert.equal(cells.length, 360);
  assert.deepEqual(cells.slice(0, 2), [
    {
      invoice_number: "F0",
      position: "1",
      sku: 'a, "b"\nș',
      description: "D",
      quantity: "1.50",
      unit_price: "-0.000001",
      unit: "",
      vat_rate: "",
    },
    {
      invoice_number: "F0",
      position: "2",
      sku: 'a, "b"\nș',
      description: "D",
      quantity: "1.50",
      unit_price: "-0.000001",
      unit: "",
      vat_rate: "",
    },
  ]);
  assert.equal((await server.importText(to, "invoice_lines", exported)).created, 360);
  assert.deepEqual(valuesOf(await server.exportText(to, "invoice_lines")), cells);
});

test("an import changes nothing of an invoice that was sent that a PUT would not, and says so row by row", async () => {
  const tenant = await server.createTenant();
  const sent = await invoiceOf(tenant, "F1", { total: "12.50", currency: "RON", lines: [lineNamed("A")] });
  const free = await invoiceOf(tenant, "F2", { total: "12.50", currency: "RON", lines: [lineNamed("A")] });
  await tenant.post("/api/v1/companies", { name: "Other", tax_id: "OTHER1" });
  for (const state of ["queued", "sending", "unknown", "sent", "failed"]) {
    const order = state === "sent" ? 1 : null;
    // What failed may be in the warehouse as long as an attempt is open.
    await server.sql(
      `update invoices set wms_state = $2, wms_order_id = $3, wms_open_since = $4
      where tenant_id = $1 and number = 'F1'`,
      [tenant.id, state, order, state === "failed" ? new Date() : null],
    );
    const before = await show(tenant, sent);
    for (const [columns, cells] of [
      ["total", "12.5"],
      ["total,status", ",paid"],
      ["currency", "EUR"],
      ["company_tax_id", "OTHER1"],
    ]) {
      const { rejected } = await server.importText(tenant, "invoices", `number,${columns}\nF1,${cells}\nF2,${cells}\n`);
      assert.deepEqual(rejected, [{ line: 2, errors: SENT }], `${state}: ${columns}`);
    }
    const draft = await server.importText(tenant, "invoices", "number,status\nF1,draft\nF2,draft\n");
    const errors = { status: ["The status cannot be draft, because the invoice is with the warehouse."] };
    assert.deepEqual(draft.rejected, [{ line: 2, errors }], state);
    const lines = `${HEADER}\nF1,1,A,B,1,1\nF1,2,A,A,1,1\nF1,1,A,A,1,1\nF2,1,A,${state},1,1\n`;
    assert.deepEqual(await server.importText(tenant, "invoice_lines", lines), {
      created: 0,
      updated: 2,
      rejected: [
        { line: 2, errors: SENT },
        { line: 3, errors: SENT },
      ],
    });
    assert.deepEqual(await show(tenant, sent), before);
    const same = "number,total,currency,due_on,status\nF1,12.50,RON,2026-12-01,paid\n";
    assert.deepEqual(await server.importText(tenant, "invoices", same), { ...none, updated: 1 });
    await tenant.put(sent, { due_on: null, status: "issued" });
  }
  assert.partialDeepStrictEqual(await show(tenant, free), { currency: "EUR", lines: [{ description: "failed" }] });
});

test("an import waits for an invoice that is being queued, and then refuses to change it", async () => {
  const tenant = await server.createTenant();
  const invoice = await invoiceOf(tenant, "F1", { total: "1" });
  for (const [kind, csv] of [
    ["invoices", "number,total\nF1,2\n"],
    ["invoice_lines", `${HEADER}\nF1,1,,A,1,1\n`],
  ] as const) {
    await server.sql("update invoices set wms_state = 'not_sent' where tenant_id = $1", [tenant.id]);
    const lock = await server.locking(`update invoices set wms_state = 'queued' where tenant_id = ${tenant.id}`);
    const importing = server.importing(tenant, kind, csv);
    await lock.blocking();
    await lock.release();
    assert.deepEqual((await importing).rejected, [{ line: 2, errors: SENT }], kind);
  }
  assert.partialDeepStrictEqual(await show(tenant, invoice), { total: "1", lines: [] });
});

test("an invoice that is imported with an order is sent", async () => {
  const tenant = await server.createTenant();
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  await server.importText(tenant, "invoices", "number,company_tax_id,wms_order_id\nF1,RO1,7\nF2,RO1,\n");
  const { id } = (await tenant.get("/api/v1/companies")).body.data[0];
  const states = async () =>
    (await tenant.get(`/api/v1/companies/${id}/invoices`)).body.data.map(
      ({ wms }: { wms: Record<string, unknown> }) => [wms.order_id, wms.state],
    );
  assert.deepEqual(await states(), [
    [null, "not_sent"],
    [7, "sent"],
  ]);
  await server.importText(tenant, "invoices", "number,wms_order_id\nF2,8\n");
  assert.deepEqual(await states(), [
    [8, "sent"],
    [7, "sent"],
  ]);
});

function lineNamed(description: string): object {
  return { sku: "A", description, quantity: "1", unit_price: "1" };
}

/** Where the new invoice is. */
async function invoiceOf(tenant: TestTenant, number: string, fields: object = {}): Promise<string> {
  const { id } = (await tenant.post("/api/v1/companies", { name: number })).body.data;
  const { status, body, text } = await tenant.post(`/api/v1/companies/${id}/invoices`, { number, ...fields });
  assert.equal(status, 201, text);
  return `/api/v1/invoices/${body.data.id}`;
}

async function show(tenant: TestTenant, path: string): Promise<Answer["body"]> {
  return (await tenant.get(path)).body.data;
}

async function linesOf(tenant: TestTenant, path: string): Promise<{ sku: string }[]> {
  return (await show(tenant, path)).lines;
}

/** The rows by column, without the ids, which differ. */
function valuesOf(csv: string): Record<string, string>[] {
  const rows = parse<Record<string, string>>(csv, { columns: true, record_delimiter: "\r\n" });
  return rows.map(({ invoice_id: _id, ...rest }) => rest);
}

test("a row chooses an address of its company for the goods; any other is rejected", async () => {
  const tenant = await server.createTenant();
  const company = async (name: string) => (await tenant.post("/api/v1/companies", { name, tax_id: name })).body.data.id;
  const address = async (id: number) =>
    (await tenant.post(`/api/v1/companies/${id}/addresses`, { type: "delivery", address: "A" })).body.data.id;
  const [one, other] = [await company("RO1"), await company("RO2")];
  const [own, theirs] = [await address(one), await address(other)];
  const head = "number,company_tax_id,delivery_address_id\n";
  const wrong = { errors: { delivery_address_id: ["The selected delivery address id is invalid."] } };
  const created = await server.importText(tenant, "invoices", `${head}D1,RO1,${own}\nD2,RO1,${theirs}\n`);
  assert.deepEqual(created, { created: 1, updated: 0, rejected: [{ line: 3, ...wrong }] });
  const again = `number,delivery_address_id\nD1,${theirs}\n`;
  assert.deepEqual((await server.importText(tenant, "invoices", again)).rejected, [{ line: 2, ...wrong }]);
  assert.match(await server.exportText(tenant, "invoices"), new RegExp(`,RO1,D1,.*,${own},`));
});
