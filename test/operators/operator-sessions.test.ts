import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { deleteOperator, insertOperator, setOperatorPassword } from "../../src/operators/operator-queries.ts";
import { insertOperatorSession } from "../../src/operators/operator-session-queries.ts";
import { endOperatorSession, findOperatorSession, signInOperator } from "../../src/operators/operator-session.ts";
import { listTenantUsage } from "../../src/operators/tenant-usage-queries.ts";
import { openRequestRole } from "../../src/platform/postgres/request-role.ts";
import { findSession } from "../../src/sessions/session.ts";
import type { SignIn } from "../../src/sessions/sign-in-by-password.ts";
import { setSuspended } from "../../src/tenants/tenant-queries.ts";
import { startServer } from "../harness.ts";
import { HOUR, later, MINUTE } from "../sessions/clock.ts";
import { createPerson } from "../sessions/people.ts";

const server = await startServer();
const { deps } = server;
const { database, passwords } = deps;
const email = "ops@example.com";
const password = "Violet-harbour-91";
const operator = await insertOperator(database, { email, name: "Ops", passwordHash: await passwords.hash(password) });

const signIn = async (attempt: Partial<SignIn> = {}) =>
  await signInOperator(deps, { email, password, network: "192.0.2.1", browser: null, userAgent: "Test", ...attempt });

async function token(): Promise<string> {
  const signedIn = await signIn();
  assert.ok(signedIn.outcome === "signed-in", signedIn.outcome);
  return signedIn.token;
}

test("an operator has sessions, which are not those of users", async () => {
  const own = await token();
  const session = await findOperatorSession(database, own);
  assert.deepEqual(session, { id: session?.id, operator, awaitsCode: false });
  assert.equal(await findSession(database, own), null);
  const users = await (await createPerson(server, await server.createTenant())).token();
  assert.equal(await findOperatorSession(database, users), null);
  const stored = JSON.stringify(await server.sql("select s::text from operator_sessions s"));
  assert.equal(stored.includes(own), false);
  assert.ok(session !== null);
  await endOperatorSession(database, session);
  assert.equal(await findOperatorSession(database, own), null);
});

test("an operator's session lives as long as a user's", async () => {
  const used = await token();
  for (let hours = 11; hours < 14 * 24; hours += 11) {
    later(11 * HOUR);
    assert.ok((await findOperatorSession(database, used)) !== null, `after ${hours} hours`);
  }
  later(6 * HOUR);
  assert.equal(await findOperatorSession(database, used), null);
  const left = await token();
  assert.equal((await server.sql("select id from operator_sessions")).length, 1);
  later(12 * HOUR + MINUTE);
  assert.equal(await findOperatorSession(database, left), null);
});

test("an operator who is removed, or has another password, while a sign-in is under way gets no session", async () => {
  const leaver = { email: "leaver@example.com", name: "Leaver" };
  const passwordHash = "of one password";
  const made = await insertOperator(database, { ...leaver, passwordHash });
  assert.ok(made !== null);
  const session = { hash: Buffer.alloc(32, 1), address: "", userAgent: "", time: Date.now() };
  const alive = { createdAfter: 0, seenAfter: 0 };
  const begins = async () => await insertOperatorSession(database, { id: made.id, passwordHash }, session, alive);
  assert.deepEqual(await begins(), { awaitsCode: false });
  await setOperatorPassword(database, made.id, "of another");
  assert.equal(await begins(), null);
  assert.equal(await deleteOperator(database, "LEAVER@example.com"), made.id);
  assert.equal(await begins(), null);
  assert.equal(await deleteOperator(database, leaver.email), null);
});

test("guesses at operators are slowed down as at users, and their browser is not", async () => {
  later(0);
  const known = await signIn({ email: "OPS@example.com" });
  assert.ok(known.outcome === "signed-in");
  for (const attempt of [{ email }, { email: "nobody@example.com" }]) {
    for (let i = 0; i < 5; i++) {
      assert.deepEqual(await signIn({ ...attempt, password: "wrong" }), { outcome: "wrong" });
    }
    assert.deepEqual(await signIn(attempt), { outcome: "throttled", retryAfter: 1 });
  }
  assert.equal((await signIn({ browser: known.browser })).outcome, "signed-in");
});

test("operators see what tenants have", async () => {
  const tenant = await server.createTenant({ slug: "aaa-first", country: "Moldova" });
  const idle = await server.createTenant({ slug: "aab-second" });
  for (const name of ["A", "B", "C"]) await tenant.post("/api/v1/companies", { name });
  await tenant.delete("/api/v1/companies/1");
  await tenant.createKey();
  await (await createPerson(server, tenant)).token();
  await setSuspended(database, idle.slug, true);
  await server.sql("update users set deactivated_at = now() where tenant_id = $1", [idle.id]);
  const live = (await tenant.get("/api/v1/companies")).body.total;
  const { tenants, total, perPage } = await listTenantUsage(database, 1);
  assert.equal(total, (await server.sql("select id from tenants")).length);
  assert.equal(perPage, 100);
  const [first, second] = tenants;
  assert.deepEqual(
    { ...first, createdAt: "", lastUsedAt: first?.lastUsedAt !== null },
    {
      id: tenant.id,
      slug: tenant.slug,
      name: `Tenant ${tenant.slug}`,
      country: "Moldova",
      createdAt: "",
      suspendedAt: null,
      isBeingDeleted: false,
      companies: live,
      users: 1,
      keys: 2,
      lastUsedAt: true,
      orders: { waiting: 0, failed: 0, oldestWaitAt: null },
    },
  );
  assert.ok(second?.suspendedAt !== null);
  assert.deepEqual([second?.companies, second?.users, second?.keys, second?.lastUsedAt], [0, 0, 1, null]);
  assert.deepEqual((await listTenantUsage(database, 2)).tenants, []);
});

test("requests' own role reads neither operators nor failures", async () => {
  const client = new pg.Client(await openRequestRole(server.connection));
  await client.connect();
  const ofOperators = ["sessions", "recovery_codes", "passkeys", "passkey_challenges"].map((of) => `operator_${of}`);
  for (const table of ["operators", ...ofOperators, "sign_in_failures"]) {
    await assert.rejects(client.query(`select * from ${table}`), /permission denied/, table);
  }
  await client.end();
});
