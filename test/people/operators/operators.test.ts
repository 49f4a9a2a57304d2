import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { deleteOperator, insertOperator, listOperators } from "../../../src/people/operators/operator-queries.ts";
import { listTenantUsage } from "../../../src/people/operators/tenant-usage-queries.ts";
import { setSuspended } from "../../../src/people/tenants/tenant-queries.ts";
import { setPassword } from "../../../src/people/users/sign-in-queries.ts";
import { openRequestRole } from "../../../src/platform/postgres/request-role.ts";
import { INSTALLATION } from "../../../src/platform/postgres/tenant-id.ts";
import { codeOf, operatorWithSecondFactor } from "../../doors/pages/second-factor.ts";
import { operatorIn, PASSWORD, PASSWORD_HASH, visitor, type Visitor } from "../../doors/pages/visitor.ts";
import { startServer, waitingForLocks } from "../../harness.ts";
import { untilLetGo, whileHeld } from "../../held.ts";
import { poll } from "../../program.ts";
import { addPasskey, memberWithPasskey, ORIGIN, signInBy } from "../passkeys/people.ts";
import { createPerson } from "../sessions/people.ts";

const server = await startServer({ LIAISON_PUBLIC_URL: ORIGIN });
const { database } = server.deps;
const operator = await operatorIn(server);
const TENANTS = "/operator/tenants";

const isIn = async (who: Visitor) => (await who.get(TENANTS)).status === 200;

test("an installation without operators has no workspace of its own until the first one is created", async () => {
  const other = await startServer();
  assert.deepEqual(await other.sql("select id from tenants"), []);
});

test("an operator's passkey opens the installation, and a user's the workspace, at one door", async () => {
  const { passkey } = await addPasskey(operator);
  const { passkey: ofUser } = await memberWithPasskey(server);
  const [one, other] = [visitor(server), visitor(server)];
  assert.equal((await signInBy(passkey, one)).location, TENANTS);
  assert.equal((await signInBy(ofUser, other)).location, "/today");
  assert.deepEqual([await isIn(one), await isIn(other)], [true, false]);
  assert.match((await one.get("/companies")).location ?? "", /^\/sign-in/);
});

test("an operator who is removed loses sessions, codes and passkeys, and a sign-in that is under way opens nothing", async () => {
  const person = await operatorWithSecondFactor(server);
  const inside = await person.halfway();
  assert.equal((await inside.post("/sign-in/code", { code: codeOf(person.secret, 1) })).location, TENANTS);
  const { passkey } = await addPasskey(inside);
  const id = (await listOperators(database)).find(({ email }) => email === person.email)?.id ?? "";
  const hold = `select from users where tenant_id = 0 and id = ${id} for update`;
  const removing = async () => await deleteOperator(database, id);
  const late = visitor(server);
  await whileHeld(server, hold, async () => {
    const form = { workspace: "", email: person.email, password: PASSWORD };
    const [, { status }] = await Promise.all([removing(), late.post("/sign-in", form)]);
    assert.ok(status === 303 || status === 422, `${status}, whether the look-up was before the removal or behind it`);
  });
  for (const who of [inside, late]) assert.equal((await who.get(TENANTS)).status, 303);
  assert.equal((await signInBy(passkey, visitor(server))).status, 422);
  for (const table of ["sessions", "recovery_codes", "passkeys"]) {
    assert.deepEqual(await server.sql(`select id from ${table} where tenant_id = 0 and user_id = $1`, [id]), []);
  }
});

test("requests of operators at once take few connections, and all are answered", async () => {
  const requests = 12;
  const { longReads } = server.deps.sharing.places;
  const statuses = await untilLetGo(server, "lock table users in access exclusive mode", async (letGo) => {
    const answers = Array.from({ length: requests }, async () => (await operator.get(TENANTS)).status);
    await poll("the wait of the others", () => longReads.inUse + longReads.waiting === requests);
    await server.untilWaiting(longReads.inUse);
    assert.equal((await server.sql(waitingForLocks)).length, longReads.inUse);
    await letGo();
    return await Promise.all(answers);
  });
  assert.deepEqual([...new Set(statuses)], [200]);
});

test("another password ends an operator's sessions", async () => {
  const email = "leaver@example.com";
  const made = await insertOperator(database, { email, name: "Leaver", passwordHash: PASSWORD_HASH });
  const browser = visitor(server);
  await browser.post("/sign-in", { workspace: "", email, password: PASSWORD });
  assert.ok(await isIn(browser));
  await setPassword(INSTALLATION, database, made?.id ?? "", "another");
  assert.equal(await isIn(browser), false);
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
  assert.equal(total, (await server.sql("select id from tenants where id > 0")).length);
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

test("requests' own role reaches nothing of the installation, whatever tenant it names, nor the failures", async () => {
  await addPasskey(operator);
  await operatorWithSecondFactor(server);
  const { id } = await server.createTenant();
  const client = new pg.Client(await openRequestRole(server.connection));
  await client.connect();
  after(async () => await client.end());
  const asked = async (named: string, text: string) => {
    await client.query(`begin; set local app.tenant_id = '${named}'`);
    try {
      return await client.query(text);
    } finally {
      await client.query("rollback");
    }
  };
  for (const table of ["users", "sessions", "recovery_codes", "passkeys", "changes"]) {
    assert.notDeepEqual(await server.sql(`select id from ${table} where tenant_id = 0`), [], table);
    for (const named of ["00", "-0", " 0 ", "0"]) {
      assert.deepEqual((await asked(named, `select id from ${table}`)).rows, [], `${table}, tenant ${named}`);
    }
  }
  const make = (role: string, tenant: string) =>
    `insert into users (tenant_id, email, name, role) values (${tenant}, 'x@example.com', 'X', '${role}')`;
  await assert.rejects(asked("0", make("operator", "0")), /row-level security/);
  assert.equal((await asked("0", "update users set name = 'X' where tenant_id = 0")).rowCount, 0);
  await assert.rejects(asked(id, make("operator", id)), /users_role_check/);
  await assert.rejects(asked(id, "select * from sign_in_failures"), /permission denied/);
  await assert.rejects(server.sql("update users set role = 'admin' where tenant_id = 0"), /users_role_check/);
});
