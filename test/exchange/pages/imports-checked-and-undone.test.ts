import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { storeFile } from "../../../src/exchange/imports/store-upload.ts";
import { assertHarmless, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn, type Member, type PageAnswer } from "../../doors/pages/visitor.ts";
import type { TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";
import { startImportServer } from "../imports/import-server.ts";
import { figuresOf } from "./import-figures.ts";
import { settledPage, startedPage } from "./settled-import.ts";
import { many, memberOf, upload } from "./uploading.ts";

const server = await startImportServer();
runWorker(server);

async function undone(member: Member, path: string): Promise<PageAnswer> {
  assert.equal((await member.post(`${path}/undo`)).location, path);
  return await settledPage(member, path);
}

/** Everything of a tenant that an import could have changed, as the database has it. */
async function everything({ id }: TestTenant): Promise<unknown> {
  const tables = ["companies", "contacts", "addresses", "invoices", "payments", "offers", "changes", "import_rows"];
  return await Promise.all(
    tables.map(
      async (table) =>
        await server.sql(`select to_jsonb(t) as row from ${table} t where tenant_id = $1 order by id`, [id]),
    ),
  );
}

const companies = async (tenant: TestTenant) => (await tenant.get("/api/v1/companies?per_page=200")).body.data;

test("a file is checked before anything is written, and does what was said", async () => {
  const { tenant, member } = await memberOf(server);
  await tenant.post("/api/v1/companies", { name: "Old", tax_id: "RO1", phone: "+40 1" });
  await tenant.post("/api/v1/companies", { name: "Same", tax_id: "RO2", phone: "+40 2" });
  const before = await everything(tenant);
  const csv = [
    "name,tax_id,phone,status",
    "New,RO1,+40 1,prospect",
    "Same,RO2,+40 2,prospect",
    "Third,RO3,+40 3,active",
    ",RO4,,active",
    "Third again,ro3,+40 4,active",
    "Third again,RO3,+40 4,active",
    "Third again,RO3,+40 4,active",
    "Third again,RO3,+40 4,",
    "No status,RO5,,",
    "Nobody,,,nonsense",
    "too,many,cells,in,it",
    "Free,,,active",
  ].join("\n");
  const path = await upload(member, "companies", csv);
  const checked = await settledPage(member, path);
  // Of the rows of RO3 the first counts. Its others are skipped, whatever they have.
  const said = { Created: 3, Changed: 1, Unchanged: 1, Skipped: 7 };
  assert.deepEqual(figuresOf(checked), said);
  assert.match(checked.text, /<button class="main"[^>]*>Answer first: is it the fiscal id\?<\/button>/);
  assert.match(checked.text, /Nothing is written yet\./);
  assert.deepEqual(await everything(tenant), before);

  const done = await startedPage(member, path);
  assert.deepEqual(figuresOf(done), said);
  const found = (await companies(tenant)).map(({ name, tax_id, phone }: Record<string, unknown>) => [
    name,
    tax_id,
    phone,
  ]);
  assert.deepEqual(found, [
    ["New", "RO1", "+40 1"],
    ["Same", "RO2", "+40 2"],
    ["Third", "RO3", "+40 3"],
    ["No status", "RO5", null],
    ["Free", null, null],
  ]);
  for (const [line, why] of [
    [5, "Name is required."],
    [6, "Row 4 has the fiscal id ro3 too, with another name."],
    [9, "Row 4 has the fiscal id RO3 too, with another name."],
    [11, "Status"],
    [12, "The row has 5 cells where the header has 4."],
  ] as const) {
    assert.match(done.text, new RegExp(`<td class="line"[^>]*>${line}</td>\\s*<td class="why">[^<]*${why}`));
  }
  const again = await startedPage(member, path);
  assert.equal(again.status, 200);
  assert.equal((await companies(tenant)).length, 5);
});

test("what an import wrote is taken back, byte for byte, phone numbers too", async () => {
  const { tenant, member } = await memberOf(server);
  const old = { name: "Old", tax_id: "RO1", phone: "+40 264 555 010", notes: 'a "b",\nc', employee_count: 7 };
  await tenant.post("/api/v1/companies", old);
  await tenant.post("/api/v1/companies", { name: "Other", tax_id: "RO2", callback_date: "2026-12-01" });
  const before = (await companies(tenant)).map(bare);
  const csv =
    "name,tax_id,phone,notes,employee_count,callback_date\nNew,RO1,+40 1,,8,2027-01-01\nMore,RO9,+40 9,,,\nOther,RO2,,,,\n";
  const path = await upload(member, "companies", csv);
  await settledPage(member, path);
  await startedPage(member, path);
  assert.equal((await companies(tenant)).length, 3);
  const asked = await member.get(`${path}/undo`);
  assert.match(asked.text, /This deletes 1 company and restores 2\./);
  const page = await undone(member, path);
  assert.deepEqual(figuresOf(page), { Deleted: 1, Restored: 2, "Left as they are": 0 });
  assert.deepEqual((await companies(tenant)).map(bare), before);
  assert.match(page.text, /Undone<\/dt><dd>Ana Pop, /);
  const [{ id }] = await companies(tenant);
  const { data: history } = (await tenant.get(`/api/v1/companies/${id}/history`)).body;
  const by = history.map(({ by }: { by: unknown }) => by);
  assert.deepEqual(by.slice(0, 2), [
    { kind: "user", id: member.userId, name: "Ana Pop" },
    { kind: "import", id: null, name: null },
  ]);
  for (const table of ["import_chunks", "import_rejections", "import_rows"]) {
    assert.deepEqual(await server.sql(`select id from ${table} where tenant_id = $1`, [tenant.id]), [], table);
  }
});

/** A company without what every write changes. */
function bare(company: Record<string, unknown>): Record<string, unknown> {
  const { updated_at: _updatedAt, ...rest } = company;
  return rest;
}

test("rows that were changed, or got something, since the import stay as they are, and are named", async () => {
  const { tenant, member } = await memberOf(server);
  await tenant.post("/api/v1/companies", { name: "Old", tax_id: "RO1" });
  await tenant.post("/api/v1/companies", { name: "Freed", tax_id: "RO2" });
  const names = ["Changed", "Parent", "Child", "Gone", "Free"];
  const csv = ["name,tax_id", "Older,RO1", ...names.map((name, index) => `${name} SRL,RO1${index}`)].join("\n");
  const path = await upload(member, "companies", csv);
  await settledPage(member, path);
  await startedPage(member, path);
  const all: { id: number; name: string }[] = await companies(tenant);
  const idOf = (name: string) => Number(all.find((company) => company.name === name)?.id);
  await tenant.put(`/api/v1/companies/${idOf("Changed SRL")}`, { city: "Cluj" });
  await tenant.put(`/api/v1/companies/${idOf("Older")}`, { city: "Cluj" });
  await tenant.post(`/api/v1/companies/${idOf("Child SRL")}/contacts`, { first_name: "A", last_name: "B" });
  await server.sql("insert into invoices (tenant_id, company_id, number) values ($1, $2, 'F1')", [
    tenant.id,
    idOf("Parent SRL"),
  ]);
  await tenant.delete(`/api/v1/companies/${idOf("Gone SRL")}`);

  const asked = await member.get(`${path}/undo`);
  assert.match(asked.text, /This deletes 1 company\./);
  assert.match(asked.text, /5 rows stay as they are:/);
  const page = await undone(member, path);
  assert.deepEqual(figuresOf(page), { Deleted: 1, Restored: 0, "Left as they are": 5 });
  for (const [name, why] of [
    ["Older", "it has been changed since"],
    ["Changed SRL", "it has been changed since"],
    ["Parent SRL", "something has been added to it since"],
    ["Child SRL", "something has been added to it since"],
  ] as const) {
    assert.ok(page.text.includes(`<li><a href="/companies/${idOf(name)}">${name}</a>: ${why}</li>`), name);
  }
  assert.match(page.text, /<li>Gone SRL: it, or its company, has been deleted since<\/li>/);
  const left = (await companies(tenant)).map(({ name, city }: Record<string, unknown>) => [name, city]);
  assert.deepEqual(left, [
    ["Older", "Cluj"],
    ["Freed", null],
    ["Changed SRL", "Cluj"],
    ["Parent SRL", null],
    ["Child SRL", null],
  ]);
});

test("an invoice that an import moved stays where it is once its company before is deleted", async () => {
  const { tenant, member } = await memberOf(server);
  const [from, to] = await Promise.all(
    ["From", "To"].map(async (name) => (await tenant.post("/api/v1/companies", { name })).body.data.id),
  );
  const { id } = (await tenant.post(`/api/v1/companies/${from}/invoices`, { number: "F1" })).body.data;
  const path = await upload(member, "invoices", `number,company_id\nF1,${to}\n`);
  await settledPage(member, path);
  await startedPage(member, path);
  assert.equal((await tenant.delete(`/api/v1/companies/${from}`)).status, 200);
  const page = await undone(member, path);
  assert.deepEqual(figuresOf(page), { Deleted: 0, Restored: 0, "Left as they are": 1 });
  assert.match(page.text, /<li>F1: it, or its company, has been deleted since/);
  assert.equal((await tenant.get(`/api/v1/invoices/${id}`)).body.data.company_id, to);
});

test("a fiscal id that is another's by now keeps its row from being put back, and no other", async () => {
  const { tenant, member } = await memberOf(server);
  const { id } = (await tenant.post("/api/v1/companies", { name: "Old", tax_id: "ro1" })).body.data;
  await tenant.post("/api/v1/companies", { name: "Other", tax_id: "RO2" });
  const path = await upload(member, "companies", "name,tax_id\nNew,RO1\nOther new,RO2\n");
  await settledPage(member, path);
  await startedPage(member, path);
  // Somebody else, past every check: the row's version stays.
  await server.sql("update companies set tax_id = 'RO7' where tenant_id = $1 and id = $2", [tenant.id, id]);
  await tenant.post("/api/v1/companies", { name: "Taker", tax_id: "RO1" });
  const page = await undone(member, path);
  assert.deepEqual(figuresOf(page), { Deleted: 0, Restored: 1, "Left as they are": 1 });
  assert.match(page.text, />New<\/a>: another one has its fiscal id now/);
});

for (const [kind, columns, row] of [
  ["contacts", "company_tax_id,first_name,last_name,phone,mobile", "RO1,Ion,Marin,+40 1,+40 2"],
  ["addresses", "company_tax_id,address,phone", "RO1,Strada Lunii 3,+40 1"],
  ["invoices", "company_tax_id,number,total", "RO1,F1,12.50"],
  ["offers", "company_tax_id,number,amount", "RO1,O1,12.50"],
  ["payments", "invoice_number,amount,paid_on", "F0,12.50,2026-11-02"],
] as const) {
  test(`${kind} are checked, imported and taken back`, async () => {
    const { tenant, member } = await memberOf(server);
    const { id } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" })).body.data;
    if (kind === "payments") await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "F0", total: "12.50" });
    const before = await everything(tenant);
    const path = await upload(member, kind, `${columns}\n${row}\n${row.replace(/RO1|F0/, "RO404")}\n`);
    assert.deepEqual(figuresOf(await settledPage(member, path)), { Created: 1, Changed: 0, Unchanged: 0, Skipped: 1 });
    assert.deepEqual(await everything(tenant), before);
    assert.deepEqual(figuresOf(await startedPage(member, path)), { Created: 1, Changed: 0, Unchanged: 0, Skipped: 1 });
    const [made] = await server.sql(`select count(*) as n from ${kind} where tenant_id = $1 and company_id = $2`, [
      tenant.id,
      id,
    ]);
    assert.equal(made?.n, "1");
    assert.deepEqual(figuresOf(await undone(member, path)), { Deleted: 1, Restored: 0, "Left as they are": 0 });
    // Deleted contacts, addresses and payments stay.
    const isHidden = kind === "contacts" || kind === "addresses" || kind === "payments";
    const left = await server.sql(
      `select ${isHidden ? "deleted_at is not null" : "false"} as hidden from ${kind} where tenant_id = $1`,
      [tenant.id],
    );
    assert.deepEqual(left, isHidden ? [{ hidden: true }] : []);
  });
}

