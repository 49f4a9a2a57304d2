import assert from "node:assert/strict";
import { test } from "node:test";
import { pages } from "../../../src/doors/pages.ts";
import { startServer } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";
import { codeOf } from "./second-factor.ts";
import { operatorIn, signedIn, visitor, type Visitor } from "./visitor.ts";

const server = await startServer({
  LIAISON_MAIL_URL: "smtp://127.0.0.1:9",
  LIAISON_MAIL_FROM: "crm@example.com",
  LIAISON_PUBLIC_URL: "http://127.0.0.1:3000",
});

const operator = await operatorIn(server);

/** The once-only keys of a page's forms, by the path that the form is posted to. */
async function onceIn(who: Visitor, page: string, action: string): Promise<string> {
  const { text } = await who.get(page);
  const form = text.split("<form").find((each) => each.includes(`action="${action}"`)) ?? "";
  const [, key] = /name="once" value="([^"]+)"/.exec(form) ?? [];
  assert.ok(key, `${page} has no once-only key for ${action}`);
  return key;
}

const linkIn = (text: string) => /\/invitations\/[\w-]{43}/.exec(text)?.[0] ?? "";

test("each form that creates does so once, however often it is sent, and leads to the first", async () => {
  const tenant = await server.createTenant();
  const who = await signedIn(server, tenant, { role: "admin" });
  const { id } = (await tenant.post("/api/v1/companies", { name: "Alfa" })).body.data;
  const contact = (await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "A", last_name: "B" })).body
    .data;
  await tenant.put(`/api/v1/companies/${id}`, { callback_date: "2020-01-01" });
  const invoice = (await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "PAID", total: "9" })).body.data;
  const letter = `/invoices/${invoice.id}/mail`;
  const payments = `/invoices/${invoice.id}/payments`;
  const key = `/keys/${(await tenant.createKey()).id}`;
  const company = `/companies/${id}`;
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  const forms: [page: string, action: string, table: string, fields: Record<string, string>][] = [
    ["/companies/new", "/companies", "companies", { name: "Beta SRL", country: "RO" }],
    [`${company}/contacts/new`, `${company}/contacts`, "contacts", { first_name: "Ana", last_name: "Pop" }],
    [`${company}/addresses/new`, `${company}/addresses`, "addresses", { address: "Str. Lungă 1" }],
    [company, `${company}/activities`, "activities", { note: "sunat", kind: "note" }],
    [`/contacts/${contact.id}`, `/contacts/${contact.id}/activities`, "activities", { note: "sunat", kind: "note" }],
    [`/invoices/new?company=${id}`, "/invoices", "invoices", { company: String(id), number: "F1" }],
    [payments, payments, "payments", { amount: "1.50", means: "cash" }],
    [letter, letter, "mails", { to: "a@b.example", subject: "Invoice", text: "Attached" }],
    ["/keys/new", "/keys", "api_keys", { name: "ERP", capabilities: "companies:read" }],
    ["/keys/assistant", "/keys/assistant", "api_keys", { name: "Claude", preset: "read", expires: tomorrow }],
    [key, `${key}/reroll`, "api_keys", {}],
    ["/users/new", "/users", "invitations", { email: "nou@example.com", role: "member" }],
    ["/workspace/fields/new", "/workspace/fields", "custom_fields", { noun: "company", label: "A", kind: "text" }],
    ["/webhooks/new", "/webhooks", "webhooks", { url: "https://example.com/hook", types: "*" }],
    [`${company}/calls/new`, `${company}/calls`, "planned_calls", { due_on: "2031-01-02", about: "Ramp" }],
    ["/today", `${company}/called`, "activities", { note: "sunat", callback_date: "2020-01-02", to: "/today" }],
    ["/today", `${company}/call-back`, "activities", { when: "no-answer", to: "/today" }],
  ];
  for (const [page, action, table, fields] of forms) {
    const count = async () =>
      Number((await server.sql(`select count(*) from ${table} where tenant_id = $1`, [tenant.id]))[0]?.count);
    const before = await count();
    const once = await onceIn(who, page, action);
    const send = (shown = {}) => who.post(action, { once, ...fields, ...shown });
    // At once, and again afterwards: a second click, a reload. Meanwhile the page may show what the first one created.
    const answers = [...(await Promise.all([send(), send()])), await send({ "shown.alike": "1" })];
    const [first] = answers;
    assert.ok(first !== undefined && [200, 303].includes(first.status), `${action}: ${first?.status} ${first?.text}`);
    for (const { status, location, text } of answers) {
      assert.deepEqual([status, location], [first.status, first.location], action);
      // A secret that is shown once.
      const main = (whole: string) =>
        /<main[^>]*>([^]*?)<\/main>/.exec(whole)?.[1]?.replace(/<div id="notice"[^]*?<\/div>/, "");
      if (status === 200) assert.equal(main(text), main(first.text), action);
    }
    assert.equal(await count(), before + 1, action);
  }
  const inNextTests = ["/operator/tenants", "/operator/tenants/{slug}/admin", "/profile/second-factor/confirm"];
  const tried = [...inNextTests, ...forms.map(([, action]) => action.replaceAll(/\d+/g, "{id}"))];
  const creating = pages.filter(({ creates }) => creates === true).map(({ path }) => path);
  assert.deepEqual(tried.toSorted(), creating.toSorted(), "every form that creates is among them");
});

