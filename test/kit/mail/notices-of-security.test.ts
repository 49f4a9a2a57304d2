import assert from "node:assert/strict";
import { test } from "node:test";
import { generateRecoveryCodes, hashRecoveryCode } from "../../../src/people/users/recovery-code.ts";
import { insertUser } from "../../../src/people/users/user-queries.ts";
import { dayAfter } from "../../../src/platform/dates.ts";
import { PASSWORD, PASSWORD_HASH, signedIn, visitor } from "../../doors/pages/visitor.ts";
import { addPasskey, ORIGIN as PASSKEY_ORIGIN } from "../../people/passkeys/people.ts";
import { startMailing, type Mailing } from "./mailing-server.ts";

const server = await startMailing();
const { mail } = server;
const sql: Mailing["sql"] = async (...all) => await server.sql(...all);
const tenant = await server.createTenant({ slug: "acme" });
server.startWorker();

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0";
const own = { "sec-fetch-site": "same-origin", "user-agent": FIREFOX };
let people = 0;

async function person(language: "en" | "ro"): Promise<{ id: number; email: string }> {
  const email = `owner-${++people}@example.com`;
  const user = await insertUser(tenant.id, server.deps.database, {
    email,
    name: "Ana",
    role: "member",
    passwordHash: PASSWORD_HASH,
  });
  await sql("update users set language = $2 where id = $1", [user?.id, language]);
  return { id: Number(user?.id), email };
}

test("a sign-in from an unknown browser notifies its user, in both languages, and a known browser does not", async () => {
  for (const language of ["en", "ro"] as const) {
    const { email } = await person(language);
    const browser = visitor(server);
    const form = { workspace: "acme", email, password: PASSWORD };
    assert.equal((await browser.post("/sign-in", { ...form, password: "wrong" }, own)).status, 422);
    assert.equal((await browser.post("/sign-in", form, own)).location, "/today");
    const [message] = await mail.until(email);
    const [subject, known] =
      language === "en"
        ? ["New sign-in to Tenant acme", /^Browser: Firefox, Linux$/m]
        : ["Autentificare nouă în Tenant acme", /^Browser: Firefox, Linux$/m];
    assert.equal(message?.subject, subject);
    assert.match(message?.text ?? "", known);
    assert.match(message?.text ?? "", /127\.0\.0\.1/);
    await browser.post("/sign-out", {}, own);
    assert.equal((await browser.post("/sign-in", form, own)).location, "/today");
    await server.untilIdle();
    assert.equal((await mail.until(email)).length, 1, "the browser is known from then on");
  }
});

test("a password that an unknown browser chose by a link notifies its user, and one of a known browser does not", async () => {
  const admin = await signedIn(server, tenant, { role: "admin" });
  const { id, email } = await person("en");
  const browsers = [visitor(server), visitor(server)];
  for (const browser of [...browsers, browsers[0]]) {
    const { text } = await admin.post(`/users/${id}/password-link`, {}, own);
    const [, path = ""] = /(\/invitations\/[\w-]{43})</.exec(text) ?? [];
    assert.equal((await browser?.post(path, { password: "violet harbour 91" }, own))?.location, "/today");
  }
  await server.untilIdle();
  const told = mail.received.filter(
    ({ to, subject }) => to.includes(email) && subject === "New sign-in to Tenant acme",
  );
  assert.equal(told.length, browsers.length);
});

test("with a second factor the notice comes after the code, and not after the password", async () => {
  const { id, email } = await person("en");
  await sql("update users set totp_secret = 'x', totp_confirmed_at = now() where id = $1", [id]);
  const code = generateRecoveryCodes()[0] ?? "";
  const hash = hashRecoveryCode(code);
  await sql("insert into recovery_codes (tenant_id, user_id, code_hash) values ($1, $2, $3)", [tenant.id, id, hash]);
  const browser = visitor(server);
  const form = { workspace: "acme", email, password: PASSWORD };
  assert.equal((await browser.post("/sign-in", form, own)).location, "/sign-in/code");
  await server.untilIdle();
  assert.deepEqual(await sql("select from mails where user_id = $1", [id]), []);
  assert.equal((await browser.post("/sign-in/code", { code }, own)).location, "/today");
  assert.equal((await mail.until(email))[0]?.subject, "New sign-in to Tenant acme");
});

test("a second factor that its owner switched off is reported to the owner", async () => {
  for (const [language, expected] of [
    ["en", /^You switched off the second factor/m],
    ["ro", /^Ați oprit al doilea factor/m],
  ] as const) {
    const who = await signedIn(server, tenant);
    await sql("update users set totp_secret = 'x', totp_confirmed_at = now(), language = $2 where id = $1", [
      who.userId,
      language,
    ]);
    assert.equal((await who.post("/profile/second-factor/end", { password: PASSWORD }, own)).location, "/profile");
    assert.match((await mail.until(who.email))[0]?.text ?? "", expected);
  }
});

