import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAfter } from "../../../src/platform/dates.ts";
import { changeLines } from "../../doors/pages/change-lines.ts";
import { signedIn, type PageAnswer } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { startMailing } from "../../kit/mail/mailing-server.ts";

/** Reminders of overdue invoices: what a person sees and sends, and what leaves. */
const server = await startMailing();
const { mail } = server;
const tenant = await server.createTenant({ slug: "acme" });
const ana = await signedIn(server, tenant, { name: "Ana Pop", role: "admin" });
const english = { "sec-fetch-site": "same-origin", "accept-language": "en" };
const romanian = { "sec-fetch-site": "same-origin", "accept-language": "ro" };
let count = 0;

async function company(name: string, contacts: Record<string, unknown>[] = [], of: TestTenant = tenant) {
  const { data } = (await of.post("/api/v1/companies", { name })).body;
  for (const contact of contacts)
    await of.post(`/api/v1/companies/${data.id}/contacts`, { last_name: "Popescu", ...contact });
  return Number(data.id);
}

async function invoice(of: number, total: string, more: Record<string, unknown> = {}, owner: TestTenant = tenant) {
  const body = {
    number: `ACM-${++count}`,
    total,
    currency: "RON",
    status: "issued",
    issued_on: "2026-01-05",
    due_on: "2026-02-04",
    ...more,
  };
  const { data } = (await owner.post(`/api/v1/companies/${of}/invoices`, body)).body;
  return data as { id: number; number: string };
}

const field = (page: PageAnswer, name: string) => {
  const [, attribute] = new RegExp(`name="${name}"[^>]*? value="([^"]*)"`).exec(page.text) ?? [];
  const [, area] = new RegExp(`name="${name}"[^>]*>([^<]*)</textarea>`).exec(page.text) ?? [];
  const [, chosen] = new RegExp(`name="${name}"[^]*?value="([^"]*)" selected`).exec(page.text) ?? [];
  return attribute ?? area ?? chosen ?? "";
};

/** The form of a page as it is, for these companies. */
function formOf(page: PageAnswer, ids: number[], more: Record<string, string> = {}) {
  const parts = ["invoices", "recent", "through", "level", "to", "subject", "opening", "closing"];
  const values = ids.flatMap((id) => parts.map((part) => [`${part}.${id}`, field(page, `${part}\\.${id}`)]));
  return { company: ids.map(String), ...Object.fromEntries(values), ...more };
}

const preview = async (ids: number[], headers = english) =>
  await ana.get(`/money/reminders?companies=${ids.join(",")}`, headers);

async function send(ids: number[], more: Record<string, string> = {}) {
  const page = await preview(ids);
  return await ana.post("/money/reminders", formOf(page, ids, more), english);
}

const statesOf = async (of: number) =>
  (await server.sql("select state from reminders where company_id = $1 order by id", [of])).map(({ state }) => state);

/** Has the reminders of a company be of that many days ago. */
async function remindedEarlier(company: number, days: number): Promise<void> {
  const at = new Date(Date.now() - days * 86_400_000);
  await server.sql("update reminders set created_at = $2 where company_id = $1", [company, at]);
}

