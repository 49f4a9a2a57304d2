import assert from "node:assert/strict";
import { test } from "node:test";
import { insertOperator } from "../../../src/people/operators/operator-queries.ts";
import { assertHarmless, escaped, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { codeOf } from "../../doors/pages/second-factor.ts";
import {
  OPERATOR,
  operatorIn,
  PASSWORD,
  PASSWORD_HASH,
  signedIn,
  visitor,
  type Visitor,
} from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { later } from "../sessions/clock.ts";

const server = await startServer();
const operator = await operatorIn(server);

async function isIn(who: Visitor): Promise<boolean> {
  return (await who.get("/operator/tenants")).status === 200;
}

/** Another browser with this cookie alone. */
function withCookie(name: string, value: string | undefined): Visitor {
  const other = visitor(server);
  other.cookies.set(name, value ?? "");
  return other;
}

test("an operator signs in at an address of one's own, where one was going, and signs out for good", async () => {
  const browser = visitor(server);
  assert.equal((await browser.get("/operator")).location, "/operator/tenants");
  assert.equal((await browser.get("/operator/tenants")).location, "/operator/sign-in?to=%2Foperator%2Ftenants");
  const wrong = await browser.post("/operator/sign-in", { email: OPERATOR, password: "wrong" });
  assert.equal(wrong.status, 422);
  const unknown = await browser.post("/operator/sign-in", { email: "nobody@example.com", password: PASSWORD });
  assert.equal(unknown.text.replace("nobody@example.com", OPERATOR), wrong.text, "it does not say what was wrong");
  const byPasskey = await browser.get("/sign-in/passkey?to=%2Foperator%2Ftenants");
  assert.match(byPasskey.text, /href="\/operator\/sign-in\?to=%2Foperator%2Ftenants"/, "it leads back to their form");

  browser.cookies.set("liaison", "A".repeat(43));
  const form = { email: OPERATOR.toUpperCase(), password: PASSWORD, to: "/operator/tenants?page=2" };
  const answer = await browser.post("/operator/sign-in", form);
  assert.deepEqual([answer.status, answer.location], [303, "/operator/tenants?page=2"]);
  const token = browser.cookies.get("liaison");
  assert.notEqual(token, "A".repeat(43));
  assert.equal((await browser.get("/operator/sign-in")).location, "/operator/tenants");
  assert.equal(await isIn(browser), true);

  await browser.post("/operator/sign-in", form);
  assert.equal(await isIn(withCookie("liaison", token)), false, "the session before ends");
  assert.equal(await isIn(browser), true);

  assert.equal((await browser.post("/sign-out")).location, "/operator/sign-in");
  assert.equal(await isIn(withCookie("liaison", token)), false);
  assert.equal(await isIn(operator), true);
});

test("operators' pages refuse users' sessions, and the other way round", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  const path = `/operator/tenants/${tenant.slug}`;
  for (const answer of [
    await admin.get("/operator/tenants"),
    await admin.get(path),
    await admin.post(`${path}/suspend`),
  ]) {
    assert.match(answer.location ?? "", /^\/operator\/sign-in(?:\?|$)/);
  }
  for (const answer of [
    await operator.get("/users"),
    await operator.post("/workspace", { name: "Mine" }),
    await operator.post("/keys", { name: "Mine" }),
  ]) {
    assert.match(answer.location ?? "", /^\/sign-in(?:\?|$)/);
  }
  // Each may sign in there, in place of the present session.
  assert.match((await admin.get("/operator/sign-in")).text, /name="password"/);
  assert.match((await operator.get("/sign-in")).text, /name="workspace"/);
  assert.equal((await admin.get("/companies")).status, 200);
});

test("an operator has the profile of a user: the password, the language, the second factor, the sessions", async () => {
  const email = "own@example.com";
  await insertOperator(server.deps.database, { email, name: "Own", passwordHash: PASSWORD_HASH });
  const [one, other] = [visitor(server), visitor(server)];
  for (const who of [one, other]) await who.post("/operator/sign-in", { email, password: PASSWORD });
  const profile = await one.get("/profile");
  assert.match(profile.text, /own@example\.com[^]*id="sessions"/);
  assert.doesNotMatch(profile.text, /\/profile\/digest/);
  const password = "Violet-harbour-92";
  assert.equal((await one.post("/profile/password", { current: PASSWORD, password })).location, "/profile");
  assert.deepEqual([await isIn(one), await isIn(other)], [true, false]);
  await one.post("/profile", { language: "ro" });
  assert.match((await one.get("/operator/tenants", { "accept-language": "en" })).text, /<h1>Spații de lucru/);

  await one.post("/profile/second-factor");
  const secret = (/id="secret">([^<]+)</.exec((await one.get("/profile/second-factor")).text)?.[1] ?? "").replaceAll(
    " ",
    "",
  );
  assert.equal((await one.post("/profile/second-factor/confirm", { code: codeOf(secret) })).status, 200);
  const halfway = visitor(server);
  const first = await halfway.post("/operator/sign-in", { email, password });
  assert.equal(first.location, "/sign-in/code");
  assert.equal((await halfway.get("/operator/tenants")).location, "/sign-in/code?to=%2Foperator%2Ftenants");
  assert.equal((await halfway.post("/sign-in/code", { code: codeOf(secret, 1) })).location, "/operator/tenants");
  assert.ok(await isIn(halfway));
  const [, current] =
    /\(aceasta\)[^]*?(\/profile\/sessions\/\d+\/end)/.exec((await halfway.get("/profile")).text) ?? [];
  assert.equal((await halfway.post(String(current))).location, "/operator/sign-in");
});