test("an undo does not wait for rows that it does not take back", async () => {
  const { tenant, member } = await memberOf(server);
  const { id } = (await tenant.post("/api/v1/companies", { name: "Other" })).body.data;
  const path = await upload(member, "companies", "name,tax_id\nNew,RO1\n");
  await settledPage(member, path);
  await startedPage(member, path);
  const lock = await server.locking(`select from companies where id = ${id} for update`);
  try {
    assert.deepEqual(figuresOf(await undone(member, path)), { Deleted: 1, Restored: 0, "Left as they are": 0 });
  } finally {
    await lock.release();
  }
});

test("the feed says who took an import of invoices back, and that their payments are gone too", async () => {
  const { tenant, member } = await memberOf(server);
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  const path = await upload(member, "invoices", "company_tax_id,number,total,status\nRO1,F1,12.50,paid\n");
  await settledPage(member, path);
  await startedPage(member, path);
  const { next } = (await tenant.get("/api/v1/changes")).body;
  await undone(member, path);
  const { data } = (await tenant.get(`/api/v1/changes?${new URLSearchParams({ after: next }).toString()}`)).body;
  const by = { kind: "user", id: member.userId, name: "Ana Pop" };
  const told = data.map(({ type, action, by }: Record<string, unknown>) => ({ type, action, by }));
  assert.deepEqual(told, [
    { type: "payment", action: "deleted", by },
    { type: "invoice", action: "deleted", by },
  ]);
});