test("one letter lists what is overdue, goes to the contact for accounting, and is written down", async () => {
  const hotel = await company("Hotel Central", [
    { first_name: "Radu", email: "radu@hotel.example", is_primary: true },
    { first_name: "Ioana", email: "ioana@hotel.example", preferred_language: "ro" },
  ]);
  const { data: contacts } = (await tenant.get(`/api/v1/companies/${hotel}/contacts?search=Ioana`)).body;
  const ioana = contacts[0].id;
  const form = { first_name: "Ioana", last_name: "Popescu", email: "ioana@hotel.example", preferred_language: "ro" };
  await ana.post(`/contacts/${ioana}`, { ...form, is_accounting: "1" }, english);
  // The API's contact has no such member, and changes none.
  const changed = await tenant.put(`/api/v1/contacts/${ioana}`, { is_accounting: false, department: "Accounts" });
  assert.equal(changed.body.data.is_accounting, undefined);
  const [first, second] = [await invoice(hotel, "6600"), await invoice(hotel, "16004.50", { due_on: "2026-01-20" })];
  const today = dayAfter(0, "Europe/Bucharest");
  const others = [
    await invoice(hotel, "1", { status: "draft" }),
    await invoice(hotel, "2", { due_on: "2099-01-01" }),
    await invoice(hotel, "3", { issued_on: today, due_on: null }),
    await invoice(hotel, "4", { status: "cancelled" }),
  ];
  const money = await ana.get("/money", english);
  assert.match(money.text, new RegExp(`name="id" value="${hotel}"`));
  const asked = await ana.post("/money/remind", { id: [String(hotel)] }, english);
  assert.equal(asked.location, `/money/reminders?companies=${hotel}`);
  const page = await preview([hotel]);
  assert.equal(field(page, `subject\\.${hotel}`), "Facturi cu scadența depășită - Tenant acme");
  assert.match(page.text, /1st · 2 invoices overdue/);
  for (const { number } of others) assert.ok(!page.text.includes(`>${number}<`), number);
  server.startWorker();
  const sent = await send([hotel], { [`opening.${hotel}`]: "Bună ziua, doamnă Popescu,\n\nAvem de încasat:" });
  assert.equal(sent.location, "/money?overdue=1");
  const [message] = await mail.until("ioana@hotel.example");
  await server.untilIdle();
  assert.equal(message?.subject, "Facturi cu scadența depășită - Tenant acme");
  assert.equal(message?.headers.get("from"), '"Tenant acme" <crm@example.com>'.replaceAll('"', ""));
  assert.equal(message?.headers.get("reply-to"), `Ana Pop <${ana.email}>`);
  const text = message?.text ?? "";
  assert.match(text, /^Bună ziua, doamnă Popescu,\n\nAvem de încasat:\n/);
  assert.ok(text.indexOf(second.number) < text.indexOf(first.number), "the longest due comes first");
  assert.match(text, /Total: 22\.604,50 RON/);
  assert.doesNotMatch(text, /Liaison|http/);
  for (const { number } of others) assert.ok(!text.includes(`${number} `), number);
  const [activity] = await server.sql(
    "select a.kind, a.note, a.changed_by, k.first_name from activities a join contacts k on k.tenant_id = a.tenant_id and k.id = a.contact_id where a.company_id = $1",
    [hotel],
  );
  assert.deepEqual(
    [activity?.kind, activity?.first_name, activity?.changed_by],
    ["email", "Ioana", `user:${ana.userId}`],
  );
  assert.match(String(activity?.note), /^Facturi cu scadența depășită[^]*Avem de încasat/);
  assert.deepEqual(await statesOf(hotel), ["sent"]);
  const list = await ana.get(`/companies/${hotel}/reminders`, english);
  assert.match(list.text, /1st/);
  assert.match(list.text, new RegExp(`${first.number}[^]*sent`));
  assert.match((await ana.get("/money", english)).text, /1st, /);
});

test("nobody is reminded twice within three days, unless somebody asks for it, and others are not silenced", async () => {
  const bakery = await company("Panificația", [{ first_name: "Dan", email: "dan@bakery.example", is_primary: true }]);
  await server.sql("update companies set email = 'office@bakery.example' where id = $1", [bakery]);
  const old = await invoice(bakery, "100");
  await send([bakery]);
  await mail.until("dan@bakery.example");
  const page = await preview([bakery]);
  assert.match(page.text, /was reminded in the last three days/);
  assert.match((await ana.get((await send([bakery])).location ?? "", english)).text, /left out/);
  const later = await invoice(bakery, "250");
  const other = await preview([bakery]);
  assert.equal(field(other, `invoices\\.${bakery}`), String(later.id));
  assert.match(other.text, /1st · 1 invoice overdue/);
  await ana.post("/money/reminders", formOf(other, [bakery]), english);
  assert.match((await mail.until("dan@bakery.example", 2)).at(-1)?.text ?? "", new RegExp(`${later.number} `));
  // The same page sent again reminds of nothing.
  await ana.post("/money/reminders", formOf(other, [bakery]), english);
  await send([bakery], { [`again.${bakery}`]: "1", [`to.${bakery}`]: "company" });
  const [again] = await mail.until("office@bakery.example");
  assert.match(again?.text ?? "", new RegExp(old.number));
  await remindedEarlier(bakery, 4);
  assert.equal(
    field(await preview([bakery]), `subject\\.${bakery}`),
    "Ultima notificare: facturi restante - Tenant acme",
  );
  await server.untilIdle();
  assert.equal((await statesOf(bakery)).length, 3);
});

