import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import { recordKinds } from "../../../src/customers/records/record.ts";
import type { TestTenant } from "../../harness.ts";
import { fc } from "../../properties.ts";
import { startImportServer } from "./import-server.ts";

const server = await startImportServer();

test("an export that is imported into another tenant brings every value along", async () => {
  const from = await server.createTenant({ country: "Moldova" });
  const to = await server.createTenant();
  const company = {
    name: '=A "quoted", Brașov\nsecond line',
    tax_id: "RO1",
    registration_number: "J1",
    industry: "Food",
    website: "x",
    phone: "+40 722",
    email: "a@b.ro",
    address: "-1",
    city: "@x",
    county: "C",
    country: "Ţara",
    postal_code: "0400",
    status: "churned",
    status_code: -5,
    notes: "line\r\nbreak\rs",
    managing_company: "M",
    employee_count: 0,
    activity_domain: "D",
    fiscal_address: "F",
    delivery_notes: "N",
    callback_date: "2026-12-01",
  };
  const { body } = await from.post("/api/v1/companies", company);
  await from.post("/api/v1/companies", { name: "Only a name", tax_id: "RO2" });
  const path = `/api/v1/companies/${body.data.id}`;
  await from.post(`${path}/contacts`, {
    first_name: "Ana",
    last_name: "Pop",
    mobile: "0722",
    phone: "021",
    is_primary: true,
    preferred_language: "en",
    birth_date: "1985-03-14",
    notes: "a,b",
  });
  await from.post(`${path}/addresses`, { address: "Strada", type: "delivery", phone: "1", is_default: true });
  await server.importText(
    from,
    "invoices",
    "number,company_tax_id,issued_on,due_on,total,currency,status,wms_instance,wms_order_id,wms_order_number,wms_status,wms_synced_at\n" +
      "F1,RO1,2026-01-01,2026-02-01,100.50,RON,paid,w.example,9007199254740991,W,s,2026-11-20T09:15:00.1Z\nF2,RO2,,,,,,,,,,\n",
  );
  const records =
    "company_tax_id,number,title,status,amount,currency,starts_on,ends_on\n" +
    "RO1,N,T,open,1.10,EUR,2026-01-01,2026-12-31\nRO2,,T2,,,,,\n";
  for (const kind of recordKinds) await server.importText(from, kind, records);

  const companies = await server.exporting(from, "companies");
  assert.equal((await server.importing(to, "companies", companies)).created, 2);
  assert.deepEqual(values(await server.exporting(to, "companies")), values(companies));
  for (const kind of ["contacts", "addresses", "invoices", ...recordKinds]) await roundTrip(from, to, kind);
  const again = await server.importing(to, "companies", companies);
  assert.deepEqual(again, { created: 0, updated: 2, rejected: [] });
});

test("a decimal is exported as it was last written, and only one of the API's form is taken", async () => {
  const tenant = await server.createTenant();
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  const totalsAfter = async (total: string) => {
    const { rejected } = await server.importing(tenant, "invoices", `number,company_tax_id,total\nF1,RO1,${total}\n`);
    const exported = parse(await server.exportText(tenant, "invoices"), { columns: true }) as { total: string }[];
    return [rejected.length, exported.map((row) => row.total)];
  };
  for (const total of ["12.50", "12.5", "-0.000001", "999999999999999.999999"]) {
    assert.deepEqual(await totalsAfter(total), [0, [total]]);
  }
  for (const total of ["+5", "05", "5.", ".5", "1e3", "0.0000001"]) {
    assert.deepEqual(await totalsAfter(total), [1, ["999999999999999.999999"]], total);
  }
});

async function roundTrip(from: TestTenant, to: TestTenant, kind: string): Promise<void> {
  const exported = await server.exportText(from, kind);
  assert.ok(exported.startsWith("id,"));
  const rows = rowsOf(exported);
  assert.ok(rows.length > 0, kind);
  const imported = await server.importText(to, kind, csvOf(rows.map(without("company_id"))));
  assert.deepEqual(imported, { created: rows.length, updated: 0, rejected: [] }, kind);
  assert.deepEqual(values(await server.exportText(to, kind)), values(exported), kind);
}

