import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, visitor, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { answer } from "../../kit/mail/mail-server.ts";
import { startMailing } from "../../kit/mail/mailing-server.ts";
import { pagesOf } from "../../kit/paper/pdf-text.ts";

/** An invoice as a mail to a customer, with its PDF. */
const server = await startMailing();
const { mail } = server;
const tenant = await server.createTenant({ slug: "acme" });
const ana = await signedIn(server, tenant, { name: "Ana Pop", role: "admin" });
const english = { "sec-fetch-site": "same-origin", "accept-language": "en" };
let count = 0;

async function invoice(contact: object | null = {}, more: object = {}, of: TestTenant = tenant) {
  const email = `k${++count}@buyer.example`;
  const company = (await of.post("/api/v1/companies", { name: `Brutăria ${count}` })).body.data;
  const named = { first_name: "Ion", last_name: "Țăran", email, is_primary: true, preferred_language: "ro" };
  if (contact !== null) await of.post(`/api/v1/companies/${company.id}/contacts`, { ...named, ...contact });
  const lines = [{ description: "Făină albă", quantity: "2", unit_price: "50", vat_rate: "11" }];
  const body = { number: `F-${count}`, currency: "RON", status: "issued", issued_on: "2026-11-05", lines, ...more };
  const made = await of.post(`/api/v1/companies/${company.id}/invoices`, body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { id: Number(made.body.data.id), company: Number(company.id), number: `F-${count}`, email };
}

type Invoice = Awaited<ReturnType<typeof invoice>>;

/** The letter of the page as it is proposed. */
async function proposed({ id }: { id: number }, who: Member = ana) {
  const { text, status } = await who.get(`/invoices/${id}/mail`, english);
  assert.equal(status, 200);
  const value = (name: string) => new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(text)?.[1] ?? "";
  const [, area = ""] = /<textarea[^>]*>([^<]*)</.exec(text) ?? [];
  return { once: value("once"), to: value("to"), subject: value("subject"), text: area };
}

const post = async ({ id }: { id: number }, form: Record<string, string>) =>
  await ana.post(`/invoices/${id}/mail`, form, english);
const mailsOf = async (email: string) => (await server.sql("select state from mails where email = $1", [email])).length;

test("the letter goes once to the contact with the PDF, replies go to the person, and it is written down", async () => {
  const of = await invoice();
  assert.match((await ana.get(`/invoices/${of.id}`, english)).text, new RegExp(`href="/invoices/${of.id}/mail"`));
  const letter = await proposed(of);
  assert.equal(letter.to, of.email);
  assert.equal(letter.subject, `Factura ${of.number}, Tenant acme`);
  assert.match(letter.text, /atașat factura F-\d+ din 5 nov\. 2026\.\n\nTotal: 111,00 RON\./);
  const form = { ...letter, text: `${letter.text}\n\nCu drag,\nAna & ai ei` };
  const answers = [...(await Promise.all([post(of, form), post(of, form)])), await post(of, form)];
  for (const { status, location } of answers) assert.deepEqual([status, location], [303, `/invoices/${of.id}`]);
  assert.match((await ana.get(`/invoices/${of.id}`, english)).text, /The mail is on its way/);
  server.startWorker();
  const [message] = await mail.until(of.email);
  await server.untilIdle();
  assert.ok(message !== undefined && mail.received.filter(({ to }) => to.includes(of.email)).length === 1);
  assert.equal(message.subject, letter.subject);
  assert.equal(message.headers.get("from"), "Tenant acme <crm@example.com>");
  assert.equal(message.headers.get("reply-to"), `Ana Pop <${ana.email}>`);
  assert.match(message.text, /^Bună ziua,\n\n[^]*Cu drag,\n\nAna & ai ei\n+$/);
  assert.doesNotMatch(message.text, /Liaison|http/);
  const [file, ...others] = message.files;
  assert.deepEqual([file?.name, file?.type, others], [`Factura-${of.number}.pdf`, "application/pdf", []]);
  const [page = ""] = await pagesOf(file?.bytes ?? new Uint8Array());
  for (const each of ["Factură", of.number, `Brutăria ${count}`, "Făină albă", "TVA 11 %", "111,00 RON"])
    assert.ok(page.includes(each), `${each} is missing in ${page}`);
  const [activity, ...more] = await server.sql(
    `select a.kind, a.note, a.changed_by, k.email, 
      c.last_contacted_at = a.at and k.last_contacted_at = a.at as contacted from activities a
    join contacts k on k.tenant_id = a.tenant_id and k.id = a.contact_id join companies c on c.tenant_id = a.tenant_id and c.id = a.company_id where a.company_id = $1`,
    [of.company],
  );
  assert.deepEqual(more, []);
  assert.deepEqual(
    [activity?.kind, activity?.changed_by, activity?.email, activity?.contacted],
    ["email", `user:${ana.userId}`, of.email, true],
  );
  assert.match(String(activity?.note), /^Factura F-\d+, Tenant acme\n\nBună ziua,[^]*\n\n\[Factura-F-\d+\.pdf\]$/);
});

test("what is true when the mail is sent is attached, also at another try, to the address that the person wrote", async () => {
  server.startWorker();
  const of = await invoice({ preferred_language: "en" });
  const letter = await proposed(of);
  assert.equal(letter.subject, `Invoice ${of.number}, Tenant acme`);
  assert.match(letter.text, /^Hello,\n\nAttached is the invoice/);
  let refusals = 0;
  mail.behaviour.data = ({ to }) => (to.includes("other@buyer.example") && refusals++ === 0 ? answer(451) : null);
  await post(of, { ...letter, to: "other@buyer.example" });
  await server.untilIdle();
  const lines = [{ description: "Butter", quantity: "3", unit_price: "10" }];
  assert.equal((await tenant.put(`/api/v1/invoices/${of.id}`, { lines, total: "30" })).status, 200);
  await server.hasten();
  const [message] = await mail.until("other@buyer.example");
  await server.untilIdle();
  const [page = ""] = await pagesOf(message?.files[0]?.bytes ?? new Uint8Array());
  assert.match(page, /Invoice F-\d+.*Butter.*30\.00 RON/);
  const [activity] = await server.sql(
    `select a.contact_id, a.at = c.last_contacted_at as is_last from activities a
    join companies c on c.tenant_id = a.tenant_id and c.id = a.company_id where a.company_id = $1`,
    [of.company],
  );
  assert.deepEqual([activity?.contact_id, activity?.is_last, refusals], [null, true, 2]);
});

test("a mail to a contact who is merged into another meanwhile is sent, and written down at that one", async () => {
  server.startWorker();
  const of = await invoice();
  const [{ id: from }] = (await tenant.get(`/api/v1/companies/${of.company}/contacts`)).body.data;
  const other = { first_name: "Ioan", last_name: "Țăran" };
  const { id: kept } = (await tenant.post(`/api/v1/companies/${of.company}/contacts`, other)).body.data;
  let refusals = 0;
  mail.behaviour.data = ({ to }) => (to.includes(of.email) && refusals++ === 0 ? answer(451) : null);
  await post(of, await proposed(of));
  await server.untilIdle();
  assert.equal((await tenant.post(`/api/v1/contacts/${kept}/merge`, { from })).status, 200);
  await server.hasten();
  await mail.until(of.email);
  await server.untilIdle();
  const [activity, ...more] = await server.sql("select id, contact_id from activities where company_id = $1", [
    of.company,
  ]);
  assert.deepEqual([activity?.contact_id, more], [String(kept), []]);
  assert.ok((await tenant.get(`/api/v1/contacts/${kept}`)).body.data.last_contacted_at !== null);
});

test("nothing is sent of an invoice that is cancelled or gone meanwhile, or to a person who is", async () => {
  server.startWorker();
  const deleted = (table: string) => async (of: Invoice) => {
    const named = table === "contacts" ? "email = $1" : "id = $1";
    const value = table === "contacts" ? of.email : of.company;
    await server.sql(`update ${table} set deleted_at = now() where ${named}`, [value]);
  };
  const cases: [string, (of: Invoice) => Promise<unknown>][] = [
    ["cancelled", async ({ id }) => await tenant.put(`/api/v1/invoices/${id}`, { status: "cancelled" })],
    ["without its company", deleted("companies")],
    ["without its contact", deleted("contacts")],
  ];
  for (const [what, change] of cases) {
    const of = await invoice();
    mail.behaviour.data = ({ to }) => (to.includes(of.email) ? answer(451) : null);
    await post(of, await proposed(of));
    await server.untilIdle();
    await change(of);
    mail.behaviour.data = () => null;
    await server.hasten();
    await server.untilIdle();
    assert.deepEqual(
      mail.received.filter(({ to }) => to.includes(of.email)),
      [],
      what,
    );
    const given = (await ana.get("/users", english)).text.includes(of.email);
    assert.equal(given, what === "cancelled", what);
    assert.deepEqual(await server.sql("select from activities where company_id = $1", [of.company]), [], what);
  }
  assert.match((await ana.get("/users", english)).text, /Invoice[^]*The invoice is no longer issued/);
});

test("an erased contact leaves no mail with its address, neither sent nor waiting", async () => {
  server.startWorker();
  const of = await invoice();
  await post(of, await proposed(of));
  await mail.until(of.email);
  await server.untilIdle();
  mail.behaviour.data = () => answer(451);
  await post(of, await proposed(of));
  await server.untilIdle();
  mail.behaviour.data = () => null;
  assert.equal(await mailsOf(of.email), 2);
  const [contact] = (await tenant.get(`/api/v1/companies/${of.company}/contacts`)).body.data;
  const { body } = await tenant.post(`/api/v1/contacts/${contact.id}/erase`);
  assert.deepEqual([body.erased.mails, body.erased.activities], [2, 1]);
  assert.equal(await mailsOf(of.email), 0);
  await server.hasten();
  await server.untilIdle();
  assert.equal(mail.received.filter(({ to }) => to.includes(of.email)).length, 1);
});

test("an address or a subject that would write other headers is refused, and what was typed stays", async () => {
  const of = await invoice();
  const letter = await proposed(of);
  const wrong: [part: string, value: string][] = [
    ["to", ""],
    ["to", "a@b.example\r\nBcc: c@d.example"],
    ["to", "a@b.example, c@d.example"],
    ["to", "Ana <a@b.example>"],
    ["subject", ""],
    ["subject", "Hello\r\nBcc: c@d.example"],
    ["subject", "a".repeat(151)],
    ["text", " "],
    ["text", "a".repeat(3_501)],
    ["text", "a\0b"],
    ["text", `e${"\u0301".repeat(303)}`],
    ["subject", `e${"\u0301".repeat(31)}`],
  ];
  for (const [part, value] of wrong) {
    const { status, text } = await post(of, { ...letter, text: "My own <words>", [part]: value });
    assert.equal(status, 422, `${part}: ${value}`);
    assert.match(text, new RegExp(`id="${part}-error"`));
    if (part !== "text") assert.match(text, /My own &lt;words&gt;/);
  }
  assert.equal(await mailsOf(of.email), 0);
});

test("a draft, a cancelled invoice, and one of another workspace are not mailed", async () => {
  for (const status of ["draft", "cancelled"]) {
    const of = await invoice({}, { status });
    assert.doesNotMatch((await ana.get(`/invoices/${of.id}`, english)).text, /Send by mail/);
    assert.match(
      (await ana.get(`/invoices/${of.id}/mail`, english)).text,
      /A draft or a cancelled invoice is not mailed/,
    );
    assert.equal((await post(of, { to: of.email, subject: "a", text: "a" })).status, 422);
    assert.equal(await mailsOf(of.email), 0);
  }
  const of = await invoice({}, {}, await server.createTenant());
  assert.equal((await ana.get(`/invoices/${of.id}/mail`, english)).status, 404);
  assert.equal((await post(of, { to: of.email, subject: "a", text: "a" })).status, 404);
  assert.equal(await mailsOf(of.email), 0);
});

test("a company without an address gets the one that the person writes", async () => {
  const of = await invoice(null);
  const letter = await proposed(of);
  assert.equal(letter.to, "");
  assert.equal((await post(of, { ...letter, to: "found@buyer.example" })).status, 303);
  server.startWorker();
  assert.equal((await mail.until("found@buyer.example"))[0]?.files.length, 1);
});

test("without mail, the person's own program writes the letter, and the page says so", async () => {
  const without = await startServer({ LOG_LEVEL: "silent" });
  const other = await without.createTenant();
  const bob = await signedIn(without, other);
  const of = await invoice({}, {}, other);
  const page = await bob.get(`/invoices/${of.id}`, english);
  assert.match(
    page.text,
    new RegExp(`href="mailto:${of.email}\\?subject=Factura[^"]*Vă`.replace("Vă", encodeURIComponent("Vă"))),
  );
  assert.match((await bob.get(`/invoices/${of.id}/mail`, english)).text, /Liaison sends no mail here/);
  assert.equal(
    (await bob.post(`/invoices/${of.id}/mail`, { to: of.email, subject: "a", text: "a" }, english)).status,
    422,
  );
});

test("an hour has fifty mails of invoices: a further one waits until it is over, and stops no other mail", async () => {
  server.startWorker();
  await server.untilIdle();
  const ofHour = "from mails where tenant_id = $1 and kind = 'invoice' and attempted_at > now() - interval '1 hour'";
  await server.sql(
    `insert into mails (tenant_id, kind, email, state, attempted_at, ended_at)
    select $1, 'invoice', 'former@buyer.example', 'sent', now(), now()
    from generate_series(1, 49 - (select count(*)::int ${ofHour}))`,
    [tenant.id],
  );
  const [fiftieth, further] = [await invoice(), await invoice()];
  await post(fiftieth, await proposed(fiftieth));
  await mail.until(fiftieth.email);
  await server.untilIdle();
  await post(further, await proposed(further));
  await server.untilIdle();
  const waiting = await server.sql(
    `select m.state, j.run_at > now() + interval '50 minutes' as is_later
    from mails m join jobs j on j.tenant_id = m.tenant_id and j.kind = 'send-mail' and j.subject = m.id where m.email = $1`,
    [further.email],
  );
  assert.deepEqual(waiting, [{ state: "waiting", is_later: true }]);
  await visitor(server).post("/sign-in/forgotten", { workspace: "acme", email: ana.email });
  await mail.until(ana.email);
  await server.sql(
    "update mails set attempted_at = now() - interval '1 hour' where tenant_id = $1 and attempted_at is not null",
    [tenant.id],
  );
  await server.hasten();
  assert.equal((await mail.until(further.email)).length, 1);
});
