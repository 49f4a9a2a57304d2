import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { kindOf } from "../src/exchange/imports/kinds.ts";
import { importCsv } from "../src/exchange/imports/writing/import-csv.ts";
import { actingAs } from "../src/kit/actor.ts";
import { findTenant } from "../src/people/tenants/tenant-queries.ts";
import { signedIn } from "./doors/pages/visitor.ts";
import { startServer } from "./harness.ts";
import { poll } from "./program.ts";

/**
 * The plan of every list and search, at a size where the right index matters: a lost index fails here and not in
 * production. The server's own statements are explained by PostgreSQL as they run.
 */
const server = await startServer(
  {},
  {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_nested_statements": "on",
    "auto_explain.log_level": "log",
  },
);
const tenant = await server.createTenant();
const other = await server.createTenant();
const owner = await tenant.createUser();
const companyId = await seed();

const lists: { name: string; path: string; uses: RegExp[] }[] = [
  { name: "a company", path: `/${companyId}`, uses: [/Index Scan using companies_pkey/] },
  {
    name: "the first page",
    path: "",
    uses: [/Index Only Scan using companies_live/, /using company_count_sums_pkey/, /AND \(generation >= /],
  },
  { name: "a deep page", path: "?page=200", uses: [/Index Cond: \(\(tenant_id = .+\) AND \(id >= /] },
  { name: "by status", path: "?status=active", uses: [/using companies_status/] },
  { name: "a deep page by status", path: "?status=active&per_page=1&page=8200", uses: [/using companies_status/] },
  { name: "by owner", path: `?assigned_to=${owner}`, uses: [/using companies_assigned_to/] },
  {
    name: "by owner and status",
    path: `?assigned_to=${owner}&status=active`,
    uses: [/using companies_(assigned_to|status)/],
  },
  { name: "few matches", path: "?search=needle", uses: [/Bitmap Index Scan on companies_search/] },
  { name: "no match", path: "?search=nothing-like-it", uses: [/Bitmap Index Scan on companies_search/] },
  { name: "every row", path: "?search=company", uses: [/Index Only Scan using companies_live/] },
  { name: "two letters", path: "?search=co", uses: [/Index Only Scan using companies_live/] },
  { name: "contacts", path: `/${companyId}/contacts`, uses: [/using contacts_of_company/] },
  { name: "contacts that match", path: `/${companyId}/contacts?search=ana`, uses: [/using contacts_of_company/] },
  { name: "addresses", path: `/${companyId}/addresses`, uses: [/using addresses_of_company/] },
  { name: "a history", path: `/${companyId}/history`, uses: [/using changes_of_resource_in_time/] },
  { name: "invoices", path: `/${companyId}/invoices`, uses: [/Index (Only )?Scan using invoices_of_company_by_date/] },
  {
    name: "invoices by status",
    path: `/${companyId}/invoices?status=paid`,
    uses: [/Index Only Scan using invoices_of_company_by_status/, /Index Scan using invoices_of_company_by_status/],
  },
  { name: "invoices that match", path: `/${companyId}/invoices?search=f1`, uses: [/using invoices_of_company_/] },
  { name: "WMS orders", path: `/${companyId}/wms-orders`, uses: [/using invoices_wms_orders/] },
];

for (const { name, path: suffix, uses } of lists) {
  test(`${name}: no walk over a whole table`, async () => {
    const url = `/api/v1/companies${suffix}`;
    // PostgreSQL may change to a plan for any tenant from the sixth execution on a connection: that is the one to see.
    for (let i = 0; i < 12; i++) await tenant.get(url);
    const before = logSize();
    assert.equal((await tenant.get(url)).status, 200);
    const plans = await plansSince(before, ...uses);
    assert.doesNotMatch(plans, /Seq Scan on (companies|contacts|addresses|invoices|changes)/);
  });
}

const ordered: { name: string; query: string; uses: RegExp[] }[] = [
  { name: "by name", query: "", uses: [/Index Only Scan using companies_by_name/] },
  { name: "by name downwards", query: "?sort=-name", uses: [/Index Only Scan Backward using companies_by_name/] },
  { name: "by name, deep", query: "?per_page=1&page=9000", uses: [/Index Only Scan using companies_by_name/] },
  { name: "by name, of a status", query: "?status=active", uses: [/Index Only Scan using companies_by_name/] },
  { name: "by name, few matches", query: "?search=needle", uses: [/Bitmap Index Scan on companies_search/] },
  { name: "by name, every row", query: "?search=company", uses: [/Index Only Scan using companies_by_name/] },
  { name: "the newest first", query: "?sort=-id", uses: [/Index Only Scan Backward using companies_live/] },
  { name: "the deleted ones", query: "?deleted=1", uses: [/using companies_deleted/] },
];

for (const { name, query, uses } of ordered) {
  test(`a list for people, ${name}: no walk over a whole table`, async () => {
    const member = await signedIn(server, tenant);
    for (let i = 0; i < 6; i++) await member.get(`/companies${query}`);
    const before = logSize();
    assert.equal((await member.get(`/companies${query}`)).status, 200);
    const plans = await plansSince(before, ...uses);
    assert.doesNotMatch(plans, /Seq Scan on companies/);
  });
}

test("the history, the company's and a contact's: no walk over a whole table, whatever is filtered", async () => {
  const member = await signedIn(server, tenant);
  await server.sql(
    `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
     select $1, now() - interval '1 minute' * g, 'company', g % 500 + $2::bigint, g % 500 + $2::bigint, 'updated', '{}', 'import'
     from generate_series(1, 20000) g`,
    [tenant.id, companyId],
  );
  const contact = await tenant.post(`/api/v1/companies/${companyId}/contacts`, { first_name: "A", last_name: "B" });
  await server.sql("analyze changes");
  for (const [path, uses] of [
    ["/history", /using changes_in_time/],
    ["/history?action=deleted&to=2026-01-01&before=2026-01-01T00:00:00Z_7", /using changes_in_time/],
    [`/history?company=${companyId}`, /using changes_of_company_in_time/],
    [`/contacts/${contact.body.data.id}`, /using activities_of_contact/],
  ] as const) {
    for (let i = 0; i < 6; i++) await member.get(path);
    const before = logSize();
    assert.equal((await member.get(path)).status, 200);
    const plans = await plansSince(before, uses);
    assert.doesNotMatch(plans, /Seq Scan on (changes|companies|contacts|addresses|invoices|activities)/, path);
  }
});

test("an update looks its row up, where tenants are small on average too", async () => {
  await server.sql("insert into tenants (slug, name) select 'small-' || n, 'Small' from generate_series(1, 5000) n");
  await server.sql(
    "insert into companies (tenant_id, name, country) select id, 'A', 'B' from tenants where name = 'Small'",
  );
  await server.sql("analyze companies");
  const contact = await tenant.post(`/api/v1/companies/${companyId}/contacts`, { first_name: "A", last_name: "B" });
  for (const [table, url] of [
    ["companies", `/api/v1/companies/${companyId}`],
    ["contacts", `/api/v1/contacts/${contact.body.data.id}`],
  ] as const) {
    for (let i = 0; i < 12; i++) await tenant.put(url, { notes: `Note ${i}` });
    const before = logSize();
    assert.equal((await tenant.put(url, { notes: "Note" })).status, 200);
    const plans = await plansSince(
      before,
      new RegExp(`Update on ${table}[^]*Index Scan using ${table}_pkey on ${table} t .*\\n.*Index Cond: .*id = r`),
    );
    assert.doesNotMatch(plans, /Seq Scan on (companies|contacts)/);
  }
});

test("an import's update finds its rows by their keys", async () => {
  const importing = await findTenant(server.deps.database, tenant.slug);
  assert.ok(importing);
  const importNote = async (note: string) => {
    const chunks = Readable.from([Buffer.from(`name,tax_id,notes\nCompany,RO100,${note}`)]);
    return await importCsv(server.deps, { kind: kindOf("companies"), actor: actingAs("import", importing), chunks });
  };
  for (let i = 0; i < 12; i++) await importNote(`Note ${i}`);
  const before = logSize();
  assert.equal((await importNote("Note")).updated, 1);
  await plansSince(
    before,
    /Update on companies[^]*Index Scan using companies_pkey on companies t .*\n.*Index Cond: .*id = r/,
  );
});

test("the holder of a taken tax id: no walk over a whole table", async () => {
  const duplicate = { name: "Duplicate", tax_id: "ro100" };
  await tenant.post("/api/v1/companies", duplicate);
  const before = logSize();
  assert.equal((await tenant.post("/api/v1/companies", duplicate)).status, 409);
  const plans = await plansSince(before, /Index Scan using companies_tax_id/);
  assert.doesNotMatch(plans, /Seq Scan on companies|Filter: .*lower/);
});

/** The log from an offset on, once all of these are in it: PostgreSQL may answer before it has written a plan. */
async function plansSince(offset: number, ...awaited: RegExp[]): Promise<string> {
  let plans = "";
  await poll(`a plan that uses ${awaited.join(" and ")}`, () => {
    plans = fs.readFileSync(logFile()).subarray(offset).toString();
    return awaited.every((pattern) => pattern.test(plans));
  });
  return plans;
}

function logFile(): string {
  return path.join(String(server.connection.host), "server.log");
}

function logSize(): number {
  return fs.statSync(logFile()).size;
}

async function seed(): Promise<number> {
  for (const { id, size } of [
    { id: tenant.id, size: 20_000 },
    { id: other.id, size: 5_000 },
  ]) {
    await server.sql(
      `insert into companies (tenant_id, name, tax_id, email, city, country, status, assigned_to)
       select $1::bigint, 'Company ' || g || case when g % 7000 = 6999 then ' needle' else '' end, 'RO' || g, 'c' || g || '@company.example', 'Cluj', 'Romania',
         case when g % 2 = 0 then 'active' else 'prospect' end, case when $1::bigint = $3::bigint and g % 100 = 0 then $4::bigint end
       from generate_series(1, $2::int) g`,
      [id, size, tenant.id, owner],
    );
  }
  const company = await server.sql("select id from companies where tenant_id = $1 order by id limit 1", [tenant.id]);
  const first = company[0]?.id;
  await server.sql(
    `insert into contacts (tenant_id, company_id, first_name, last_name)
     select tenant_id, id, 'Ana', 'Pop' from companies`,
  );
  await server.sql(
    `insert into addresses (tenant_id, company_id, address, country) select tenant_id, id, 'Strada 1', 'Romania' from companies`,
  );
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, wms_order_id) select tenant_id, id, 'F' || id, id from companies`,
  );
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, issued_on, status)
     select $1, $2, 'G' || g, '2026-01-01'::date + g, case when g % 2 = 0 then 'paid' else 'issued' end from generate_series(1, 3000) g`,
    [tenant.id, first],
  );
  await server.sql("vacuum analyze");
  return Number(first);
}