// An import takes these marks and words of spreadsheets away (docs/csv.md 6).
const MARKED = /^(?:'[=+@\d\t-]|="|#|Err:\d|(?:null|\(null\)|\\n|none|n\/a|n\.a\.|nan|undefined|\(blank\))$)/isu;

test("any text survives an export and an import", async () => {
  const characters = fc.constantFrom('"', ",", "\n", "\r", "a", " ", "ș", "😀", ";", "\\");
  const text = fc
    .oneof(fc.string({ unit: "grapheme-ascii", maxLength: 25 }), fc.string({ unit: characters, maxLength: 25 }))
    .map((value) => value.trim())
    .filter((value) => /\p{L}/u.test(value) && !MARKED.test(value));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ name: text, notes: text, phone: text }), {
        minLength: 1,
        maxLength: 8,
      }),
      async (rows) => {
        const from = await server.createTenant();
        const to = await server.createTenant();
        for (const row of rows) assert.equal((await from.post("/api/v1/companies", row)).status, 201);
        const exported = await server.exportText(from, "companies");
        // Chunks of a few bytes: what matters may lie across their boundaries.
        const size = 1 + (exported.length % 7);
        await server.importText(to, "companies", exported, size);
        assert.deepEqual(values(await server.exportText(to, "companies")), values(exported));
        const { body } = await to.get("/api/v1/companies");
        const original = await from.get("/api/v1/companies");
        const seen = (company: { name: string; notes: string; phone: string }) => [
          company.name,
          company.notes,
          company.phone,
        ];
        assert.deepEqual(body.data.map(seen), original.body.data.map(seen));
      },
    ),
    { numRuns: 40 },
  );
});

test("an export has each live row once, on however many pages, and nothing of other tenants or deleted companies", async () => {
  const tenant = await server.createTenant();
  const other = await server.createTenant();
  await other.post("/api/v1/companies", { name: "Theirs" });
  await server.importing(
    tenant,
    "companies",
    ["name", ...Array.from({ length: 2_000 }, (_, index) => `C${index}`)].join("\n"),
  );
  const deleted = await tenant.post("/api/v1/companies", { name: "Deleted" });
  await tenant.post(`/api/v1/companies/${deleted.body.data.id}/contacts`, { first_name: "A", last_name: "B" });
  await tenant.delete(`/api/v1/companies/${deleted.body.data.id}`);
  assert.deepEqual(
    rowsOf(await server.exporting(tenant, "companies")).map(({ name }) => name),
    Array.from({ length: 2_000 }, (_, index) => `C${index}`),
  );
  assert.deepEqual(rowsOf(await server.exporting(tenant, "contacts")), []);
});

test("a reader that has had enough ends an export quietly, and --json adds nothing to it", async () => {
  const tenant = await server.createTenant();
  const names = Array.from({ length: 20_000 }, (_, index) => `Company ${index} ${"x".repeat(200)}`);
  await server.importing(tenant, "companies", ["name", ...names].join("\n"));
  const program = server.start("export", "companies", "--tenant", tenant.slug);
  const end = program.finished();
  program.process.stdout?.once("data", () => program.process.stdout?.destroy());
  const { code, stderr } = await end;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  const { stdout } = await server.run("export", "companies", "--tenant", tenant.slug, "--json");
  assert.equal(stdout.split("\r\n").length, 20_002);
});

/** Read by a parser other than our own. */
function rowsOf(csv: string): Record<string, string>[] {
  return parse<Record<string, string>>(csv, { columns: true, record_delimiter: "\r\n" });
}

/** The rows by column, without the ids, which differ. */
function values(csv: string): Record<string, string>[] {
  return rowsOf(csv).map(without("id", "company_id"));
}

function without(...columns: string[]): (row: Record<string, string>) => Record<string, string> {
  return (row) => Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));
}

function csvOf(rows: Record<string, string>[]): string {
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  return [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
    .map((row) => row.map(quote).join(","))
    .join("\n");
}

test("rows with texts of any length are exported, all of them", async () => {
  const tenant = await server.createTenant();
  await server.sql(
    `insert into companies (tenant_id, name, country, notes, delivery_notes)
    select $1, 'Company ' || n, 'Romania', repeat('ș', 65535), case when n % 2 = 0 then repeat('ț', 65535) end
    from generate_series(1, 40) n`,
    [tenant.id],
  );
  const rows = (await server.exportText(tenant, "companies")).trimEnd().split("\r\n").slice(1);
  assert.deepEqual(
    rows.map((row) => [row.split(",")[1], row.includes("ș".repeat(65_535)), row.includes("ț".repeat(65_535))]),
    Array.from({ length: 40 }, (_, index) => [`Company ${index + 1}`, true, index % 2 === 1]),
  );
});
