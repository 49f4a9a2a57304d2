import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHarmless, escaped, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { codeOf } from "../../doors/pages/second-factor.ts";
import { PASSWORD, signedIn, visitor, type Member, type PageAnswer, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { later } from "../../people/sessions/clock.ts";

const server = await startServer();
const tenant = await server.createTenant();
const ORIGIN = { "sec-fetch-site": "same-origin" };

/** Another browser of the same person. */
async function alsoIn(person: Member, password = PASSWORD, userAgent = "Mozilla/5.0"): Promise<Visitor> {
  const browser = visitor(server);
  const form = { workspace: tenant.slug, email: person.email, password };
  const { status } = await browser.post("/sign-in", form, { ...ORIGIN, "user-agent": userAgent });
  assert.equal(status, 303);
  return browser;
}

async function isIn(who: Visitor): Promise<boolean> {
  return (await who.get("/companies")).status === 200;
}

/** The text of an element. */
function textOf({ text }: PageAnswer, id: string): string {
  const [, found] = new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(text) ?? [];
  assert.ok(found, text);
  return found;
}

/** Begins a second factor and confirms it. */
async function turnOn(person: Visitor): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  assert.equal((await person.post("/profile/second-factor")).location, "/profile/second-factor");
  const secret = textOf(await person.get("/profile/second-factor"), "secret").replaceAll(" ", "");
  const code = codeOf(secret);
  const shown = await person.post("/profile/second-factor/confirm", { code });
  assert.equal(shown.status, 200);
  return { secret, code, recoveryCodes: textOf(shown, "recovery-codes").split("\n") };
}

async function storedOf(tenant: TestTenant, { userId }: Member): Promise<Record<string, unknown>> {
  const [row] = await server.sql("select * from users where tenant_id = $1 and id = $2", [tenant.id, userId]);
  return row ?? {};
}

test("name, language and colours are one's own, and take effect at once", async () => {
  const person = await signedIn(server, tenant);
  const answer = await person.post("/profile", { name: "Maria Ionescu", language: "ro", theme: "dark" });
  assert.deepEqual([answer.status, answer.location], [303, "/profile"]);
  const { text } = await person.get("/profile");
  assert.match(text, /<html lang="ro" data-theme="dark">/);
  assert.match(text, /<div class="notice good">Salvat\.</);
  assert.match(text, /<span>Maria Ionescu<\/span>/);
  assert.match((await person.get("/companies", { "accept-language": "en" })).text, /<html lang="ro"/);
  await person.post("/profile", { language: "" });
  assert.match((await person.get("/profile", { "accept-language": "en" })).text, /<html lang="en" data-theme="dark">/);

  const wrong = await person.post("/profile", { name: " ", language: "de", theme: "pink" });
  assert.equal(wrong.status, 422);
  for (const [field, message] of [
    ["name", "Name is required."],
    ["language", "Please choose a value for Language from the list."],
    ["theme", "Please choose a value for Theme from the list."],
  ] as const) {
    assert.ok(wrong.text.includes(`id="${field}-error">${message}`), field);
  }
});

test("another password ends one's other sessions at once, and is the one that counts", async () => {
  const person = await signedIn(server, tenant);
  const other = await alsoIn(person);
  const neighbour = await signedIn(server, tenant);
  const password = "violet harbour 91";
  const changed = await person.post("/profile/password", { current: PASSWORD, password });
  assert.deepEqual([changed.status, changed.location], [303, "/profile"]);
  assert.match((await person.get("/profile")).text, /The password is changed\. Your other sessions have ended\./);
  assert.deepEqual([await isIn(other), await isIn(neighbour)], [false, true]);
  const old = { workspace: tenant.slug, email: person.email, password: PASSWORD };
  assert.equal((await visitor(server).post("/sign-in", old)).status, 422);
  assert.equal(await isIn(await alsoIn(person, password)), true);
  assert.equal(await isIn(other), false);
});

