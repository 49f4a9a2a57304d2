import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import type pg from "pg";
import { takeBackup } from "../../src/backup/take-backup.ts";
import { takeTenantBackup } from "../../src/backup/tenant/take-tenant-backup.ts";
import { readConfig } from "../../src/config.ts";
import { openDeps } from "../../src/deps.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { findTenant } from "../../src/tenants/tenant-queries.ts";
import { createEmptyDatabase, isEmpty } from "../backup/databases.ts";
import { createInstallation } from "../cli/installation.ts";
import { createDatabase } from "../harness.ts";
import { clientOf, migrationsAnd } from "./more-migrations.ts";
import { nameMigrations, REPLACED } from "./replaced.ts";

/**
 * A database of the last commit before the baseline has the baseline's schema, and names the migrations that it
 * replaced.
 */
const COMMIT = "20105b5";
const NEVER = new AbortController().signal;
const OF_EARLIER = REPLACED.slice(0, -1);
/** The names that a database has beside those of the baseline's files. */
const isLater = (name: string) => !/^000\d_/.test(name);

test("a database of the commit before the baseline stays as it is, and names the baseline from then on", async () => {
  const connection = await createDatabase();
  const client = await clientOf(connection);
  const ours = await namesIn(client);
  const tables = "select oid, xmin from pg_class where relnamespace = 'public'::regnamespace order by oid";
  const { rows: before } = await client.query(tables);
  await nameMigrations(client, [...REPLACED, ...ours.filter(isLater), "9998_later"]);
  assert.deepEqual(await migrate(connection), []);
  assert.deepEqual(await namesIn(client), [...ours, "9998_later"]);
  assert.deepEqual((await client.query(tables)).rows, before);
  const directory = migrationsAnd({ "9998_later": "select 1", "9999_visits": "create table visits (id bigint)" });
  assert.deepEqual(await migrate(connection, { directory }), ["9999_visits"]);
});

test("a database of an earlier commit gets the name of the commit to start first, and stays as it is", async () => {
  const { run, client } = await createInstallation();
  const owner = await client();
  await nameMigrations(owner, OF_EARLIER);
  const line = `This database is of a commit before ${COMMIT}: start that commit once, which brings it up to date, and then this one.`;
  const { code, stderr } = await run(["tenant", "list"]);
  assert.deepEqual([code, stderr], [1, `${line}\n`]);
  const { findings } = JSON.parse((await run(["doctor", "--json"])).stdout);
  assert.deepEqual(findings, [{ check: "versions", message: line }]);
  assert.deepEqual(await namesIn(owner), OF_EARLIER);
});

test("before it changes a database that has data, a command says that a backup comes first", async () => {
  const { run, client } = await createInstallation();
  const owner = await client();
  await nameMigrations(owner, (await namesIn(owner)).slice(0, -1));
  assert.match((await run(["migrate"])).stderr, /^Take a backup first, .*\(1 migrations\)/);
  const { run: runNew, sql } = await createInstallation();
  await sql("drop schema public cascade");
  await sql("create schema public");
  assert.doesNotMatch((await runNew(["migrate"])).stderr, /backup/);
});

test("backups of the commit before the baseline are restored; those of an earlier one name the commit that reads them", async () => {
  const { dataDir, environment, run, json, client } = await createInstallation();
  await json(["tenant", "create", "acme", "--name", "Acme"]);
  const owner = await client();
  const ours = await namesIn(owner);
  const takenWith = async (names: string[]) => {
    const file = path.join(dataDir, `${names.length}.backup`);
    const ofTenant = `${file}-of-tenant`;
    const deps = await openDeps(readConfig(environment), createLogger("silent"));
    await nameMigrations(owner, names);
    await takeBackup(deps, { file, withKeys: false, signal: NEVER, onProgress() {} });
    const tenant = await findTenant(deps.database, "acme");
    if (tenant !== null) await takeTenantBackup(deps, tenant, { file: ofTenant, passphrase: null, signal: NEVER });
    await nameMigrations(owner, ours);
    await deps.close();
    return { file, ofTenant };
  };
  const target = await createEmptyDatabase();
  const there = { environment: { DATABASE_URL: target.url } };

  const earlier = await takenWith(OF_EARLIER);
  const refused = await run(["restore", earlier.file], there);
  const needed = `is of a commit before ${COMMIT}: restore it with that commit, and take a new backup there.\n`;
  assert.deepEqual([refused.code, refused.stderr], [1, `${earlier.file} ${needed}`]);
  assert.ok(await isEmpty(target.client));

  const taken = await takenWith([...REPLACED, ...ours.filter(isLater)]);
  await json(["restore", taken.file], there);
  assert.deepEqual(await namesIn(target.client), ours);
  assert.deepEqual((await target.client.query("select slug from tenants")).rows, [{ slug: "acme" }]);
  const ofTenant = await run(["tenant", "restore", earlier.ofTenant], there);
  assert.deepEqual([ofTenant.code, ofTenant.stderr], [1, `${earlier.ofTenant} ${needed}`]);
  await json(["tenant", "restore", taken.ofTenant, "--as", "again"], there);
  assert.deepEqual((await target.client.query("select slug from tenants order by id")).rows, [
    { slug: "acme" },
    { slug: "again" },
  ]);
});

async function namesIn(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select name from migrations order by id");
  return rows.map(({ name }) => name);
}
