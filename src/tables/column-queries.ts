import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

const findStatement: Statement = {
  name: "find_list_columns",
  text: "select array_to_string(columns, ',') from list_columns where tenant_id = $1 and user_id = $2 and list = $3",
};

/** The columns of a list that a user chose; null for the default ones. */
export async function chosenColumns(
  tenant: TenantId,
  database: Database,
  userId: string,
  list: string,
): Promise<string[] | null> {
  const [row] = await database.quick.read(tenant, findStatement, [userId, list]);
  return row === undefined ? null : String(row[0]).split(",");
}

const storeStatement: Statement = {
  name: "keep_list_columns",
  text: `insert into list_columns (tenant_id, user_id, list, columns) values ($1, $2, $3, $4::text[])
  on conflict (tenant_id, user_id, list) do update set columns = excluded.columns`,
};

export async function storeColumns(
  tenant: TenantId,
  database: Database,
  userId: string,
  list: string,
  columns: string[],
): Promise<void> {
  await database.write(tenant, [{ statement: storeStatement, parameters: [userId, list, columns] }]);
}

const forgetStatement: Statement = {
  name: "forget_list_columns",
  text: "delete from list_columns where tenant_id = $1 and user_id = $2 and list = $3",
};

export async function forgetColumns(tenant: TenantId, database: Database, userId: string, list: string): Promise<void> {
  await database.write(tenant, [{ statement: forgetStatement, parameters: [userId, list] }]);
}