test("a password is not changed without the old one, nor to a weak one, and guesses are slowed down", async () => {
  later(0);
  const person = await signedIn(server, tenant);
  const good = "violet harbour 91";
  for (const [password, message] of [
    ["short", /id="password-error">New password must have at least 12 characters\./],
    [person.email, /id="password-error">New password must not be the e-mail address/],
    ["password1234", /id="password-error">New password must not be one that many people use\./],
  ] as const) {
    const answer = await person.post("/profile/password", { current: PASSWORD, password });
    assert.equal(answer.status, 422);
    assert.match(answer.text, message);
  }
  const romanian = await person.post(
    "/profile/password",
    { current: "x", password: "y" },
    { ...ORIGIN, "accept-language": "ro" },
  );
  assert.match(romanian.text, /cel puțin 12 caractere/);
  const before = await storedOf(tenant, person);
  for (let i = 0; i < 5; i++) {
    const wrong = await person.post("/profile/password", { current: "wrong", password: good });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /id="current-error">This is not your current password\./);
  }
  const throttled = await person.post("/profile/password", { current: PASSWORD, password: good });
  assert.equal(throttled.status, 429);
  assert.ok(Number(throttled.headers.get("retry-after")) >= 1);
  assert.deepEqual(await storedOf(tenant, person), before);
  assert.equal(await isIn(await alsoIn(person)), true);
});