test("a second factor that is not on cannot be switched off: nothing ends, and nobody is notified", async () => {
  const who = await signedIn(server, tenant);
  const [other] = await sql("select count(*)::int from sessions where user_id = $1", [who.userId]);
  await who.post("/profile/second-factor", {}, own);
  const pending = async () => await sql("select totp_secret from users where id = $1", [who.userId]);
  const before = await pending();
  const ended = await who.post("/profile/second-factor/end", { password: PASSWORD }, own);
  assert.equal(ended.location, "/profile/second-factor");
  assert.doesNotMatch((await who.get("/profile/second-factor")).text, /The second factor is off\./);
  assert.deepEqual(await pending(), before);
  assert.deepEqual(await sql("select count(*)::int from sessions where user_id = $1", [who.userId]), [other]);
  assert.deepEqual(await sql("select from mails where user_id = $1", [who.userId]), []);
});

test("a second factor that another person switched off is reported to its owner, with the name", async () => {
  const admin = await signedIn(server, tenant, { role: "admin", name: "Dan Admin" });
  for (const language of ["en", "ro"] as const) {
    const { id, email } = await person(language);
    await sql("update users set totp_secret = 'x', totp_confirmed_at = now() where id = $1", [id]);
    await admin.post(`/users/${id}/second-factor/reset`, {}, own);
    const [message] = await mail.until(email);
    const expected =
      language === "en"
        ? /^Dan Admin switched off the second factor of your account in the workspace Tenant acme\./m
        : /^Al doilea factor al contului din spațiul de lucru Tenant acme a fost oprit de Dan Admin\./m;
    assert.match(message?.text ?? "", expected);
  }
});

test("a new key is reported to every active admin, and to no member", async () => {
  const other = await server.createTenant({ slug: "beta" });
  const [first, second, gone] = [
    await signedIn(server, other, { role: "admin", name: "Ana Pop" }),
    await signedIn(server, other, { role: "admin" }),
    await signedIn(server, other, { role: "admin" }),
  ];
  const member = await signedIn(server, other);
  await sql("update users set deactivated_at = now() where id = $1", [gone.userId]);
  await sql("update users set language = 'en' where id = $1", [second.userId]);
  const name = "Shop\r\nBcc: eve@example.com";
  assert.equal((await first.post("/keys", { name, capabilities: "companies:read" }, own)).status, 200);
  const [romanian] = await mail.until(first.email);
  const [english] = await mail.until(second.email);
  await server.untilIdle();
  assert.match(english?.text ?? "", /^Ana Pop created the API key “Shop/m);
  assert.doesNotMatch(english?.text ?? "", /^Bcc:/m);
  assert.equal(romanian?.subject, "Cheie API nouă în Tenant beta");
  const told = new Set(mail.received.flatMap(({ to }) => to));
  assert.deepEqual([told.has(gone.email), told.has(member.email)], [false, false]);
  const [{ token } = {}] = await sql("select prefix as token from api_keys where created_by = $1", [first.userId]);
  assert.ok(!String(english?.raw).includes(String(token)));
});

test("the key of an assistant is reported to the admins as any other, and its name is composed", async () => {
  const other = await server.createTenant({ slug: "gamma" });
  const admin = await signedIn(server, other, { role: "admin", name: "Ana Pop" });
  await sql("update users set language = 'en' where id = $1", [admin.userId]);
  const name = "Claude al Roxanei Țîră";
  const form = { name: name.normalize("NFD"), preset: "read", expires: dayAfter(30, "UTC") };
  assert.equal((await admin.post("/keys/assistant", form, own)).status, 200);
  const [told] = await mail.until(admin.email);
  assert.ok(String(told?.text).includes(`Ana Pop created the API key “${name}”`));
  assert.deepEqual(await sql("select name from api_keys where created_by = $1", [admin.userId]), [{ name }]);
});

test("a passkey that is added, and one that an admin removes, is reported to its owner, in the owner's language", async () => {
  const place = await startMailing({ LIAISON_PUBLIC_URL: PASSKEY_ORIGIN }, mail);
  const work = await place.createTenant({ slug: "keys" });
  const admin = await signedIn(place, work, { role: "admin", name: "Ion Marin" });
  place.startWorker();
  for (const language of ["en", "ro"] as const) {
    const member = await signedIn(place, work);
    await place.sql("update users set language = $3 where tenant_id = $1 and id = $2", [
      work.id,
      member.userId,
      language,
    ]);
    assert.equal((await addPasskey(member, {}, "Ana’s “key”")).added.status, 303);
    const [added] = await mail.until(member.email);
    const subject = language === "en" ? "New passkey for Tenant keys" : "Cheie de acces nouă pentru Tenant keys";
    assert.equal(added?.subject, subject);
    assert.match(added?.text ?? "", /Ana’s “key”/);
    const list = (await admin.get(`/users/${member.userId}/passkeys`)).text;
    await admin.post(/\/users\/\d+\/passkeys\/\d+\/remove/.exec(list)?.[0] ?? "");
    const [, removed] = await mail.until(member.email, 2);
    const by = language === "en" ? /Ion Marin removed the passkey/ : /a fost eliminată de Ion Marin/;
    assert.match(removed?.text ?? "", by);
    assert.match(removed?.text ?? "", language === "en" ? /sessions have ended/ : /s-au încheiat/);
  }
  const [{ count } = {}] = await place.sql("select count(*)::int as count from mails where user_id = $1", [
    admin.userId,
  ]);
  assert.equal(count, 0, "nobody else hears of it");
});