test("what was paid, cancelled or corrected since is taken out at the moment the letter leaves", async () => {
  await server.untilIdle();
  const shop = await company("Shop", [
    { first_name: "Ana", email: "ana@shop.example", is_primary: true, preferred_language: "en" },
  ]);
  const gone = await company("Gone", [{ first_name: "Ema", email: "ema@gone.example", is_primary: true }]);
  const [paid, part, cancelled, corrected] = [
    await invoice(shop, "10"),
    await invoice(shop, "20"),
    await invoice(shop, "30"),
    await invoice(shop, "40"),
  ];
  const only = await invoice(gone, "5");
  mail.behaviour.data = () => Object.assign(new Error("later"), { responseCode: 451 });
  await send([shop, gone]);
  await server.untilIdle();
  assert.deepEqual(await statesOf(shop), ["waiting"]);
  await tenant.put(`/api/v1/invoices/${paid.id}`, { status: "paid" });
  await tenant.put(`/api/v1/invoices/${only.id}`, { status: "paid" });
  await tenant.post(`/api/v1/invoices/${part.id}/payments`, { amount: "12.5" });
  await tenant.put(`/api/v1/invoices/${cancelled.id}`, { status: "cancelled" });
  const correction = await invoice(shop, "41", { due_on: "2099-01-01" });
  await server.sql("update invoices set corrects_id = $2 where id = $1", [correction.id, corrected.id]);
  delete mail.behaviour.data;
  await server.hasten();
  const [message] = await mail.until("ana@shop.example");
  await server.untilIdle();
  assert.match(message?.text ?? "", new RegExp(`${part.number} of [^]*7\\.50 RON\\s+Total: 7\\.50 RON`));
  assert.equal(mail.received.filter(({ to }) => to.includes("ema@gone.example")).length, 0);
  assert.deepEqual([await statesOf(shop), await statesOf(gone)], [["sent"], ["dropped"]]);
  const { text } = await ana.get(`/companies/${shop}/reminders`, english);
  for (const why of ["left out: paid", "left out: cancelled", "left out: corrected"])
    assert.ok(text.includes(why), why);
});

test("a reminder keeps the level of its text, whatever is paid between preview and sending", async () => {
  const firm = await company("Levels", [{ first_name: "Ina", email: "ina@levels.example", is_primary: true }]);
  const old = await invoice(firm, "10");
  await send([firm]);
  await remindedEarlier(firm, 10);
  await invoice(firm, "20");
  const page = await preview([firm]);
  assert.match(field(page, `subject\\.${firm}`), /^A doua notificare/);
  await tenant.post(`/api/v1/invoices/${old.id}/payments`, { amount: "10" });
  const refused = await ana.post("/money/reminders", formOf(page, [firm], { [`subject.${firm}`]: "" }), english);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /2nd · /);
  assert.equal((await ana.post("/money/reminders", formOf(page, [firm]), english)).status, 303);
  const stored = await server.sql("select level from reminders where company_id = $1 order by id", [firm]);
  assert.deepEqual(
    stored.map(({ level }) => Number(level)),
    [1, 2],
  );
});