test("an undo that the database has no room for is tried again, and leaves no row as it is", async () => {
  const { tenant, member } = await memberOf(server);
  await tenant.post("/api/v1/companies", { name: "Old", tax_id: "RO1" });
  const path = await upload(member, "companies", "name,tax_id\nNew,RO1\nMore,RO2\n");
  await settledPage(member, path);
  await startedPage(member, path);
  await server.sql(`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$`);
  await server.sql(`create trigger no_room before update on companies for each row
    when (new.tenant_id = ${tenant.id}) execute function no_room()`);
  await member.post(`${path}/undo`);
  await poll("an attempt that failed", async () => {
    const waiting = "select from jobs where tenant_id = $1 and kind = 'import' and (state <> 'waiting' or tries = 0)";
    return (await server.sql(waiting, [tenant.id])).length === 0;
  });
  await server.sql("drop trigger no_room on companies");
  await server.sql("drop function no_room");
  assert.deepEqual(figuresOf(await settledPage(member, path)), { Deleted: 1, Restored: 1, "Left as they are": 0 });
});

test("the lines of an invoice, scattered over a file, are counted as they will be, and taken back", async () => {
  const { tenant, member } = await memberOf(server);
  const { id } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" })).body.data;
  const lines = [{ description: "Before", quantity: "1", unit_price: "2.50" }];
  for (const number of ["F1", "F2"]) await tenant.post(`/api/v1/companies/${id}/invoices`, { number, lines });
  const stored = async () =>
    await server.sql("select number, lines from invoices where tenant_id = $1 order by id", [tenant.id]);
  const before = await stored();
  // More than a batch, and every other line is the other invoice's.
  const rows = Array.from({ length: 300 }, (_, at) => [
    `F1,${at + 1},Line ${at},1,1`,
    `F2,${at + 1},Line ${at},1,1`,
  ]).flat();
  const csv = [
    "invoice_number,position,description,quantity,unit_price",
    ...rows,
    rows[0],
    rows[1],
    "F3,1,No such,1,1",
  ].join("\n");
  const path = await upload(member, "invoice_lines", csv);
  const said = { Created: 598, Changed: 2, Unchanged: 0, Skipped: 3 };
  assert.deepEqual(figuresOf(await settledPage(member, path)), said);
  assert.deepEqual(await stored(), before);
  assert.deepEqual(figuresOf(await startedPage(member, path)), said);
  assert.deepEqual(figuresOf(await undone(member, path)), { Deleted: 0, Restored: 2, "Left as they are": 0 });
  assert.deepEqual(await stored(), before);
});

