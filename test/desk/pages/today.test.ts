import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHarmless, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

const server = await startServer();
const dayFrom = (days: number) => Temporal.Now.plainDateISO("Europe/Bucharest").add({ days }).toString();

const company = async (tenant: TestTenant, fields: Record<string, unknown>) =>
  (await tenant.post("/api/v1/companies", fields)).body.data.id as number;

/** The part of the page below a heading. */
function part(page: string, title: string): string | null {
  return new RegExp(`<h2>${title}(?: <span[^]*?)?</h2>([^]*?)</(?:section|aside)>`).exec(page)?.[1] ?? null;
}

const names = (text: string | null): string[] =>
  [...(text ?? "").matchAll(/<span class="what"><a href="[^"]*" title="([^"]*)"/g)].map(([, name]) => String(name));

/** The number beside a heading. */
const countOf = (page: string, title: string): string | undefined =>
  new RegExp(`<h2>${title} <span class="count">([^<]*)</span>`).exec(page)?.[1];

async function workspace(): Promise<{ tenant: TestTenant; member: Member }> {
  const tenant = await server.createTenant();
  return { tenant, member: await signedIn(server, tenant, { name: "Ana Pop" }) };
}

/** An issued invoice of a connected company, in a state. */
async function invoice(tenant: TestTenant, companyId: number, number: string, state: string): Promise<number> {
  const { id } = (await tenant.post(`/api/v1/companies/${companyId}/invoices`, { number })).body.data;
  await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'x' where tenant_id = $1 and id = $2", [
    tenant.id,
    companyId,
  ]);
  await server.sql(`update invoices set ${state} where tenant_id = $1 and id = $2`, [tenant.id, id]);
  return id;
}

const CANCELLED = "wms_order_id = id, wms_instance = 'north', wms_status = 'cancelled'";

test("signing in leads to today, and so does the beginning", async () => {
  const { member } = await workspace();
  assert.equal((await member.get("/")).location, "/today");
  assert.equal((await member.get("/sign-in")).location, "/today");
});

test("today has whom I am to call, the longest overdue first, with whom and where", async () => {
  const { tenant, member } = await workspace();
  const mine = { assigned_to: member.userId };
  const late = await company(tenant, { name: "Late", callback_date: dayFrom(-3), phone: "+40 264 1", ...mine });
  await tenant.post(`/api/v1/companies/${late}/contacts`, {
    first_name: "Ion",
    last_name: "Marin",
    mobile: "+40 722 1",
  });
  await company(tenant, { name: "Due", callback_date: dayFrom(0), phone: "+40 264 2", ...mine });
  await company(tenant, { name: "Tomorrow", callback_date: dayFrom(1), ...mine });
  await company(tenant, { name: "Of nobody", callback_date: dayFrom(0) });
  const own = part((await member.get("/today?whose=mine")).text, "Call");
  assert.deepEqual(names(own), ["Late", "Due"]);
  assert.match(own ?? "", /Ion Marin<\/a>[^]*tel:\+407221"[^]*3 days late<\/span>[^]*tel:\+402642"[^]*>today</);
  assert.deepEqual(names(part((await member.get("/today?whose=all")).text, "Call")), ["Late", "Due", "Of nobody"]);
});

test("one click says that no call is needed, or puts it off until tomorrow or for a week", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant, { name: "Late", callback_date: dayFrom(-3), assigned_to: member.userId });
  const date = async () => (await tenant.get(`/api/v1/companies/${id}`)).body.data.callback_date;
  const path = `/companies/${id}/call-back`;
  const postponed = await member.post(path, { when: "week", to: "/today?whose=all" });
  assert.deepEqual([postponed.status, postponed.location], [303, "/today?whose=all"]);
  assert.equal(await date(), dayFrom(7));
  assert.match((await member.get("/today?whose=mine")).text, /<div class="notice[^"]*">Late: on \d/);
  await member.post(path, { when: "tomorrow" });
  assert.equal(await date(), dayFrom(1));
  assert.equal((await member.post(path, { when: "done", to: "//evil.example" })).location, "/today");
  assert.equal(await date(), null);
  const stranger = await signedIn(server, await server.createTenant());
  assert.equal((await stranger.post(path, { when: "week" })).status, 404);
  assert.equal(await date(), null);
});

