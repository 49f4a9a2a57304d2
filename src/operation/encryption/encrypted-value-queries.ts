import type { Ciphertexts } from "../../platform/fields/stored-values.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { selectList, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { EncryptedTable } from "./encrypted-tables.ts";

/** The encrypted columns of one row, as stored. */
export type EncryptedRow = { id: string; ciphertexts: Ciphertexts };

/** Rows scanned per step. Few may be stale: a day of saved answers has millions of rows. */
const SCANNED_PER_STEP = 2_000;
/** Stale rows per step: few, so that their update holds locks for milliseconds only. */
const STALE_PER_STEP = 200;
/** Bytes per step; one row may exceed them. */
const BYTES_PER_STEP = 4 * 1024 * 1024;

/**
 * Rows with a value that was encrypted with another key than the named one. They come by ascending id, in steps of
 * limited size; a step may be empty. Deleted rows are included.
 */
export async function* staleRows(
  tenant: TenantId,
  database: Database,
  table: EncryptedTable,
  keyId: string,
): AsyncGenerator<EncryptedRow[]> {
  const { statement, columnList } = staleStatement(table);
  for (let afterId = "0"; ;) {
    const parameters = [afterId, `${keyId}:`, SCANNED_PER_STEP, STALE_PER_STEP, BYTES_PER_STEP];
    const rows = await database.slow.read(tenant, statement, parameters);
    const found = rows.flatMap((row) => {
      const { id = null, ...ciphertexts } = columnList.read(row);
      return id === null ? [] : [{ id, ciphertexts }];
    });
    const until = found.at(-1)?.id ?? rows[0]?.at(-1) ?? null;
    if (until === null) return;
    yield found;
    afterId = until;
  }
}

function staleStatement({ name, columns }: EncryptedTable) {
  const all = ["id", ...columns];
  const columnList = selectList(Object.fromEntries(all.map((column) => [column, `s.${column}`])));
  const behind = `from ${name} where tenant_id = $1 and id > $2`;
  // Only the beginning of a long value is read.
  const isStale = columns.map((column) => `left(${column}, length($3)) <> $3`).join(" or ");
  const bytes = columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ");
  const statement: Statement = {
    name: `stale_rows_of_${name}`,
    text: `select ${columnList.sql}, w.until from (select max(id) as until from (select id ${behind} order by id limit $4) looked_at) w
      left join lateral (
        select * from (
          select f.*, sum(f.bytes) over (order by f.id) - f.bytes as bytes_before from (
            select ${all.join(", ")}, ${bytes} as bytes ${behind} and id <= w.until and (${isStale}) order by id limit $5
          ) f
        ) found where bytes_before < $6
      ) s on true
      order by s.id`,
  };
  return { statement, columnList };
}

/**
 * Replaces stored values and returns the number of changed rows. A value that was written meanwhile stays. `updated_at`
 * stays too, because clients see no change.
 * @param changes each row before and after; an unchanged value is the same in both
 */
export async function replaceValues(
  tenant: TenantId,
  database: Database,
  { name, columns }: EncryptedTable,
  changes: readonly { before: EncryptedRow; after: Ciphertexts }[],
): Promise<number> {
  const numbered = columns.map((column, index) => ({ column, old: `old${index}`, next: `new${index}`, at: 2 * index }));
  const each = (write: (item: (typeof numbered)[number]) => string, separator = ", ") =>
    numbered.map(write).join(separator);
  const statement: Statement = {
    name: `replace_values_of_${name}`,
    text: `update ${name} t
      set ${each(({ column, old, next }) => `${column} = case when t.${column} = v.${old} then v.${next} else t.${column} end`)}
      from unnest($2::bigint[], ${each(({ at }) => `$${at + 3}::text[], $${at + 4}::text[]`)})
        as v (id, ${each(({ old, next }) => `${old}, ${next}`)})
      where t.tenant_id = $1 and t.id = v.id and t.id = any($2::bigint[])
        and (${each(({ column, old, next }) => `t.${column} = v.${old} and v.${next} <> v.${old}`, " or ")})
      returning t.id`,
  };
  const values = columns.flatMap((column) => [
    changes.map(({ before }) => before.ciphertexts[column] ?? null),
    changes.map(({ after }) => after[column] ?? null),
  ]);
  const ids = changes.map(({ before }) => before.id);
  const [changed] = await database.write(tenant, [{ statement, parameters: [ids, ...values] }]);
  return changed?.length ?? 0;
}
