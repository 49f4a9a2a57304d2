import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
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

/** The call for a user's own views and then everybody's, each by their names (viewOf). */
export const listViews = callsOf<[userId: string]>(
  "list_views_of_user",
  `select ${columns.sql} from (
    select * from list_views where tenant_id = $1 and user_id = $2 and not is_for_all
    union all select * from list_views where tenant_id = $1 and is_for_all
  ) v order by is_for_all, fold(name) collate "C", id`,
);

export const viewOf = columns.read;

/** A view of a list that a user may change: the user's own, or everybody's if the user is an admin. */
const own = "tenant_id = $1 and id = :id and (user_id = :userId or is_for_all and :isAdmin) and list = :list";

/** A view of a list, and the user who may change it. */
export type OwnView = { list: string; id: string; userId: string; isAdmin: boolean };

/** Null if the user may change no such view. */
export const findView = quickQuery<OwnView>("find_view", `select ${columns.sql} from list_views where ${own}`).first(
  columns.read,
);

/** One view of a workspace is saved at a time, so that the count is true. The lock of its first user ensures it. */
const lock = stepQuery(
  "lock_list_views",
  "select id from users where tenant_id = $1 order by id limit 1 for no key update",
).nothing();

const insert = stepQuery<Omit<View, "id"> & { most: number }>(
  "insert_list_view",
  `insert into list_views (tenant_id, user_id, is_for_all, name, filters, list)
  select $1, :userId, :isForAll, :name, :filters, :list
  where case when :isForAll
    then (select count(*) from list_views where tenant_id = $1 and is_for_all)
    else (select count(*) from list_views where tenant_id = $1 and user_id = :userId and not is_for_all)
  end < :most
  returning id`,
).exists();

/** The unique indexes of names decide. */
const unique = ["list_views_own", "list_views_for_all"].map((name) => uniqueIndex(name, async () => "taken" as const));

/** Adds a view. `full`: the limit is reached. */
export async function insertView(
  tenant: TenantId,
  database: Database,
  view: Omit<View, "id">,
): Promise<"written" | "taken" | "full"> {
  const most = view.isForAll ? MOST_VIEWS.forAll : MOST_VIEWS.forMe;
  return await storeUnique(async () => {
    const isAdded = await database.transaction(tenant, async (run) => {
      await lock(run);
      return await insert(run, { ...view, most });
    });
    return isAdded ? "written" : "full";
  }, unique);
}

const rename = writeQuery<OwnView & { name: string }>(
  "rename_view",
  `update list_views set name = :name where ${own} returning id`,
).exists();

export async function renameView(
  tenant: TenantId,
  database: Database,
  view: OwnView,
  name: string,
): Promise<"written" | "taken" | "missing"> {
  return await storeUnique(async () => {
    return (await rename(tenant, database, { ...view, name })) ? "written" : "missing";
  }, unique);
}

/** Deletes a view, and returns it as it was; null if the user may change no such view. */
export const deleteView = writeQuery<OwnView>(
  "delete_view",
  `delete from list_views where ${own} returning ${columns.sql}`,
).first(columns.read);