test("imports that changed the same rows are undone from the last to the first, whole", async () => {
  const { tenant, member } = await memberOf(server);
  const { id } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" })).body.data;
  const paths: string[] = [];
  for (const [kind, csv] of [
    ["companies", "tax_id,name\nRO1,B\n"],
    ["invoices", "company_tax_id,number,status\nRO1,F1,draft\nRO1,F2,draft\n"],
    ["invoice_lines", "invoice_number,position,description,quantity,unit_price\nF1,1,Line,1,1\n"],
    ["invoices", "number,status\nF1,issued\nF2,issued\n"],
    ["companies", "tax_id,name\nRO1,C\n"],
  ] as const) {
    const path = await upload(member, kind, csv);
    await settledPage(member, path);
    await startedPage(member, path);
    paths.unshift(path);
  }
  const outcomes = [];
  for (const path of paths) outcomes.push(figuresOf(await undone(member, path))["Left as they are"]);
  assert.deepEqual(outcomes, [0, 0, 0, 0, 0]);
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.name, "A");
  assert.equal((await tenant.get(`/api/v1/companies/${id}/invoices`)).body.total, 0);
});

test("an undone import leaves what somebody changed between it and the one before to that one", async () => {
  const { tenant, member } = await memberOf(server);
  const { id } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" })).body.data;
  const paths: string[] = [];
  for (const name of ["B", "C"]) {
    const path = await upload(member, "companies", `tax_id,name\nRO1,${name}\n`);
    await settledPage(member, path);
    await startedPage(member, path);
    paths.unshift(path);
    await tenant.put(`/api/v1/companies/${id}`, name === "B" ? { city: "Turda" } : {});
  }
  const outcomes = [];
  for (const path of paths) outcomes.push(figuresOf(await undone(member, path))["Left as they are"]);
  assert.deepEqual(outcomes, [0, 1]);
  const { name, city } = (await tenant.get(`/api/v1/companies/${id}`)).body.data;
  assert.deepEqual([name, city], ["B", "Turda"]);
});

