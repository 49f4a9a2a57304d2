import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { dayAfter } from "../../../src/platform/dates.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startImportServer } from "../../exchange/imports/import-server.ts";
import { figuresOf } from "../../exchange/pages/import-figures.ts";
import type { TestTenant } from "../../harness.ts";
import { poll, start } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";

const WORKER = fileURLToPath(new URL("../../exchange/imports/import-worker.ts", import.meta.url));
const server = await startImportServer();

const { begin: beginWorker, end: endWorker } = runWorker(server);

async function firm(companies: number): Promise<{ tenant: TestTenant; member: Member }> {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Dan Pop" });
  await server.sql(
    `insert into companies (tenant_id, name, country, city)
     select $1, 'C' || lpad(g::text, 4, '0'), 'Romania', case when g % 3 = 0 then 'Turda' else 'Cluj' end
     from generate_series(1, $2) g`,
    [tenant.id, companies],
  );
  return { tenant, member };
}

/** The fields that the list posts without JavaScript when all rows of a page are ticked, and "all that match" too. */
async function pageForm(member: Member, query: string) {
  const { text } = await member.get(`/companies?${query}`);
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";
  const id = [...text.matchAll(/name="id" value="(\d+)"/g)].map(([, found = ""]) => found);
  const [, all = ""] = /<label class="all">.*?> ([^<]*)<\/label>/.exec(text) ?? [];
  const matching = value("matching").replaceAll("&amp;", "&");
  return { told: all, form: { id, rows: value("rows"), matching, to: `/companies?${query}` } };
}

/** The figures of an import's page, once no worker is at it. */
async function settled(member: Member, path: string): Promise<{ text: string; counts: Record<string, number> }> {
  let { text } = await member.get(path);
  await poll("the end of the change", async () => {
    ({ text } = await member.get(path));
    return !text.includes("data-refresh");
  });
  return { text, counts: figuresOf({ text }) };
}

const countOf = async (tenant: TestTenant, condition: string) => {
  const [row] = await server.sql(`select count(*)::int as n from companies where tenant_id = $1 and ${condition}`, [
    tenant.id,
  ]);
  return Number(row?.n);
};

test("all that match are changed in a job, with progress, what matches later is left alone, and it can be undone", async () => {
  const { tenant, member } = await firm(700);
  const { form, told } = await pageForm(member, "city=turda&per_page=50");
  assert.equal(told, "Select all 233");
  assert.equal((await pageForm(member, "search=C0007")).told, "", "a list of one page has nothing more to offer");
  await endWorker();
  const started = await member.post("/companies/bulk", { ...form, all: "1", status: "active", callback_date: "7" });
  assert.match(String(started.location), /^\/imports\/\d+$/);
  const path = String(started.location);
  const running = await member.get(path);
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
  const week = dayAfter(7, "Europe/Bucharest");
  assert.ok(
    running.text.includes(`<h1>Status: Active · Call back: ${day.format(new Date(week)).replace("Sept", "Sep")}</h1>`),
    running.text,
  );
  assert.match(running.text, /data-refresh/);
  assert.match(running.text, /0 of 233 rows/);
  await tenant.post("/api/v1/companies", { name: "Later", city: "Turda" });
  await server.sql("update companies set city = 'Dej' where tenant_id = $1 and name = 'C0003'", [tenant.id]);
  await tenant.delete(`/api/v1/companies/${form.id[1]}`);
  beginWorker();
  const done = await settled(member, path);
  assert.deepEqual(done.counts, { Created: 0, Changed: 232, Unchanged: 0, Skipped: 1 });
  assert.equal(await countOf(tenant, "status = 'active'"), 232);
  assert.equal(await countOf(tenant, `callback_date = '${week}'`), 232);
  assert.equal(
    await countOf(tenant, "status = 'active' and city = 'Dej'"),
    1,
    "it matched when the button was pressed",
  );
  const history = await member.get(`/history?company=${form.id[2]}`);
  assert.match(history.text, /Dan Pop/);
  assert.match((await member.get("/imports")).text, /Status: Active/);

  await tenant.put(`/api/v1/companies/${form.id[0]}`, { status: "churned" });
  assert.equal((await member.post(`${path}/undo`)).location, path);
  const undone = await settled(member, path);
  assert.deepEqual(undone.counts, { Deleted: 0, Restored: 231, "Left as they are": 1 });
  assert.match(undone.text, /C0003<\/a>: it has been changed since/);
  assert.equal(await countOf(tenant, "status = 'active' or callback_date is not null and status <> 'churned'"), 0);
});

