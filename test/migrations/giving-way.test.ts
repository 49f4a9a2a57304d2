import assert from "node:assert/strict";
import { test } from "node:test";
import { advisoryLocks } from "../../src/platform/postgres/advisory-locks.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { createInstallation } from "../cli/installation.ts";
import { createDatabase } from "../harness.ts";
import { poll } from "../program.ts";
import { clientOf, isValid, migrationsAnd } from "./more-migrations.ts";

const COLUMNS = migrationsAnd({
  "9998_offices": "create table offices (id bigint)",
  "9999_visits": `alter table contacts add column visited_at timestamptz;
    alter table companies add column visited_at timestamptz;`,
});
const INDEX = migrationsAnd({
  "9999_by-tax-id": `-- Without a transaction
    create index concurrently if not exists companies_by_tax_office on companies (tenant_id, left(tax_id, 2));`,
});

test("a migration gives way to the holders of its locks, says so, and ends after their release", async () => {
  const connection = await createDatabase();
  const [holder, reader] = [await clientOf(connection), await clientOf(connection)];
  await holder.query("begin; select from companies");
  const told: Record<string, unknown>[] = [];
  const applied = migrate(connection, { directory: COLUMNS, report: (facts) => told.push(facts) });
  await poll("the third try", () => told.length >= 3);
  await reader.query("select from companies; select from contacts");
  assert.deepEqual(
    told.slice(0, 3).map(({ migration, again_in_ms }) => [migration, again_in_ms]),
    [250, 500, 1_000].map((pause) => ["9999_visits", pause]),
  );
  const { rows } = await holder.query("select pg_backend_pid() as pid");
  assert.partialDeepStrictEqual(told[0]?.oldest_transaction, rows[0]);
  await holder.query("commit");
  assert.deepEqual(await applied, ["9998_offices", "9999_visits"]);
  await reader.query("select visited_at from companies; select visited_at from contacts");
});

test("of two programs that migrate at once one builds an index, and the other does not block it", async () => {
  const connection = await createDatabase();
  const [holder, client] = [await clientOf(connection), await clientOf(connection)];
  // An index is built concurrently once all earlier snapshots are gone.
  await holder.query("begin isolation level repeatable read; select from tenants");
  const first = migrate(connection, { directory: INDEX });
  await poll("the index", async () => (await isValid(client, "companies_by_tax_office")) === false);
  const second = migrate(connection, { directory: INDEX });
  const asking = "select from pg_stat_activity where datname = current_database() and query like '%try_advisory_lock%'";
  await poll("the second one's asking", async () => ((await client.query(asking)).rowCount ?? 0) > 1);
  await holder.query("commit");
  assert.deepEqual([await first, await second], [["9999_by-tax-id"], []]);
  assert.equal(await isValid(client, "companies_by_tax_office"), true);
});

test("a migration that waits ends at SIGTERM, and the next one succeeds", async () => {
  const connection = await createDatabase();
  const [holder, client] = [await clientOf(connection), await clientOf(connection)];
  for (const [directory, hasBegun] of [
    [COLUMNS, async () => (await client.query("select to_regclass('offices') as t")).rows[0]?.t !== null],
    [INDEX, async () => (await isValid(client, "companies_by_tax_office")) === false],
  ] as const) {
    await holder.query("begin isolation level repeatable read; select from companies");
    const stop = new AbortController();
    const migrating = migrate(connection, { directory, stop: stop.signal });
    await poll("the migration's beginning", hasBegun);
    stop.abort();
    await assert.rejects(migrating, { name: "AbortError" });
    await holder.query("commit");
    if (directory === COLUMNS) await client.query("drop table offices; delete from migrations where name like '999%'");
  }
  assert.deepEqual(await migrate(connection, { directory: INDEX }), ["9999_by-tax-id"]);
  assert.equal(await isValid(client, "companies_by_tax_office"), true);
});

test("a command that waits for another program's migrations ends at SIGTERM", async () => {
  const installation = await createInstallation();
  const holder = await installation.client();
  await holder.query("select pg_advisory_lock($1)", [advisoryLocks.migration]);
  const waiting = installation.start(["migrate"]);
  await poll("the line that says so", () => waiting.complaints().includes("another process migrates the database"));
  waiting.process.kill("SIGTERM");
  const { code, stdout, stderr } = await waiting.finished();
  assert.deepEqual([code, stdout, stderr.trim().split("\n").at(-1)], [130, "", "Interrupted."]);
});