test("a tenant is created once, however often its form is sent, and each answer has the link of its admin", async () => {
  const once = await onceIn(operator, "/operator/tenants/new", "/operator/tenants");
  const form = { once, name: "Carpat Lemn SRL", slug: "", email: "ana@carpat.example" };
  const send = async () => linkIn((await operator.post("/operator/tenants", form)).text);
  const links = [...(await Promise.all([send(), send()])), await send()];
  assert.equal(new Set(links).size, 1, String(links));
  assert.equal((await visitor(server).get(String(links[0]))).status, 200);
});

test("an admin who lost the invitation of a new tenant is invited again, once, and until somebody has come", async () => {
  const made = { name: "Sud", slug: "sud", email: "old@sud.example" };
  const first = linkIn((await operator.post("/operator/tenants", made)).text);
  const page = "/operator/tenants/sud";
  assert.match((await operator.get(page)).text, /value="old@sud\.example" id="email"/);
  const form = { once: await onceIn(operator, page, `${page}/admin`), email: "new@sud.example" };
  const send = async () => linkIn((await operator.post(`${page}/admin`, form)).text);
  const links = [...(await Promise.all([send(), send()])), await send()];
  assert.equal(new Set(links).size, 1, String(links));
  assert.equal((await visitor(server).get(first)).status, 404, "the earlier one has ended");
  const accepted = await visitor(server).post(String(links[0]), { name: "Ana", password: "violet harbour 91" });
  assert.equal(accepted.status, 303, accepted.text);
  assert.deepEqual(await server.sql("select email, role from users where email like '%@sud.example'"), [
    { email: "new@sud.example", role: "admin" },
  ]);
  assert.doesNotMatch((await operator.get(page)).text, /id="email"/);
  assert.equal((await operator.post(`${page}/admin`, { email: "operator@sud.example" })).location, page);
});

test("what an operator creates is committed with its answer, and not before", async () => {
  const path = "/profile/second-factor";
  await operator.post(path);
  const secret = /id="secret">([^<]+)</.exec((await operator.get(path)).text)?.[1]?.replaceAll(" ", "") ?? "";
  const forms: [page: string, action: string, fields: Record<string, string>, created: string][] = [
    [
      "/operator/tenants/new",
      "/operator/tenants",
      { name: "Mobila Nord", slug: "nord", email: "ana@nord.example" },
      "select id from tenants where slug = 'nord'",
    ],
    [
      path,
      `${path}/confirm`,
      { code: codeOf(secret) },
      "select id from users where tenant_id = 0 and totp_confirmed_at is not null",
    ],
  ];
  for (const [page, action, fields, created] of forms) {
    const once = await onceIn(operator, page, action);
    const noAnswers = "lock table kept_answers in share mode";
    const shown = await untilLetGo(server, noAnswers, async (letGo) => {
      const answer = operator.post(action, { once, ...fields });
      await server.untilWaiting(1);
      assert.deepEqual(await server.sql(created), [], action);
      await letGo();
      return await answer;
    });
    assert.equal(shown.status, 200, shown.text);
    assert.equal((await server.sql(created)).length, 1, action);
  }
  await server.sql(
    "update users set totp_secret = null, totp_confirmed_at = null, totp_last_step = null where tenant_id = 0",
  );
});