test("without every row of the page ticked, only the ticked ones change, at once, and the notice undoes it", async () => {
  const { tenant, member } = await firm(60);
  const { form } = await pageForm(member, "per_page=50");
  const some = { ...form, id: form.id.slice(0, 3), all: "1" };
  const owner = String(member.userId);
  const changed = await member.post("/companies/bulk", { ...some, assigned_to: owner, callback_date: "none" });
  assert.equal(changed.location, "/companies?per_page=50");
  const { text } = await member.get("/companies");
  const [, undo = ""] = /3 companies were changed\. <form method="post" action="([^"]+)"/.exec(text) ?? [];
  assert.equal(await countOf(tenant, "assigned_to is not null"), 3);
  const path = String((await member.post(undo)).location);
  assert.deepEqual((await settled(member, path)).counts, { Deleted: 0, Restored: 3, "Left as they are": 0 });
  assert.equal(await countOf(tenant, "assigned_to is not null"), 0);
});

test("a value that no company can have changes nothing, and neither does another tenant's change", async () => {
  const { tenant, member } = await firm(60);
  const { form } = await pageForm(member, "per_page=50");
  for (const wrong of [{ status: "nonsense" }, { assigned_to: "999999" }, { callback_date: "2" }]) {
    for (const all of ["1", ""]) {
      const refused = await member.post("/companies/bulk", { ...form, all, ...wrong });
      assert.equal(refused.status, 422, JSON.stringify(wrong));
    }
  }
  const matching = "x".repeat(8_001);
  const long = await member.post("/companies/bulk", { ...form, matching, all: "1", status: "active" });
  assert.deepEqual([long.status, await countOf(tenant, "status = 'active'")], [422, 0], "too long filters");
  const stranger = await firm(1);
  const [mine] = await server.sql("select max(id) as id from imports where tenant_id = $1", [tenant.id]);
  assert.equal((await stranger.member.post(`/imports/${String(mine?.id)}/undo`)).status, 404);
});

test("a change whose worker is killed is finished by another one, each row once; it can be stopped in between", async () => {
  const { tenant, member } = await firm(2_000);
  const { form } = await pageForm(member, "per_page=200");
  await endWorker();
  const path = String((await member.post("/companies/bulk", { ...form, all: "1", status: "inactive" })).location);
  const [row] = await server.sql("select id from companies where tenant_id = $1 order by id offset 1200 limit 1", [
    tenant.id,
  ]);
  const lock = await server.locking(
    `select from companies where tenant_id = ${tenant.id} and id = ${String(row?.id)} for update`,
  );
  const killed = start([], server.environment, "", [], WORKER);
  await lock.blocking();
  await poll("the batches before the lock", async () => (await countOf(tenant, "status = 'inactive'")) >= 900);
  killed.process.kill("SIGKILL");
  await killed.ended;
  await lock.release();
  await server.sql("update jobs set lease_until = now() where tenant_id = $1 and state = 'running'", [tenant.id]);
  beginWorker();
  assert.deepEqual((await settled(member, path)).counts, { Created: 0, Changed: 2_000, Unchanged: 0, Skipped: 0 });

  await endWorker();
  const next = await pageForm(member, "status=inactive&per_page=200");
  const other = String((await member.post("/companies/bulk", { ...next.form, all: "1", status: "churned" })).location);
  await member.post(`${other}/cancel`);
  beginWorker();
  assert.match((await settled(member, other)).text, /Cancelled/);
  assert.equal(await countOf(tenant, "status = 'churned'"), 0);
});

