import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import type { TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";
import { startImportServer } from "../imports/import-server.ts";
import { settledPage } from "../pages/settled-import.ts";

/** docs/contract.md 6.9: everything that knows a company, beside its merge and the undo of it. */
const server = await startImportServer();
const { begin: beginWorker, end: endWorker } = runWorker(server);

async function created(tenant: TestTenant, path: string, body: object): Promise<number> {
  const answer = await tenant.post(`/api/v1${path}`, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id;
}

/** A company that everything knows. */
async function known(tenant: TestTenant, member: Member, name: string, taxId: string, days: number) {
  const id = await created(tenant, "/companies", {
    name,
    tax_id: taxId,
    external: { erp: `C-${name}`, [name.toLowerCase()]: "own" },
    terms: { payment_days: days, credit_limit: "500.00" },
    custom: { [`field_${name.toLowerCase()}`]: name, both: name },
  });
  const contact = await created(tenant, `/companies/${id}/contacts`, {
    first_name: name,
    last_name: "Pop",
    email: `${name}@pop.example`,
    is_primary: true,
    external: { crm: `P-${name}` },
  });
  const address = await created(tenant, `/companies/${id}/addresses`, {
    address: `Strada ${name}`,
    type: "delivery",
    is_default: true,
    external: { erp: `A-${name}` },
  });
  const invoice = await created(tenant, `/companies/${id}/invoices`, {
    number: `${name}-1`,
    issued_on: "2026-01-10",
    total: "100.00",
    currency: "RON",
    delivery_address_id: address,
    external: { erp: `I-${name}` },
  });
  await created(tenant, `/invoices/${invoice}/payments`, { amount: "40.00", paid_on: "2026-02-01" });
  const promised = await member.post(`/companies/${id}/promise`, { until: "2027-03-01", note: `by ${name}` });
  assert.equal(promised.status, 303, promised.text);
  const call = await member.post(`/companies/${id}/calls`, {
    due_on: name === "K" ? "2027-02-01" : "2027-01-01",
    about: name,
  });
  assert.equal(call.status, 303, call.text);
  await server.sql(
    `with r as (insert into reminders (tenant_id, company_id, contact_id, level, changed_by) values ($1, $2, $4, 1, 'command') returning id)
     insert into reminded (tenant_id, reminder_id, invoice_id) select $1, r.id, $3 from r`,
    [tenant.id, id, invoice, contact],
  );
  assert.equal((await member.get(`/companies/${id}`)).status, 200);
  return { id, contact, address, invoice };
}

/** Logs of what happened, and what is computed again from the rows. */
const FOLLOWING = new Set(
  (
    "changes feed feed_ticks jobs lanes lane_news merges company_counts company_count_changes company_count_sums " +
    "company_sales month_sales changed_sales sales_progress " +
    "alike_pairs alike_progress company_keys kept_answers key_uses last_opened pending_requests sessions"
  ).split(" "),
);
const VOLATILE = new Set(["updated_at", "edited_at", "changed_by", "search_text", "values_text"]);

/** The rows of a tenant in every other table, without versions and authors. */
async function everything(tenant: TestTenant): Promise<Record<string, string[]>> {
  const tables = await server.sql(
    `select c.table_name as name from information_schema.columns c where c.table_schema = 'public' and c.column_name = 'tenant_id' order by 1`,
  );
  const rows: Record<string, string[]> = {};
  for (const name of tables.map((table) => String(table.name)).filter((table) => !FOLLOWING.has(table))) {
    const found = await server.sql(`select to_jsonb(t) as row from ${name} t where tenant_id = $1`, [tenant.id]);
    const columns = found.map(({ row }) => Object.entries(row as object).filter(([column]) => !VOLATILE.has(column)));
    rows[name] = columns.map((values) => JSON.stringify(values)).toSorted();
  }
  return rows;
}

test("all that knows two companies knows the kept one after a merge, and both after its undo", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  for (const label of ["Field K", "Field F", "Both"]) {
    await created(tenant, "/custom-fields", { noun: "company", label, kind: "text" });
  }
  const k = await known(tenant, member, "K", "RO1001", 10);
  const f = await known(tenant, member, "F", "RO2002", 20);
  await member.post("/companies/views", { name: "Pop", filters: "city=Cluj", for: "all" });
  for (const promisedByKept of [true, false]) {
    if (!promisedByKept) await member.post(`/companies/${k.id}/promise`, { end: "1" });
    const before = await everything(tenant);
    const path = `/api/v1/companies/${k.id}`;
    const merged = await tenant.post(`${path}/merge?include=terms,external`, { from: f.id });
    assert.equal(merged.status, 200, merged.text);
    const { metadata, terms, external, callback_date: day } = merged.body.data;
    assert.deepEqual(
      { metadata, terms, external, day },
      {
        metadata: { field_k: "K", field_f: "F", both: "K" },
        terms: { payment_days: 10, credit_limit: "500.00" },
        external: { erp: "C-K", k: "own", f: "own" },
        day: "2027-01-01",
      },
    );
    const invoice = (await tenant.get(`/api/v1/invoices/${f.invoice}`)).body.data;
    assert.deepEqual([invoice.company.id, invoice.delivery_address_id, invoice.left], [k.id, f.address, "60.00"]);
    const page = (await member.get(`/companies/${k.id}`)).text;
    for (const shown of ["Strada F", "F Pop", "by F"].slice(0, promisedByKept ? 2 : 3))
      assert.ok(page.includes(shown), shown);
    assert.equal((await member.get(`/companies/${f.id}`)).location, `/companies/${k.id}`);
    const undone = await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`);
    assert.equal(undone.status, 200, undone.text);
    assert.deepEqual(await everything(tenant), before);
  }

  // A promise that was made since stays with the kept one.
  const merged = await tenant.post(`/api/v1/companies/${k.id}/merge`, { from: f.id });
  await member.post(`/companies/${k.id}/promise`, { until: "2027-04-01", note: "by both" });
  await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`);
  assert.deepEqual(await server.sql("select company_id, note from promises where tenant_id = $1", [tenant.id]), [
    { company_id: String(k.id), note: "by both" },
  ]);
});

test("files, selections and fiscal ids find the kept company while it is merged, and each its own again", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const upload = async (kind: string, csv: string) => {
    const answer = await member.upload("/imports", { kind }, { [`${kind}.csv`]: csv });
    await settledPage(member, String(answer.location));
    return String(answer.location);
  };
  const end = async (path: string, action: string) => {
    await member.post(`${path}/${action}`);
    return (await settledPage(member, path)).text;
  };
  const made = await upload("companies", "name,tax_id,phone\nF,RO2002,0722 111 222\n");
  await end(made, "start");
  const [{ id: f }] = (await tenant.get("/api/v1/companies")).body.data;
  const k = await created(tenant, "/companies", { name: "K", tax_id: "RO1001" });
  const files = [
    await upload("companies", "name,tax_id,city\nF,ro 2002,Turda\nK,1001,Cluj\n"),
    await upload("contacts", "company_tax_id,first_name,last_name\n2002,Dan,Rus\n"),
    await upload("invoices", "company_tax_id,number,total,currency,issued_on\n2002,F-7,10.00,RON,2026-01-01\n"),
  ];
  await endWorker();
  for (const file of files) await member.post(`${file}/start`);
  const merged = await tenant.post(`/api/v1/companies/${k}/merge`, { from: f });
  assert.equal(merged.status, 200, merged.text);
  const selected = { id: [String(k), String(f)], rows: "2", matching: "", to: "/companies", status: "active" };
  assert.equal((await member.post("/companies/bulk", selected)).status, 409, "one of them is gone");
  beginWorker();
  for (const file of files) await settledPage(member, file);
  const company = async (id: number) => (await tenant.get(`/api/v1/companies/${id}`)).body.data;
  const { city, status, contacts_count: people } = await company(k);
  assert.deepEqual([city, status, people], ["Cluj", "active", 1]);
  assert.equal((await tenant.get(`/api/v1/companies/${k}/invoices`)).body.total, 1);

  const namedBy = async (taxId: string) => {
    const items = [{ tax_id: taxId, name: "By its fiscal id" }];
    const batch = await tenant.post("/api/v1/companies/batch", { items, dry_run: true });
    const refused = await tenant.post("/api/v1/companies", { name: "Again", tax_id: taxId });
    assert.equal(refused.status, 409, refused.text);
    return [batch.body.results[0].id, refused.body.data.id];
  };
  await tenant.put(`/api/v1/companies/${k}`, { tax_id: "RO3003" });
  for (const taxId of ["2002", "RO 2002", "RO3003"]) assert.deepEqual(await namedBy(taxId), [k, k], taxId);
  await tenant.put(`/api/v1/companies/${k}`, { tax_id: "RO2002" });
  assert.deepEqual(await namedBy("RO2002"), [k, k]);
  const taken = await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`);
  assert.deepEqual([taken.status, taken.body.data.id], [409, k], taken.text);
  await tenant.put(`/api/v1/companies/${k}`, { tax_id: "RO3003" });

  assert.match(await end(made, "undo"), /F: it, or its company, has been deleted since/);
  const undone = await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`);
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual(await namedBy("RO2002"), [f, f]);
  assert.deepEqual(await namedBy("RO3003"), [k, k]);
  assert.deepEqual([(await company(f)).phone, (await company(k)).phone], ["0722 111 222", null]);
});