test("an invoice that the warehouse may have stays when its import is undone", async () => {
  const { tenant, member } = await memberOf(server);
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  const path = await upload(member, "invoices", "company_tax_id,number\nRO1,F1\nRO1,F2\nRO1,F3\n");
  await settledPage(member, path);
  await startedPage(member, path);
  await server.sql("update invoices set wms_order_id = 7 where tenant_id = $1 and number = 'F1'", [tenant.id]);
  const open =
    "update invoices set wms_state = 'failed', wms_open_since = now() where tenant_id = $1 and number = 'F3'";
  await server.sql(open, [tenant.id]);
  const page = await undone(member, path);
  assert.deepEqual(figuresOf(page), { Deleted: 1, Restored: 0, "Left as they are": 2 });
  for (const number of ["F1", "F3"]) {
    assert.ok(page.text.includes(`>${number}</a>: the warehouse has it, or may have it`), number);
  }
});

test("of an import of very many rows, the question counts the first ones, and says so", async () => {
  const { tenant, member } = await memberOf(server);
  const path = await upload(member, "companies", "name\nAlba\n");
  await settledPage(member, path);
  await startedPage(member, path);
  assert.doesNotMatch((await member.get(`${path}/undo`)).text, /were counted/);
  await server.sql(
    `insert into import_rows (tenant_id, import_id, resource_id, is_created, version)
     select $1, $2, 1000000 + n, true, now() from generate_series(1, 50000) n`,
    [tenant.id, path.split("/").at(-1)],
  );
  const { text } = await member.get(`${path}/undo`);
  assert.match(text, /Only the first 50,000 rows were counted\. All others are undone too\./);
  assert.match(text, /deletes 1 company[^]*49,999 rows stay as they are:/);
});

test("a contact that somebody has called since, or is to call, stays when its import is undone", async () => {
  const { tenant, member } = await memberOf(server);
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1" });
  const path = await upload(
    member,
    "contacts",
    "company_tax_id,first_name,last_name\nRO1,Ion,Marin\nRO1,Ana,Pop\nRO1,Dan,Rus\n",
  );
  await settledPage(member, path);
  await startedPage(member, path);
  const [planned] = await server.sql(
    "select id, company_id from contacts where tenant_id = $1 and first_name = 'Dan'",
    [tenant.id],
  );
  const call = { due_on: "2031-01-09", about: "", contact_id: String(planned?.id) };
  assert.equal((await member.post(`/companies/${String(planned?.company_id)}/calls`, call)).status, 303);
  const [called] = await server.sql("select id from contacts where tenant_id = $1 and first_name = 'Ion'", [tenant.id]);
  assert.equal(
    (await member.post(`/contacts/${String(called?.id)}/activities`, { kind: "call", note: "" })).status,
    303,
  );
  const page = await undone(member, path);
  assert.deepEqual(figuresOf(page), { Deleted: 1, Restored: 0, "Left as they are": 2 });
  for (const name of ["Ion Marin", "Dan Rus"]) assert.match(page.text, new RegExp(`>${name}</a>: `));
});

test("of many rows of one fiscal id the first counts, in the check as in the import", async () => {
  const { tenant, member } = await memberOf(server);
  await tenant.post("/api/v1/companies", { name: "Old", tax_id: "T1", phone: "+40 1" });
  const before = await companies(tenant);
  const rows = Array.from({ length: 600 }, (_, at) => `Company ${at},T${at % 10},+40 ${at}`);
  const path = await upload(member, "companies", ["name,tax_id,phone", ...rows].join("\n"));
  const said = { Created: 9, Changed: 1, Unchanged: 0, Skipped: 590 };
  assert.deepEqual(figuresOf(await settledPage(member, path)), said);
  assert.deepEqual(figuresOf(await startedPage(member, path)), said);
  const first = Array.from({ length: 10 }, (_, at) => `Company ${at}`);
  assert.deepEqual((await companies(tenant)).map(({ name }: { name: string }) => name).toSorted(), first);
  assert.deepEqual(figuresOf(await undone(member, path)), { Deleted: 9, Restored: 1, "Left as they are": 0 });
  const [old] = await companies(tenant);
  assert.deepEqual({ ...old, updated_at: null }, { ...before[0], updated_at: null });
});

