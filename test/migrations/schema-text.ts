import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";

/** The current schema, for readers: migrations/schema.sql. `npm run schema` writes it. */
export const SCHEMA = path.join(import.meta.dirname, "../../migrations/schema.sql");

const HEAD = `-- The current schema, which \`npm run schema\` makes from the catalogue of a new database. Nothing executes
-- this file: the migrations beside it make the schema. The bodies of functions are in functions/; \`keep_history\`
-- generates those that are named after a table.
`;

/** A statement for each object, sorted; a line that begins with spaces belongs to the statement before it. */
const OBJECTS = `
with ours as (
  select c.* from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname <> 'migrations'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
), functions as (
  select p.*, p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
), grants as (
  select case relkind when 'S' then 'sequence ' else 'table ' end || relname as object, (aclexplode(relacl)).*, relowner as owner from ours
  union all
  select case prokind when 'p' then 'procedure ' else 'function ' end || name, (aclexplode(proacl)).*, proowner
  from functions where proacl is not null
)
select 1 as part, relname::text as of, '' as name, format(E'create table %I (\\n%s\\n)%s;', relname, (
    select string_agg(format('  %I %s%s%s', attname, format_type(atttypid, atttypmod),
      case when attgenerated <> '' then format(' generated always as (%s) stored', pg_get_expr(adbin, adrelid))
        when adbin is not null then ' default ' || pg_get_expr(adbin, adrelid) else '' end,
      case when attnotnull then ' not null' else '' end)
      || case when attcollation not in (0, typcollation) then ' collate ' || attcollation::regcollation::text else '' end,
      E',\\n' order by attnum)
    from pg_attribute join pg_type t on t.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attrelid = ours.oid and attnum > 0 and not attisdropped
  ), coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '')) as statement
from ours where relkind in ('r', 'p')
union all
select 1, relname, '1 ' || conname, format('alter table %I add constraint %I %s;', relname, conname, pg_get_constraintdef(k.oid))
from pg_constraint k join ours on ours.oid = conrelid where contype <> 'n'
union all
select 1, t.relname, '2 ' || i.relname, pg_get_indexdef(i.oid) || ';'
from pg_index x join ours t on t.oid = indrelid join pg_class i on i.oid = indexrelid
where not exists (select from pg_constraint where conindid = i.oid and contype <> 'f')
union all
select 1, relname, '3 ' || attname, format('comment on column %I.%I is %L;', relname, attname, description)
from pg_description join ours on ours.oid = objoid join pg_attribute on attrelid = objoid and attnum = objsubid
union all
select 1, relname, '4 ' || tgname, pg_get_triggerdef(g.oid) || ';'
  || case tgenabled when 'A' then format(E'\\nalter table %I enable always trigger %I;', relname, tgname) else '' end
from pg_trigger g join ours on ours.oid = tgrelid where not tgisinternal
union all
select 1, relname, '5', format('alter table %I enable row level security;', relname) from ours where relrowsecurity
union all
select 1, tablename, '5 ' || policyname, format('create policy %I on %I as %s for %s to %s%s%s;', policyname, tablename,
  lower(permissive), lower(cmd), array_to_string(roles, ', '), E'\\n  using (' || qual || ')', E'\\n  with check (' || with_check || ')')
from pg_policies where schemaname = 'public'
union all
select 2, relname, '', format(E'create view %I%s as\\n%s', relname,
  coalesce(' with (' || array_to_string(reloptions, ', ') || ')', ''), pg_get_viewdef(oid))
from ours where relkind = 'v'
union all
select 3, name, '', format('%s %s%s language %s%s%s%s%s;',
  case prokind when 'p' then 'procedure' else 'function' end,
  format('%I(%s)', proname, pg_get_function_arguments(functions.oid)),
  coalesce(' returns ' || pg_get_function_result(functions.oid), ''), lanname,
  case provolatile when 'i' then ' immutable' when 's' then ' stable' else '' end,
  case proparallel when 's' then ' parallel safe' else '' end,
  case when prosecdef then ' security definer' else '' end,
  coalesce(E'\\n  set ' || array_to_string(proconfig, E'\\n  set '), ''))
from functions join pg_language l on l.oid = prolang
union all
select 4, object, '', format('grant %s on %s to %s;', string_agg(lower(privilege_type), ', ' order by privilege_type), object,
  case grantee when 0 then 'public' else grantee::regrole::text end)
from grants where grantee <> owner group by object, grantee`;

export async function schemaText(connection: Connection): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    // An expression of the catalogue names the schema only if the path does not find it.
    await client.query("set search_path = public");
    const { rows } = await client.query<{ of: string; part: number; statement: string }>({
      text: `select * from (${OBJECTS}) object
        order by part, "of" collate "C", name collate "C", statement collate "C"`,
    });
    const lines = rows.map(({ of, part, statement }, index) => {
      const isFirst = index === 0 || part !== rows[index - 1]?.part || (part < 3 && of !== rows[index - 1]?.of);
      return `${isFirst ? "\n" : ""}${inLowerCase(statement.trim())}\n`;
    });
    return HEAD + lines.join("");
  } finally {
    await client.end();
  }
}

/** Keywords as in the migrations, and no name of the one schema. Strings stay. */
function inLowerCase(statement: string): string {
  return statement
    .replaceAll("\u001f", String.raw`\x1f`)
    .replaceAll(/'(?:[^']|'')*'|\bpublic\.|\bUSING btree |\b[A-Z]{2,}\b/g, (found) => {
      if (found.startsWith("'")) return found;
      return /[. ]$/.test(found) ? "" : found.toLowerCase();
    });
}

export function readSchema(): string {
  return fs.readFileSync(SCHEMA, "utf8");
}
