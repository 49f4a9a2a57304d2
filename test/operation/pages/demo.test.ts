import assert from "node:assert/strict";
import { test } from "node:test";
import { createDemo } from "../../../src/operation/demo/create-demo.ts";
import { movedToToday } from "../../../src/operation/demo/demo-dates.ts";
import { dayAfter } from "../../../src/platform/dates.ts";
import { visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { HOUR, later } from "../../people/sessions/clock.ts";

/** A new demo as its first visitor finds it. */
const server = await startServer();
const { deps } = server;
const sql: typeof server.sql = async (text, parameters) => await server.sql(text, parameters);
const demo = await createDemo({ ...deps, config: { ...deps.config, wms: { ...deps.config.wms, url: null } } });
const andreea = visitor(server);
await andreea.post("/sign-in", { workspace: "demo", email: demo?.email ?? "", password: demo?.password ?? "" });

test("the history of the demo is written by people, with the worker for orders alone", async () => {
  const writers = await sql(
    "select distinct changed_by, type from changes where changed_by not like 'user:%' order by changed_by, type",
  );
  assert.deepEqual(writers, [
    { changed_by: "invitation", type: "user" },
    { changed_by: "operator", type: "user" },
    { changed_by: "worker", type: "invoice" },
  ]);
  const page = (await andreea.get("/companies/1")).text;
  assert.doesNotMatch(page, /The command line/);
});

test("the demo has fields of its own with values, at companies, contacts and invoices", async () => {
  for (const table of ["companies", "contacts", "invoices"]) {
    const [row] = await sql(`select count(*) > 20 as many from ${table} where jsonb_typeof(metadata) = 'object'`);
    assert.deepEqual(row, { many: true }, table);
  }
  assert.match(
    (await andreea.get("/companies/1")).text,
    /Listă de prețuri<\/dt>\s*<dd id="fact-custom.price_list">Retail/,
  );
  assert.match((await andreea.get("/workspace/fields")).text, /Comanda clientului/);
});

test("three people wrote calls, notes and meetings in the last three weeks, and nothing is in the future", async () => {
  const [row] = await sql(
    `select count(distinct changed_by)::int as people, count(distinct kind)::int as kinds, count(*)::int > 80 as many,
      min(at) > now() - interval '22 days' as recent, max(at) < now() as past from activities`,
  );
  assert.deepEqual(row, { people: 3, kinds: 4, many: true, recent: true, past: true });
  const [ahead] = await sql(
    `select (select count(*) from companies where created_at > now() or updated_at > now())::int as companies,
      (select count(*) from invoices where created_at > now() or wms_synced_at > now())::int as invoices,
      (select count(*) from changes where at > now())::int as changes`,
  );
  assert.deepEqual(ahead, { companies: 0, invoices: 0, changes: 0 });
  const [apart] = await sql(
    `select count(*)::int as n from companies c where last_contacted_at is distinct from
      (select max(at) from activities a where a.tenant_id = c.tenant_id and a.company_id = c.id and a.kind <> 'note')`,
  );
  assert.equal(apart?.n, 0, "the last contact is that of the newest activity");
  const page = (await andreea.get("/companies/1")).text;
  assert.match(page, /Andreea Munteanu[^]*The director agreed/);
});

test("the dates of the demo are those of a business that runs today", async () => {
  const [row] = await sql(
    `select max(issued_on) between current_date - 10 and current_date as issues,
      count(*) filter (where status = 'issued' and due_on < current_date)::int between 1 and 25 as overdue,
      count(*) filter (where wms_shown like 'open%')::int > 0 as moves from invoices`,
  );
  assert.deepEqual(row, { issues: true, overdue: true, moves: true });
});

test("the dates of the samples move with the day of the start, and texts like dates do not", () => {
  later(0);
  const [before = ""] = movedToToday<string[]>(["2026-01-31"]);
  later(40 * 24 * HOUR);
  const [moved = "", time, number] = movedToToday<string[]>(["2026-01-31", "2026-01-31T08:00:00Z", "DMO-2026-01-31"]);
  assert.equal((Date.parse(moved) - Date.parse(before)) / 86_400_000, 40);
  assert.deepEqual([time, number], [`${moved}T08:00:00Z`, "DMO-2026-01-31"]);
});

test("the demo's money has each age of debt, a year before, customers who stopped, a broken promise and twins", async () => {
  const ages = await sql(
    `select least((current_date - 1 - due_on) / 30, 3)::int as age, count(*)::int between 2 and 4 as few from invoices
    where status = 'issued' and due_on < current_date group by 1 order by 1`,
  );
  assert.deepEqual(
    ages,
    [0, 1, 2, 3].map((age) => ({ age, few: true })),
  );
  const [row] = await sql(
    `select (select count(*) from payments p join invoices i on i.id = p.invoice_id where p.paid_on > i.due_on)::int > 20 as late,
      (select count(*) from invoices where paid > 0 and status = 'issued')::int > 1 as partial,
      (select count(*) from payments where paid_on > current_date)::int as future,
      (select count(*) from invoices where issued_on < current_date - 365)::int > 100 as before,
      (select count(*) from (select from invoices where number like 'DMO-____-4___' group by company_id
        having max(issued_on) < current_date - 60) s)::int as stopped`,
  );
  assert.deepEqual(row, { late: true, partial: true, future: 0, before: true, stopped: 3 });
  assert.match((await andreea.get("/today?whose=all")).text, /id="promises"[^]*Hotel Central Timișoara SA/);
  const stopped = (await andreea.get(`/sales?stopped=1&from=${dayAfter(-2, "Europe/Bucharest")}`)).text;
  for (const name of ["Construcții Moldova SA", "Pescăria Tomis SRL", "Textile Crișul Alb SRL"])
    assert.match(stopped, new RegExp(`${name}[^]*?nothing since[^]*?/calls/new`), name);
  assert.match((await andreea.get("/companies/alike")).text, /Hotel Central Timisoara/);
  assert.match((await andreea.get("/companies/alike?state=probable")).text, /S\.C\. Alimentara Sibiu S\.R\.L\./);
});

test("no draft has an order, each state has one, and each need can be ended", async () => {
  assert.deepEqual(await sql("select number from invoices where status = 'draft' and wms_order_id is not null"), []);
  const states = await sql("select distinct split_part(wms_shown, ':', 1) as shown from invoices order by 1");
  assert.deepEqual(
    states.map(({ shown }) => shown),
    [
      "being_checked",
      "cancelled",
      "cancelled_here",
      "cancelled_there",
      "final",
      "gone",
      "not_sent",
      "on_its_way",
      "open",
      "refused",
      "to_be_confirmed",
      "waiting",
    ],
  );
  const [trade] = await sql(
    `select (select count(*) from companies c join users u on u.id = c.assigned_to where u.deactivated_at is not null)::int > 0
        as leaver,
      (select count(*) from companies where credit_limit is not null and payment_days is not null)::int as terms,
      (select count(*) from planned_calls where about is not null and contact_id is not null)::int as calls,
      (select count(*) from planned_calls where invoice_id is not null and assigned_to is not null)::int as detailed,
      (select count(*) from companies c where callback_date is distinct from (
        select min(h.due_on) from planned_calls h where h.company_id = c.id and h.deleted_at is null))::int as apart`,
  );
  assert.deepEqual(trade, { leaver: true, terms: 1, calls: 3, detailed: 2, apart: 0 });
  const needs = await sql("select id from invoices where wms_needs_at <= now() and wms_settled_at is null");
  assert.ok(needs.length >= 4 && needs.length <= 7, `${needs.length} needs`);
  for (const need of needs) {
    const id = String(need.id);
    const { text } = await andreea.get(`/invoices/${id}`);
    const ends = /action="\/invoices\/\d+\/(?:put-off|settle|send-again|not-an-order)"|href="\/warehouse\/reconfirm"/;
    assert.match(text, ends, `invoice ${id}`);
  }
});
