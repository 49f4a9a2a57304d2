import pg from "pg";
import { requestSettings } from "../../src/platform/postgres/request-settings.ts";
import type { TestServer } from "../harness.ts";
import type { MadeStatement } from "./collected-statements.ts";
import { parameterOf } from "./filled-tables.ts";

/** What one execution of a statement read, in every table and index: those of its functions, triggers and foreign keys too. */
export type Reads = { rows: number; pages: number };

export type PlanMode = "force_custom_plan" | "force_generic_plan";

/** Executes statements as requests do, for the seventh row of a tenant, and takes back what they wrote. */
export async function withReader<T>(
  { connection }: TestServer,
  work: (readsOf: (statement: MadeStatement, tenant: string, mode: PlanMode) => Promise<Reads>) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  await client.connect();
  for (const [name, value] of Object.entries(requestSettings)) await client.query(`set ${name} = '${value}'`);
  try {
    return await work(async (statement, tenant, mode) => {
      await client.query(`begin; set local plan_cache_mode = ${mode}; set local app.tenant_id = '${tenant}'`);
      try {
        return await readsOf(client, statement, tenant);
      } catch (error) {
        throw new Error(`${statement.name} cannot be executed`, { cause: error });
      } finally {
        await client.query("rollback");
        await client.query("deallocate all");
      }
    });
  } finally {
    await client.end();
  }
}

async function readsOf(client: pg.Client, { text }: MadeStatement, tenant: string): Promise<Reads> {
  await client.query(`prepare statement as ${text}`);
  const { rows } = await client.query<{ types: string[] }>(
    "select parameter_types::text[] as types from pg_prepared_statements",
  );
  const values = (rows[0]?.types ?? []).map((type, index) => {
    if (index > 0 || !type.startsWith("bigint")) return parameterOf(type, tenant, text);
    return type === "bigint" ? tenant : `array[${tenant}]::bigint[]`;
  });
  const execution = `execute statement${values.length === 0 ? "" : `(${values.join(", ")})`}`;
  const before = await totals(client);
  const refused = await attempt(client, "liaison_app", execution);
  // Some are the owner's.
  const failure = refused === INSUFFICIENT_PRIVILEGE ? await attempt(client, "none", execution) : refused;
  if (failure !== null && !KNOWN.test(failure)) throw new Error(`${failure} of ${execution}`);
  const after = await totals(client);
  return { rows: after.rows - before.rows, pages: after.pages - before.pages };
}

const INSUFFICIENT_PRIVILEGE = "42501";
/** A constraint refuses what is written, the attempt at the job is over, a text is no JSON: it has read by then. */
const KNOWN = /^(23|LN001|22P02)/;

async function attempt(client: pg.Client, role: string, execution: string): Promise<string | null> {
  await client.query(`savepoint execution; set local role ${role}`);
  try {
    await client.query(execution);
    return null;
  } catch (error) {
    await client.query("rollback to savepoint execution");
    return String((error as { code?: string }).code);
  } finally {
    await client.query("set local role none");
  }
}

async function totals(client: pg.Client): Promise<Reads> {
  const { rows } = await client.query<Reads>(
    `select sum(pg_stat_get_xact_tuples_returned(oid))::integer as rows, sum(pg_stat_get_xact_blocks_fetched(oid))::integer as pages
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
  );
  return rows[0] ?? { rows: 0, pages: 0 };
}
