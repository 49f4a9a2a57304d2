import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { asOwner } from "../../../src/platform/postgres/as-owner.ts";
import type { Connection } from "../../../src/platform/postgres/database.ts";
import { createInstallation, requester } from "../../cli/installation.ts";
import { connectTo, createDataDirectory, serveFrom, usedDataDirectory } from "../../failure/data-directory.ts";
import { createDatabase } from "../../harness.ts";
import { databaseUrl, poll, runCommand, serve, type Server } from "../../program.ts";
import { createEmptyDatabase } from "./databases.ts";

/** What docs/operations.md 15 promises of a database that is an earlier one, or another copy. */

const HELD =
  /^Calls to others are held since \S+, because (.*): `liaison resume --after-loss` lets them go out again, and `liaison resume` where nothing was lost \(docs\/operations\.md 15\)\.$/m;
/** More than a database loses. */
const RAISED = 1_000_000;

/** Why a server that has started holds calls; null: it does not. */
function whyHeld(server: Server): string | null {
  return HELD.exec(server.output())?.[1] ?? null;
}

async function stop(server: Server): Promise<void> {
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
}

async function createCompany(server: Server, token: string): Promise<number> {
  const { status, body } = await requester(server.url, token)("POST", "/api/v1/companies", { name: "A" });
  assert.equal(status, 201);
  return body.data.id;
}

async function succeeds(argv: string[], environment: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCommand(argv, environment);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** An installation on a PostgreSQL of one's own, and a way to serve it once. */
async function createExternal() {
  const connection = await createDatabase();
  const environment = { DATABASE_URL: databaseUrl(connection), LIAISON_DATA_DIR: createDataDirectory() };
  await succeeds(["tenant", "create", "acme", "--name", "Acme"], environment);
  const serveOnce = async (more: Record<string, string> = {}): Promise<string | null> => {
    const server = await serve({ ...environment, ...more });
    const why = whyHeld(server);
    await stop(server);
    return why;
  };
  const sql = async (text: string) =>
    await asOwner(connection, async (client) => (await client.query<Record<string, string>>(text)).rows);
  return { connection, environment, serveOnce, sql };
}

/** A copy of a database in the same cluster, as a dump is that was loaded. */
async function copyOf({ database, ...cluster }: Connection): Promise<Connection> {
  const name = `copy_${randomBytes(6).toString("hex")}`;
  await asOwner({ ...cluster, database: "postgres" }, async (admin) => {
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [database]);
    await admin.query(`create database ${name} template ${admin.escapeIdentifier(String(database))}`);
  });
  return { ...cluster, database: name };
}

test("an older copy of the embedded database's files is noticed: calls are held, and no id is given out twice", async () => {
  const { dataDir, token } = await usedDataDirectory();
  const [files, older] = [path.join(dataDir, "postgres"), path.join(dataDir, "older")];
  spawnSync("cp", ["-a", files, older]);
  const first = await serveFrom(dataDir);
  assert.equal(whyHeld(first), null);
  const lost = await createCompany(first, token);
  await stop(first);
  fs.rmSync(files, { recursive: true });
  fs.renameSync(older, files);

  const second = await serveFrom(dataDir);
  const [, sequence = "", is = "", was = ""] =
    /^the database went back: (\w+) is at (\d+), and this machine has seen (\d+)$/.exec(whyHeld(second) ?? "") ?? [];
  assert.ok(sequence.endsWith("_id_seq") && Number(is) < Number(was), second.output());
  assert.ok((await createCompany(second, token)) >= lost + RAISED);
  await stop(second);
  const environment = { LIAISON_DATA_DIR: dataDir };
  assert.match(await succeeds(["doctor"], environment), /^Calls to others are held since /m);
  await succeeds(["resume", "--after-loss"], environment);
  const third = await serveFrom(dataDir);
  assert.equal(whyHeld(third), null);
  const owner = await connectTo(dataDir);
  const { rows } = await owner.query("select from tenants where orders_lost_at is null");
  await owner.end();
  assert.equal(rows.length, 0);
  await stop(third);
});

