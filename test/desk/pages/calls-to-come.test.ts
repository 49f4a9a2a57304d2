import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAfter } from "../../../src/platform/dates.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();
const dayFrom = (days: number) => dayAfter(days, "Europe/Bucharest");
const text = (html: string) => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
const section = (page: string, id: string) => page.split(`id="${id}"`)[1]?.split("</section>")[0] ?? "";
const callIn = (page: string) => /href="\/calls\/(\d+)"/.exec(section(page, "calls"))?.[1] ?? "";

async function workspace() {
  const tenant = await server.createTenant();
  const dan = await signedIn(server, tenant, { name: "Dan Pop" });
  const elena = await signedIn(server, tenant, { name: "Elena Radu" });
  const company = async (fields: Record<string, unknown> = {}) =>
    (await tenant.post("/api/v1/companies", { name: "Acme", ...fields })).body.data.id as number;
  const day = async (id: number) => (await tenant.get(`/api/v1/companies/${id}`)).body.data.callback_date;
  return { tenant, dan, elena, company, day };
}

test("a replaced call says whose it was, and both can be kept", async () => {
  const { dan, elena, company, day } = await workspace();
  const id = await company();
  const path = `/companies/${id}`;
  await dan.post(`${path}/activities`, { kind: "call", callback_date: "2031-12-05" });
  await elena.post(`${path}/activities`, { kind: "call", callback_date: "2031-12-20" });
  assert.equal(await day(id), "2031-12-20");
  const page = (await elena.get(path)).text;
  assert.match(text(page), /Logged\. Replaces Dan Pop’s call of 5 Dec 2031\. Keep both/);
  const [, keep = ""] = /action="(\/calls\/\d+\/keep)"/.exec(page) ?? [];
  assert.equal((await elena.post(keep)).location, path);
  assert.equal(await day(id), "2031-12-05");
  assert.match(text(section((await elena.get(path)).text, "calls")), /5 Dec 2031 20 Dec 2031/);
  const ro = { "sec-fetch-site": "same-origin", "accept-language": "ro" };
  await elena.post(`${path}/activities`, { kind: "call", callback_date: "2031-12-01" });
  assert.match(text((await elena.get(path, ro)).text), /Înlocuiește apelul din 5 dec\. 2031, programat de Dan Pop\./);
  const stranger = await signedIn(server, await server.createTenant());
  assert.equal((await stranger.post(keep)).status, 404);
});

test("calls say whom, when, about what and for whom, on a company and on an invoice", async () => {
  const { tenant, dan, elena, company, day } = await workspace();
  const id = await company({ assigned_to: dan.userId, callback_date: dayFrom(-1) });
  const contact = (await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "Ion", last_name: "Marin" }))
    .body.data.id as number;
  const invoice = (
    await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "F-1", total: "1.00", currency: "RON" })
  ).body.data.id as number;
  const form = {
    due_on: dayFrom(0),
    contact_id: String(contact),
    about: "Ask about ramp 3",
    assigned_to: String(elena.userId),
    invoice_id: String(invoice),
  };
  assert.match(
    (await dan.get(`/invoices/${invoice}`)).text,
    new RegExp(`/companies/${id}/calls/new\\?invoice=${invoice}`),
  );
  assert.equal((await dan.post(`/companies/${id}/calls`, form)).location, `/invoices/${invoice}`);
  assert.equal(await day(id), dayFrom(-1), "the earlier one is the next");
  for (const path of [`/invoices/${invoice}`, `/companies/${id}`])
    assert.match(
      text(section((await dan.get(path)).text, "calls")),
      /Ion Marin · Ask about ramp 3 · F-1 for Elena Radu/,
      path,
    );
  assert.match(
    text((await dan.get(`/companies/${id}?activity=all`)).text),
    /Dan Pop planned a call with the company on [^:]+: Ask about ramp 3/,
  );
  assert.match(text(section((await elena.get("/today?whose=mine")).text, "calls")), /Ask about ramp 3 F-1 Ion Marin/);
  const own = text(section((await dan.get("/today?whose=mine")).text, "calls"));
  assert.match(own, /1 day late/);
  assert.doesNotMatch(own, /ramp 3/);
  // The row's own call ends, not the next one.
  const [, call = ""] = /name="call" value="(\d+)"/.exec((await elena.get("/today?whose=mine")).text) ?? [];
  await elena.post(`/companies/${id}/called`, { call, note: "Ramp 4", to: "/today" });
  assert.equal(await day(id), dayFrom(-1));
  assert.doesNotMatch(section((await dan.get(`/companies/${id}`)).text, "calls"), /ramp 3/);
  for (const wrong of [{ due_on: "" }, { contact_id: "999999" }, { invoice_id: "999999" }, { assigned_to: "999999" }]) {
    const refused = await dan.post(`/companies/${id}/calls`, { ...form, ...wrong });
    assert.equal(refused.status, 422, JSON.stringify(wrong));
  }
});

