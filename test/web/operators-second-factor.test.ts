import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../harness.ts";
import { whileHeld } from "../held.ts";
import { later, MINUTE, SECOND } from "../sessions/clock.ts";
import { codeOf, operatorWithSecondFactor } from "./second-factor.ts";
import { OPERATOR, operatorIn, PASSWORD, visitor, type Visitor } from "./visitor.ts";

const server = await startServer();
const PAGE = "/operator/second-factor";
const CODE = "/operator/sign-in/code";
const TENANTS = "/operator/tenants";
const HOME = { status: 303, location: TENANTS };
const PROFILE = { status: 303, location: "/operator/profile" };

async function isIn(who: Visitor): Promise<boolean> {
  return (await who.get(TENANTS)).status === 200;
}

function withToken(token: string | undefined): Visitor {
  const other = visitor(server);
  other.cookies.set("liaison-operator", token ?? "");
  return other;
}

/** What an answer does, as far as it is asked about here. */
function outcome({ status, location }: { status: number; location: string | null }) {
  return { status, location };
}

test("an operator sets a second factor up; it counts from its first code on, and ends the other sessions", async () => {
  later(0);
  const operator = await operatorIn(server);
  const other = visitor(server);
  const signIn = { email: OPERATOR, password: PASSWORD };
  await other.post("/operator/sign-in", signIn);
  assert.match((await operator.get(TENANTS)).text, /<a href="\/operator\/profile">/);
  const early = await operator.post(`${PAGE}/confirm`, { code: "000000" });
  assert.deepEqual(outcome(early), { status: 303, location: PAGE });
  await operator.post(PAGE);
  const { text } = await operator.get(PAGE);
  assert.match(text, /<svg/);
  const secret = (/id="secret">([^<]+)</.exec(text)?.[1] ?? "").replaceAll(" ", "");
  assert.equal((await operator.post(`${PAGE}/confirm`, { code: codeOf(secret, 5) })).status, 422);
  assert.equal(await isIn(other), true);
  const begun = visitor(server);
  assert.deepEqual(outcome(await begun.post("/operator/sign-in", signIn)), HOME);

  const confirmed = await operator.post(`${PAGE}/confirm`, { code: codeOf(secret) });
  const codes = /id="recovery-codes"[^>]*>([^<]+)</.exec(confirmed.text)?.[1]?.split("\n") ?? [];
  assert.equal(codes.length, 10);
  assert.deepEqual([await isIn(operator), await isIn(other), await isIn(begun)], [true, false, false]);
  const [stored] = await server.sql(
    "select o::text as operator, (select string_agg(r::text, ' ') from operator_recovery_codes r) as codes from operators o",
  );
  for (const clear of [secret, ...codes]) assert.equal(JSON.stringify(stored).includes(clear), false);

  const again = visitor(server);
  assert.equal((await again.post("/operator/sign-in", signIn)).location, CODE);
  assert.equal(again.cookies.has("liaison-browser"), false);
  assert.deepEqual(outcome(await again.post(CODE, { code: codes[0] ?? "" })), HOME);
  assert.match((await again.get(PAGE)).text, /9 recovery codes are left/);
  for (const proof of [{ code: codeOf(secret) }, { code: codes[0] ?? "" }, { password: "wrong" }, {}]) {
    assert.equal((await again.post(`${PAGE}/end`, proof)).status, 422, JSON.stringify(proof));
  }
  assert.deepEqual(outcome(await again.post(`${PAGE}/end`, { code: codeOf(secret, 1) })), PROFILE);
  assert.deepEqual([await isIn(again), await isIn(operator)], [true, false]);
  assert.match((await again.get(PAGE)).text, /Set it up/);
  assert.deepEqual(await server.sql("select id from operator_recovery_codes"), []);
  assert.deepEqual(outcome(await visitor(server).post("/operator/sign-in", signIn)), HOME);
});