test("an older copy from before the first start of a server is noticed too", async () => {
  const dataDir = createDataDirectory();
  const environment = { LIAISON_DATA_DIR: dataDir };
  await succeeds(["init"], environment);
  await succeeds(["tenant", "create", "acme"], environment);
  const made = ["key", "create", "--tenant", "acme", "--name", "A", "--capabilities", "companies:write", "--json"];
  const { token } = JSON.parse(await succeeds(made, environment)) as { token: string };
  const [files, older] = [path.join(dataDir, "postgres"), path.join(dataDir, "older")];
  spawnSync("cp", ["-a", files, older]);
  const first = await serveFrom(dataDir);
  await createCompany(first, token);
  await stop(first);
  fs.rmSync(files, { recursive: true });
  fs.renameSync(older, files);
  const second = await serveFrom(dataDir);
  assert.match(String(whyHeld(second)), /^the database went back: /);
  await stop(second);
});

test("another copy of a database is noticed from any machine, until it is resumed", async () => {
  const { connection, environment, serveOnce } = await createExternal();
  assert.equal(await serveOnce(), null);
  const elsewhere = createDataDirectory();
  fs.cpSync(environment.LIAISON_DATA_DIR, elsewhere, { recursive: true });
  for (const name of fs.readdirSync(elsewhere)) if (name.endsWith(".mark")) fs.rmSync(path.join(elsewhere, name));
  const copy = { DATABASE_URL: databaseUrl(await copyOf(connection)), LIAISON_DATA_DIR: elsewhere };
  const another = "this is another copy of the database: somebody loaded a dump, copied files or changed the server";
  assert.equal(await serveOnce(copy), another);
  assert.equal(await serveOnce(copy), another);
  assert.match(await succeeds(["resume"], { ...environment, ...copy }), /^Calls are made again\./);
  assert.equal(await serveOnce(copy), null);
  assert.equal(await serveOnce({ ...copy, LIAISON_DATA_DIR: environment.LIAISON_DATA_DIR }), null);
});

test("another timeline is noticed, and what PostgreSQL does not show is not compared", async () => {
  const { serveOnce, sql } = await createExternal();
  assert.equal(await serveOnce(), null);
  const setIdentity = async (member: string, value: string) =>
    await sql(
      `update settings set value = jsonb_set(value::jsonb, '{${member}}', '${value}')::text where name = 'database_identity'`,
    );
  await setIdentity("system", "null");
  assert.equal(await serveOnce(), null);
  await setIdentity("timeline", '"0000001A"');
  assert.equal(
    await serveOnce(),
    "PostgreSQL is on timeline 1, and was on 26: it was recovered to an earlier point, or a standby was promoted",
  );
});

test("where the role may not ask for the system identifier the doctor says so, and the rest is compared", async () => {
  const { url, connection } = await createEmptyDatabase();
  const environment = { DATABASE_URL: url, LIAISON_DATA_DIR: createDataDirectory() };
  await succeeds(["init"], environment);
  const untold = /^This role may not read PostgreSQL's system identifier and its timeline: /m;
  assert.doesNotMatch(await succeeds(["doctor"], environment), untold, "everybody may ask, unless told otherwise");
  const { user } = JSON.parse(process.env.LIAISON_TEST_CLUSTER ?? "") as Connection;
  await asOwner({ ...connection, user }, async (admin) => {
    await admin.query("revoke execute on function pg_control_system() from public");
  });
  assert.match(await succeeds(["doctor"], environment), untold);
  await stop(await serve(environment));
  const again = { ...connection, user };
  await asOwner(again, async (admin) => void (await admin.query("select setval('companies_id_seq', 7)")));
  await stop(await serve(environment));
  await asOwner(again, async (admin) => void (await admin.query("select setval('companies_id_seq', 6)")));
  const server = await serve(environment);
  assert.equal(whyHeld(server), "the database went back: companies_id_seq is at 6, and this machine has seen 7");
  await stop(server);
});

