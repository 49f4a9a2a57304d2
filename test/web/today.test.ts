import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, type TestTenant } from "../harness.ts";
import { assertHarmless, hostileTexts } from "./hostile-texts.ts";
import { signedIn, type Member } from "./visitor.ts";

const server = await startServer();
const dayFrom = (days: number) => Temporal.Now.plainDateISO("Europe/Bucharest").add({ days }).toString();

const company = async (tenant: TestTenant, fields: Record<string, unknown>) =>
  (await tenant.post("/api/v1/companies", fields)).body.data.id as number;

/** The part of the page below a heading. */
function part(page: string, title: string): string | null {
  return new RegExp(`<h2>${title}</h2></header>([^]*?)</section>`).exec(page)?.[1] ?? null;
}

const names = (text: string | null): string[] =>
  [...(text ?? "").matchAll(/<td class="name"><a href="[^"]*" title="([^"]*)"/g)].map(([, name]) => String(name));

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
  const own = part((await member.get("/today")).text, "Call back");
  assert.deepEqual(names(own), ["Late", "Due"]);
  assert.match(own ?? "", /Overdue<\/span>[^]*Ion Marin<\/a>[^]*tel:\+407221"[^]*Today<\/span>[^]*tel:\+402642"/);
  assert.deepEqual(names(part((await member.get("/today?whose=all")).text, "Call back")), ["Late", "Due", "Of nobody"]);
});

test("one click says that a call is done, or puts it off for a week", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant, { name: "Late", callback_date: dayFrom(-3), assigned_to: member.userId });
  const date = async () => (await tenant.get(`/api/v1/companies/${id}`)).body.data.callback_date;
  const path = `/companies/${id}/call-back`;
  const postponed = await member.post(path, { when: "week", to: "/today?whose=all" });
  assert.deepEqual([postponed.status, postponed.location], [303, "/today?whose=all"]);
  assert.equal(await date(), dayFrom(7));
  assert.match((await member.get("/today")).text, /<div class="notice[^"]*">Late: on \d/);
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
  const { text } = await member.get("/today");
  const needs = part(text, "Needs somebody");
  assert.deepEqual(names(needs), ["M-1"]);
  assert.match(needs ?? "", new RegExp(`formaction="/invoices/${needed}/settle"`));
  assert.match(needs ?? "", /1 order was imported without a warehouse[^]*href="\/warehouse\/reconfirm"/);
  assert.deepEqual(names(part((await member.get("/today?whose=all")).text, "Needs somebody")).toSorted(), [
    "M-1",
    "T-1",
  ]);
  await member.post(`/invoices/${needed}/settle`, { to: "/today" });
  assert.deepEqual(names(part((await member.get("/today")).text, "Needs somebody")), []);
});

test("today has up to ten invoices that were not sent to be sent, more of them as a number", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant, { name: "Mine", assigned_to: member.userId });
  const first = await invoice(tenant, id, "U-1", "status = 'issued'");
  await invoice(tenant, id, "U-2", "status = 'draft'");
  const unconnected = await company(tenant, { name: "Unconnected", assigned_to: member.userId });
  await tenant.post(`/api/v1/companies/${unconnected}/invoices`, { number: "U-3" });
  const few = part((await member.get("/today")).text, "Not sent");
  assert.deepEqual(names(few), ["U-1"]);
  assert.match(few ?? "", new RegExp(`formaction="/invoices/${first}/send"`));
  await server.sql(
    "insert into invoices (tenant_id, company_id, number) select $1, $2, 'V-' || g from generate_series(1, 10) g",
    [tenant.id, id],
  );
  const many = part((await member.get("/today")).text, "Not sent") ?? "";
  assert.deepEqual(names(many), []);
  assert.match(many, /11 invoices of connected companies\.[^]*href="\/orders\?state=not_sent"/);
});

test("today has what I opened last, and where there is nothing to do one sentence says so", async () => {
  const { tenant, member } = await workspace();
  const id = await company(tenant, { name: "Acme" });
  await member.get(`/companies/${id}`);
  const { text } = await member.get("/today");
  assert.match(part(text, "Last opened") ?? "", new RegExp(`<a href="/companies/${id}">Acme</a>`));
  assert.match(text, /Nothing needs you today\./);
  assert.match((await member.get("/today", { "accept-language": "ro" })).text, /Astăzi nu aveți nimic de făcut\./);
});

test("an empty workspace has its first steps, each ticked when it is done, until all are", async () => {
  const { tenant, member } = await workspace();
  const admin = member;
  const steps = async () =>
    [...(part((await admin.get("/today")).text, "First steps") ?? "").matchAll(/class="state (\w+)"/g)].map(
      ([, meaning]) => meaning === "good",
    );
  assert.deepEqual(await steps(), [false, false, false, false]);
  const id = await company(tenant, { name: "Acme" });
  assert.deepEqual(await steps(), [true, false, false, false]);
  await tenant.createImport();
  await server.sql(
    "update companies set wms_subdomain = 'north', wms_api_key = 'x', wms_key_set_at = now() where id = $1",
    [id],
  );
  // The import was sent by a colleague who is there by now.
  assert.deepEqual(await steps(), []);
});

test("no name runs a script on today", async () => {
  const { tenant, member } = await workspace();
  for (const hostile of hostileTexts) {
    const name = hostile.slice(0, 200);
    const id = await company(tenant, { name, callback_date: dayFrom(0), phone: name.slice(0, 30) });
    await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: name.slice(0, 100), last_name: "x" });
    await member.get(`/companies/${id}`);
    await member.post(`/companies/${id}/call-back`, { when: "week", to: hostile });
    assertHarmless((await member.get("/today?whose=all")).text, hostile);
  }
});

test("things of companies without an owner are told apart on mine, which never says that nothing waits", async () => {
  const { tenant, member } = await workspace();
  await company(tenant, { name: "Of nobody", callback_date: dayFrom(-1) });
  const imported = await company(tenant, { name: "Imported" });
  await invoice(tenant, imported, "U-1", CANCELLED);
  const mine = (await member.get("/today")).text;
  assert.match(mine, /2 things of companies without an owner\. <a href="\/today\?whose=nobody">Show them<\/a>/);
  assert.doesNotMatch(mine, /Nothing needs you today/);
  assert.equal(part(mine, "Call back"), null);
  const ofNobody = (await member.get("/today?whose=nobody")).text;
  assert.deepEqual(names(part(ofNobody, "Call back")), ["Of nobody"]);
  assert.match(part(ofNobody, "Needs somebody") ?? "", /U-1/);
  await tenant.put(`/api/v1/companies/${imported}`, { assigned_to: await tenant.createUser() });
  assert.match((await member.get("/today")).text, /1 thing of companies without an owner/);
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
  assert.match(part(text, "Needs somebody") ?? "", /REFUSED-1/);
  assert.match(text, /31 orders were imported without a warehouse/);
  assert.match((await member.get("/today?whose=all")).text, /32 orders were imported without a warehouse/);
});
