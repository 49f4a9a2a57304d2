import pg from "pg";
import { requestSettings } from "../../src/platform/postgres/request-settings.ts";
import type { TestServer } from "../harness.ts";
import type { MadeStatement } from "./collected-statements.ts";
import { parameterOf } from "./filled-tables.ts";

/**
 * What one execution of a statement read, in every table and index: those of its functions, triggers and foreign keys
 * too.
 */
export type Reads = { tenant: string; mode: string; rows: number; pages: number };

/** @param parameters those behind the tenant, as SQL; without them those of the seventh row */
type ReadsOf = (
  statement: MadeStatement,
  tenants: readonly string[],
  parameters?: readonly string[],
) => Promise<readonly Reads[]>;

/**
 * Executes statements as requests do, for the seventh row of each tenant, with a plan for it and one for any, and takes
 * back what they wrote.
 */
export async function withReader({ connection }: TestServer, work: (readsOf: ReadsOf) => Promise<void>): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  for (const [name, value] of Object.entries(requestSettings)) await client.query(`set ${name} = '${value}'`);
  await client.query(functions);
  try {
    await work(async (statement, tenants, parameters) => {
      try {
        return await readsOf(client, statement, tenants, parameters);
      } catch (error) {
        throw new Error(`${statement.name} cannot be executed`, { cause: error });
      }
    });
  } finally {
    await client.end();
  }
}

/** All in the database: there are thousands of executions, and each would wait for the client several times. */
const functions = `
create function pg_temp.total_reads() returns bigint[] language sql as $$
  select array[sum(pg_stat_get_xact_tuples_returned(oid)), sum(pg_stat_get_xact_blocks_fetched(oid))]::bigint[]
  from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')
$$;
create function pg_temp.reads_of(execution text, tenant text, mode text, out rows int, out pages int, out failure text)
language plpgsql as $$
declare
  before bigint[];
  after bigint[];
  role text;
begin
  perform set_config('app.tenant_id', tenant, true), set_config('plan_cache_mode', mode, true);
  -- Some are the owner's.
  foreach role in array array['liaison_app', 'none'] loop
    before := pg_temp.total_reads();
    begin
      perform set_config('role', role, true);
      execute execution;
      raise sqlstate 'TAKEN';
    exception when others then
      failure := nullif(sqlstate, 'TAKEN');
    end;
    exit when failure is distinct from '42501';
  end loop;
  after := pg_temp.total_reads();
  rows := after[1] - before[1];
  pages := after[2] - before[2];
end
$$`;

const parameterTypes = new Map<string, string[]>();

async function readsOf(
  client: pg.Client,
  { text }: MadeStatement,
  tenants: readonly string[],
  parameters: readonly string[] = [],
): Promise<Reads[]> {
  const prepared = `begin; prepare statement as ${text}`;
  if (!parameterTypes.has(text)) {
    const types = "select parameter_types::text[] as types from pg_prepared_statements";
    const { rows } = last(await client.query(`${prepared}; ${types}`));
    parameterTypes.set(text, rows[0]?.types ?? []);
    await client.query("rollback; deallocate all");
  }
  const types = parameterTypes.get(text) ?? [];
  const executions = tenants.flatMap((tenant) => {
    const execution = client.escapeLiteral(executionOf(types, tenant, text, parameters));
    return ["force_custom_plan", "force_generic_plan"].map((mode) => `(${execution}, '${tenant}', '${mode}')`);
  });
  const { rows } = last(
    await client.query(`${prepared};
      select * from (values ${executions.join(", ")}) as e (execution, tenant, mode), pg_temp.reads_of(execution, tenant, mode)`),
  );
  await client.query("rollback; deallocate all");
  for (const { failure, execution } of rows) {
    if (failure !== null && !KNOWN.test(failure)) throw new Error(`${failure} of ${execution}`);
  }
  return rows;
}

/**
 * A constraint refuses the row, the attempt at the job is over, a text is no JSON or not hexadecimal: it has read by
 * then.
 */
const KNOWN = /^(23|LN001|22P02|22023)/;

function executionOf(types: readonly string[], tenant: string, text: string, parameters: readonly string[]): string {
  const values = types.map((type, index) => {
    const given = parameters[index - 1];
    if (given !== undefined) return given;
    if (index > 0 || !type.startsWith("bigint")) return parameterOf(type, tenant, text);
    return type === "bigint" ? tenant : `array[${tenant}]::bigint[]`;
  });
  return `execute statement${values.length === 0 ? "" : `(${values.join(", ")})`}`;
}

/** Of several statements at once, what the last one answered. */
function last(results: unknown): pg.QueryResult {
  return (results as pg.QueryResult[]).at(-1) as pg.QueryResult;
}