test("today has each order that needs somebody with what can be done, and links to confirm with their way", async () => {
  const { tenant, member } = await workspace();
  const [mine, others] = [
    await company(tenant, { name: "Mine", assigned_to: member.userId }),
    await company(tenant, { name: "Theirs" }),
  ];
  const needed = await invoice(tenant, mine, "M-1", CANCELLED);
  await invoice(tenant, others, "T-1", CANCELLED);
  await invoice(tenant, mine, "L-1", "wms_order_id = id");
  const { text } = await member.get("/today?whose=mine");
  const needs = part(text, "Orders");
  assert.deepEqual(names(needs), ["M-1"]);
  assert.match(needs ?? "", new RegExp(`formaction="/invoices/${needed}/settle"`));
  assert.match(needs ?? "", /1 order was imported without a warehouse[^]*href="\/warehouse\/reconfirm"/);
  assert.deepEqual(names(part((await member.get("/today?whose=all")).text, "Orders")).toSorted(), ["M-1", "T-1"]);
  await member.post(`/invoices/${needed}/settle`, { to: "/today" });
  assert.deepEqual(names(part((await member.get("/today?whose=mine")).text, "Orders")), []);
});

test("a call is written down in its row, with the next one, and leaves the list", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant, { name: "Late", callback_date: dayFrom(-1), assigned_to: member.userId });
  const contact = await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "Ion", last_name: "Marin" });
  const row = part((await member.get("/today?whose=mine")).text, "Call") ?? "";
  assert.match(row, new RegExp(`<summary[^>]*>Called[^]*action="/companies/${id}/called"`));
  const date = async () => (await tenant.get(`/api/v1/companies/${id}`)).body.data.callback_date;
  const path = `/companies/${id}/called`;
  const form = { note: "Two pallets more", contact_id: String(contact.body.data.id), to: "/today?whose=all" };
  assert.equal((await member.post(path, { ...form, callback_date: dayFrom(9) })).location, "/today?whose=all");
  assert.equal(await date(), dayFrom(9));
  assert.equal(part((await member.get("/today?whose=mine")).text, "Call"), null);
  assert.match((await member.get(`/companies/${id}`)).text, /Two pallets more/);
  await tenant.put(`/api/v1/companies/${id}`, { callback_date: dayFrom(0) });
  const refused = await member.post(path, { note: `What was said ${"x".repeat(20_000)}`, callback_date: dayFrom(3) });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /at most 4,?000 characters/);
  assert.match(refused.text, />\s*What was said x+/);
  assert.match(refused.text, new RegExp(`value="call" checked[^]*value="${dayFrom(3)}"`));
  assert.equal(await date(), dayFrom(0), "what was not written down is not done");
  await member.post(path, { note: "Nothing new" });
  assert.equal(await date(), null, "no next call was arranged");
  const stranger = await signedIn(server, await server.createTenant());
  assert.equal((await stranger.post(path, form)).status, 404);
});

