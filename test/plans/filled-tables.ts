import pg from "pg";
import type { TestServer } from "../harness.ts";

type Column = {
  table_name: string;
  column_name: string;
  type: string;
  is_given: boolean;
  is_nullable: boolean;
  word: string | null;
};

/** Sums and changes of counts: as many as there are writes since the last fold, not as a tenant has rows. */
const FOLDED = new Set([
  "company_count_sums",
  "company_count_changes",
  "company_value_sums",
  "company_value_changes",
  "feed_ticks",
]);

/** All that a tenant has is numbered: the last tick has seen it. */
const tickOfAll = `insert into feed_ticks (tenant_id, tick, position, behind, since, seen, server, is_complete)
  select $1, coalesce(max(position), 0), coalesce(max(position), 0), 0, now(), pg_current_snapshot(),
    (select system_identifier from pg_control_system()), true
  from feed where tenant_id = $1 on conflict do nothing`;

const columnsOfTables = `select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, null) as type,
    a.attname <> 'id' and (a.atthasdef or a.attgenerated <> '') as is_given, not a.attnotnull as is_nullable,
    (select (regexp_match(pg_get_constraintdef(k.oid), '''(\\w+)'''))[1] from pg_constraint k
      where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum] limit 1) as word
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
  order by c.relname, a.attnum`;

/**
 * Fills every table of tenants: rows 1 to `rows`, and the n-th has n as its id, and as every number of its; its texts
 * are `kn`. Without triggers and keys, which would take most of the time.
 */
export async function fillTables(server: TestServer, tenant: string, rows: number): Promise<void> {
  const columns = (await server.sql(columnsOfTables)) as Column[];
  const tables = Map.groupBy(columns, ({ table_name: table }) => table);
  const inserts = [...tables]
    .filter(([table]) => !FOLDED.has(table))
    .map(([table, all]) => {
      const given = all.filter(
        ({ is_given: isGiven, type, is_nullable: isNullable }) => !isGiven && !(isNullable && isLeftOut(type)),
      );
      const names = given.map(({ column_name: name }) => name).join(", ");
      return `insert into ${table} (${names}) select ${given.map((column) => valueOf(column, tenant)).join(", ")} from generate_series(1, ${rows}) g on conflict do nothing`;
    });
  const owner = new pg.Client(server.connection);
  await owner.connect();
  try {
    for (const statement of ["begin", "set local session_replication_role = replica", ...inserts, "commit"]) {
      // One by one: together a cluster refuses them.
      await owner.query(statement);
    }
    await owner.query(tickOfAll, [tenant]);
  } finally {
    await owner.end();
  }
}

/** A moment that something has ended at, and the like. */
function isLeftOut(type: string): boolean {
  return /^(timestamp|date|boolean|json|xid8)/.test(type);
}

function valueOf({ column_name: name, type, word }: Column, tenant: string): string {
  if (name === "tenant_id") return tenant;
  // The first word that its check admits.
  if (word !== null) return `'${word}'`;
  if (type === "bytea") return `decode(md5('${tenant}k' || g), 'hex')`;
  if (type.startsWith("timestamp")) return "now() - g * interval '1 second'";
  if (type === "date") return "current_date - g::integer";
  if (type.endsWith("[]")) return `array[${type === "text[]" ? "'k' || g" : "g"}]`;
  if (type === "boolean") return "false";
  // A level, which its check bounds.
  if (type === "smallint") return "1 + g % 3";
  return type === "text" ? "'k' || g" : "g";
}

/** A parameter of a type that means the seventh row. */
export function parameterOf(type: string, tenant: string, text: string): string {
  if (type.endsWith("[]")) return `array[${parameterOf(type.slice(0, -2), tenant, text)}]::${type}`;
  if (type.startsWith("json")) return `'[${entryOf(text)}]'`;
  if (type === "bytea") return `decode(md5('${tenant}k7'), 'hex')`;
  if (type.startsWith("timestamp")) return "now() - interval '7 seconds'";
  if (type === "date") return "date '2026-01-07'";
  if (type === "boolean") return "false";
  if (type === "interval") return "interval '7 seconds'";
  return /^(text|character varying|unknown)/.test(type) ? "'k7'" : `'7'::${type}`;
}

/** An entry with what the statement reads of one: `as r (id bigint, name text)`. */
function entryOf(text: string): string {
  const columns = /json_to_recordset\([^)]*\) as \w+ \(([^)]*)\)/.exec(text)?.[1] ?? "id bigint, attempt bigint";
  const members = columns.split(",").map((column) => {
    const [name = "", type = ""] = column.trim().split(" ");
    if (/^(bigint|integer|numeric|double)/.test(type)) return [name, 7];
    const word = text.includes(`decode(e.${name}, 'hex')`) ? "07" : "k7";
    return [name, type === "text" ? word : null];
  });
  return JSON.stringify(Object.fromEntries(members));
}