test("a file of which more than a thousand rows are of one fiscal id is refused, which is named", async () => {
  const { member } = await memberOf(server);
  const rows = Array.from({ length: 1_001 }, (_, at) => `Company ${at},${at % 2 === 0 ? "ro1" : "RO1"}\nOther,T${at}`);
  const path = await upload(member, "companies", ["name,tax_id", ...rows].join("\n"));
  const { text } = await settledPage(member, path);
  assert.match(text, /More than 1,000 rows have the same fiscal id/);
  assert.match(text, /2,002[^]*More than 1000 rows have the tax_id ro1\./);
  assert.doesNotMatch(text, /\/start/);
});

test("two imports of the same rows that are begun at once make each row once", async () => {
  const { tenant, member } = await memberOf(server);
  const paths = [await upload(member, "companies", many(700)), await upload(member, "companies", `${many(700)}\n`)];
  const created = async () => {
    const pages = await Promise.all(
      paths.map(async (path) => Number(figuresOf(await settledPage(member, path)).Created)),
    );
    return pages.toSorted((a, b) => a - b);
  };
  assert.deepEqual(await created(), [700, 700], "as long as neither has begun");
  await Promise.all(paths.map(async (path) => await member.post(`${path}/start`)));
  assert.deepEqual(await created(), [0, 700]);
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 700);
});

test("cancelling ends an import between two batches, and its rows can be undone", async () => {
  const { tenant, member } = await memberOf(server);
  const path = await upload(member, "companies", many(1_500));
  await settledPage(member, path);
  const lock = await server.locking("lock table companies in share mode");
  await member.post(`${path}/start`);
  await lock.blocking();
  assert.equal((await member.post(`${path}/cancel`)).location, path);
  await lock.release();
  const page = await settledPage(member, path);
  assert.match(page.text, /<span class="state neutral">Cancelled<\/span>/);
  await poll("the end of its job", async () => {
    const kinds = await server.sql("select id from jobs where tenant_id = $1 and kind = 'import'", [tenant.id]);
    return kinds.length === 0;
  });
  const { total } = (await tenant.get("/api/v1/companies")).body;
  assert.equal(total, figuresOf(await member.get(path)).Created);
  assert.ok(Number(total) < 1_500);
  assert.match(page.text, /Cancelled by<\/dt><dd>Ana Pop</);
  assert.match(page.text, /It can be undone for 30 days\./);
  assert.deepEqual(await server.sql("select id from import_chunks where tenant_id = $1", [tenant.id]), []);
  assert.equal((await member.get(`${path}/rejected.csv`)).location, path);
  assert.equal(figuresOf(await undone(member, path)).Deleted, total);
});

test("refused rows come back as a file, which is imported once they are mended", async () => {
  const { tenant, member } = await memberOf(server);
  const path = await upload(
    member,
    "companies",
    'name,status\n"A, B",nonsense\nGood,active\ntoo,many,cells\n"C\nD",other\n',
  );
  await settledPage(member, path);
  await startedPage(member, path);
  const file = await member.get(`${path}/rejected.csv`);
  assert.match(String(file.headers.get("content-disposition")), /^attachment; filename="rejected-\d+\.csv"$/);
  const rows = file.text.split("\r\n");
  assert.equal(rows[0], "name,status,skipped_line,skipped_because");
  assert.match(String(rows[1]), /^"A, B",nonsense,2,/);
  assert.match(String(rows[2]), /^too,many,4,The row has 3 cells where the header has 2\./);
  assert.match(String(rows[3]), /^"C\nD",other,5,/);
  const mended = file.text.replaceAll(/nonsense|other/g, "active").replace("too,many", "Too many,active");
  const again = await upload(member, "companies", mended);
  assert.deepEqual(figuresOf(await settledPage(member, again)), { Created: 3, Changed: 0, Unchanged: 0, Skipped: 0 });
  assert.equal((await companies(tenant)).length, 1);
});

test("skipped rows are a file for the person that uploaded them, and for others that may export", async () => {
  const { tenant, member } = await memberOf(server);
  const other = await signedIn(server, tenant);
  await server.sql("update users set export_refused_at = now() where tenant_id = $1", [tenant.id]);
  const path = await upload(member, "companies", "name,status\nA,nonsense\nB\nC,active,more\n");
  await settledPage(member, path);
  const file = `${path}/rejected.csv`;
  assert.equal((await member.get(file)).status, 200);
  assert.match((await member.get(path)).text, /rejected\.csv/);
  for (const refused of [file, `${path}/alike.csv`]) assert.equal((await other.get(refused)).status, 403);
  assert.doesNotMatch((await other.get(path)).text, /rejected\.csv/);
  await server.sql("update users set export_refused_at = null where id = $1", [other.userId]);
  assert.equal((await other.get(file)).status, 200);
});