test("an operator's password alone opens nothing; with the code a session of another token begins, where one was going", async () => {
  later(0);
  const person = await operatorWithSecondFactor(server);
  const to = `${TENANTS}?page=2`;
  const browser = await person.halfway(undefined, to);
  const before = browser.cookies.get("liaison-operator");
  for (const path of [TENANTS, PAGE]) {
    assert.equal((await browser.get(path)).location, `${CODE}?to=${encodeURIComponent(path)}`);
  }
  assert.equal((await browser.post(`${PAGE}/end`, { password: PASSWORD })).location, CODE);
  assert.equal((await browser.post(`${TENANTS}/any/suspend`)).location, CODE);
  const asked = await browser.get(`${CODE}?to=${encodeURIComponent(to)}`);
  assert.match(
    asked.text,
    /<form method="post" action="\/operator\/sign-in\/code"[^]*value="\/operator\/tenants\?page=2"/,
  );
  assert.doesNotMatch(asked.text, /Oana Pop/);
  assert.equal((await browser.get("/operator/sign-in")).status, 200, "somebody else may sign in");
  assert.equal((await visitor(server).get(CODE)).location, "/operator/sign-in");
  assert.equal((await visitor(server).post(CODE, { code: "1" })).location, "/operator/sign-in");

  const inside = await browser.post(CODE, { code: codeOf(person.secret, 1), to });
  assert.deepEqual(outcome(inside), { status: 303, location: to });
  assert.notEqual(browser.cookies.get("liaison-operator"), before);
  assert.equal(await isIn(browser), true);
  assert.equal(browser.cookies.has("liaison-browser"), true);
  assert.equal((await withToken(before).get(TENANTS)).location, `/operator/sign-in?to=${encodeURIComponent(TENANTS)}`);
  assert.equal((await browser.get(CODE)).location, TENANTS);
});

test("a code works once, one of before it never, and of recovery codes that are sent at once one is used up", async () => {
  later(0);
  const person = await operatorWithSecondFactor(server);
  const [first, second] = [await person.halfway(), await person.halfway()];
  const code = codeOf(person.secret, 1);
  const answers = await Promise.all([first, second].map(async (each) => await each.post(CODE, { code })));
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 422],
  );
  for (const steps of [1, 0, -1]) {
    assert.equal((await (await person.halfway()).post(CODE, { code: codeOf(person.secret, steps) })).status, 422);
  }
  const halfway = await person.halfway();
  const both = await Promise.all(
    person.recoveryCodes.slice(0, 2).map(async (each) => await halfway.post(CODE, { code: each.toLowerCase() })),
  );
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 422],
  );
  const [left] = await server.sql(
    "select count(*)::int as codes from operator_recovery_codes where operator_id = (select id from operators where email = $1)",
    [person.email],
  );
  assert.deepEqual(left, { codes: 9 });
});

test("codes of operators are guessed no faster than passwords, and a right password gives no new guesses", async () => {
  later(0);
  const person = await operatorWithSecondFactor(server);
  const halfway = await person.halfway();
  for (let i = 0; i < 5; i++) {
    assert.equal((await halfway.post(CODE, { code: codeOf(person.secret, 5) })).status, 422);
  }
  for (const each of [halfway, await person.halfway()]) {
    const throttled = await each.post(CODE, { code: codeOf(person.secret, 1) });
    assert.deepEqual([throttled.status, throttled.headers.get("retry-after")], [429, "1"]);
  }
  later(SECOND);
  assert.deepEqual(outcome(await halfway.post(CODE, { code: codeOf(person.secret, 1) })), HOME);
});

test("an operator's session awaits its code for 15 minutes", async () => {
  later(0);
  const person = await operatorWithSecondFactor(server);
  const halfway = await person.halfway();
  later(15 * MINUTE);
  assert.equal((await halfway.get(CODE)).location, "/operator/sign-in");
  assert.equal((await halfway.post(CODE, { code: codeOf(person.secret) })).location, "/operator/sign-in");
});

test("a second factor that is switched on while a password is checked is asked for", async () => {
  const person = await operatorWithSecondFactor(server);
  const whose = `where email = '${person.email}'`;
  await server.sql(`update operators set totp_confirmed_at = null ${whose}`);
  const confirming = `update operators set totp_confirmed_at = now() ${whose}`;
  const browser = await whileHeld(server, confirming, async () => await person.halfway());
  assert.equal((await browser.get(TENANTS)).location, `${CODE}?to=${encodeURIComponent(TENANTS)}`);
});
