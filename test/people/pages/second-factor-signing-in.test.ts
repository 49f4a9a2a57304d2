import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf, withSecondFactor } from "../../doors/pages/second-factor.ts";
import { PASSWORD, signedIn, visitor, type PageAnswer, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { later } from "../sessions/clock.ts";

const server = await startServer();
const tenant = await server.createTenant();

/** Where an answer leads, and what it sets of a cookie. */
function cookieIn({ headers }: PageAnswer, name: string): string | undefined {
  return headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
}

async function isIn(who: Visitor): Promise<boolean> {
  return (await who.get("/companies")).status === 200;
}

/** Another browser with the same session's cookie. */
function withToken(token: string): Visitor {
  const other = visitor(server);
  other.cookies.set("liaison", token);
  return other;
}

test("the password alone opens nothing; with the code another session begins, where one was going", async () => {
  const person = await withSecondFactor(server, tenant);
  const browser = await person.halfway(undefined, "/companies?search=acme");
  const before = browser.cookies.get("liaison") ?? "";
  assert.equal(browser.cookies.has("liaison-browser"), false);
  for (const path of ["/companies", "/keys"]) {
    assert.equal((await browser.get(path)).location, `/sign-in/code?to=${encodeURIComponent(path)}`);
  }
  assert.equal((await browser.post("/companies", { name: "Acme" })).location, "/sign-in/code");
  const form = await browser.get("/sign-in/code?to=%2Fcompanies%3Fsearch%3Dacme");
  assert.match(form.text, /<input type="hidden" name="to" value="\/companies\?search=acme">/);

  const code = codeOf(person.secret, 1);
  const answer = await browser.post("/sign-in/code", { code, to: "/companies?search=acme" });
  assert.deepEqual([answer.status, answer.location], [303, "/companies?search=acme"]);
  assert.notEqual(browser.cookies.get("liaison"), before);
  assert.match(cookieIn(answer, "liaison-browser") ?? "", /Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/);
  assert.equal(await isIn(browser), true);
  const stale = withToken(before);
  assert.equal((await stale.get("/companies")).location, "/sign-in?to=%2Fcompanies");
  const again = await stale.post("/sign-in/code", { code: person.recoveryCodes[0] ?? "" });
  assert.equal(again.location, "/sign-in");
  assert.match((await stale.get("/sign-in")).text, /nobody is signed in\. Please sign in again/);
});

test("a code opens once, and so does a recovery code", async () => {
  const person = await withSecondFactor(server, tenant);
  const [recovery = ""] = person.recoveryCodes;
  for (const code of [codeOf(person.secret, 1), recovery.toLowerCase()]) {
    const [first, second] = [await person.halfway(), await person.halfway()];
    assert.equal((await first.post("/sign-in/code", { code })).location, "/today");
    const refused = await second.post("/sign-in/code", { code });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /<p class="error">This code is not right, or was used already\./);
    assert.equal(await isIn(second), false);
  }
  const romanian = { "sec-fetch-site": "same-origin", "accept-language": "ro" };
  const refused = await (await person.halfway()).post("/sign-in/code", { code: "" }, romanian);
  assert.match(refused.text, /Codul nu se potrivește/);
});

test("a sign-in with a code leads to no other server", async () => {
  const person = await withSecondFactor(server, tenant);
  const browser = await person.halfway(undefined, "//evil.example");
  const answer = await browser.post("/sign-in/code", { code: codeOf(person.secret, 1), to: "https://evil.example/" });
  assert.equal(answer.location, "/today");
});

