import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** The fields of columns, by the columns' names. */
export type Mapping = Readonly<Record<string, string>>;

/** Names that are remembered of a kind, and characters of one. */
const MOST_NAMES = 500;
const LONGEST_NAME = 100;

const findStatement: Statement = {
  name: "find_import_mapping",
  text: "select mapping from import_mappings where tenant_id = $1 and kind = $2",
};

/** The columns of files of a kind, as they were mapped last. */
export async function findMapping(tenant: TenantId, database: Database, kind: string): Promise<Mapping> {
  const [row] = await database.quick.read(tenant, findStatement, [kind]);
  return row?.[0] == null ? {} : (JSON.parse(row[0]) as Mapping);
}

const rememberStatement: Statement = {
  name: "remember_import_mapping",
  text: `insert into import_mappings (tenant_id, kind, mapping) values ($1, $2, $3)
  on conflict (tenant_id, kind) do update set mapping = excluded.mapping returning kind`,
};

/** Remembers a mapping, beside what is known. A number that stands where a name should is none, and may be a phone's. */
export async function rememberMapping(
  tenant: TenantId,
  database: Database,
  kind: string,
  mapping: Mapping,
): Promise<void> {
  const all = { ...mapping, ...(await findMapping(tenant, database, kind)), ...mapping };
  const kept = Object.entries(all)
    .filter(([name]) => name !== "" && name.length <= LONGEST_NAME && !/(?:\d\D?){6}/.test(name))
    .slice(0, MOST_NAMES);
  const json = JSON.stringify(Object.fromEntries(kept));
  await database.write(tenant, [{ statement: rememberStatement, parameters: [kind, json] }]);
}
