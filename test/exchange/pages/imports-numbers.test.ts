import assert from "node:assert/strict";
import { test } from "node:test";
import { decimal } from "../../../src/kit/web/language.ts";
import { numberCases } from "../../doors/pages/number-cases.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";

const server = await startServer();
runWorker(server);

const nextIn = (text: string) => /\?rows=create&amp;from=([1-9]\d*)/.exec(text)?.[1];

for (const language of ["en", "ro"] as const) {
  test(`numbers and days of an uploaded file are read in the page's language, and two readings refuse a row: ${language}`, async () => {
    const tenant = await server.createTenant();
    const member = await signedIn(server, tenant);
    await member.post("/profile", { language });
    const company = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
    const cases = numberCases.filter((each) => each.language === language && each.typed.trim() !== "");
    const rows = cases.map(({ typed }, at) => `${company.id};N-${at};25.11.2026;"${typed}"`);
    const csv = ["company_id;number;issued_on;total", ...rows].join("\n");
    const { location } = await member.upload("/imports", { kind: "invoices" }, { "file.csv": csv });
    const path = String(location);
    const settled = async () => {
      let text = "";
      await poll("the end of the import's job", async () => {
        ({ text } = await member.get(path));
        return !text.includes("data-refresh");
      });
      return text;
    };
    const checked = await settled();
    for (const { typed, read } of cases) {
      if (read === null || typeof read === "string") continue;
      const said = language === "ro" ? "poate însemna" : "can mean";
      assert.ok(checked.includes(said) && checked.includes(typed), `${typed} is refused with its readings`);
    }
    let preview = "";
    for (let next: string | undefined = "0"; next !== undefined;) {
      const { text }: { text: string } = await member.get(`${path}?rows=create&from=${next}`);
      preview += text;
      next = nextIn(text);
    }
    for (const [at, { typed, read }] of cases.entries()) {
      if (typeof read !== "string") continue;
      const row = new RegExp(`<td class="name">N-${at}</td>.*?<td[^>]* data-label="Total">([^<]*)</td>`, "s");
      assert.equal(row.exec(preview)?.[1], decimal(language, read), typed);
    }
    assert.match(checked, language === "ro" ? /numere ca 1\.234,50/ : /numbers as 1,234\.50/);
    await member.post(`${path}/start`);
    await settled();
    const found = await server.sql("select number, total::text, issued_on::text from invoices where tenant_id = $1", [
      tenant.id,
    ]);
    const totals = new Map(found.map(({ number, total, issued_on: day }) => [number, [Number(total), day]]));
    for (const [at, { typed, read }] of cases.entries()) {
      // A file may have the currency in its cells; a form may not.
      const value = typed === "12 lei" ? "12" : read;
      // A dash or a point alone is how people write that there is nothing.
      const isNothing = ["-", "--", "."].includes(typed.trim());
      const expected = isNothing
        ? [0, "2026-11-25"]
        : typeof value === "string"
          ? [Number(value), "2026-11-25"]
          : undefined;
      assert.deepEqual(totals.get(`N-${at}`), expected, typed);
    }
  });
}