test("the selection of all that match is exported, of companies and of contacts", async () => {
  const { tenant, member } = await firm(60);
  const { form } = await pageForm(member, "city=cluj&per_page=20");
  const lines = async (path: string, body: Record<string, string | string[]>) =>
    (await member.post(path, body)).text.trimEnd().split("\r\n").length - 1;
  assert.equal(await lines("/companies/export", { ...form, all: "1" }), 40);
  assert.equal(await lines("/companies/export", form), 20);
  const [company = ""] = form.id;
  for (const name of ["Ana", "Ion", "Anca"]) {
    await tenant.post(`/api/v1/companies/${company}/contacts`, { first_name: name, last_name: "Pop" });
  }
  const stranger = await firm(1);
  const names = async (who: Member, query: string) =>
    [...(await who.get(`/contacts/export?${query}`)).text.matchAll(/,(\w+),Pop,/g)].map(([, name]) => name);
  assert.deepEqual(await names(member, ""), ["Ana", "Ion", "Anca"]);
  assert.deepEqual(await names(member, "search=an"), ["Ana", "Anca"]);
  assert.deepEqual(await names(member, "search=nobody"), []);
  assert.deepEqual(await names(stranger.member, ""), []);
  const { text } = await member.get("/contacts?search=ion");
  assert.ok(text.includes('href="/contacts/export?search=ion"'));
  const ids = [...(await member.get("/contacts")).text.matchAll(/name="id" value="(\d+)"/g)].map(([, id = ""]) => id);
  assert.equal(await lines("/contacts/export", { id: ids.slice(0, 2) }), 2);
  assert.equal((await stranger.member.post("/contacts/export", { id: ids })).text.includes("Pop"), false);
});

test("each person chooses the columns of a list; the others keep theirs", async () => {
  const { tenant, member } = await firm(1);
  const other = await signedIn(server, tenant);
  const heads = async (who: Member, list = "companies") => {
    const [, head = ""] = /<thead>(.*?)<\/thead>/s.exec((await who.get(`/${list}`)).text) ?? [];
    return [...head.matchAll(/<th scope="col"(?! class="check")[^>]*>(?:<a[^>]*>)?([^<]+)/g)].map(([, text]) => text);
  };
  const usual = ["Name", "City", "Owner", "Open orders", "Turnover, 12 months", "Owed", "Last contact", "Call back"];
  assert.deepEqual(await heads(member), usual);
  const chosen = { column: ["status", "phone", "nonsense", "city"], to: "/companies?city=turda" };
  assert.equal((await member.post("/companies/columns", chosen)).location, "/companies?city=turda");
  assert.deepEqual(await heads(member), ["Name", "City", "Status", "Phone"]);
  assert.deepEqual(await heads(other), usual);
  await member.post("/companies/columns", {});
  assert.deepEqual(await heads(member), ["Name"]);
  await member.post("/companies/columns", { default: "1", column: "city" });
  assert.deepEqual(await heads(member), usual);
  const [id] = await server.sql("select id from companies where tenant_id = $1", [tenant.id]);
  await tenant.post(`/api/v1/companies/${String(id?.id)}/contacts`, { first_name: "A", last_name: "B" });
  await member.post("/contacts/columns", { column: ["company", "department"] });
  assert.deepEqual(await heads(member, "contacts"), ["Name", "Company", "Department"]);
  assert.equal(
    (await member.post("/companies/columns", { column: "city", to: "//evil.example" })).location,
    "/companies",
  );
});

test("the list shows open orders and the turnover of twelve months, of the commonest currency", async () => {
  const { tenant, member } = await firm(2);
  const [first] = await server.sql("select id from companies where tenant_id = $1 order by id", [tenant.id]);
  const today = dayAfter(0, "Europe/Bucharest");
  // No worker sends the invoice that waits.
  await endWorker();
  const invoices: [string, string, string, string, boolean][] = [
    ["issued", "100.50", "RON", today, true],
    ["paid", "1000", "RON", dayAfter(-300, "UTC"), false],
    ["paid", "7", "EUR", today, false],
    ["paid", "5000", "RON", dayAfter(-400, "UTC"), false],
    ["draft", "5000", "RON", today, false],
  ];
  for (const [index, [status, total, currency, issued_on, isOpen]] of invoices.entries()) {
    const sent = { number: `N-${index}`, total, currency, issued_on, status };
    const { body } = await tenant.post(`/api/v1/companies/${String(first?.id)}/invoices`, sent);
    if (isOpen) await server.sql("update invoices set wms_state = 'queued' where id = $1", [body.data.id]);
  }
  const { text } = await member.get("/companies");
  const rows = [...text.matchAll(/<tr>\s*<td class="check">.*?<\/tr>/gs)].map(([row]) => row);
  assert.match(rows[0] ?? "", /data-label="Open orders">1<\/td>/);
  assert.match(rows[0] ?? "", /data-label="Turnover, 12 months">≥ 1,100\.50 RON<\/td>/);
  assert.match(rows[1] ?? "", /data-label="Open orders"><\/td>/);
  assert.match(rows[1] ?? "", /data-label="Turnover, 12 months"><\/td>/);
  beginWorker();
});