test("what was paid since the preview, and who was merged, is said when the letters are sent", async () => {
  const email = "a@seen.example";
  const [paying, settled, merged, silent] = [
    await company("Paying", [{ first_name: "Ana", email, is_primary: true }]),
    await company("Settled", [{ first_name: "Ana", email, is_primary: true }]),
    await company("Merged", [{ first_name: "Ana", email, is_primary: true }]),
    await company("Without address"),
  ];
  const [paid, open, foreign] = [await invoice(paying, "10"), await invoice(paying, "20"), await invoice(silent, "5")];
  const all = await invoice(settled, "30");
  await invoice(merged, "40");
  const page = await preview([paying, settled, merged, silent]);
  for (const { id } of [paid, all]) await tenant.put(`/api/v1/invoices/${id}`, { status: "paid" });
  await tenant.post(`/api/v1/companies/${silent}/merge`, { from: merged });
  const form = formOf(page, [paying, settled, merged, silent]) as Record<string, string | string[]>;
  form[`invoices.${paying}`] += `,${foreign.id},999999999999`;
  const sent = await ana.post("/money/reminders", { ...form, [`to.${silent}`]: "" }, english);
  assert.equal(sent.status, 422, sent.text);
  assert.match(sent.text, /1 reminder is being sent[^<]*2 companies were left out/);
  const [message] = await mail.until(email);
  await server.untilIdle();
  assert.deepEqual(
    [paid, open, foreign].map(({ number }) => message?.text.includes(`${number} `)),
    [false, true, false],
  );
  const { text } = await ana.get(`/companies/${paying}/reminders`, english);
  assert.match(text, new RegExp(`>${paid.number}</a> \\(left out: paid\\)`));
  assert.ok(!text.includes(foreign.number));
});

test("what cannot be sent is said with why, and what was typed stays", async () => {
  const [silent, fine] = [
    await company("Silent"),
    await company("Fine", [{ first_name: "Ion", email: "ion@fine.example", is_primary: true }]),
  ];
  await invoice(silent, "10");
  await invoice(fine, "10");
  const paidUp = await company("Paid up");
  const page = await preview([silent, fine, paidUp]);
  assert.match(page.text, /Silent has no e-mail address\. <a[^>]*href="\/companies\/\d+\/edit"/);
  assert.match(page.text, /Paid up has no overdue invoice/);
  const sent = await ana.post(
    "/money/reminders",
    formOf(page, [silent, fine], { [`closing.${silent}`]: "My own <words>" }),
    english,
  );
  assert.equal(sent.status, 422);
  assert.match(sent.text, /1 reminder is being sent/);
  assert.match(sent.text, /My own &lt;words&gt;/);
  await mail.until("ion@fine.example");
  assert.deepEqual(await statesOf(silent), []);
  const other = await company("Other", [{ first_name: "Ana", email: "ana@other.example", is_primary: true }]);
  await invoice(other, "10");
  for (const [part, text] of [
    ["closing", "a\0b"],
    ["subject", "a\nBcc: b"],
  ] as const) {
    const refused = await ana.post(
      "/money/reminders",
      formOf(await preview([other]), [other], { [`${part}.${other}`]: text }),
      english,
    );
    assert.equal(refused.status, 422, part);
  }
  assert.deepEqual(await statesOf(other), []);
});