test("a suspension ends every session and refuses the keys at once; a resume brings no session back", async () => {
  const tenant = await server.createTenant();
  const neighbour = await signedIn(server, await server.createTenant());
  const member = await signedIn(server, tenant);
  const signIn = { workspace: tenant.slug, email: member.email, password: PASSWORD };
  const path = `/operator/tenants/${tenant.slug}`;
  assert.match((await operator.get(path)).text, /active users: 1\) and refuses its keys \(1\)\./);
  assert.equal((await tenant.get("/api/v1/companies")).status, 200);

  assert.equal((await operator.post(`${path}/suspend`)).location, path);
  const suspended = await operator.get(path);
  assert.match(suspended.text, /The workspace is suspended\. Its sessions have ended/);
  assert.match(suspended.text, /<span class="state wrong">Suspended<\/span>[^]*<button class="main">Resume</);
  assert.equal((await member.get("/companies")).location, "/sign-in?to=%2Fcompanies");
  assert.equal((await visitor(server).post("/sign-in", signIn)).status, 422);
  await poll("the refusal of its keys", async () => (await tenant.get("/api/v1/companies")).status !== 200);
  assert.equal((await tenant.get("/api/v1/companies")).body.error, "Account suspended.");
  assert.equal((await neighbour.get("/companies")).status, 200);

  assert.equal((await operator.post(`${path}/resume`)).location, path);
  assert.match((await operator.get(path)).text, /The workspace is resumed\./);
  assert.equal((await member.get("/companies")).status, 303);
  assert.equal((await visitor(server).post("/sign-in", signIn)).location, "/today");
});

test("operators see what each tenant has, and none of its data", async () => {
  const tenant = await server.createTenant({ slug: "aaa-first", country: "Moldova" });
  for (const name of ["Secret one", "Secret two"]) await tenant.post("/api/v1/companies", { name });
  await signedIn(server, tenant, { name: "Somebody" });
  const list = await operator.get("/operator/tenants");
  const [, row = ""] =
    /(<tr>\n<td class="name"><a href="\/operator\/tenants\/aaa-first"[^]*?<\/tr>)/.exec(list.text) ?? [];
  const counts = [...row.matchAll(/<td class="number"[^>]*>(\d+)<\/td>/g)].map(([, count]) => count);
  assert.deepEqual(counts, ["1", "2", "0", "0"]);
  const page = await operator.get("/operator/tenants/aaa-first");
  assert.match(page.text, /Moldova/);
  for (const { text, headers } of [list, page]) {
    assert.doesNotMatch(text, /Secret|Somebody/);
    assert.equal(text.includes(operator.cookies.get("liaison") ?? ""), false);
    assert.equal(headers.get("cache-control"), "no-store");
  }
  assert.match((await operator.get("/operator/tenants", { "accept-language": "ro" })).text, /<h1>Spații de lucru/);
});

test("a tenant that there is not is a page that leads back to the tenants", async () => {
  for (const slug of ["nobody", "No-Slug", "a%00b"]) {
    for (const answer of [
      await operator.get(`/operator/tenants/${slug}`),
      await operator.post(`/operator/tenants/${slug}/suspend`),
      await operator.post(`/operator/tenants/${slug}/resume`),
    ]) {
      assert.equal(answer.status, 404, slug);
      assert.match(answer.text, /<h1>Not found<\/h1>.*<a href="\/operator\/tenants">/s);
    }
  }
});

test("guessers have to wait, and an operator's own browser does not", async () => {
  later(0);
  for (let i = 0; i < 5; i++) {
    const answer = await visitor(server).post("/operator/sign-in", { email: OPERATOR, password: "wrong" });
    assert.equal(answer.status, 422);
  }
  const right = { email: OPERATOR, password: PASSWORD };
  const throttled = await visitor(server).post("/operator/sign-in", right);
  assert.equal(throttled.status, 429);
  assert.ok(Number(throttled.headers.get("retry-after")) >= 1);
  const known = visitor(server);
  known.cookies.set("liaison-browser", operator.cookies.get("liaison-browser") ?? "");
  assert.equal((await known.post("/operator/sign-in", right)).status, 303);
});

test("a hostile name is text wherever tenants are shown", async () => {
  const tenant = await server.createTenant();
  for (const text of hostileTexts.filter((text) => !text.includes("\u0007"))) {
    await server.sql("update tenants set name = $2, country = $2 where id = $1", [tenant.id, text]);
    await server.sql("update users set name = $1 where tenant_id = 0", [text]);
    for (const path of ["/operator/tenants", `/operator/tenants/${tenant.slug}`]) {
      const page = await operator.get(path);
      assert.ok(page.text.includes(escaped(text)), text);
      assertHarmless(page.text, text);
    }
  }
});
