import { randomBytes } from "node:crypto";
import { after } from "node:test";
import pg from "pg";
import type { Connection } from "../../../src/platform/postgres/database.ts";
import { databaseUrl } from "../../program.ts";

/** A database without anything in it, whose owner is no superuser; gone with the run's cluster. */
export async function createEmptyDatabase(): Promise<{ connection: Connection; url: string; client: pg.Client }> {
  const cluster = JSON.parse(process.env.LIAISON_TEST_CLUSTER ?? "null") as Connection;
  const name = `empty_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ ...cluster, database: "postgres" });
  await admin.connect();
  await admin.query(`create role ${name} login createrole`);
  await admin.query(`grant liaison_app to ${name} with admin option`);
  await admin.query(`create database ${name} owner ${name}`);
  await admin.end();
  const connection = { ...cluster, user: name, database: name };
  return { connection, url: databaseUrl(connection), client: await open(connection) };
}

/** A client that is closed when the test file ends. */
export async function open(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  after(async () => await client.end());
  return client;
}

const TABLES = `select quote_ident(c.relname) as name from pg_class c
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`;
/** A running server writes its requests' counts each minute, even without requests. */
const WRITTEN_BESIDE = "key_requests";
const INDEXES = `select pg_get_indexdef(indexrelid) || ' ' || indisvalid as made from pg_index
  where indrelid = $1::regclass order by 1`;
const SEQUENCES = TABLES.replace("'r'", "'S'");

/** The digest of all rows of each table, with what is generated, its indexes, and where each sequence stands. */
export async function stateOf(client: pg.Client): Promise<Map<string, string>> {
  const state = new Map<string, string>();
  await client.query("set timezone = UTC");
  for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
    const { rows: indexes } = await client.query<{ made: string }>(INDEXES, [name]);
    state.set(`indexes of ${name}`, indexes.map(({ made }) => made).join("\n"));
    if (name === WRITTEN_BESIDE) continue;
    const { rows } = await client.query<{ state: string }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(t::text, ' ' order by t::text collate "C"), '')) as state from ${name} t
       ${name === "settings" ? "where name not in ('calls_held', 'completed_migration', 'database_identity', 'last_backup')" : ""}`,
    );
    state.set(name, String(rows[0]?.state));
  }
  for (const { name } of (await client.query<{ name: string }>(SEQUENCES)).rows) {
    const { rows } = await client.query<{ state: string }>(
      `select last_value || ' ' || is_called as state from ${name}`,
    );
    state.set(name, String(rows[0]?.state));
  }
  return state;
}

/** Whether the database has no table. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  return (await client.query(TABLES)).rows.length === 0;
}

const COUNTED = `select coalesce((select total from company_count_sums where tenant_id = $1 order by generation desc limit 1), 0)
  + coalesce((select sum(n) from company_count_changes where tenant_id = $1 and generation >= coalesce(
      (select oldest from company_count_sums where tenant_id = $1 order by generation desc limit 1), 0)), 0) as n`;
const THERE = "select count(*) as n from companies where tenant_id = $1 and deleted_at is null";
const NOT_CREATED_ONCE = `select c.id from companies c where c.tenant_id = $1 and 1 <> (select count(*) from changes h
  where h.tenant_id = $1 and h.type = 'company' and h.resource_id = c.id and h.action = 'created')`;

/** The tenants whose counted totals are wrong, and the companies without a history of one beginning. */
export async function miscounted(client: pg.Client): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const { id } of (await client.query<{ id: string }>("select id::text from tenants")).rows) {
    const [counted, there] = [await client.query(COUNTED, [id]), await client.query(THERE, [id])];
    if (counted.rows[0].n !== there.rows[0].n) wrong.push([id, counted.rows[0].n, there.rows[0].n]);
    wrong.push(...(await client.query(NOT_CREATED_ONCE, [id])).rows);
  }
  return wrong;
}