test("people without a language of their own get letters in that of the workspace's mails", async () => {
  const shop = await company("Unspoken", [{ first_name: "Al", email: "al@un.example", is_primary: true }]);
  const { id } = await invoice(shop, "10");
  await server.sql("update contacts set preferred_language = '' where email = 'al@un.example'");
  const mailOf = async () => (await ana.get(`/invoices/${id}/mail`, english)).text;
  assert.match(field(await preview([shop]), `subject\\.${shop}`), /^Facturi/);
  assert.match(await mailOf(), /value="Factura ACM-\d+, [^]*Total: 10,00 RON\. Scadentă la/);
  await ana.post("/workspace", { mail_language: "en" }, english);
  assert.match(field(await preview([shop]), `subject\\.${shop}`), /^Overdue invoices/);
  assert.match(await mailOf(), /value="Invoice ACM-\d+, [^]*Total: 10\.00 RON\. Due on/);
  const lines = changeLines((await ana.get("/history?type=workspace", english)).text);
  assert.ok(
    lines.some((line) => /language of mails to customers: English/.test(line)),
    lines.join("\n"),
  );
  await ana.post("/workspace", { mail_language: "" }, english);
});

test("an admin changes the texts of a workspace, and an empty field brings the usual one back", async () => {
  const page = await ana.get("/workspace/reminders?language=en", english);
  assert.match(page.text, /Overdue invoices - \{workspace\}/);
  const shop = await company("English", [
    { first_name: "Al", email: "al@en.example", is_primary: true, preferred_language: "en" },
  ]);
  await invoice(shop, "10");
  const save = { language: "en", "subject.1": "Please pay, {company}", "opening.1": "", "closing.1": "Bye {person}" };
  assert.equal((await ana.post("/workspace/reminders", save, english)).location, "/workspace/reminders?language=en");
  const proposed = await preview([shop]);
  assert.equal(field(proposed, `subject\\.${shop}`), "Please pay, English");
  assert.match(field(proposed, `opening\\.${shop}`), /^Hello,\n\nOn .* these invoices are overdue:$/);
  assert.equal(field(proposed, `closing\\.${shop}`), "Bye Ana Pop");
  // The history says who changed them, and when; the same texts are no change.
  await ana.post("/workspace/reminders", save, english);
  const changes = "select from changes where type = 'workspace' and changed like '%reminder_texts_at%'";
  assert.equal((await server.sql(changes)).length, 1);
  const lines = changeLines((await ana.get("/history?type=workspace", english)).text);
  assert.ok(
    lines.some((line) => /Ana Pop.*texts of reminders: .* 20\d\d, \d\d:\d\d/.test(line)),
    lines.join("\n"),
  );
  await ana.post("/workspace/reminders", { language: "en", "subject.1": "", "closing.1": "" }, english);
  assert.equal(field(await preview([shop]), `subject\\.${shop}`), "Overdue invoices - Tenant acme");
  assert.match((await ana.get("/workspace/reminders", romanian)).text, /Facturi cu scadența depășită/);
  const nul = await ana.post("/workspace/reminders", { language: "en", "opening.1": "Hel\0lo" }, english);
  assert.equal(nul.status, 422);
});

test("a reminder is text as everything else that people write: composed, and without a letter of hundreds of accents", async () => {
  const stacked = `e${"\u0301".repeat(303)}`;
  const said = (where: string) => new RegExp(`${where} can have at most 30 accents and other marks on one letter\\.`);
  const texts = await ana.post("/workspace/reminders", { language: "ro", "closing.2": stacked }, english);
  assert.deepEqual([texts.status, said("After the invoices").test(texts.text)], [422, true], texts.text);
  const shop = await company("Accents", [{ first_name: "Al", email: "al@accents.example", is_primary: true }]);
  await invoice(shop, "10");
  const refused = await send([shop], { [`opening.${shop}`]: stacked });
  assert.deepEqual([refused.status, said("Before the invoices").test(refused.text)], [422, true]);
  const long = await send([shop], { [`closing.${shop}`]: "a".repeat(1_501) });
  assert.match(long.text, /After the invoices can have at most 1,500 characters\./);
  assert.equal((await send([shop], { [`opening.${shop}`]: "Bună".normalize("NFD") })).status, 303);
  const [message] = await mail.until("al@accents.example");
  assert.ok(message?.text.startsWith("Bună".normalize("NFC")), "composed");
  await ana.post("/workspace/reminders", { language: "ro", "closing.2": "Bună".normalize("NFD") }, english);
  const { text } = await ana.get("/workspace/reminders?language=ro", english);
  assert.ok(text.includes(">Bună<".normalize("NFC")));
  await ana.post("/workspace/reminders", { language: "ro" }, english);
});

test("without mail the text is there to print and copy, and is written down", async () => {
  const plain = await startServer();
  const own = await plain.createTenant({ slug: "plain" });
  const user = await signedIn(plain, own, { name: "Ana Pop" });
  const shop = await company("Shop", [], own);
  const { number } = await invoice(shop, "10", {}, own);
  const page = await user.get(`/money/reminders?companies=${shop}`, english);
  assert.match(page.text, new RegExp(`<pre[^>]*>[^<]*${number} din 5 ian\\. 2026[^<]*10,00 RON`));
  const done = await user.post("/money/reminders", formOf(page, [shop]), english);
  assert.equal(done.location, "/money?overdue=1");
  assert.deepEqual(await plain.sql("select state, mail_id from reminders"), [{ state: "sent", mail_id: null }]);
  assert.deepEqual(await plain.sql("select kind from activities"), [{ kind: "email" }]);
  assert.deepEqual(await plain.sql("select from mails"), []);
});

test("a promised day is shown on Money, and comes back on Today when it is over", async () => {
  const shop = await company("Promising", []);
  const { id } = await invoice(shop, "10");
  const promise = `/companies/${shop}/promise`;
  assert.equal((await ana.post(promise, { until: "2026-01-01" }, english)).status, 422);
  const long = await ana.post(promise, { until: "2099-01-01", note: "a".repeat(501) }, english);
  assert.match(long.text, /id="note-error">Note can have at most 500 characters\.</);
  assert.doesNotMatch(long.text, /id="until-error"/);
  const typed = { until: dayAfter(5, "Europe/Bucharest"), note: "said Dan", to: "/money" };
  const [saved] = await Promise.all([ana.post(promise, typed, english), ana.post(promise, typed, english)]);
  assert.equal(saved.location, "/money");
  const notes = await server.sql("select from activities where company_id = $1", [shop]);
  assert.equal(notes.length, 1, "a second press is no other promise");
  assert.match((await ana.get(`/companies/${shop}`, english)).text, /Promised to pay until [^<]*said Dan/);
  assert.doesNotMatch((await ana.get("/today?whose=all", english)).text, /id="promises"/);
  await server.sql("update promises set until = '2026-03-01' where company_id = $1", [shop]);
  const { text } = await ana.get("/today?whose=all", english);
  assert.match(text, /id="promises"[^]*Promising[^]*promised until 1 Mar 2026[^]*reminders\?companies=/);
  await tenant.put(`/api/v1/invoices/${id}`, { status: "paid" });
  await invoice(shop, "-10");
  assert.doesNotMatch((await ana.get("/today?whose=all", english)).text, /id="promises"/);
  assert.equal((await ana.post(promise, { end: "1" }, english)).location, `/companies/${shop}`);
  assert.deepEqual(await server.sql("select from promises"), []);
});

test("an erased contact leaves no mail with its address, neither sent nor waiting", async () => {
  const spa = await company("Spa", [{ first_name: "Ema", email: "ema@spa.example", is_primary: true }]);
  const [contact] = (await tenant.get(`/api/v1/companies/${spa}/contacts`)).body.data;
  await invoice(spa, "50.00");
  await send([spa]);
  await mail.until("ema@spa.example");
  await server.untilIdle();
  const later = { due_on: "2026-02-10" };
  await invoice(spa, "60.00", later);
  await server.sql(
    `with mail as (insert into mails (tenant_id, kind, email, details, state)
       select tenant_id, kind, email, 'x', 'given_up' from mails where email = 'ema@spa.example' returning tenant_id, id)
     insert into reminders (tenant_id, company_id, contact_id, mail_id, level, state, changed_by)
     select tenant_id, $1, $2, id, 2, 'waiting', 'user:1' from mail`,
    [spa, contact.id],
  );
  const { body } = await tenant.post(`/api/v1/contacts/${contact.id}/erase`);
  assert.equal(body.erased.mails, 2);
  assert.deepEqual(await server.sql("select id from mails where email = 'ema@spa.example'"), []);
  assert.deepEqual(await statesOf(spa), ["sent", "dropped"]);
});
