import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** Fields by column name. */
export type Mapping = Readonly<Record<string, string>>;

/** Remembered names per kind, and the maximum characters of one. */
const MOST_NAMES = 500;
const LONGEST_NAME = 100;

const findStatement: Statement = {
  name: "find_import_mapping",
  text: "select mapping from import_mappings where tenant_id = $1 and kind = $2",
};

/** The latest mapping of the columns of a kind's files. */
export async function findMapping(tenant: TenantId, database: Database, kind: string): Promise<Mapping> {
  const [row] = await database.quick.read(tenant, findStatement, [kind]);
  return row?.[0] == null ? {} : (JSON.parse(row[0]) as Mapping);
}

const rememberStatement: Statement = {
  name: "remember_import_mapping",
  text: `insert into import_mappings (tenant_id, kind, mapping) values ($1, $2, $3)
  on conflict (tenant_id, kind) do update set mapping = excluded.mapping returning kind`,
};

/** Adds a mapping to the remembered ones. A column name with six digits is left out: it may be a phone number. */
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