test("invoices that can be sent are sent one by one, or all that the person saw", async () => {
  const reachable = await startServer({ LIAISON_WMS_URL: "http://{subdomain}.localhost:1", LIAISON_WORKER: "off" });
  const tenant = await reachable.createTenant();
  const member = await signedIn(reachable, tenant);
  const create = async (fields: Record<string, unknown>) =>
    (await tenant.post("/api/v1/companies", fields)).body.data.id as number;
  const [mine, theirs, unconnected] = [
    await create({ name: "Mine", assigned_to: member.userId }),
    await create({ name: "Theirs", assigned_to: await tenant.createUser() }),
    await create({ name: "Unconnected", assigned_to: member.userId }),
  ];
  await reachable.sql("update companies set wms_subdomain = 'north', wms_api_key = 'x' where id = any($1)", [
    [mine, theirs],
  ]);
  const add = async (at: number, fields: object) =>
    (await tenant.post(`/api/v1/companies/${at}/invoices`, fields)).body.data.id as number;
  const first = await add(mine, { number: "U-1", issued_on: dayFrom(-1) });
  await add(mine, { number: "U-2", status: "draft" });
  await add(unconnected, { number: "U-3" });
  await add(theirs, { number: "U-4" });
  const one = (await member.get("/today?whose=mine")).text;
  assert.deepEqual([names(part(one, "To send")), countOf(one, "To send")], [["U-1"], "1"]);
  assert.match(part(one, "To send") ?? "", new RegExp(`formaction="/invoices/${first}/send"`));
  assert.doesNotMatch(one, /Send all/);
  // The page shows the newest days, which have the lowest ids.
  for (let n = 5; n < 35; n++) await add(mine, { number: `U-${n}`, issued_on: dayFrom(-n) });
  const { text } = await member.get("/today?whose=mine");
  assert.equal(countOf(text, "To send"), "31");
  assert.equal(names(part(text, "To send")).length, 15);
  assert.match(
    part(text, "To send") ?? "",
    /<button>Send all 31<\/button>[^]*href="\/orders\?state=to_send&amp;assigned_to=\d+">Show all/,
  );
  const [, through = ""] = /name="through" value="(\d+)"/.exec(text) ?? [];
  await add(mine, { number: "LATER" });
  const form = { whose: "mine", through, to: "/today" };
  const asked = await member.post("/today/send-all", form);
  assert.match(asked.text, /Send 31 invoices\?.*31 invoices have no street/s);
  assert.match(
    asked.text,
    new RegExp(`name="whose" value="mine".*name="through" value="${through}".*name="anyway" value="1"`),
  );
  assert.equal((await member.post("/today/send-all", { ...form, anyway: "1" })).location, "/today");
  assert.match((await member.get("/today?whose=mine")).text, /Sending 31 invoices to the warehouse\./);
  assert.deepEqual(names(part((await member.get("/today?whose=mine")).text, "To send")), ["LATER"]);
  const waiting = await reachable.sql("select number from invoices where wms_state <> 'queued' order by number");
  assert.deepEqual(
    waiting.map(({ number }) => number),
    ["LATER", "U-2", "U-3", "U-4"],
  );
  for (const hostile of ["", "x", "-1", "9".repeat(40)]) {
    assert.equal((await member.post("/today/send-all", { ...form, through: hostile })).status, 303);
  }
  assert.deepEqual(names(part((await member.get("/today?whose=mine")).text, "To send")), ["LATER"]);
});