test("an export of more than 1,000 rows is in the history and told to admins; the right to export can be taken away", async () => {
  const busy = await server.createTenant({ slug: "busy" });
  const admin = await signedIn(server, busy, { role: "admin", name: "Ana Pop" });
  const member = await signedIn(server, busy, { name: "Elena Radu" });
  const add = async (count: number) =>
    await sql(
      "insert into companies (tenant_id, name, country) select $1, 'C' || g, 'Romania' from generate_series(1, $2) g",
      [busy.id, count],
    );
  await add(1_000);
  assert.equal((await member.get("/companies/export")).text.split("\r\n").length, 1_002);
  assert.doesNotMatch((await admin.get("/history")).text, /exported/);
  await add(1);
  for (const path of ["/companies/export", "/export/companies.csv"]) assert.equal((await member.get(path)).status, 200);
  const [{ email } = { email: "" }] = await sql("select email from users where id = $1", [admin.userId]);
  const [message] = await mail.until(String(email), 2);
  assert.match(String(message?.subject), /Elena Radu a exportat 1\.001 rânduri din/);
  assert.match((await admin.get("/history")).text, /Elena Radu<\/strong> exported 1,001 rows \(companies\.csv\)/);
  assert.match((await member.get("/companies")).text, /href="\/companies\/export"/);
  const path = `/users/${member.userId}`;
  assert.match((await admin.get(path)).text, /id="may_export"[^>]*checked/);
  assert.equal((await admin.post(path, { role: "member", may_export: "0" })).status, 303);
  assert.doesNotMatch((await admin.get(path)).text, /id="may_export"[^>]*checked/);
  const reports = ["/money/export", "/sales/export", "/companies/1/statement/export"];
  for (const refused of ["/companies/export", "/contacts/export", "/orders/export", "/export/deals.csv", ...reports])
    assert.equal((await member.get(refused)).status, 403, refused);
  assert.equal((await member.post("/companies/export", { id: ["1"] })).status, 403);
  assert.match((await member.get("/companies/export")).text, /You may not export\. An admin can allow it: /);
  assert.match((await admin.get("/history")).text, /may export<\/span> from Yes to No/);
  for (const page of ["/companies", "/orders", "/imports", "/money", "/sales"])
    assert.doesNotMatch((await member.get(page)).text, /export/, page);
  // Another role says nothing about the right, and an admin has it in any case.
  assert.equal((await admin.post(path, { role: "admin" })).status, 303);
  assert.equal((await member.get("/companies/export")).status, 200);
  await admin.post(path, { role: "member" });
  assert.equal((await member.get("/companies/export")).status, 403);
  await admin.post(path, { role: "member", may_export: "1" });
  assert.equal((await member.get("/companies/export")).status, 200);
});

test("another address that an admin entered is reported to the earlier address, in its owner's language", async () => {
  const firm = await server.createTenant({ slug: "moved" });
  const admin = await signedIn(server, firm, { role: "admin", name: "Dan Admin" });
  for (const language of ["en", "ro"] as const) {
    const { userId, email } = await signedIn(server, firm, { name: "Ion Marin" });
    await sql("update users set language = $2 where id = $1", [userId, language]);
    const [path, next] = [`/users/${userId}`, `new-${email}`];
    const form = { name: "Ion Marin", email: next, role: "member" };
    assert.equal((await admin.post(path, { ...form, email, name: "Ion Pop" }, own)).status, 303);
    assert.equal((await admin.post(path, form, own)).status, 200, "it is asked about");
    assert.equal((await admin.post(path, { ...form, confirmed: next }, own)).status, 303);
    const mails = await mail.until(email);
    const [subject, text] =
      language === "en"
        ? [
            "Your e-mail address for Tenant moved was changed",
            /^Dan Admin changed the e-mail address .* to (\S+)\. You/m,
          ]
        : [
            "Adresa dumneavoastră de e-mail pentru Tenant moved a fost schimbată",
            /schimbată de Dan Admin în (\S+)\. De/m,
          ];
    await server.untilIdle();
    assert.deepEqual(
      mails.map((each) => [each.subject, text.exec(each.text.replaceAll(/\r?\n(?!\r?\n)/g, " "))?.[1]]),
      [[subject, next]],
    );
    assert.deepEqual(
      mail.received.filter(({ to }) => to.includes(next)),
      [],
      "the new address gets none",
    );
  }
});
