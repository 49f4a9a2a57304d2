import assert from "node:assert/strict";
import { test } from "node:test";
import { deleteOperator } from "../../src/operators/operator-queries.ts";
import { startServer } from "../harness.ts";
import { assert as assertion, optionsIn } from "../passkeys/authenticator.ts";
import { addPasskey, memberWithPasskey, ORIGIN, signInBy } from "../passkeys/people.ts";
import { operatorWithSecondFactor } from "../web/second-factor.ts";
import { OPERATOR, operatorIn, PASSWORD, visitor, type Visitor } from "../web/visitor.ts";

const server = await startServer({ LIAISON_PUBLIC_URL: ORIGIN });
const OWN = "/operator/passkeys";
const DOOR = "/operator/sign-in/passkey";
const TENANTS = "/operator/tenants";

const operator = await operatorIn(server);
const isIn = async (who: Visitor) => (await who.get(TENANTS)).status === 200;

test("an operator adds a passkey by name and password, signs in by it alone, and removes it after a question", async () => {
  assert.match((await operator.get(TENANTS)).text, /href="\/operator\/profile"/);
  assert.match((await operator.get("/operator/profile")).text, /You have no passkey/);
  const wrong = await operator.post(OWN, { name: "Laptop", current: "wrong" });
  assert.equal(wrong.status, 422);
  assert.doesNotMatch(wrong.text, /data-passkey/);
  const { passkey, added, answer } = await addPasskey(operator, {}, "Laptop", OWN);
  assert.equal(added.location, "/operator/profile", added.text);
  const list = (await operator.get("/operator/profile")).text;
  assert.match(list, />Never</);
  assert.match((await operator.get(OWN)).text, /action="\/operator\/passkeys"/);
  assert.equal((await operator.post(`${OWN}/add`, { answer })).status, 422, "the same answer again");

  const browser = visitor(server);
  assert.match((await browser.get("/operator/sign-in")).text, /href="\/operator\/sign-in\/passkey"/);
  const to = `${TENANTS}?page=2`;
  const asked = await browser.get(`${DOOR}?to=${encodeURIComponent(to)}`);
  const signed = await browser.post(DOOR, { answer: assertion(optionsIn(asked), passkey, ORIGIN), to });
  assert.deepEqual([signed.status, signed.location], [303, to], signed.text);
  assert.ok(await isIn(browser));
  assert.equal((await browser.get("/profile")).status, 303, "no user's session");
  assert.doesNotMatch((await operator.get("/operator/profile")).text, />Never</);

  const [, path = ""] = /href="(\/operator\/passkeys\/\d+\/remove)"/.exec(list) ?? [];
  assert.match((await operator.get(path)).text, /Remove the passkey “Laptop”\?/);
  assert.equal((await operator.post(path)).location, "/operator/profile");
  assert.equal((await operator.post(path)).status, 404);
  assert.equal((await signInBy(passkey, visitor(server), {}, DOOR)).status, 422);
});

test("an answer for another origin, for another browser or a second time opens nothing, nor does a counter that goes back", async () => {
  const { passkey } = await addPasskey(operator, { counter: 5 }, "Key", OWN);
  for (const manner of [
    { origin: "https://crm.example" },
    { rpId: "other.example" },
    { challenge: "AA" },
    { handle: "x" },
  ]) {
    const who = visitor(server);
    assert.equal((await signInBy(passkey, who, { counter: 6, ...manner }, DOOR)).status, 422, JSON.stringify(manner));
    assert.equal(await isIn(who), false);
  }
  const browser = visitor(server);
  const asked = optionsIn(await browser.get(DOOR));
  const cookies = new Map(browser.cookies);
  const answer = assertion(asked, passkey, ORIGIN, { counter: 6 });
  assert.match((await visitor(server).post(DOOR, { answer })).text, /took too long/);
  assert.equal((await browser.post(DOOR, { answer })).status, 303);
  const again = visitor(server);
  for (const [name, value] of cookies) again.cookies.set(name, value);
  assert.equal((await again.post(DOOR, { answer })).status, 422, "the same answer with the same cookie");
  assert.equal((await signInBy(passkey, visitor(server), { counter: 6 }, DOOR)).status, 422);
  assert.equal((await signInBy(passkey, visitor(server), { counter: 7 }, DOOR)).status, 303);
});

