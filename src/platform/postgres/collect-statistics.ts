import type { Database } from "./database.ts";
import { runAll, stepQuery } from "./query.ts";
import type { Call } from "./statement.ts";

/** Before PostgreSQL 18 only superusers may remove statistics, and on a cluster they are on the nodes. */
const mayClear = stepQuery(
  "may_clear_statistics",
  `select to_regproc('pg_catalog.pg_clear_attribute_stats') is not null and to_regclass('pg_catalog.pg_dist_partition') is null`,
).value();

/** Clears those of the columns of a table, and of the expressions in its indexes. */
function clearingStatistics(table: string): Call {
  const text = `select pg_clear_attribute_stats(s.schemaname::text, s.tablename::text, s.attname::text, s.inherited) from pg_stats s
    where s.schemaname = current_schema() and s.tablename in (
      select '${table}' union all select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = '${table}'::regclass
    )`;
  return { statement: { name: `clear_statistics_of_${table}`, text }, parameters: [] };
}

/** Such a command is never prepared. */
const command = (text: string): Call => ({ statement: { name: "", text }, parameters: [] });

/**
 * Collects the statistics of a table again, so that they contain no value of a removed row. `analyze` alone does not
 * replace the statistics of an empty table or partial index, so they are cleared first. Its lock delays only vacuums
 * and migrations of the table.
 */
export async function collectStatistics(database: Database, table: string): Promise<void> {
  await database.ownerTransaction(async (run) => {
    if ((await mayClear(run)) === "t") await run(clearingStatistics(table));
    await runAll(run, [command(`analyze ${table}`), command("call expect_nulls()")]);
  });
}
