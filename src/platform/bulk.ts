import type { FieldTable } from "./fields.ts";
import { columnType, maskOf } from "./sql.ts";
import type { Statement } from "./statement.ts";

/**
 * How many rows of one noun are written and read at once. The statements run in a transaction of the tenant, which is
 * their $1.
 */
export type Bulk = {
  table: string;
  fields: FieldTable;
  /** $2: an array of the new rows as JSON, each with every field (encrypted, defaults filled in) and every extra column. */
  insert: Statement;
  /**
   * For updates of these columns. $2: an array of the changed rows as JSON, each with its id and these columns. $3:
   * their ids. A row that would change nothing is not touched.
   */
  update(columns: readonly string[]): Statement;
  /** What a row is known by, other than its id; null where every row is a new one. */
  key: BulkKey | null;
  /** $2: the id after which to begin. $3: how many. By ascending id: the id, the extra columns, the fields. */
  page: Statement;
};

export type BulkKey = {
  field: string;
  /** The unique index that decides. */
  index: string;
  /** $2: keys as text[]. Locks the rows that have them: the key's place from 1, the id, the encrypted fields. */
  find: Statement;
};

/** A column that is no field: the parent's id. */
export type ExtraColumn = { name: string; type: string };

export function bulkWrites(
  table: string,
  fields: FieldTable,
  extra: readonly ExtraColumn[] = [],
): Pick<Bulk, "table" | "fields" | "insert" | "update"> {
  const types = new Map([
    ...extra.map(({ name, type }) => [name, type] as const),
    ...fields.map((field) => [field.name, columnType(field.kind)] as const),
  ]);
  const names = [...types.keys()];
  // A row is one JSON object, and the batch one parameter: cheaper on both sides than an array per column.
  const recordOf = (columns: readonly string[]) =>
    `json_to_recordset($2) as r (${columns.map((name) => `${name} ${types.get(name) ?? "bigint"}`).join(", ")})`;
  const list = (columns: readonly string[], alias: string) => columns.map((name) => `${alias}.${name}`).join(", ");
  return {
    table,
    fields,
    insert: {
      name: `bulk_insert_${table}`,
      text: `insert into ${table} (tenant_id, ${names.join(", ")})
      select $1::bigint, ${list(names, "r")} from ${recordOf(names)}`,
    },
    // The ids once more as an array: without statistics the planner might join before it looks them up.
    update(columns) {
      return {
        name: `bulk_update_${table}_${maskOf(names, columns)}`,
        text: `update ${table} t set ${columns.map((name) => `${name} = r.${name}`).join(", ")},
          updated_at = clock_timestamp()
        from ${recordOf(["id", ...columns])}
        where t.tenant_id = $1 and t.id = any($3::bigint[]) and t.id = r.id
          and (${list(columns, "t")}) is distinct from (${list(columns, "r")})`,
      };
    },
  };
}

/**
 * Keeps a transaction's bulk statements off sequential scans: a plan is kept, and one that was made while an import
 * began to fill a table would read the whole of it for every batch.
 */
export const planByIndex: Statement = {
  name: "plan_by_index",
  text: "select set_config('enable_seqscan', 'off', true) where $1::bigint is not null",
};
