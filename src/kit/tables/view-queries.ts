import type { Database } from "../../platform/postgres/database.ts";
import { column, selectList, type Call, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import { storeUnique, uniqueIndex } from "../../platform/postgres/taken.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The most views of one user, and of a workspace. */
export const MOST_VIEWS = { forMe: 20, forAll: 50 };

const columns = selectList({
  id: column.text("id"),
  /** By whom it was made. */
  userId: column.text("user_id"),
  isForAll: column.flag("is_for_all"),
  /** The name of its list, the first part of its address. */
  list: column.text("list"),
  name: column.text("name"),
  /** The query string of its list (filtersText). */
  filters: column.text("filters"),
});

export type View = Selected<typeof columns>;

const listStatement: Statement = {
  name: "list_views_of_user",
  text: `select ${columns.sql} from (
    select * from list_views where tenant_id = $1 and user_id = $2 and not is_for_all
    union all select * from list_views where tenant_id = $1 and is_for_all
  ) v order by is_for_all, fold(name) collate "C", id`,
};

/** The call for a user's own views and then everybody's, each by their names (viewOf). */
export function listViews(userId: string): Call {
  return { statement: listStatement, parameters: [userId] };
}

export const viewOf = columns.read;

/** The view $2 of the list $5, of the user $3; everybody's if $4 says that the user is an admin. */
const own = "tenant_id = $1 and id = $2 and (user_id = $3 or is_for_all and $4) and list = $5";

/** A user who may change some views. */
export type Changer = { id: string; isAdmin: boolean };

const findStatement: Statement = {
  name: "find_view",
  text: `select ${columns.sql} from list_views where ${own}`,
};

/** A view that a user may change; null if there is none. */
export async function findView(
  tenant: TenantId,
  database: Database,
  list: string,
  id: string,
  { id: userId, isAdmin }: Changer,
): Promise<View | null> {
  return columns.first(await database.quick.read(tenant, findStatement, [id, userId, isAdmin, list]));
}

/** One view of a workspace is saved at a time, so that the count is true. The lock of its first user ensures it. */
const lockStatement: Statement = {
  name: "lock_list_views",
  text: "select id from users where tenant_id = $1 order by id limit 1 for no key update",
};

const insertStatement: Statement = {
  name: "insert_list_view",
  text: `insert into list_views (tenant_id, user_id, is_for_all, name, filters, list)
  select $1, $2, $3, $4, $5, $7
  where case when $3
    then (select count(*) from list_views where tenant_id = $1 and is_for_all)
    else (select count(*) from list_views where tenant_id = $1 and user_id = $2 and not is_for_all)
  end < $6
  returning id`,
};

/** The unique indexes of names decide. */
const unique = ["list_views_own", "list_views_for_all"].map((name) => uniqueIndex(name, async () => "taken" as const));

/** Adds a view. `full`: the limit is reached. */
export async function insertView(
  tenant: TenantId,
  database: Database,
  { list, userId, isForAll, name, filters }: Omit<View, "id">,
): Promise<"written" | "taken" | "full"> {
  const most = isForAll ? MOST_VIEWS.forAll : MOST_VIEWS.forMe;
  return await storeUnique(async () => {
    const added = await database.transaction(tenant, async (run) => {
      await run(lockStatement);
      return await run(insertStatement, [userId, isForAll, name, filters, most, list]);
    });
    return added.length === 0 ? "full" : "written";
  }, unique);
}

const renameStatement: Statement = {
  name: "rename_view",
  text: `update list_views set name = $6 where ${own} returning id`,
};

export async function renameView(
  tenant: TenantId,
  database: Database,
  list: string,
  id: string,
  { id: userId, isAdmin }: Changer,
  name: string,
): Promise<"written" | "taken" | "missing"> {
  return await storeUnique(async () => {
    const call = { statement: renameStatement, parameters: [id, userId, isAdmin, list, name] };
    const [rows = []] = await database.write(tenant, [call]);
    return rows.length === 0 ? "missing" : "written";
  }, unique);
}

const deleteStatement: Statement = {
  name: "delete_view",
  text: `delete from list_views where ${own} returning ${columns.sql}`,
};

/** Deletes a view, and answers it as it was; null if there is none. */
export async function deleteView(
  tenant: TenantId,
  database: Database,
  list: string,
  id: string,
  { id: userId, isAdmin }: Changer,
): Promise<View | null> {
  const [rows] = await database.write(tenant, [
    { statement: deleteStatement, parameters: [id, userId, isAdmin, list] },
  ]);
  return columns.first(rows);
}
