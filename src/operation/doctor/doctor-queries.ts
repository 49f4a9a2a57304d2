import type { Database } from "../../platform/postgres/database.ts";
import { sharedQuery } from "../../platform/postgres/query.ts";
import type { Parameter, Statement } from "../../platform/postgres/statement.ts";

/** A tenant's table has a tenant_id; other tables are shared. */
const tenantTables = `select a.attrelid from pg_attribute a join pg_class c on c.oid = a.attrelid
  where a.attname = 'tenant_id' and not a.attisdropped and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`;

/** The condition of protect_tenant_table, in PostgreSQL's format. */
const OWN_ROWS = "(tenant_id = NULLIF((NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0))";

const openTablesStatement: Statement = {
  name: "find_open_tables",
  text: `select c.oid::regclass::text from pg_class c where c.oid in (${tenantTables}) and (
    not c.relrowsecurity
    or not (select a.attnotnull from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id')
    or not exists (select from pg_policy p where p.polrelid = c.oid)
    or exists (
      select from pg_policy p,
        lateral (select pg_get_expr(p.polqual, p.polrelid) as seen, pg_get_expr(p.polwithcheck, p.polrelid) as written) e
      where p.polrelid = c.oid and (
        p.polpermissive and p.polroles = array['liaison_app'::regrole::oid]
        and case when p.polcmd = 'a' then e.seen is null else e.seen = $1 or starts_with(e.seen, '(' || $1 || ' AND ') end
        and case when p.polcmd in ('r', 'd') then e.written is null else e.written = $1 or starts_with(e.written, '(' || $1 || ' AND ') end
      ) is not true
    )
  ) order by 1`,
};

/**
 * Tables in which requests may see or write other tenants' rows: without row-level security, with a weaker policy than
 * the tenant's own rows, or with a nullable tenant_id. Only for the owner role.
 */
export async function findOpenTables(database: Database): Promise<string[]> {
  return await namesOf(database, openTablesStatement, [OWN_ROWS]);
}

/** The rows of the history that requests may empty, and the emptied rows, in PostgreSQL's format (migrations/0002). */
const OF_PERSON = "(type = ANY (ARRAY['contact'::text, 'planned_call'::text]))";
const CONTACTS_CHANGES = `(${OWN_ROWS} AND ${OF_PERSON})`;
const EMPTIED = `(${OWN_ROWS} AND ${OF_PERSON} AND (changed = '{}'::text))`;

const historyPoliciesStatement: Statement = {
  name: "find_history_policies",
  text: `select polname::text from pg_policy where polrelid = 'changes'::regclass and polcmd not in ('r', 'a') and (
    polcmd = 'w' and pg_get_expr(polqual, polrelid) = $1 and pg_get_expr(polwithcheck, polrelid) = $2
  ) is not true order by 1`,
};

/** Policies that allow requests to do more to the history than empty changes of contacts. Only for the owner role. */
export async function findHistoryPolicies(database: Database): Promise<string[]> {
  return await namesOf(database, historyPoliciesStatement, [CONTACTS_CHANGES, EMPTIED]);
}

const lowKeysStatement: Statement = {
  name: "find_low_keys",
  text: `select name from (
    select 'The index ' || i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid, 1, true) as first
    from pg_index i where i.indisunique and i.indrelid in (${tenantTables})
    union all
    select 'The constraint ' || conname || ' of ' || conrelid::regclass::text,
      (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1])
    from pg_constraint where contype in ('u', 'f', 'x') and conrelid in (${tenantTables})
    union all
    select 'What the constraint ' || conname || ' of ' || conrelid::regclass::text || ' refers to',
      case when confrelid = 'tenants'::regclass then 'tenant_id'
      else (select attname from pg_attribute where attrelid = confrelid and attnum = confkey[1]) end
    from pg_constraint where contype = 'f' and conrelid in (${tenantTables})
  ) k where first is distinct from 'tenant_id' order by 1`,
};

/** Unique indexes and keys of tenants' tables that could collide between two tenants. Only for the owner role. */
export async function findLowKeys(database: Database): Promise<string[]> {
  return await namesOf(database, lowKeysStatement);
}

async function namesOf(database: Database, statement: Statement, parameters: Parameter[] = []): Promise<string[]> {
  const [rows = []] = await database.owner([{ statement, parameters }]);
  return rows.map(([name]) => String(name));
}

/** The database's time, in seconds since the epoch. */
export const readClock = sharedQuery("read_clock", "select extract(epoch from clock_timestamp())").number();

/**
 * PostgreSQL's version, the collation version of its indexes, and the installed collation version; null if it has none.
 */
export const readVersions = sharedQuery(
  "read_versions",
  `select current_setting('server_version'), d.datcollversion, pg_database_collation_actual_version(d.oid)
  from pg_database d where d.datname = current_database()`,
).of(([[postgres = null, collation = null, collationAtHand = null] = []]) => {
  return { postgres: String(postgres), collation, collationAtHand };
});
