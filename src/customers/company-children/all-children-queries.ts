import { bytesLeftOut, listColumnsOf } from "../../platform/fields/long-texts.ts";
import { fewPage, fewRows, fewText } from "../../platform/http/lists/by-ids.ts";
import { isSearchable, type PageQuery } from "../../platform/http/lists/pagination.ts";
import { isUpdatedSince } from "../../platform/http/lists/since.ts";
import {
  lookedFor,
  NOTHING_BEHIND,
  walked,
  walkText,
  type Position,
  type Walked,
} from "../../platform/http/lists/walk.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { readPage, type ListPage } from "../../platform/postgres/read-page.ts";
import { oneValue, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { childStoredMembers } from "./child-json.ts";
import type { ChildFilters } from "./child-queries.ts";
import type { Child } from "./child.ts";

/** Rows that a page behind a cursor scans: the rows of deleted companies are hidden, and filters leave few. */
const LOOKED_AT = 5_000;
/** The most changes of all types that the updated rows are found by. */
const CHANGES_MAX = 5_000;

/** The limits of a list: its filters, and the ids that it may have; undefined: all. */
export type AllChildrenQuery = ChildFilters & { among: string[] | undefined };

/** The lists of a kind of child of all live companies, in ascending order of id. */
export function allChildrenQueries(child: Child) {
  const statements = statementsOf(child);
  return {
    /** A page with the exact number of all matches. */
    async list(
      tenant: TenantId,
      database: Database,
      { search, since, among }: AllChildrenQuery,
      page: PageQuery,
    ): Promise<ListPage> {
      if (search !== null && !isSearchable(search)) return { rows: [], total: 0 };
      if (among === undefined) return await readPage(database.slow, tenant, statements.all, [since, search], page);
      const parameters = [page.perPage, page.offset, among, since, search];
      return fewPage(await database.slow.read(tenant, statements.few, parameters)) ?? { rows: [], total: 0 };
    },

    async walk(
      tenant: TenantId,
      database: Database,
      { search, since, among }: AllChildrenQuery,
      position: Position,
      perPage: number,
    ): Promise<Walked> {
      if (search !== null && !isSearchable(search)) return NOTHING_BEHIND;
      const parameters = [LOOKED_AT, lookedFor(perPage), ...position, since, search];
      const rows =
        among === undefined
          ? await database.slow.read(tenant, statements.walk, parameters)
          : await database.slow.read(tenant, statements.walkFew, [...parameters, among]);
      return walked(rows, perPage);
    },

    /** The rows that may have been updated since; undefined if the history does not name them (changedCompanies). */
    async changed(tenant: TenantId, database: Database, since: string): Promise<string[] | undefined> {
      const parameters = [since, child.changeType, CHANGES_MAX];
      const ids = oneValue(await database.slow.read(tenant, changedStatement, parameters));
      return ids === null ? undefined : ids.split(",").filter((id) => id !== "");
    },
  };
}

const changedStatement: Statement = {
  name: "children_changed_since",
  text: `with seen as materialized (
    select type, resource_id from changes where tenant_id = $1 and at >= $2::timestamptz order by at, id limit $4
  )
  select case
    when (select at from changes where tenant_id = $1 order by at, id limit 1) <= $2 and (select count(*) from seen) < $4
    then array_to_string(array(select distinct resource_id from seen where type = $3), ',')
  end`,
};

function statementsOf(child: Child) {
  const { table, fields, searched } = child;
  const names = childStoredMembers(child).map(({ name }) => name);
  const columns = `${listColumnsOf(names, fields, "k")}, ${bytesLeftOut(fields, "k")}`;
  // As a sub-select that has one row, each company is looked up by itself.
  const isShown = `k.deleted_at is null
    and (select c.id from companies c where c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null limit 1) is not null`;
  const matches = (since: string, search: string) =>
    `${isUpdatedSince("k", since)} and (${search}::text is null or ${searched
      .map((name) => `fold(k.${name}) like (select search_pattern(${search}))`)
      .join(" or ")})`;
  const walk = (seen: string) =>
    walkText({
      table,
      columns,
      order: "k.id",
      position: ["k.id"],
      seen,
      matches: `${isShown} and ${matches("$5", "$6")}`,
    });
  const read = ["id", "company_id", "deleted_at", "updated_at", ...searched].map((name) => `k.${name}`).join(", ");
  const listed = `k.tenant_id = $1 and ${isShown} and ${matches("$2", "$3")}`;
  return {
    all: {
      count: { name: `count_${table}_of_all`, text: `select count(*) from ${table} k where ${listed}` },
      page: {
        name: `list_${table}_of_all`,
        text: `select ${columns} from ${table} k where ${listed} order by k.id limit $4 offset $5`,
      },
    },
    few: {
      name: `page_few_of_all_${table}`,
      text: fewText({ table, columns, order: "k.id", listed: isShown, matches: matches("$5", "$6") }),
    },
    walk: {
      name: `walk_all_${table}`,
      text: walk(`select ${read} from ${table} k where k.tenant_id = $1 and k.id > $4 order by k.id limit $2`),
    },
    walkFew: {
      name: `walk_few_of_all_${table}`,
      text: walk(
        `select ${read} from ${fewRows(table, "$7", "k.deleted_at is null")} k where k.id > $4 order by k.id limit $2`,
      ),
    },
  };
}