test("payments that are overdue wait, the longest due first, until they are paid", async () => {
  const { tenant, member } = await workspace();
  const mine = await company(tenant, { name: "Mine", assigned_to: member.userId, phone: "+40 264 555 011" });
  const theirs = await company(tenant, { name: "Theirs", assigned_to: await tenant.createUser("Radu Ene") });
  const add = async (at: number, number: string, due: number, status = "issued", currency = "RON", total = "5") =>
    (await tenant.post(`/api/v1/companies/${at}/invoices`, { number, due_on: dayFrom(due), status, total, currency }))
      .body.data.id;
  await add(mine, "O-1", -2);
  const longest = await add(mine, "O-2", -30);
  await add(mine, "O-3", 0);
  await add(mine, "O-4", -9, "paid");
  await add(mine, "O-5", -9, "draft");
  await add(theirs, "O-6", -4, "issued", "EUR");
  const credit = await add(mine, "O-7", -9, "issued", "RON", "-5");
  assert.doesNotMatch((await member.get(`/invoices/${credit}`)).text, /unprinted late/);
  assert.doesNotMatch((await member.get("/orders?search=O-7")).text, /class="late"/);
  const { text } = await member.get("/today?whose=mine");
  const overdue = part(text, "Overdue payments");
  assert.deepEqual([names(overdue), countOf(text, "Overdue payments")], [["O-2", "O-1"], "2"]);
  assert.match(overdue ?? "", /5\.00 RON[^]*30 days late/);
  assert.match(overdue ?? "", new RegExp(`href="tel:\\+40264555011"[^]*href="/money/reminders\\?companies=${mine}"`));
  assert.match(overdue ?? "", /class="muted sums">10\.00 RON</);
  const everybodys = (await member.get("/today?whose=all")).text;
  assert.match(part(everybodys, "Overdue payments") ?? "", /class="muted sums">10\.00 RON · 5\.00 EUR</);
  assert.deepEqual(names(part(everybodys, "Overdue payments")), ["O-2", "O-6", "O-1"]);
  assert.match(everybodys, /class="initials" title="Radu Ene"/);
  assert.doesNotMatch(text, /title="Radu Ene"/);
  assert.match(overdue ?? "", new RegExp(`formaction="/invoices/${longest}/status" name="step" value="pay"`));
  const paid = await member.post(`/invoices/${longest}/status`, { step: "pay", to: "/today" });
  assert.match(paid.location ?? "", /^\/today/);
  assert.deepEqual(names(part((await member.get("/today?whose=mine")).text, "Overdue payments")), ["O-1"]);
  const list = (await member.get("/orders?state=overdue")).text;
  assert.deepEqual(
    new Set([...list.matchAll(/<td class="name"><a[^>]*>([^<]+)/g)].map(([, number]) => number)),
    new Set(["O-1", "O-6"]),
  );
});

test("today has what I opened last, and where there is nothing to do one sentence says so", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant, { name: "Acme" });
  await member.get(`/companies/${id}`);
  const { text } = await member.get("/today?whose=mine");
  assert.match(part(text, "Last opened") ?? "", new RegExp(`<a href="/companies/${id}">Acme</a>`));
  assert.match(text, /All done for today\./);
  assert.doesNotMatch(text, /Next call/);
  await company(tenant, { name: "Next", callback_date: dayFrom(4), assigned_to: member.userId });
  await company(tenant, { name: "Of nobody", callback_date: dayFrom(2) });
  assert.match((await member.get("/today?whose=mine")).text, /Next call: <a href="[^"]*">Next<\/a>, \d/);
  assert.match((await member.get("/today?whose=all")).text, /Next call: <a href="[^"]*">Of nobody<\/a>/);
  const romanian = (await member.get("/today", { "accept-language": "ro" })).text;
  assert.match(romanian, /Totul este gata pentru astăzi\.[^]*Următorul apel: /);
});

const SET_UP = /<h2>Set up \((\d) of 4\)<\/h2>[^]*?<\/aside>/;
const setUp = async (who: Member) => SET_UP.exec((await who.get("/today")).text)?.[0] ?? null;

test("an empty workspace has four steps to set up, each with its minutes and ticked when done, until all are", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  const steps = async () => {
    const card = await setUp(admin);
    if (card === null) return [];
    return [
      SET_UP.exec(card)?.[1],
      ...[...card.matchAll(/class="state (\w+)"/g)].map(([, meaning]) => meaning === "good"),
    ];
  };
  const card = String(await setUp(admin));
  for (const [path, label, minutes] of [
    ["/imports/new", "Import your companies", 5],
    ["/workspace/warehouses", "Connect your warehouse", 2],
    ["/users/new", "Invite colleagues", 1],
    ["/invoices/new", "Send the first order", 2],
  ] as const)
    assert.ok(card.includes(`<a href="${path}">${label}</a> <small class="muted">${minutes} min</small>`), label);
  assert.deepEqual(await steps(), ["0", false, false, false, false]);

  const id = await company(tenant, { name: "Acme" });
  assert.deepEqual(await steps(), ["1", true, false, false, false]);
  assert.ok(String(await setUp(admin)).includes(`<a href="/imports/new">Import your companies</a>`));
  const connect =
    "update companies set wms_subdomain = 'north', wms_api_key = 'x', wms_key_set_at = now() where id = $1";
  await server.sql(connect, [id]);
  assert.deepEqual(await steps(), ["2", true, true, false, false]);
  // The invitation of the first admin invites no colleague.
  const invite = `insert into invitations (tenant_id, email, role, token_hash, invited_by, created_at, expires_at, accepted_at)
    values ($1, $3, 'admin', sha256($3::text::bytea), $2, now(), now(), now())`;
  await server.sql(invite, [tenant.id, null, "ana@example.com"]);
  assert.deepEqual(await steps(), ["2", true, true, false, false]);
  await server.sql(invite, [tenant.id, admin.userId, "ion@example.com"]);
  assert.deepEqual(await steps(), ["3", true, true, true, false]);
  const member = await signedIn(server, tenant);
  assert.match(
    (await member.get("/today", { "accept-language": "ro" })).text,
    /Primii pași \(3 din 4\)[^]*Trimite prima comandă/,
  );
  await invoice(tenant, id, "S-0", "wms_order_id = 7, wms_instance = 'north'");
  assert.deepEqual(await steps(), []);
});

