import assert from "node:assert/strict";
import { test } from "node:test";
import { changePassword } from "../../../src/people/sessions/own-account.ts";
import { listSessions, revokeSession } from "../../../src/people/sessions/own-sessions.ts";
import { findSession } from "../../../src/people/sessions/session.ts";
import { startServer } from "../../harness.ts";
import { HOUR, later } from "./clock.ts";
import { createPerson } from "./people.ts";

const server = await startServer();
const { deps } = server;
const { database } = deps;
const from = { network: "192.0.2.1" };
const PASSWORD = "Orchard-lantern-17";

test("a new password ends one's other sessions, and not one's own", async () => {
  const person = await createPerson(server, await server.createTenant());
  const [own, other] = [await person.token(), await person.token()];
  const session = await findSession(database, own);
  assert.ok(session !== null);
  const change = { current: person.password, password: PASSWORD };
  assert.deepEqual(await changePassword(deps, session, change, from), { outcome: "changed" });
  assert.deepEqual(await findSession(database, own), session);
  assert.equal(await findSession(database, other), null);
  assert.deepEqual(await person.signIn(), { outcome: "wrong" });
  await person.token({ password: PASSWORD });
});

test("a password is changed by whoever knows it, to one that may be", async () => {
  const tenant = await server.createTenant();
  const person = await createPerson(server, tenant);
  const session = await person.session();
  for (const [password, reason] of [
    ["short", { code: "tooShort", bound: 12 }],
    ["Password2026", { code: "passwordCommon" }],
    [person.email, { code: "passwordOfOwner" }],
  ] as const) {
    const change = { current: person.password, password };
    const messages = { password: [reason] };
    assert.deepEqual(await changePassword(deps, session, change, from), { outcome: "invalid", messages });
  }
  later(0);
  const wrong = { current: "wrong", password: PASSWORD };
  for (let i = 0; i < 5; i++) assert.deepEqual(await changePassword(deps, session, wrong, from), { outcome: "wrong" });
  const right = { current: person.password, password: PASSWORD };
  assert.deepEqual(await changePassword(deps, session, right, from), { outcome: "throttled", retryAfter: 1 });
  await person.token();
});

test("one's sessions are listed with when, from where and what browser, and can be ended", async () => {
  const tenant = await server.createTenant();
  const person = await createPerson(server, tenant);
  const another = await createPerson(server, tenant);
  const stranger = await createPerson(server, await server.createTenant());
  const phone = await person.session({ network: "2001:db8::7", userAgent: `Phone\0${"x".repeat(400)}` });
  later(HOUR);
  const desk = await person.session({ network: "198.51.100.7", userAgent: "Desk" });
  const strangers = [await another.session(), await stranger.session()];

  const listed = await listSessions(database, desk);
  assert.deepEqual(
    listed.map(({ id, address, userAgent, isCurrent }) => ({ id, address, userAgent, isCurrent })),
    [
      { id: desk.id, address: "198.51.100.7", userAgent: "Desk", isCurrent: true },
      { id: phone.id, address: "2001:db8::7", userAgent: `Phone${"x".repeat(295)}`, isCurrent: false },
    ],
  );
  for (const id of [...strangers.map((session) => session.id), "0", "x", ""]) {
    assert.equal(await revokeSession(database, desk, id), false, id);
  }
  assert.equal(await revokeSession(database, desk, phone.id), true);
  assert.deepEqual(
    (await listSessions(database, desk)).map(({ id }) => id),
    [desk.id],
  );
  later(11 * HOUR + 59 * 60_000);
  assert.equal((await listSessions(database, desk)).length, 1);
  later(HOUR);
  assert.deepEqual(await listSessions(database, desk), []);
});