test("a list of contacts is kept under a name, beside views of companies", async () => {
  const { tenant, member } = await firm(1);
  const [company] = await server.sql("select id from companies where tenant_id = $1", [tenant.id]);
  await tenant.post(`/api/v1/companies/${String(company?.id)}/contacts`, { first_name: "Ana", last_name: "Pop" });
  const filters = "search=ana&sort=-last_contacted_at";
  const saved = await member.post("/contacts/views", { name: "Anas", filters, for: "me" });
  assert.equal(saved.location, `/contacts?${filters}`);
  const { text } = await member.get(`/contacts?${filters}`);
  assert.match(text, /<a href="\/contacts\?search=ana&amp;sort=-last_contacted_at" title="Anas" aria-current="true">/);
  const [, path = ""] = /href="(\/contacts\/views\/\d+)"/.exec(text) ?? [];
  assert.doesNotMatch((await member.get(`/companies?${filters}`)).text, /title="Anas" aria-current/);
  assert.equal((await member.get(path.replace("contacts", "companies"))).status, 404, "of another list it is missing");
  assert.equal((await member.post(path, { name: "All Anas" })).location, `/contacts?${filters}`);
  assert.equal((await member.post(`${path}/delete`)).location, `/contacts?${filters}`);
  assert.doesNotMatch((await member.get("/today")).text, /All Anas/);
});

test("somebody who leaves gives the companies to a colleague or to nobody in the same form, and it can be undone", async () => {
  const { tenant, member } = await firm(30);
  const admin = await signedIn(server, tenant, { role: "admin" });
  const leaver = await signedIn(server, tenant, { name: "Radu Marin" });
  const path = `/users/${leaver.userId}`;
  const of = (user: string | number) => `assigned_to = ${user}`;
  await server.sql("update companies set assigned_to = $2, callback_date = '2026-01-05' where tenant_id = $1", [
    tenant.id,
    leaver.userId,
  ]);
  assert.match((await admin.get(path)).text, new RegExp(`href="/companies\\?assigned_to=${leaver.userId}">30</a>`));
  // Somebody unknown, and the person, get nothing: the question is asked again.
  for (const owner of ["999999", String(leaver.userId)])
    assert.equal((await admin.post(`${path}/deactivate`, { owner })).location, `${path}/deactivate`);
  assert.equal((await leaver.get("/today")).status, 200);
  const given = await admin.post(`${path}/deactivate`, { owner: String(member.userId) });
  const change = String(given.location);
  assert.match(change, /^\/imports\/\d+$/);
  assert.equal((await leaver.get("/today")).status, 303);
  assert.match((await settled(admin, change)).text, /Owner: Dan Pop/);
  assert.equal(await countOf(tenant, of(member.userId)), 30);
  await admin.post(`${change}/undo`);
  await settled(admin, change);
  // The companies of somebody who left have no owner, and the filters still know the person.
  assert.equal(await countOf(tenant, of(leaver.userId)), 30);
  assert.match((await member.get("/today?whose=nobody")).text, /<span class="count">30</);
  for (const list of ["/companies", "/orders"]) {
    const filter = (await member.get(`${list}?assigned_to=${leaver.userId}`)).text;
    assert.match(filter, new RegExp(`value="${leaver.userId}" selected>Radu Marin \\(left\\)<`), list);
  }
  const bulk = /<select name="assigned_to"[^]*?<\/select>/.exec((await member.get("/companies")).text)?.[0] ?? "";
  assert.match(bulk, /Dan Pop/);
  await admin.post(`${path}/reactivate`);
  assert.doesNotMatch((await member.get("/today?whose=nobody")).text, /<span class="count">30</);
  assert.equal((await admin.post(`${path}/deactivate`, { owner: "nobody" })).status, 303);
  await poll("companies without an owner", async () => (await countOf(tenant, "assigned_to is null")) === 30);
});