test("a second factor counts from its first code on, and is off again by a code or the password", async () => {
  const person = await signedIn(server, tenant);
  assert.match((await person.get("/profile")).text, /It is off\./);
  const early = await person.post("/profile/second-factor/confirm", { code: "000000" });
  assert.equal(early.location, "/profile/second-factor");
  assert.match((await person.get("/profile/second-factor")).text, /There was nothing to confirm\./);

  await person.post("/profile/second-factor");
  const first = await person.get("/profile/second-factor");
  assert.match(
    first.text,
    /<svg class="qr" role="img" aria-label="QR code with the secret"[^>]*><rect [^>]*><path [^>]*>/,
  );
  const wrong = await person.post("/profile/second-factor/confirm", { code: "000000x" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /id="code-error">This code is not right\./);
  assert.equal(textOf(wrong, "secret"), textOf(first, "secret"));
  assert.equal(await isIn(await alsoIn(person)), true, "nothing asks for it yet");

  const { secret, code, recoveryCodes } = await turnOn(person);
  assert.notEqual(secret, textOf(first, "secret").replaceAll(" ", ""));
  assert.equal(new Set(recoveryCodes).size, 10);
  assert.match((await person.get("/profile")).text, /It has been on since .*\. 10 recovery codes are left\./);
  assert.equal(await isIn(await alsoIn(person)), false);

  const refused = await person.post("/profile/second-factor/end", { code });
  assert.equal(refused.status, 422, "the code that confirmed it is used up");
  assert.match(refused.text, /Neither the code nor the password is right\./);
  assert.equal((await person.post("/profile/second-factor/end", { password: "wrong" })).status, 422);
  assert.equal(
    (await person.post("/profile/second-factor/end", { code: recoveryCodes[3] ?? "" })).location,
    "/profile",
  );
  assert.match((await person.get("/profile")).text, /The second factor is off\./);
  assert.equal(await isIn(await alsoIn(person)), true);

  await turnOn(person);
  assert.equal(
    (await person.post("/profile/second-factor/end", { code: "", password: PASSWORD })).location,
    "/profile",
  );
  assert.equal(await isIn(await alsoIn(person)), true);
});

test("a second factor that is switched on or off ends one's other sessions, and nobody else's", async () => {
  const [person, another] = [await signedIn(server, tenant), await signedIn(server, tenant)];
  const other = await alsoIn(person);
  const { recoveryCodes } = await turnOn(person);
  assert.deepEqual([await isIn(person), await isIn(other), await isIn(another)], [true, false, true]);
  const again = await alsoIn(person);
  await again.post("/sign-in/code", { code: recoveryCodes[0] ?? "" });
  assert.equal(await isIn(again), true);
  await person.post("/profile/second-factor/end", { code: "", password: PASSWORD });
  assert.deepEqual([await isIn(person), await isIn(again), await isIn(another)], [true, false, true]);
});

test("recovery codes are shown once, and no later page has anything of a secret, a hash or a token", async () => {
  const admin = await signedIn(server, tenant, { role: "admin" });
  const other = await alsoIn(admin);
  const { secret, recoveryCodes } = await turnOn(admin);
  const stored = await storedOf(tenant, admin);
  const hidden = [
    secret,
    secret.slice(0, 4) + " " + secret.slice(4, 8),
    ...recoveryCodes,
    String(stored.totp_secret).slice(-16),
    String(stored.password_hash).slice(-16),
    ...[admin, other].map(({ cookies }) => cookies.get("liaison") ?? ""),
    PASSWORD,
  ];
  for (const path of ["/profile", "/profile/second-factor", "/users", `/users/${admin.userId}`, "/companies"]) {
    const { text, headers } = await admin.get(path);
    for (const clear of hidden) assert.equal(text.includes(clear), false, path);
    assert.equal(headers.get("cache-control"), "no-store");
  }
  const again = await admin.post("/profile/second-factor");
  assert.equal(again.location, "/profile/second-factor");
  assert.doesNotMatch((await admin.get("/profile/second-factor")).text, /id="secret"/);
});

test("the profile lists where its user is signed in, and ends one session or all others", async () => {
  const person = await signedIn(server, tenant);
  const firefox = await alsoIn(
    person,
    PASSWORD,
    "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0",
  );
  const telephone = await alsoIn(
    person,
    PASSWORD,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
  );
  const { text } = await person.get("/profile");
  const rows = [...text.matchAll(/<tr>\n<td class="name"[^]*?<\/tr>/g)].map(([row]) => row);
  assert.equal(rows.length, 3);
  assert.equal(rows.filter((row) => row.includes("(this one)")).length, 1);
  const [phones, windows] = ["Safari, iOS", "Firefox, Windows"].map((name) => rows.find((row) => row.includes(name)));
  assert.match(windows ?? "", /127\.0\.0\.1/);
  const [, end] = /action="([^"]+)"/.exec(phones ?? "") ?? [];

  const stranger = await signedIn(server, tenant);
  assert.equal((await stranger.post(end ?? "")).status, 404);
  assert.equal(await isIn(telephone), true);
  assert.equal((await person.post(end ?? "")).location, "/profile");
  assert.match((await person.get("/profile")).text, /The session has ended\./);
  assert.deepEqual([await isIn(telephone), await isIn(firefox), await isIn(person)], [false, true, true]);

  const another = await alsoIn(person);
  assert.equal((await person.post("/profile/sessions/end-others")).location, "/profile");
  assert.deepEqual([await isIn(another), await isIn(firefox), await isIn(person)], [false, false, true]);
  assert.equal(await isIn(stranger), true);

  const [, own] = /action="(\/profile\/sessions\/\d+\/end)"/.exec((await person.get("/profile")).text) ?? [];
  assert.equal((await person.post(own ?? "")).location, "/sign-in");
  assert.deepEqual([person.cookies.has("liaison"), await isIn(person)], [false, false]);
});

test("a hostile name or browser is text wherever it is shown", async () => {
  const person = await signedIn(server, tenant);
  for (const text of hostileTexts.filter((text) => !text.includes("\u0007"))) {
    assert.equal((await person.post("/profile", { name: text })).status, 303, text);
    await server.sql("update sessions set user_agent = $2 where user_id = $1", [person.userId, text]);
    const refused = await person.post("/profile", { name: "", language: text, theme: text });
    for (const page of [await person.get("/profile"), refused]) {
      assert.ok(page.text.includes(escaped(text)), text);
      assertHarmless(page.text, text);
    }
  }
});