test("the steps are hidden by each person, and go 14 days after the first order was shipped", async () => {
  const { tenant, member } = await workspace();
  const alone = await signedIn(server, await server.createTenant(), { name: "Ion Rus" });
  const colleague = await signedIn(server, tenant, { name: "Ion Rus" });
  const has = async (who: Member) => (await setUp(who)) !== null;
  assert.deepEqual([await has(member), await has(colleague)], [true, true]);
  assert.equal((await member.post("/today/hide-steps")).location, "/today");
  assert.deepEqual([await has(member), await has(colleague), await has(alone)], [false, true, true]);

  const other = await server.createTenant();
  const admin = await signedIn(server, other, { role: "admin" });
  const id = await invoice(
    other,
    await company(other, { name: "Acme" }),
    "S-1",
    "wms_order_id = 7, wms_instance = 'north', wms_status = 'shipped', wms_is_final = true",
  );
  await server.sql("update invoices set wms_moved_at = now() - interval '13 days' where id = $1", [id]);
  assert.equal(await has(admin), true);
  await server.sql("update invoices set wms_moved_at = now() - interval '15 days' where id = $1", [id]);
  assert.equal(await has(admin), false);
});

test("no name runs a script on today", async () => {
  const { tenant, member } = await workspace();
  for (const hostile of hostileTexts) {
    const name = hostile.slice(0, 200);
    const id = await company(tenant, { name, callback_date: dayFrom(0), phone: name.slice(0, 30) });
    await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: name.slice(0, 100), last_name: "x" });
    await member.get(`/companies/${id}`);
    await member.post(`/companies/${id}/call-back`, { when: "week", to: hostile });
    await member.post(`/companies/${id}/called`, { note: hostile, callback_date: dayFrom(0) });
    await tenant.post(`/api/v1/companies/${id}/invoices`, {
      number: name,
      due_on: dayFrom(-1),
      currency: name.slice(0, 9),
    });
    assertHarmless((await member.get("/today?whose=all")).text, hostile);
  }
});

test("on mine, things of companies without an owner are counted separately, and never hidden as if all were done", async () => {
  const { tenant, member } = await workspace();
  await company(tenant, { name: "Of nobody", callback_date: dayFrom(-1) });
  const imported = await company(tenant, { name: "Imported" });
  await invoice(tenant, imported, "U-1", CANCELLED);
  const mine = (await member.get("/today?whose=mine")).text;
  assert.match(mine, /2 things of companies without an owner\. <a href="\/today\?whose=nobody">Show<\/a>/);
  assert.doesNotMatch(mine, /All done/);
  assert.equal(part(mine, "Call"), null);
  const ofNobody = (await member.get("/today?whose=nobody")).text;
  assert.deepEqual(names(part(ofNobody, "Call")), ["Of nobody"]);
  assert.match(part(ofNobody, "Orders") ?? "", /U-1/);
  await tenant.put(`/api/v1/companies/${imported}`, { assigned_to: await tenant.createUser() });
  assert.match((await member.get("/today?whose=mine")).text, /1 thing of companies without an owner/);
});