test("no value of a deleted field is merged, and an undo gives none to a later field of its key", async () => {
  const tenant = await server.createTenant();
  const define = async (label: string, kind: string) =>
    await created(tenant, "/custom-fields", { noun: "company", label, kind });
  const [crate, van] = [await define("Crate", "text"), await define("Van", "text")];
  const kept = await created(tenant, "/companies", { name: "Kept", custom: { crate: "12" } });
  const from = await created(tenant, "/companies", { name: "From", custom: { van: "2" } });
  const remove = async (id: number) => {
    await tenant.put(`/api/v1/custom-fields/${id}`, { archived: true });
    assert.equal((await tenant.delete(`/api/v1/custom-fields/${id}`)).status, 200);
  };
  const stored = async () => (await server.sql("select metadata from companies where id = $1", [kept]))[0]?.metadata;
  await remove(van);
  const merged = await tenant.post(`/api/v1/companies/${kept}/merge`, { from, fields: { "custom.crate": "from" } });
  assert.deepEqual([merged.status, await stored()], [200, null], merged.text);
  await remove(crate);
  await server.sql("update jobs set run_at = now() where tenant_id = $1", [tenant.id]);
  await poll("the removal of the values", async () => {
    const left = "select from custom_fields where tenant_id = $1 and deleted_at is not null and purged_at is null";
    return (await server.sql(left, [tenant.id])).length === 0;
  });
  await define("Crate", "number");
  const undone = await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`, {});
  assert.deepEqual([undone.status, undone.body.left.fields, await stored()], [200, 0, null], undone.text);
});

test("a payment that a merge moved has another version and its company, and the undo of its import takes it back", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const kept = await created(tenant, "/companies", { name: "Kept" });
  const from = await created(tenant, "/companies", { name: "From" });
  const [issued, amounts] = [
    { number: "M-1", status: "issued" },
    { total: "100.00", currency: "RON" },
  ];
  const invoice = await created(tenant, `/companies/${from}/invoices`, { ...issued, ...amounts });
  const file = { "payments.csv": "invoice_number,amount,paid_on\nM-1,40.00,2026-02-01\n" };
  const path = String((await member.upload("/imports", { kind: "payments" }, file)).location);
  await settledPage(member, path);
  await member.post(`${path}/start`);
  await settledPage(member, path);
  const [{ id }] = (await tenant.get(`/api/v1/invoices/${invoice}/payments`)).body.data;
  const before = await tenant.get(`/api/v1/payments/${id}`);
  assert.equal((await tenant.post(`/api/v1/companies/${kept}/merge`, { from })).status, 200);
  const headers = { "if-none-match": before.headers.get("etag") ?? "" };
  const after = await tenant.get(`/api/v1/payments/${id}`, { headers });
  assert.deepEqual([before.body.data.company_id, after.status, after.body?.data?.company_id], [from, 200, kept]);
  const history = (await member.get(`/history?company=${kept}`)).text.replaceAll(/<[^>]*>/g, "");
  assert.match(history, /moved the payment of 40\.00 RON for M-1 to another company/);
  await member.post(`${path}/undo`);
  await settledPage(member, path);
  assert.equal((await tenant.get(`/api/v1/payments/${id}`)).status, 404);
  assert.equal((await tenant.get(`/api/v1/companies/${kept}/invoices`)).body.data[0].paid, undefined);
});

test("a company keeps its fiscal id when another spelling of it becomes a former one of a third company", async () => {
  const tenant = await server.createTenant();
  const own = await created(tenant, "/companies", { name: "Own", tax_id: "RO5550001" });
  const from = await created(tenant, "/companies", { name: "From", tax_id: "5550001" });
  const kept = await created(tenant, "/companies", { name: "Kept", tax_id: "RO5550002" });
  assert.equal((await tenant.post(`/api/v1/companies/${kept}/merge`, { from })).status, 200);
  const put = await tenant.put(`/api/v1/companies/${own}`, { tax_id: "RO5550001", city: "Iași" });
  assert.deepEqual([put.status, put.body.data.city], [200, "Iași"]);
  for (const [taxId, holder] of [
    ["ro5550001", own],
    ["5550001", kept],
  ] as const) {
    const refused = await tenant.post("/api/v1/companies", { name: "New", tax_id: taxId });
    assert.deepEqual([refused.status, refused.body.data.id], [409, holder], taxId);
  }
});

test("a deleted company whose fiscal id leads to another one by a merge stays deleted, alone and in a batch", async () => {
  const tenant = await server.createTenant();
  const gone = await created(tenant, "/companies", { name: "Gone", tax_id: "RO5550003" });
  assert.equal((await tenant.delete(`/api/v1/companies/${gone}`)).status, 200);
  const from = await created(tenant, "/companies", { name: "From", tax_id: "RO5550003" });
  const kept = await created(tenant, "/companies", { name: "Kept", tax_id: "RO5550004" });
  const merged = await tenant.post(`/api/v1/companies/${kept}/merge`, { from });
  const restored = async () => {
    const items = [gone, kept].map((id) => ({ id, restore: true }));
    const { results } = (await tenant.post("/api/v1/companies/batch", { items })).body;
    return results.map(({ outcome, error }: Record<string, string>) => [outcome, error ?? null]);
  };
  const alone = await tenant.post(`/api/v1/companies/${gone}/restore`);
  assert.deepEqual([alone.status, alone.body.data.id], [409, kept]);
  assert.deepEqual(await restored(), [
    ["rejected", alone.body.error],
    ["restored", null],
  ]);
  assert.equal((await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`)).status, 200);
  await tenant.put(`/api/v1/companies/${from}`, { tax_id: null });
  assert.deepEqual(await restored(), [
    ["restored", null],
    ["restored", null],
  ]);
});

test("a stored view of a company's orders has the kept one's while it is merged", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const [k, f] = [
    await created(tenant, "/companies", { name: "K" }),
    await created(tenant, "/companies", { name: "F" }),
  ];
  await created(tenant, `/companies/${k}/invoices`, { number: "K-1", total: "10.00", currency: "RON" });
  await created(tenant, `/companies/${f}/invoices`, { number: "F-1", total: "10.00", currency: "RON" });
  const { location } = await member.post("/orders/views", { name: "Of F", filters: `company=${f}`, for: "all" });
  const shown = async () => {
    const { text } = await member.get(String(location));
    return ["K-1", "F-1"].filter((number) => text.includes(number));
  };
  assert.deepEqual(await shown(), ["F-1"]);
  const merged = await tenant.post(`/api/v1/companies/${k}/merge`, { from: f });
  assert.deepEqual(await shown(), ["K-1", "F-1"]);
  assert.match((await member.get(`/orders?company=${f}`)).text, /: K<svg/);
  await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`);
  assert.deepEqual(await shown(), ["F-1"]);
});
