import type { Database } from "./database.ts";
import type { Statement } from "./statement.ts";

/** Before PostgreSQL 18 only superusers may remove statistics, and on a cluster they are on the nodes. */
const mayClearStatement: Statement = {
  name: "may_clear_statistics",
  text: `select to_regproc('pg_catalog.pg_clear_attribute_stats') is not null and to_regclass('pg_catalog.pg_dist_partition') is null`,
};

/** For the columns of a table, and the expressions in its indexes. */
function clearStatement(table: string): Statement {
  return {
    name: `clear_statistics_of_${table}`,
    text: `select pg_clear_attribute_stats(s.schemaname::text, s.tablename::text, s.attname::text, s.inherited) from pg_stats s
    where s.schemaname = current_schema() and s.tablename in (
      select '${table}' union all select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = '${table}'::regclass
    )`,
  };
}

/**
 * Collects the statistics of a table again, so that they contain no value of a removed row. `analyze` alone does not
 * replace the statistics of an empty table or partial index, so they are cleared first. Its lock delays only vacuums
 * and migrations of the table.
 */
export async function collectStatistics(database: Database, table: string): Promise<void> {
  await database.ownerTransaction(async (run) => {
    const [[mayClear] = []] = await run(mayClearStatement);
    if (mayClear === "t") await run(clearStatement(table));
    await run({ name: "", text: `analyze ${table}` });
    await run({ name: "", text: "call expect_nulls()" });
  });
}