test("the recovery codes of a second factor are shown again to whom the first answer did not reach", async () => {
  const path = "/profile/second-factor";
  for (const who of [operator, await signedIn(server, await server.createTenant())]) {
    await who.post(path);
    const secret = /id="secret">([^<]+)</.exec((await who.get(path)).text)?.[1]?.replaceAll(" ", "") ?? "";
    const form = { once: await onceIn(who, path, `${path}/confirm`), code: codeOf(secret) };
    const send = async () => (await who.post(`${path}/confirm`, form)).text;
    const shown = [...(await Promise.all([send(), send()])), await send()].map(
      (text) => /<pre id="recovery-codes"[^>]*>([^<]+)/.exec(text)?.[1],
    );
    assert.match(String(shown[0]), /^(?:[A-Z2-7]{4}-){3}/);
    assert.equal(new Set(shown).size, 1);
  }
});

test("a deleted payment that is brought back, also by two presses, is there once", async () => {
  const tenant = await server.createTenant();
  const who = await signedIn(server, tenant);
  const { id } = (await tenant.post("/api/v1/companies", { name: "Alfa" })).body.data;
  const invoice = (await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "A", total: "9" })).body.data;
  const payments = `/invoices/${invoice.id}/payments`;
  const sent = { amount: "4", paid_on: "2026-11-02", means: "cash", external: { bank: "T-1" } };
  const payment = (await tenant.post(`/api/v1${payments}`, sent)).body.data;
  const deleted = await who.post(`/payments/${payment.id}/delete`);
  const { text } = await who.get(String(deleted.location));
  const form = text.split("<form").find((each) => each.includes(`action="${payments}"`)) ?? "";
  const undo = Object.fromEntries(
    [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  await Promise.all([who.post(payments, undo), who.post(payments, undo)]);
  const { data } = (await tenant.get(`/api/v1${payments}?include=external`)).body;
  assert.deepEqual(
    data.map(({ amount, external }: typeof sent) => ({ amount, external })),
    [{ amount: "4", external: { bank: "T-1" } }],
  );
  const again = await tenant.post(`/api/v1${payments}`, sent);
  assert.deepEqual([again.status, again.body.data.id], [201, data[0].id], "known to the bank's program");
});

test("a rejected form is no creation, another text is another one, and a form without a key works", async () => {
  const tenant = await server.createTenant();
  const who = await signedIn(server, tenant);
  const once = await onceIn(who, "/companies/new", "/companies");
  assert.equal((await who.post("/companies", { once, name: "" })).status, 422);
  const first = await who.post("/companies", { once, name: "Alfa" });
  const second = await who.post("/companies", { once, name: "Beta" });
  assert.notEqual(first.location, second.location);
  for (const key of ["", "x", "'"])
    assert.equal((await who.post("/companies", { once: key, name: "Gama" })).status, 303);
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 5);
  // Another user's form with the same key is another form.
  const other = await signedIn(server, tenant);
  assert.notEqual((await other.post("/companies", { once, name: "Alfa" })).location, first.location);
});

test("a file is imported once, however often it is sent while it waits; another file, or another person, is another", async () => {
  const tenant = await server.createTenant();
  const who = await signedIn(server, tenant);
  const upload = async (once: string, csv: string, by = who) =>
    (await by.upload("/imports", { once }, { "firme.csv": csv })).location;
  const key = async (by = who) => await onceIn(by, "/imports/new", "/imports");
  const [once, csv] = [await key(), "Denumire;CUI\nA SRL;RO1111\n"];
  const [first, second] = await Promise.all([upload(once, csv), upload(once, csv)]);
  assert.match(String(first), /^\/imports\/\d+$/);
  assert.deepEqual([second, await upload(once, csv)], [first, first]);
  // Behind "Back" a browser may have asked for the page again, which has another key.
  assert.equal(await upload(await key(), csv), first);
  const files = async () =>
    (await server.sql("select state, stored_bytes > 0 as kept from imports where tenant_id = $1", [tenant.id])).length;
  assert.equal(await files(), 1);
  const other = await upload(once, csv.replace("1111", "2222"));
  const colleague = await signedIn(server, tenant);
  const theirs = await upload(await key(colleague), csv, colleague);
  assert.equal(new Set([first, other, theirs]).size, 3);
  await who.post(`${first}/cancel`);
  assert.notEqual(await upload(await key(), csv), first);
});