test("links to confirm push no other need off the page, and mine counts those of my companies alone", async () => {
  const { tenant, member } = await workspace();
  const own = await company(tenant, { name: "Own", assigned_to: member.userId });
  const theirs = await company(tenant, { name: "Theirs", assigned_to: await tenant.createUser() });
  await invoice(tenant, own, "REFUSED-1", "wms_state = 'failed', wms_error = 'No such SKU.', issued_on = '2020-01-01'");
  for (let n = 0; n < 31; n++)
    await invoice(tenant, own, `L-${n}`, `wms_order_id = ${1_000 + n}, issued_on = '2026-01-01'`);
  await invoice(tenant, theirs, "T-1", "wms_order_id = 5000");
  const { text } = await member.get("/today");
  assert.match(part(text, "Orders") ?? "", /REFUSED-1/);
  assert.match(text, /31 orders were imported without a warehouse/);
  assert.match((await member.get("/today?whose=all")).text, /32 orders were imported without a warehouse/);
});

test("the choice of whose things is remembered; who owns no company begins with everybody's", async () => {
  const { tenant, member } = await workspace();
  await company(tenant, { name: "Of nobody", callback_date: dayFrom(-1) });
  const shown = async (path: string) => names(part((await member.get(path)).text, "Call"));
  assert.deepEqual(await shown("/today"), ["Of nobody"]);
  await company(tenant, { name: "Mine", callback_date: dayFrom(-1), assigned_to: member.userId });
  assert.deepEqual(await shown("/today"), ["Mine"]);
  await member.get("/today?whose=all");
  assert.deepEqual((await shown("/today")).toSorted(), ["Mine", "Of nobody"]);
  await member.get("/today?whose=mine");
  assert.deepEqual(await shown("/today"), ["Mine"]);
});

test("a user hides groups of today, and shows them again", async () => {
  const { tenant, member } = await workspace();
  const mine = await company(tenant, { name: "Mine", callback_date: dayFrom(-1), assigned_to: member.userId });
  await invoice(tenant, mine, "M-1", CANCELLED);
  const shown = async () => {
    const { text } = await member.get("/today?whose=mine");
    return [part(text, "Call"), part(text, "Orders")].map((group) => group !== null);
  };
  assert.deepEqual(await shown(), [true, true]);
  await member.post("/today/columns", { column: "needs", to: "/today" });
  assert.deepEqual(await shown(), [false, true]);
  await member.post("/today/columns", { default: "1" });
  assert.deepEqual(await shown(), [true, true]);
});

test("overdue payments are counted by their owners, however many there are, and Show all leads to the owner's", async () => {
  const { tenant, member } = await workspace();
  const [others, mine] = [
    await company(tenant, { name: "Theirs" }),
    await company(tenant, { name: "Mine", assigned_to: member.userId }),
  ];
  const add = async (companyId: number, prefix: string, count: number, first: string) =>
    await server.sql(
      `insert into invoices (tenant_id, company_id, number, status, due_on)
       select $1, $2::bigint, $3 || g, 'issued', $5::date + g from generate_series(1, $4::int) g`,
      [tenant.id, companyId, prefix, count, first],
    );
  await add(others, "N-", 2_100, "2010-01-01");
  await add(mine, "M-", 30, "2020-01-01");
  const { text } = await member.get("/today?whose=mine");
  assert.equal(countOf(text, "Overdue payments"), "30");
  assert.match(text, />2,100 things of companies without an owner\./);
  assert.equal(countOf((await member.get("/today?whose=all")).text, "Overdue payments"), "2,130");
  const to = `/orders?state=overdue&assigned_to=${member.userId}`;
  assert.ok(text.includes(`href="${to.replace("&", "&amp;")}"`));
  const list = (await member.get(to)).text;
  assert.match(list, /aria-current="page">Payment overdue <span class="count">30<\/span>/);
  const unowned = (await member.get("/today?whose=nobody")).text;
  assert.match(unowned, /href="\/orders\?state=overdue&amp;assigned_to=0"/);
  assert.match(
    (await member.get("/orders?state=overdue&assigned_to=0")).text,
    /Payment overdue <span class="count">2,100</,
  );
  await add(others, "P-", 8_000, "1990-01-01");
  const cut = (await member.get("/today?whose=mine")).text;
  assert.match(cut, /Overdue payments <[^]*The first 10,000 of all users are counted\. There are more\./);
  assert.doesNotMatch(cut, /All done for today/);
});

