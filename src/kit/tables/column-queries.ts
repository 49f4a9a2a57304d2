import { quickQuery, writeQuery } from "../../platform/postgres/query.ts";

/** The columns of a list that a user chose; null for the default ones. */
export const chosenColumns = quickQuery<[userId: string, list: string]>(
  "chosen_columns",
  "select array_to_string(columns, ',') from list_columns where tenant_id = $1 and user_id = $2 and list = $3",
).of(([row]) => (row === undefined ? null : String(row[0]).split(",")));

export const storeColumns = writeQuery<[userId: string, list: string, columns: string[]]>(
  "store_columns",
  `insert into list_columns (tenant_id, user_id, list, columns) values ($1, $2, $3, $4::text[])
  on conflict (tenant_id, user_id, list) do update set columns = excluded.columns`,
).nothing();

export const forgetColumns = writeQuery<[userId: string, list: string]>(
  "forget_columns",
  "delete from list_columns where tenant_id = $1 and user_id = $2 and list = $3",
).nothing();