test("a wrong upload is named at its field, in the page's language, and nothing is kept", async () => {
  const { tenant, member } = await memberOf(server);
  const large = new Uint8Array(50 * 1024 * 1024 + 1).fill(97);
  for (const [kind, files, why] of [
    ["companies", {}, "choose an XLSX or CSV file"],
    ["companies", { "a.csv": "" }, "The file is empty"],
    ["companies", { "a.csv": `name${",x".repeat(500)}\nA` }, "more than 500 columns"],
    ["companies", { "a.xlsx": Buffer.from("504b0304ff00fe", "hex") }, "The workbook is damaged"],
    ["companies", { "a.csv": large }, "larger than 50 MB"],
    ["nonsense", { "a.csv": "" }, "The file is empty"],
  ] as const) {
    const answer = await member.upload("/imports", { kind }, files);
    assert.equal(answer.status, 422, why);
    assert.match(answer.text, new RegExp(`<p class="error" id="file-error">[^<]*${why}`), why);
  }
  const romanian = await member.get("/imports/new", { "accept-language": "ro" });
  assert.match(romanian.text, /Continuă/);
  for (const table of ["imports", "import_chunks"]) {
    assert.deepEqual(await server.sql(`select id from ${table} where tenant_id = $1`, [tenant.id]), [], table);
  }
});

test("a form that is cut off, or is none, is refused, and leaves nothing", async () => {
  const { tenant, member } = await memberOf(server);
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const part = (disposition: string, content: string) =>
    `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
  const file = part('name="file"; filename="a.csv"', "name\r\nA\r\n");
  const field = part('name="kind"', "companies");
  for (const body of [
    file.slice(0, -4),
    `${file}--x\r\nContent-Disposition: form-data; name="ki`,
    `${file}${part('name="__proto__"', "x")}--x--`,
    `${file}${file}${field}--x--`,
    `${file}${field.repeat(11)}--x--`,
  ]) {
    const answer = await fetch(`${server.url}/imports`, {
      method: "POST",
      headers: { cookie, "sec-fetch-site": "same-origin", "content-type": "multipart/form-data; boundary=x" },
      body,
    });
    assert.equal(answer.status, 400, body);
    assert.match(await answer.text(), /<h1>/);
    assert.deepEqual(await server.sql("select id from imports where tenant_id = $1", [tenant.id]), [], body);
    assert.deepEqual(await server.sql("select id from import_chunks where tenant_id = $1", [tenant.id]), [], body);
  }
});

test("an upload that breaks off in the middle leaves nothing", async () => {
  const { tenant, member } = await memberOf(server);
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const { hostname, port } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  socket.write(
    `POST /imports HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nSec-Fetch-Site: same-origin\r\n` +
      "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n" +
      `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\r\n${"A\r\n".repeat(100_000)}`,
  );
  const kept = async () => await server.sql("select id from import_chunks where tenant_id = $1", [tenant.id]);
  await poll("the first pieces", async () => (await kept()).length > 0);
  socket.destroy();
  await poll("their removal", async () => (await kept()).length === 0);
  await poll("the import's removal", async () => {
    return (await server.sql("select id from imports where tenant_id = $1", [tenant.id])).length === 0;
  });
});

test("no phone number of a file is in the database in clear", async () => {
  const { tenant, member } = await memberOf(server);
  await tenant.post("/api/v1/companies", { name: "Old", tax_id: "RO1", phone: "+40 999 111 222" });
  const path = await upload(member, "companies", "name,tax_id,phone\nNew,RO1,+40 999 333 444\n");
  await settledPage(member, path);
  await startedPage(member, path);
  for (const table of ["import_chunks", "import_rows", "imports"]) {
    const rows = await server.sql(`select t::text as text from ${table} t where tenant_id = $1`, [tenant.id]);
    assert.ok(rows.length > 0);
    for (const { text } of rows) assert.doesNotMatch(String(text), /999 (?:111|333)/, table);
  }
});

test("hostile names and values are text wherever they are shown", async () => {
  const { member } = await memberOf(server);
  for (const text of hostileTexts) {
    const quoted = `"${text.replaceAll('"', '""')}"`;
    const path = await upload(
      member,
      "companies",
      `name,tax_id,status\n${quoted},1,${quoted}\n${quoted},2,active\n`,
      text,
    );
    const done = [await settledPage(member, path), await startedPage(member, path)];
    for (const page of [...done, await member.get("/imports"), await member.get(`${path}/undo`)]) {
      assert.equal(page.status, 200);
      assertHarmless(page.text, text);
    }
    await undone(member, path);
  }
});