test("invoices to send are found behind thousands without a warehouse, and both places say if there are more", async () => {
  const { tenant, member } = await workspace();
  const theirs = await company(tenant, { name: "Unconnected" });
  const mine = await company(tenant, { name: "Mine", assigned_to: member.userId });
  await invoice(tenant, mine, "OLD", "issued_on = '2020-01-01'");
  const add = async (from: number, to: number) =>
    await server.sql(
      `insert into invoices (tenant_id, company_id, number, status, issued_on)
       select $1, $2, 'N-' || g, 'issued', '2026-01-01' from generate_series($3::int, $4::int) g`,
      [tenant.id, theirs, from, to],
    );
  const shown = async () => {
    const [today, list] = [await member.get("/today?whose=mine"), await member.get("/orders?state=to_send")];
    const [tab] = /(?<=To send <span class="count">)[^<]*/.exec(list.text) ?? [];
    return [countOf(today.text, "To send"), tab, list.text.includes("Only the newest 10,000 are searched.")];
  };
  await add(1, 2_100);
  assert.deepEqual(await shown(), ["1", "1", false]);
  await add(2_101, 9_999);
  assert.deepEqual(await shown(), ["1", "1", false]);
  await server.sql("update invoices set issued_on = '2026-02-01' where tenant_id = $1 and number = 'OLD'", [tenant.id]);
  await add(10_000, 10_100);
  assert.deepEqual(await shown(), ["1+", "1+", true]);
});

test("Show all of calls without an owner leads to those companies alone", async () => {
  const { tenant, member } = await workspace();
  const due = { callback_date: dayFrom(-1) };
  for (let n = 0; n < 16; n++) await company(tenant, { name: `Of nobody ${n}`, ...due });
  await company(tenant, { name: "Mine", assigned_to: member.userId, ...due });
  const calls = part((await member.get("/today?whose=nobody")).text, "Call") ?? "";
  const [, to = ""] = /href="(\/companies[^"]*)">Show all/.exec(calls) ?? [];
  const list = (await member.get(to.replaceAll("&amp;", "&"))).text;
  assert.match(list, /id="total">16</);
  assert.match(list, /<option value="0" selected>Without an owner/);
});

test("a call without an answer is logged, and is due again tomorrow", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant, { name: "Late", callback_date: dayFrom(-1), assigned_to: member.userId });
  await member.post(`/companies/${id}/call-back`, { when: "no-answer", to: "/today", contact_id: "999999" });
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.callback_date, dayFrom(1));
  assert.match((await member.get(`/companies/${id}`)).text, /No answer\./);
});

test("while a warehouse refuses the workspace's key, or one of a company, admins see it on today", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  const member = await signedIn(server, tenant);
  await server.sql(
    `insert into workspace_warehouses (tenant_id, wms_subdomain, wms_api_key, wms_key_refused_at) values ($1, 'sud', 'key', now())`,
    [tenant.id],
  );
  assert.match((await admin.get("/today")).text, /refuses our key[^]*href="\/workspace\/warehouses"/);
  const id = await company(tenant, { name: "Own Key" });
  await server.sql("update companies set wms_subdomain = 'vest', wms_key_refused_at = now() where id = $1", [id]);
  const own = new RegExp(`refuses the key of Own Key,[^]*href="/companies/${id}/warehouse"`);
  assert.match((await admin.get("/today")).text, own);
  assert.doesNotMatch((await member.get("/today")).text, /refuses (?:our key|the key of)/);
});