test("a session that was there before the sign-in is not the one after it", async () => {
  const attacker = await signedIn(server, tenant, { name: "Mallory" });
  const person = await withSecondFactor(server, tenant);
  const owner = await signedIn(server, tenant, { name: "Olivia" });
  for (const fixed of [attacker.cookies.get("liaison") ?? "", "A".repeat(43), "nonsense"]) {
    const victim = withToken(fixed);
    await victim.post("/sign-in", { workspace: tenant.slug, email: owner.email, password: PASSWORD });
    assert.equal(await isIn(victim), true);
    assert.notEqual(victim.cookies.get("liaison"), fixed);
    assert.doesNotMatch((await withToken(fixed).get("/companies")).text, /<span>Olivia<\/span>/);

    const halfway = await person.halfway(withToken(fixed));
    assert.notEqual(halfway.cookies.get("liaison"), fixed);
  }
  assert.equal(await isIn(attacker), false, "a sign-in ends the session that its browser had");
});

test("guessers have to wait, under any name, and do not keep the owner out", async () => {
  // The clock stands still: on a slow machine the first waits would be over.
  later(0);
  const person = await withSecondFactor(server, tenant);
  const owner = await person.halfway();
  assert.equal((await owner.post("/sign-in/code", { code: codeOf(person.secret, 1) })).status, 303);
  const right = { workspace: tenant.slug, email: person.email, password: PASSWORD };

  const guesser = await person.halfway();
  const guess = async (path: string, form: Record<string, string>) => {
    for (let i = 0; i < 5; i++) assert.equal((await guesser.post(path, form)).status, 422);
    const answer = await guesser.post(path, form);
    assert.equal(answer.status, 429);
    assert.ok(Number(answer.headers.get("retry-after")) >= 1);
    assert.match(answer.text, /Too many wrong attempts\. Please try again in \d+ s\./);
  };
  await guess("/sign-in/code", { code: "000000x" });
  await guess("/sign-in", { ...right, password: "wrong" });

  assert.equal((await visitor(server).post("/sign-in", right)).status, 429);
  await owner.post("/sign-out");
  assert.equal((await owner.post("/sign-in", right)).location, "/sign-in/code");
  const [recovery = ""] = person.recoveryCodes;
  assert.equal((await owner.post("/sign-in/code", { code: recovery })).location, "/today");
  assert.equal(await isIn(owner), true);
});

test("an admin resets a user's second factor: sessions and codes end, another can be set up, and the page says who did it", async () => {
  const admin = await signedIn(server, tenant, { role: "admin", name: "Andrei Rusu" });
  const person = await withSecondFactor(server, tenant);
  const halfway = await person.halfway();
  const inside = await person.halfway();
  assert.equal((await inside.post("/sign-in/code", { code: codeOf(person.secret, 1) })).location, "/today");
  const path = `/users/${person.userId}`;
  assert.equal((await admin.post(`${path}/second-factor/reset`)).location, path);
  assert.match((await admin.get(path)).text, /<dd>Off <span class="muted">\(switched off .* by Andrei Rusu\)<\/span>/);
  assert.equal(await isIn(inside), false);
  const [recovery = ""] = person.recoveryCodes;
  assert.equal((await halfway.post("/sign-in/code", { code: recovery })).location, "/sign-in");
  const again = await person.halfway();
  assert.equal(await isIn(again), true);
  assert.match((await again.get("/profile/second-factor")).text, /Set it up/);
  const [{ codes } = {}] = await server.sql("select count(*)::int as codes from recovery_codes where user_id = $1", [
    person.userId,
  ]);
  assert.equal(codes, 0);
  await admin.post(`${path}/second-factor/reset`);
  assert.match((await admin.get(path)).text, /The second factor was off already\./);
  assert.equal(await isIn(again), true);
});

test("an admin's own second factor is not reset: switching it off takes a code or the password", async () => {
  const person = await withSecondFactor(server, tenant);
  await server.sql("update users set role = 'admin' where id = $1", [person.userId]);
  const browser = await person.halfway();
  await browser.post("/sign-in/code", { code: codeOf(person.secret, 1) });
  assert.doesNotMatch((await browser.get(`/users/${person.userId}`)).text, /second-factor\/reset/);
  const answer = await browser.post(`/users/${person.userId}/second-factor/reset`);
  assert.equal(answer.location, "/profile/second-factor");
  assert.match((await browser.get("/profile/second-factor")).text, /It has been on since/);
});