test("everything of a kind is exported as a file that an import reads", async () => {
  const { tenant, member } = await memberOf(server);
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1", phone: "+40 1" });
  const file = await member.get("/export/companies.csv");
  assert.equal(file.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.match(file.text, /^id,name,tax_id,.*\r\n\d+,A,RO1,/);
  const path = await upload(member, "companies", file.text);
  assert.deepEqual(figuresOf(await settledPage(member, path)), { Created: 0, Changed: 0, Unchanged: 1, Skipped: 0 });
  assert.match((await member.get(path)).text, /This import would change nothing/);
});

test("an upload that a killed process left behind is removed an hour after its begin", async () => {
  const { tenant, member } = await memberOf(server);
  async function* endless() {
    yield Buffer.alloc(200_000, "a");
    await new Promise(() => {});
  }
  // The process of this upload never comes to its end.
  void storeFile(server.deps, tenant.id, String(member.userId), { name: "a.csv", chunks: endless() });
  const stored = async () =>
    Number(
      (await server.sql("select coalesce(sum(stored_bytes), 0) as n from imports where tenant_id = $1", [tenant.id]))[0]
        ?.n,
    );
  await poll("the first pieces", async () => (await stored()) > 100_000);
  const [job] = await server.sql(
    `select run_at between now() + interval '59 minutes' and now() + interval '1 hour' as in_an_hour
     from jobs where tenant_id = $1 and kind = 'forget-import'`,
    [tenant.id],
  );
  assert.deepEqual(job, { in_an_hour: true });
  await server.sql("update jobs set run_at = now() where tenant_id = $1 and kind = 'forget-import'", [tenant.id]);
  await poll(
    "its end",
    async () => (await server.sql("select id from imports where tenant_id = $1", [tenant.id])).length === 0,
  );
  assert.equal(await stored(), 0);
});

test("a file is removed when its time has come, and what it wrote stays", async () => {
  const { tenant, member } = await memberOf(server);
  const path = await upload(member, "companies", "name\nA\n,\n");
  await settledPage(member, path);
  await startedPage(member, path);
  const runNow = async () =>
    await server.sql("update jobs set run_at = now() where tenant_id = $1 and kind = 'forget-import'", [tenant.id]);
  await runNow();
  await poll("its next run", async () => {
    const [job] = await server.sql(
      `select run_at between now() + interval '29 days 23 hours' and now() + interval '30 days' as in_30_days
       from jobs where tenant_id = $1 and kind = 'forget-import'`,
      [tenant.id],
    );
    return job?.in_30_days === true;
  });
  await server.sql("update imports set created_at = created_at - interval '30 days' where tenant_id = $1", [tenant.id]);
  await runNow();
  await poll("the removal", async () => {
    const kept = await server.sql("select id from import_chunks where tenant_id = $1", [tenant.id]);
    return kept.length === 0;
  });
  const page = await member.get(path);
  assert.match(page.text, /can no longer be undone/);
  assert.doesNotMatch(page.text, /\/undo"/);
  assert.equal((await member.get(`${path}/undo`)).location, path);
  assert.equal((await companies(tenant)).length, 1);
});

test("an undo names the contacts that a file made of a column with our own name, and those that stay", async () => {
  const { tenant, member } = await memberOf(server);
  const rows = Array.from({ length: 25 }, (_none, at) => `Firm ${at},RO${10 + at},Ana Pop`);
  const csv = `name,tax_id,contact_person\n${rows.join("\n")}\n`;
  const path = await upload(member, "companies", csv);
  await settledPage(member, path);
  await startedPage(member, path);
  assert.match((await member.get(`${path}/undo`)).text, /25 companies[^<]* 25 contacts/);
  const { data } = (await tenant.get("/api/v1/contacts?per_page=100")).body;
  for (const { id } of data) await tenant.put(`/api/v1/contacts/${id}`, { position: "Buyer" });
  const asked = (await member.get(`${path}/undo`)).text;
  assert.match(asked, /<li><a href="\/contacts\/\d+"[^>]*>Ana Pop<\/a>: /);
  // All 50 of them are shown: the company of a changed contact stays too.
  assert.equal(asked.match(/<li><a href="\/(?:contacts|companies)\//g)?.length, 50);
  assert.doesNotMatch(asked, /The first 50\./);
  assert.match((await undone(member, path)).text, />Ana Pop<\/a>: /);
});