test("a server that runs notices that its database went back, and a mark that is behind the database, or another machine's, holds nothing", async () => {
  const { environment, serveOnce, sql } = await createExternal();
  assert.equal(await serveOnce(), null);
  const mark = fs.readdirSync(environment.LIAISON_DATA_DIR).find((name) => name.endsWith(".mark")) ?? "";
  const file = path.join(environment.LIAISON_DATA_DIR, mark);
  const before = fs.readFileSync(file);
  await sql("select setval('companies_id_seq', 100)");
  assert.equal(await serveOnce(), null);
  assert.notDeepEqual(fs.readFileSync(file), before);
  fs.writeFileSync(file, before);
  assert.equal(await serveOnce(), null);

  const server = await serve(environment);
  assert.equal(whyHeld(server), null);
  // The skipping of ids fails at this sequence, and begins again at the next interval.
  await sql(`alter sequence users_id_seq maxvalue ${RAISED}`);
  await sql("select setval('companies_id_seq', 99)");
  const heldFor = async () => (await sql("select value from settings where name = 'calls_held'"))[0]?.value ?? "";
  await poll("its noticing", async () => (await heldFor()) !== "");
  assert.match(await heldFor(), /companies_id_seq is at 99, and this machine has seen 100/);
  const passed = async (sequence: string, ids: number) => {
    const [{ last = "" } = {}] = await sql(`select last_value::text as last from ${sequence}`);
    return Number(last) > ids;
  };
  await poll("its trying again", async () => await passed("companies_id_seq", 2 * RAISED));
  assert.ok(!(await passed("users_id_seq", RAISED)));
  await sql("alter sequence users_id_seq no maxvalue");
  await poll("its passing over ids", async () => await passed("users_id_seq", RAISED));
  await stop(server);
  assert.match(server.complaints(), /calls to others are held, because the database went back/);
});

test("where the mark cannot be kept a server serves, and says so once", async () => {
  const { environment } = await createExternal();
  const keys = fs.readFileSync(path.join(environment.LIAISON_DATA_DIR, "encryption.keys"), "utf8");
  const blocked = { ...environment, LIAISON_DATA_DIR: `${process.execPath}/data`, LIAISON_ENCRYPTION_KEYS: keys };
  const server = await serve(blocked);
  assert.equal(whyHeld(server), null);
  await stop(server);
  assert.equal(server.complaints().match(/cannot be kept in LIAISON_DATA_DIR/g)?.length, 1, server.complaints());
});

test("hold says that calls are held, resume --after-loss works where they are not, and resume alone does not", async () => {
  const { json, run, sql } = await createInstallation();
  await json(["tenant", "create", "acme", "--name", "Acme"]);
  assert.match((await run(["resume"])).stderr, /^Calls are not held: there is nothing to resume\./);
  assert.deepEqual(await json(["resume", "--after-loss"]), { resumed: true, after_loss: true });
  const [{ last, lost } = {}] = await sql(
    "select last_value::text as last, (select count(orders_lost_at)::text from tenants) as lost from companies_id_seq",
  );
  assert.ok(Number(last) > RAISED);
  assert.equal(lost, "1");
  assert.deepEqual(await json(["hold"]), { held: true });
  assert.match((await run(["hold"])).stdout, /^Calls to others are held since \S+, because `liaison hold` was run: /);
  const mail = { configured: false, last_accepted_at: null };
  assert.deepEqual(await json(["doctor"]), { findings: [], calls_held: true, mail });
  assert.deepEqual(await json(["resume"]), { resumed: true, after_loss: false });
  assert.deepEqual(await json(["doctor"]), { findings: [], calls_held: false, mail });
});