test("the doors of users and operators open nothing for each other's passkeys and challenges", async () => {
  const { passkey } = await addPasskey(operator, {}, "Own", OWN);
  const { member, passkey: ofUser } = await memberWithPasskey(server);
  assert.equal((await signInBy(passkey, visitor(server))).status, 422);
  assert.equal((await signInBy(ofUser, visitor(server), {}, DOOR)).status, 422);
  for (const [from, to, own] of [
    ["/sign-in/passkey", DOOR, passkey],
    [DOOR, "/sign-in/passkey", ofUser],
  ] as const) {
    const browser = visitor(server);
    const answer = assertion(optionsIn(await browser.get(from)), own, ORIGIN);
    assert.match((await browser.post(to, { answer })).text, /took too long/);
  }
  // The ids of sessions are counted for each kind by itself, so a user's challenge may name an operator's session.
  const asked = await member.post("/profile/passkeys", { name: "Laptop", current: PASSWORD });
  const cookie = [...member.cookies.keys()].find((name) => name.endsWith("passkey")) ?? "";
  operator.cookies.set(cookie, member.cookies.get(cookie) ?? "");
  await server.sql("update operator_sessions set id = id + 1000000");
  await server.sql(
    "update operator_sessions set id = (select max(id) from sessions) where id = (select min(id) from operator_sessions)",
  );
  assert.match(
    (await operator.post(`${OWN}/add`, { answer: assertion(optionsIn(asked), passkey, ORIGIN) })).text,
    /took too long/,
  );
});

test("after the password a key without verification replaces the code, and alone it opens nothing", async () => {
  const person = await operatorWithSecondFactor(server);
  const own = await person.halfway();
  const [row] = await server.sql("select max(operator_id)::int as id from operator_sessions where awaits_code");
  await server.sql("update operator_sessions set awaits_code = false where operator_id = $1", [row?.id]);
  const { passkey, added } = await addPasskey(own, { isVerified: false }, "Key", OWN);
  assert.equal(added.location, "/operator/profile", added.text);
  assert.match((await own.get("/operator/profile")).text, /second step only/);
  const alone = await signInBy(passkey, visitor(server), { isVerified: false }, DOOR);
  assert.equal(alone.status, 422);
  assert.match(alone.text, /second step after your password/);

  const halfway = await person.halfway();
  assert.match((await halfway.get("/operator/sign-in/code")).text, /href="\/operator\/sign-in\/passkey"/);
  const colleague = await addPasskey(operator, {}, "Other", OWN);
  assert.equal((await signInBy(colleague.passkey, halfway, {}, DOOR)).status, 422, "somebody else's");
  assert.equal(await isIn(halfway), false);
  assert.equal((await signInBy(passkey, halfway, { isVerified: false }, DOOR)).location, TENANTS);
  assert.ok(await isIn(halfway));
});

test("a key without verification is no passkey where there is no second factor", async () => {
  const weak = await addPasskey(operator, { isVerified: false }, "Key", OWN);
  assert.equal(weak.added.status, 422);
  assert.match(weak.added.text, /Set up the second factor first/);
});

test("a key that lists no accounts works where the operator is named, in a browser that has signed in before", async () => {
  const { passkey } = await addPasskey(operator, {}, "Hidden", OWN);
  const named = { email: OPERATOR.toUpperCase() };
  const browser = visitor(server);
  const offered = async () => {
    const asked = optionsIn(await browser.post(`${DOOR}/account`, named));
    return asked as typeof asked & { allowCredentials: { id: string }[] };
  };
  assert.deepEqual((await offered()).allowCredentials, [], "a stranger learns nothing");
  await browser.post("/operator/sign-in", { email: OPERATOR, password: PASSWORD });
  await browser.post("/operator/sign-out");
  const asked = await offered();
  assert.ok(asked.allowCredentials.some(({ id }) => id === passkey.id));
  const answer = assertion(asked, passkey, ORIGIN, { handle: null });
  assert.equal((await browser.post(DOOR, { answer })).location, TENANTS);
});

test("strangers wait after fifty wrong answers of their network, and the operators' passwords do not", async () => {
  const strange = await startServer({ LIAISON_PUBLIC_URL: ORIGIN });
  const own = await operatorIn(strange);
  const { passkey } = await addPasskey(own, {}, "Laptop", OWN);
  const statuses = new Set<number>();
  for (let time = 0; time <= 51; time++) {
    statuses.add((await signInBy(passkey, visitor(strange), { challenge: "AAAA" }, DOOR)).status);
  }
  assert.deepEqual([...statuses], [422, 429]);
  const signedIn = await visitor(strange).post("/operator/sign-in", { email: OPERATOR, password: PASSWORD });
  assert.equal(signedIn.status, 303);
});

test("a removed operator's passkeys go, too", async () => {
  const { passkey } = await addPasskey(operator, {}, "Last", OWN);
  await deleteOperator(server.deps.database, OPERATOR);
  assert.equal((await signInBy(passkey, visitor(server), {}, DOOR)).status, 422);
  assert.deepEqual(await server.sql("select id from operator_passkeys where credential_id = $1", [passkey.id]), []);
});