test("a call of a user who has left is moved, and stays that user's until another one is chosen", async () => {
  const { dan, elena, company, day } = await workspace();
  const id = await company();
  const form = { due_on: "2031-01-09", about: "Ramp 3", assigned_to: String(elena.userId) };
  await dan.post(`/companies/${id}/calls`, form);
  const call = callIn((await dan.get(`/companies/${id}`)).text);
  await server.sql("update users set deactivated_at = now() where id = $1", [elena.userId]);
  assert.equal((await dan.post(`/calls/${call}`, { ...form, due_on: "2031-01-10" })).status, 303);
  assert.equal(await day(id), "2031-01-10");
  assert.equal((await dan.post(`/companies/${id}/calls`, form)).status, 422, "no new one");
  assert.equal((await dan.post(`/calls/${call}`, { ...form, assigned_to: "" })).status, 303);
  assert.equal((await dan.post(`/calls/${call}`, form)).status, 422);
});

test("the API's day is that of the next call, and a write of it writes that one", async () => {
  const { tenant, dan, company, day } = await workspace();
  const id = await company({ callback_date: "2031-01-01" });
  const path = `/companies/${id}`;
  const put = async (callback_date: string | null) =>
    (await tenant.put(`/api/v1${path}`, { callback_date })).body.data.callback_date;
  assert.equal(await put("2031-01-05"), "2031-01-05");
  assert.equal(await put(null), null);
  assert.equal(await put("2031-01-06"), "2031-01-06");
  await dan.post(`${path}/calls`, { due_on: "2031-01-09", about: "Later" });
  assert.equal(await put("2031-01-07"), "2031-01-07");
  assert.equal(await put(null), "2031-01-09", "the other one is the next");
  const call = callIn((await dan.get(path)).text);
  assert.equal((await dan.post(`/calls/${call}`, { due_on: "2031-01-10", about: "Later" })).location, path);
  assert.equal(await day(id), "2031-01-10");
  await dan.post(`/calls/${call}/over`);
  assert.equal(await day(id), null);
  const [, undo = ""] = /action="(\/calls\/\d+\/keep)"/.exec((await dan.get(path)).text) ?? [];
  await dan.post(undo);
  assert.equal(await day(id), "2031-01-10");
  const rows = await server.sql(
    "select action from changes where tenant_id = $1 and type = 'company' and resource_id = $2 and changed like '%callback%' order by id",
    [tenant.id, id],
  );
  assert.equal(rows.length, 9, "the feed has each day of the next call");
});

test("an erasure removes the person and the text from calls and their history, and the export has them before", async () => {
  const { tenant, dan, company } = await workspace();
  const admin = await signedIn(server, tenant, { role: "admin" });
  const id = await company();
  const contact = (await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "Ion", last_name: "Marin" }))
    .body.data.id as number;
  await dan.post(`/companies/${id}/calls`, { due_on: "2031-01-09", contact_id: String(contact), about: "His knee" });
  const file = JSON.parse((await admin.get(`/contacts/${contact}/export`)).text) as { planned_calls: unknown[] };
  assert.equal(file.planned_calls.length, 1);
  assert.match((await admin.get(`/companies/${id}?activity=all`)).text, /His knee/);
  await admin.post(`/contacts/${contact}/erase`);
  assert.doesNotMatch((await admin.get(`/companies/${id}?activity=all`)).text, /His knee|Ion Marin/);
  const left = await server.sql(
    "select id from changes where tenant_id = $1 and type = 'planned_call' and changed ~ 'knee|contact_id' union all select id from planned_calls where tenant_id = $1 and (about is not null or contact_id is not null)",
    [tenant.id],
  );
  assert.deepEqual(left, []);
});

test("a merge moves the calls to come, and its undo moves them back", async () => {
  const { tenant, dan, company, day } = await workspace();
  const [kept, from] = [
    await company({ callback_date: "2031-12-20" }),
    await company({ name: "Acme 2", callback_date: "2031-12-05" }),
  ];
  const merged = await tenant.post(`/api/v1/companies/${kept}/merge`, { from });
  assert.equal(merged.status, 200, merged.text);
  assert.equal(await day(kept), "2031-12-05");
  assert.match(text(section((await dan.get(`/companies/${kept}`)).text, "calls")), /5 Dec 2031 20 Dec 2031/);
  const undone = await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`);
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual([await day(kept), await day(from)], ["2031-12-20", "2031-12-05"]);
  const rows = await server.sql("select company_id from planned_calls where tenant_id = $1 and deleted_at is null", [
    tenant.id,
  ]);
  assert.deepEqual(new Set(rows.map((row) => Number(row.company_id))), new Set([kept, from]));
});
