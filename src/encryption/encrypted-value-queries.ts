import type { Ciphertexts } from "../platform/fields/stored-values.ts";
import type { Database } from "../platform/postgres/database.ts";
import { selectList, type Parameter, type Row, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { EncryptedTable } from "./encrypted-tables.ts";

/** The encrypted columns of one row, as they are stored; `kind` where they are copies. */
export type EncryptedRow = { id: string; kind: string | null; ciphertexts: Ciphertexts };

/**
 * Up to `limit` rows with a value that another encryption key than the named one encrypted, or with a phone that has no
 * digests, by ascending id after `afterId`. Deleted rows are among them.
 */
export async function staleRows(
  tenant: TenantId | "",
  database: Database,
  { name, columns, phones = [], copiedFrom }: EncryptedTable,
  keyId: string,
  afterId: string,
  limit: number,
): Promise<EncryptedRow[]> {
  const columnList = selectList<string>({
    id: "id",
    kind: copiedFrom === undefined ? "null" : "kind",
    ...Object.fromEntries(columns.map((column) => [column, column])),
  });
  const stale = [
    ...columns.map((column) => `not starts_with(${column}, $3)`),
    ...phones.map((column) => `split_part(${column}, '=', 2) = ''`),
  ].join(" or ");
  const statement: Statement = {
    name: `stale_rows_of_${name}`,
    text: `select ${columnList.sql} from ${name} where ${ownedBy(tenant)} and id > $2 and (${stale})
      order by id limit $4`,
  };
  const parameters = [afterId, `${keyId}:`, limit];
  const rows =
    tenant === ""
      ? await asOwner(database, statement, parameters)
      : await database.slow.read(tenant, statement, parameters);
  return rows.map((row) => {
    const { id, kind = null, ...ciphertexts } = columnList.read(row);
    return { id: String(id), kind, ciphertexts };
  });
}

/** Up to `limit` rows with an encrypted value, likewise: no value is under the key without a name. */
export async function encryptedRows(
  tenant: TenantId | "",
  database: Database,
  table: EncryptedTable,
  afterId: string,
  limit: number,
): Promise<EncryptedRow[]> {
  return await staleRows(tenant, database, table, "", afterId, limit);
}

/**
 * Replaces stored values and returns how many rows that changed. A value that was written in the meantime is left as
 * it is; `updated_at` too, because nothing that a client sees changes.
 * @param changes each row before and after; a value that is to stay is the same in both
 */
export async function replaceValues(
  tenant: TenantId | "",
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
      where ${ownedBy(tenant, "t.")} and t.id = v.id
        and (${each(({ column, old, next }) => `t.${column} = v.${old} and v.${next} <> v.${old}`, " or ")})
      returning t.id`,
  };
  const values = columns.flatMap((column) => [
    changes.map(({ before }) => before.ciphertexts[column] ?? null),
    changes.map(({ after }) => after[column] ?? null),
  ]);
  const ids = changes.map(({ before }) => before.id);
  const parameters = [ids, ...values];
  if (tenant === "") return (await asOwner(database, statement, parameters)).length;
  const [changed] = await database.write(tenant, [{ statement, parameters }]);
  return changed?.length ?? 0;
}

/** The condition on $1, which is a tenant, or "" for the rows of a table that has none. */
function ownedBy(tenant: TenantId | "", alias = ""): string {
  return tenant === "" ? "$1 = ''" : `${alias}tenant_id = $1`;
}

async function asOwner(database: Database, statement: Statement, parameters: Parameter[]): Promise<Row[]> {
  const [rows] = await database.owner([{ statement, parameters: ["", ...parameters] }]);
  return rows ?? [];
}
