import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { createDatabase } from "../harness.ts";
import { poll, start } from "../program.ts";
import { clientOf, isValid, migrationsAnd } from "./more-migrations.ts";

const PROGRAM = fileURLToPath(new URL("migrate-program.ts", import.meta.url));
const [ROWS, STEP] = [500, 100];

const DIRECTORY = migrationsAnd({
  "9997_visits": `create table visits (tenant_id bigint not null);
    alter table companies add column visits integer;`,
  "9998_visits-of-companies": `-- Without a transaction
    do $$
    declare
      filled bigint;
    begin
      loop
        update companies set visits = 0 where (tenant_id, id) in (
          select tenant_id, id from companies where visits is null order by tenant_id, id limit ${STEP}
        );
        get diagnostics filled = row_count;
        exit when filled = 0;
        commit;
      end loop;
    end $$;`,
  "9999_by-visits": `-- Without a transaction
    create index concurrently if not exists companies_by_visits on companies (tenant_id, visits);`,
});
const ALL = ["9997_visits", "9998_visits-of-companies", "9999_by-visits"];

test("a transaction that is killed leaves nothing", async () => {
  const { connection, client, holder } = await createFilled();
  await holder.query("begin; select from companies");
  await killWhen(connection, client, async () => await isWaiting(client, "alter table companies%"));
  assert.deepEqual((await client.query("select to_regclass('visits') as t")).rows, [{ t: null }]);
  await holder.query("commit");
  assert.deepEqual(await migrate(connection, { directory: DIRECTORY }), ALL);
});

test("steps that are killed are gone on with", async () => {
  const { connection, client, holder } = await createFilled();
  const filled = async () => Number((await client.query("select count(visits) as n from companies")).rows[0]?.n);
  await migrate(connection, { directory: DIRECTORY });
  await client.query("delete from migrations where name >= '9998'; update companies set visits = null");
  await holder.query(`begin; select from companies where id = (select min(id) from companies) + ${STEP} for update`);
  await killWhen(connection, client, async () => (await filled()) === STEP);
  assert.equal(await filled(), STEP);
  await holder.query("commit");
  assert.deepEqual(await migrate(connection, { directory: DIRECTORY }), ALL.slice(1));
  assert.equal(await filled(), ROWS);
});

test("an index that is left half built is built again", async () => {
  const { connection, client, holder } = await createFilled();
  await holder.query("begin isolation level repeatable read; select from tenants");
  await killWhen(connection, client, async () => (await isValid(client, "companies_by_visits")) === false);
  assert.equal(await isValid(client, "companies_by_visits"), false);
  await holder.query("commit");
  assert.deepEqual(await migrate(connection, { directory: DIRECTORY }), ALL.slice(2));
  assert.equal(await isValid(client, "companies_by_visits"), true);
});

test("an index that PostgreSQL finishes for a killed program is taken as it is", async () => {
  const { connection, client, holder } = await createFilled();
  await holder.query("begin isolation level repeatable read; select from tenants");
  const program = run(connection);
  await poll("the index", async () => (await isValid(client, "companies_by_visits")) === false);
  program.process.kill("SIGKILL");
  await program.ended;
  const { rows } = await client.query("select 'companies_by_visits'::regclass::oid as id");
  const next = migrate(connection, { directory: DIRECTORY });
  await holder.query("commit");
  assert.deepEqual(await next, ALL.slice(2));
  assert.equal(await isValid(client, "companies_by_visits"), true);
  assert.deepEqual((await client.query("select 'companies_by_visits'::regclass::oid as id")).rows, rows);
});

test("what is done behind all migrations is done by the next start, where this one was killed before", async () => {
  const { connection, client, holder } = await createFilled();
  const directory = migrationsAnd({
    "9999_stays": `create table stays (ended_at timestamptz);
      create index stays_not_ended on stays (ended_at) where ended_at is null;`,
  });
  const known = async () =>
    (await client.query("select null_frac from pg_stats where tablename = 'stays' and attname = 'ended_at'")).rows;
  await holder.query("begin; lock table pg_statistic in exclusive mode");
  await killWhen(connection, client, async () => await isWaiting(client, "call expect_nulls%"), directory);
  await holder.query("commit");
  assert.deepEqual(await known(), []);
  assert.deepEqual(await migrate(connection, { directory }), []);
  assert.deepEqual(await known(), [{ null_frac: 1 }]);
});

async function createFilled() {
  const connection = await createDatabase();
  const [client, holder] = [await clientOf(connection), await clientOf(connection)];
  await client.query("insert into tenants (slug, name) values ('t', 'T')");
  await client.query(
    `insert into companies (tenant_id, name, country) select id, 'A', 'RO' from tenants, generate_series(1, ${ROWS})`,
  );
  return { connection, client, holder };
}

function run(connection: Connection, directory = DIRECTORY) {
  return start([JSON.stringify(connection), directory], {}, "", [], PROGRAM);
}

/** Kills a program that migrates, and what PostgreSQL does for it, once it has come to a point. */
async function killWhen(
  connection: Connection,
  client: pg.Client,
  isThere: () => Promise<boolean>,
  directory?: string,
): Promise<void> {
  const program = run(connection, directory);
  await poll("the point to kill it at", isThere);
  program.process.kill("SIGKILL");
  await program.ended;
  await client.query(
    "select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
  );
}

async function isWaiting(client: pg.Client, statement: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1",
    [statement],
  );
  return rowCount === 1;
}
