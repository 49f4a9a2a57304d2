import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

const server = await startServer();

async function firm() {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  const id = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id as number;
  return { tenant, member, id, path: `/companies/${id}` };
}

/** A day before or after today, in the workspace's time zone. */
function dayFromNow(days: number): string {
  return Temporal.Now.zonedDateTimeISO("Europe/Bucharest").toPlainDate().add({ days }).toString();
}

let numbers = 0;
async function invoice(tenant: TestTenant, company: number, values: Record<string, unknown>): Promise<void> {
  const { status } = await tenant.post(`/api/v1/companies/${company}/invoices`, {
    number: `F-${++numbers}`,
    issued_on: dayFromNow(-10),
    currency: "RON",
    ...values,
  });
  assert.equal(status, 201);
}

/** The figures of a page by their names, each as a person reads it. */
async function figures(member: Member, path: string): Promise<Record<string, string>> {
  const { text } = await member.get(path);
  const list = /<dl class="figures">([^]*?)<\/dl>/.exec(text)?.[1] ?? "";
  const entries = [...list.matchAll(/<dt>([^<]*)<\/dt>\s*<dd[^>]*>([^]*?)<\/dd>/g)].map(([, name = "", value = ""]) => [
    name,
    value
      .replaceAll(
        /<a class="edit"[^]*?<\/a>|<form[^]*?<\/form>|(?: · )?<a href="[^"]*(?:\/statement|\/reminders(?:\?[^"]*)?)">[^<]*<\/a>/g,
        "",
      )
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

test("a company without an invoice and without a call has no figures", async () => {
  const { member, path } = await firm();
  assert.deepEqual(await figures(member, path), {});
});

test("turnover counts issued and paid invoices of twelve months; open ones are issued, overdue ones past their due date", async () => {
  const { tenant, member, id, path } = await firm();
  await invoice(tenant, id, { total: "100.50", status: "paid" });
  await invoice(tenant, id, { total: "200", due_on: dayFromNow(-21) });
  await invoice(tenant, id, { total: "40", due_on: dayFromNow(-3) });
  await invoice(tenant, id, { total: "1000", due_on: dayFromNow(0) });
  await invoice(tenant, id, { total: "7", status: "draft", due_on: dayFromNow(-30) });
  await invoice(tenant, id, { total: "9", status: "cancelled", due_on: dayFromNow(-30) });
  await invoice(tenant, id, { total: "5000", status: "paid", issued_on: dayFromNow(-366) });
  await invoice(tenant, id, { total: "30", status: "issued", issued_on: dayFromNow(-400) });
  assert.deepEqual(await figures(member, path), {
    "Turnover, 12 months": "1,340.50 RON",
    Owed: "1,270.00 RON 270.00 RON overdue, up to 370 days",
    Orders: "None under way",
  });
  const { text } = await member.get(path, { "accept-language": "ro" });
  assert.match(text, /<dt>Vânzări, 12 luni<\/dt><dd><a href="\/companies\/\d+\/invoices">1\.340,50 RON<\/a>/);
  // A column for the month, and a sentence that says what they show.
  const [, said = "", columns = ""] =
    /<svg class="picture"[^>]*role="img" aria-label="([^"]*)">([^]*?)<\/svg>/.exec(text) ?? [];
  assert.match(said, /^Vânzările ultimelor 12 luni, pe luni; cel mai mult, 1\.340,50 RON, în /);
  assert.match(columns, /^<path d="M\d+ 23v-22h\d+v22z"/);
  assert.match(text, /<a href="\/companies\/\d+\/invoices\?status=issued">1\.270,00 RON<\/a>/);
});

test("each currency has its own sum, the most frequent first, and an invoice without an amount adds nothing", async () => {
  const { tenant, member, id, path } = await firm();
  await invoice(tenant, id, { total: "10", status: "paid" });
  await invoice(tenant, id, { total: "20", status: "paid" });
  await invoice(tenant, id, { total: "5000", currency: "EUR", due_on: dayFromNow(-1) });
  await invoice(tenant, id, { total: null });
  const shown = await figures(member, path);
  assert.equal(shown["Turnover, 12 months"], "30.00 RON 5,000.00 EUR");
  assert.equal(shown.Owed, "5,000.00 EUR 5,000.00 EUR overdue, up to 1 day");
});

test("orders under way and in need, the last contact and the next call are figures too", async () => {
  const { tenant, member, id, path } = await firm();
  for (let n = 0; n < 4; n++) await invoice(tenant, id, { total: "10", status: "paid" });
  const rows = await server.sql("select id from invoices where tenant_id = $1 order by id", [tenant.id]);
  const order = async (index: number, set: string) =>
    await server.sql(
      `update invoices set wms_instance = 'north', wms_order_id = ${index + 1}, ${set} where tenant_id = $1 and id = $2`,
      [tenant.id, rows[index]?.id],
    );
  await order(0, "wms_status = 'picking', wms_moved_at = now()");
  await order(1, "wms_status = 'shipped'");
  await order(2, "wms_status = 'picking'");
  await order(2, "wms_gone_at = now()");
  await member.post(`${path}/activities`, { kind: "note", note: "No contact" });
  assert.equal((await figures(member, path))["Last contact"], undefined);
  await member.post(`${path}/activities`, { kind: "call", note: "Hello", callback_date: dayFromNow(-2) });
  const shown = await figures(member, path);
  assert.equal(shown.Orders, "1 under way 1 needs attention");
  assert.equal(shown["Last contact"], "Today Call out · Ana Pop");
  assert.match(shown["Call back"] ?? "", /\d{4} 2 days late$/);
  assert.equal((await member.post(`${path}/call-back`, { when: "done", to: path })).location, path);
  assert.equal((await figures(member, path))["Call back"], undefined);
});

test("a company with more invoices than are summed up shows that there is more", async () => {
  const { tenant, member, id, path } = await firm();
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, status, issued_on, total, currency)
     select $1, $2, 'M-' || n, 'paid', $3::date, 1, 'RON' from generate_series(1, 2501) n`,
    [tenant.id, id, dayFromNow(-5)],
  );
  assert.equal((await figures(member, path))["Turnover, 12 months"], "over 2,501.00 RON");
});

test("the page of a contact has the figures of the company and its three newest orders", async () => {
  const { tenant, member, id, path } = await firm();
  const { body } = await tenant.post(`/api/v1${path}/contacts`, { first_name: "Ion", last_name: "Marin" });
  const contact = `/contacts/${body.data.id}`;
  assert.deepEqual(await figures(member, contact), {});
  for (let n = 0; n < 4; n++) await invoice(tenant, id, { number: `C-${n}`, total: "10", issued_on: dayFromNow(-n) });
  await member.post(`${contact}/activities`, { kind: "call_in", callback_date: dayFromNow(3) });
  const shown = await figures(member, contact);
  assert.deepEqual(Object.keys(shown), ["Turnover, 12 months", "Owed", "Orders", "Last contact", "Call back"]);
  assert.equal(shown.Owed, "40.00 RON");
  const { text } = await member.get(contact);
  const listed = [...text.matchAll(/<a href="\/invoices\/\d+"[^>]*>(C-\d)</g)].map(([, number]) => number);
  assert.deepEqual(listed, ["C-0", "C-1", "C-2"]);
});
