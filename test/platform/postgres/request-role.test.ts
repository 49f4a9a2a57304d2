import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { describeFailure } from "../../../src/cli/failure.ts";
import { useCluster } from "../../../src/platform/cluster/embedded-postgres.ts";
import type { Connection } from "../../../src/platform/postgres/database.ts";
import { connectionTo } from "../../../src/platform/postgres/external/connection-url.ts";
import { migrate } from "../../../src/platform/postgres/migrations/migrate.ts";
import { checkRequestRole, openRequestRole } from "../../../src/platform/postgres/request-role.ts";
import { startServer } from "../../harness.ts";
import { databaseUrl } from "../../program.ts";

/** The role that requests log in as has nothing to leave to (docs/decisions/0003-tenancy-walls.md). */
const server = await startServer();
const owner = String(server.connection.user);

const WAYS_OUT = [
  "set role none",
  "reset role",
  `set role ${owner}`,
  `set session authorization ${owner}`,
  "set session authorization default",
  "reset session authorization",
  "set role liaison_app",
];

const FORBIDDEN = [
  "select value from settings",
  "update tenants set name = name",
  "alter table companies disable row level security",
  `alter role ${owner} nologin`,
  "copy tenants to program 'cat'",
];

for (const way of WAYS_OUT) {
  test(`a connection of requests gains nothing by "${way}"`, async () => {
    const [own, other] = [await server.createTenant(), await server.createTenant()];
    for (const tenant of [own, other]) await tenant.post("/api/v1/companies", { name: "A" });
    const client = new pg.Client(await openRequestRole(server.connection));
    await client.connect();
    try {
      await client.query(way).catch(assertDenied);
      await client.query(`begin; set local app.tenant_id = '${own.id}'`);
      assert.deepEqual((await client.query("select tenant_id from companies")).rows, [{ tenant_id: own.id }]);
      await client.query("commit");
      for (const text of FORBIDDEN) await assert.rejects(client.query(text), /permission denied|must be owner/, text);
    } finally {
      await client.end();
    }
  });
}

test("the server's own connections gain nothing by what a statement could smuggle in", async () => {
  const { database } = server.deps;
  const tenant = await server.createTenant();
  for (const [setting, value] of [
    ["role", "none"],
    ["role", owner],
    ["session_authorization", owner],
  ]) {
    const statement = { name: "", text: `select set_config('${setting}', '${value}', false) where $1::bigint > 0` };
    const call = { statement, parameters: [] };
    await database.quick.read(tenant.id, statement).catch(assertDenied);
    await database.write(tenant.id, [call]).catch(assertDenied);
    await checkRequestRole(database);
    const forbidden = { name: "", text: "select value from settings where $1::bigint > 0" };
    await assert.rejects(database.quick.read(tenant.id, forbidden), /permission denied/);
    await assert.rejects(database.write(tenant.id, [{ statement: forbidden, parameters: [] }]), /permission denied/);
  }
});

test("a start refuses a role of requests that may do more", async () => {
  const { database } = server.deps;
  const { user: role } = await openRequestRole(server.connection);
  for (const [more, less] of [
    [`grant pg_read_all_data to ${role}`, `revoke pg_read_all_data from ${role}`],
    [`alter role ${role} bypassrls`, `alter role ${role} nobypassrls`],
    [`alter role ${role} createrole`, `alter role ${role} nocreaterole`],
    [`alter table deals owner to ${role}`, `alter table deals owner to ${owner}`],
  ] as const) {
    await server.sql(more);
    await assert.rejects(checkRequestRole(database), /has more rights than requests need/, more);
    await server.sql(less);
    await checkRequestRole(database);
  }
});

test("a role of requests with a password is made once, shared by all processes, put right, or refused with what to run", async () => {
  const superuser = await startClusterWithPasswords();
  const client = new pg.Client(superuser);
  client.on("error", () => {});
  await client.connect();
  const { connection: external } = connectionTo(databaseUrl(superuser));

  const [one, two] = await Promise.all([openRequestRole(external), openRequestRole(external)]);
  assert.deepEqual(one, two);
  const role = String(one?.user);
  assert.deepEqual(await whoIs(one), { current_user: role, session_user: role });

  await client.query("update settings set value = 'another' where name = 'request_role_password'");
  const mended = await openRequestRole(external);
  assert.equal(mended.password, "another");
  assert.deepEqual(await whoIs(mended), { current_user: role, session_user: role });
  await assert.rejects(whoIs(one), /password authentication failed/);

  const { rows: walled } = await client.query("select oid::regclass::text as name from pg_class where relrowsecurity");
  const changeWalls = async (how: string) =>
    await client.query(walled.map(({ name }) => `alter table ${name} ${how} row level security`).join(";"));
  const lost = /lacks the rights of the role liaison_app.*restore the dump again/;
  await client.query("alter role liaison_app rename to forgotten");
  await assert.rejects(openRequestRole(external), lost);
  await client.query("alter role forgotten rename to liaison_app");
  for (const table of ["companies", "tickets"]) {
    await client.query(`revoke all on ${table} from liaison_app`);
    await assert.rejects(openRequestRole(external), lost, table);
    await client.query(`grant select, insert, update, delete on ${table} to liaison_app`);
  }
  await changeWalls("disable");
  await assert.rejects(openRequestRole(external), lost, "a dump restored with --no-policies");
  await changeWalls("enable");

  await client.query(`drop role ${role}`);
  await client.query(
    "create role plain login; grant liaison_app to plain; grant select, insert on settings to plain; alter database liaison owner to plain",
  );
  const plain = { ...superuser, user: "plain" };
  const refusal = (await openRequestRole(plain).catch((error: unknown) => error)) as Error;
  const [, statement = ""] =
    /^The role of DATABASE_URL may not .*; as a superuser run: (create role .*;)$/.exec(refusal.message) ?? [];
  assert.doesNotMatch(statement, /another/);
  const foreign = (await migrate(plain).catch((error: unknown) => error)) as Error;
  assert.match(describeFailure(foreign), /for table migrations .* must own the tables/);
  await client.query(statement);
  assert.deepEqual(await whoIs(await openRequestRole(plain)), { current_user: role, session_user: role });
  await client.end();
});

/** As a PostgreSQL of one's own has it: requests' role is asked for its password. */
async function startClusterWithPasswords(): Promise<Connection> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-role-"));
  fs.chmodSync(directory, 0o755);
  const cluster = await useCluster(directory);
  after(async () => {
    await cluster.release();
    fs.rmSync(directory, { recursive: true, force: true });
  });
  await migrate(cluster.connection);
  const client = new pg.Client(cluster.connection);
  await client.connect();
  const { rows } = await client.query("show hba_file");
  const file = String(rows[0]?.hba_file);
  fs.writeFileSync(file, `local all /^liaison_requests_ scram-sha-256\n${fs.readFileSync(file, "utf8")}`);
  await client.query("select pg_reload_conf()");
  await client.end();
  return cluster.connection;
}

async function whoIs(connection: Connection | undefined): Promise<unknown> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query("select current_user, session_user")).rows[0];
  } finally {
    await client.end();
  }
}

function assertDenied(error: unknown): void {
  assert.match((error as Error).message, /permission denied/);
}
