import { bytesLeftOut, listColumnsOf } from "../../platform/fields/long-texts.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import {
  ciphertextsOf,
  columnsOf,
  isExpected,
  ofEntry,
  partialUpdate,
  writtenTypes,
} from "../../platform/fields/sql.ts";
import type { Values } from "../../platform/fields/validation.ts";
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
import { quickQuery, slowQuery, writeQuery } from "../../platform/postgres/query.ts";
import { findListPage, type List, type ListPage } from "../../platform/postgres/read-page.ts";
import type { Call, Row, Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { companyExists } from "../companies/company-queries.ts";
import { insertOfCompany, ofLiveCompany, selectCompany } from "../companies/live-company-queries.ts";
import { childStoredMembers } from "./child-json.ts";
import type { Child } from "./child.ts";

/** Children that a search scans per page behind a cursor: each takes as long as ten rows of other lists. */
const LOOKED_AT = 1_000;

/** The filters of a list: a part of the searched fields, and the time from which the children were updated. */
export type ChildFilters = { search: string | null; since: string | null };

/** The queries of a kind of child. A child of a deleted company counts as missing, so each query checks both rows. */
export function childQueries(child: Child) {
  const statements = childStatements(child);
  const { table } = child;
  const written = [...writtenTypes(child).keys()];
  const ciphertexts = ciphertextsOf(child.fields, "k");
  const names = storedNames(child);
  const columns = columnsOf(names, "k");
  const live = "k.tenant_id = $1 and k.id = $2 and k.deleted_at is null";
  return {
    /** The child's row and its company's name, or null. */
    find: quickQuery<[id: string]>(
      `find_${table}`,
      `select ${columns}, c.name
      from ${table} k join companies c on c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null
      where ${live}`,
    ).row(),

    exists: quickQuery<[id: string]>(
      `exists_${table}`,
      `select 1 from ${table} k where ${live} and ${ofLiveCompany("k")}`,
    ).exists(),

    /** Null for an unknown child. */
    findCiphertexts: quickQuery<[id: string]>(
      `ciphertexts_of_${table}`,
      `select ${ciphertexts.sql} from ${table} k where ${live}`,
    ).first(ciphertexts.read),

    /**
     * One page of a company's children and the number of all matches; null for an unknown company.
     * @param among the ids that the list is limited to; null: it is not
     */
    async list(
      tenant: TenantId,
      database: Database,
      companyId: string,
      { search, since }: ChildFilters,
      page: PageQuery,
      among: string[] | null = null,
    ): Promise<ListPage | null> {
      if (among !== null) {
        const reader = search === null ? database.quick : database.slow;
        const asked =
          search === null || isSearchable(search) ? [among, companyId, since, search] : [[], companyId, null, null];
        return fewPage(await reader.read(tenant, statements.few, [page.perPage, page.offset, ...asked]));
      }
      if (search !== null && !isSearchable(search)) {
        return (await companyExists(tenant, database, companyId)) ? { rows: [], total: 0 } : null;
      }
      // These take longer the more children the company has.
      if (since !== null) {
        return await findListPage(database.slow, tenant, statements.updated, [companyId, since, search], page);
      }
      if (search === null) return await findListPage(database.quick, tenant, statements.all, [companyId], page);
      return await findListPage(database.slow, tenant, statements.matching, [companyId, search], page);
    },

    /** The children of a company behind a position. */
    async walk(
      tenant: TenantId,
      database: Database,
      companyId: string,
      { search, since }: ChildFilters,
      position: Position,
      perPage: number,
      among: string[] | null = null,
    ): Promise<Walked> {
      if (search !== null && !isSearchable(search)) return NOTHING_BEHIND;
      const found = lookedFor(perPage);
      const isFiltered = search !== null || since !== null;
      const parameters = [isFiltered ? LOOKED_AT : found, found, companyId, ...position, since, search];
      const reader = isFiltered ? database.slow : database.quick;
      const rows =
        among === null
          ? await reader.read(tenant, statements.walk, parameters)
          : await reader.read(tenant, statements.walkFew, [...parameters, among]);
      return walked(rows, perPage);
    },

    /** Children of a page with their complete texts. */
    whole: slowQuery<[ids: string[]]>(
      `whole_${table}`,
      // No check for deletion: the page has just read these rows as live.
      `select ${names.map((name) => (name === "deleted_at" ? "null" : `k.${name}`)).join(", ")}
      from ${table} k where k.tenant_id = $1 and k.id = any($2::bigint[])`,
    ).rows(),

    /** Stores a new child of a live company with encrypted values and defaults; null for an unknown company. */
    async insert(tenant: TenantId, database: Database, companyId: string, values: Values): Promise<Row | null> {
      const parameters = [companyId, ...written.map((name) => values[name] ?? null)];
      const [rows] = await database.write(tenant, [{ statement: statements.insert, parameters }]);
      return rows?.[0] ?? null;
    },

    /**
     * Changes the fields in `values` (encrypted); null if the child is unknown, or has none of the expected versions.
     */
    async update(
      tenant: TenantId,
      database: Database,
      id: string,
      values: Values,
      expected: Expected,
    ): Promise<Row | null> {
      const [rows] = await database.write(tenant, [statements.updateOf(id, values, expected)]);
      return rows?.[0] ?? null;
    },

    /** Marks the child as deleted; false if it is unknown, or has none of the expected versions. */
    delete: writeQuery<[id: string, by: string, expected: Expected]>(
      `delete_${table}`,
      `update ${table} k set deleted_at = moment_after(updated_at), updated_at = moment_after(updated_at), changed_by = $3
      where ${live} and ${ofLiveCompany("k")} and ${isExpected("k.updated_at", "$4::timestamptz[]")} returning k.id`,
    ).exists(),

    /** Restores a deleted child of a live company; a live child stays unchanged. Null for an unknown child. */
    restore: writeQuery<[id: string, by: string]>(
      `restore_${table}`,
      `update ${table} k set deleted_at = null,
        updated_at = case when k.deleted_at is null then k.updated_at else moment_after(k.updated_at) end,
        changed_by = case when k.deleted_at is null then k.changed_by else $3 end
      where k.tenant_id = $1 and k.id = $2 and ${ofLiveCompany("k")} returning ${columns}`,
    ).row(),
  };
}

function storedNames(child: Child): string[] {
  return childStoredMembers(child).map(({ name }) => name);
}

function childStatements(child: Child): Record<"walk" | "walkFew" | "few" | "insert", Statement> & {
  updateOf: (id: string, values: Values, expected: Expected) => Call;
  all: List;
  matching: List;
  updated: List;
} {
  const { table, fields, searched } = child;
  const types = writtenTypes(child);
  const names = storedNames(child);
  const columns = columnsOf(names, "k");
  const listColumns = `${listColumnsOf(names, fields, "k")}, ${bytesLeftOut(fields, "k")}`;
  const named = (name: string, text: string): Statement => ({ name: `${name}_${table}`, text });
  // As a sub-select, the pattern is computed once. In a generic plan it would be computed for each field of each row.
  const matches = (search: string) =>
    searched.map((name) => `fold(k.${name}) like (select search_pattern(${search}))`).join(" or ");
  const position = child.position.map((_, index) => `$${index + 5}`);
  const [walkSince, walkSearch] = [`$${position.length + 5}`, `$${position.length + 6}`];
  const walkMatches = `${isUpdatedSince("k", walkSince)} and (${walkSearch}::text is null or ${matches(walkSearch)})`;

  function list(name: string, condition: string, next: number): List {
    const ofCompany = `k.tenant_id = $1 and k.company_id = $2 and k.deleted_at is null${condition}`;
    return {
      count: named(`count_${name}`, selectCompany(`(select count(*) from ${table} k where ${ofCompany})`)),
      page: named(
        `list_${name}`,
        `select ${listColumns} from ${table} k where ${ofCompany} order by ${child.order} limit $${next} offset $${next + 1}`,
      ),
    };
  }

  return {
    walk: named(
      "walk",
      walkText({
        table,
        columns: listColumns,
        order: child.order,
        position: child.position.map(({ sql }) => sql),
        seen: `select k.* from ${table}_behind($4, ${position.join(", ")}, $2) behind
          cross join lateral (select k.* from ${table} k where k.tenant_id = $1 and k.id = behind.id limit 1) k`,
        matches: walkMatches,
      }),
    ),
    walkFew: named(
      "walk_few",
      walkText({
        table,
        columns: listColumns,
        order: child.order,
        position: child.position.map(({ sql }) => sql),
        seen: `select k.* from ${fewRows(table, `$${position.length + 7}`, "k.company_id = $4 and k.deleted_at is null")} k
          where ${behindPosition(child.position)} order by ${child.order} limit $2`,
        matches: walkMatches,
      }),
    ),
    few: named(
      "page_few",
      fewText({
        table,
        columns: listColumns,
        order: child.order,
        listed: "k.company_id = $5 and k.deleted_at is null",
        matches: `${isUpdatedSince("k", "$6")} and ($7::text is null or ${matches("$7")})`,
        parent: "select from companies c where c.tenant_id = $1 and c.id = $5 and c.deleted_at is null",
      }),
    ),
    all: list("all", "", 3),
    matching: list("matching", ` and (${matches("$3")})`, 4),
    updated: list("updated", ` and k.updated_at >= $3 and ($4::text is null or ${matches("$4")})`, 5),
    insert: named("insert", `${insertOfCompany(table, "k", types)} returning ${columns}`),
    updateOf: partialUpdate(
      `update_${table}`,
      child,
      (assignments, entries) => `update ${table} t set ${assignments} from ${entries}
      where t.tenant_id = $1 and ${ofEntry()} and t.deleted_at is null and ${ofLiveCompany("t")}
      returning ${columnsOf(names, "t")}`,
    ),
  };
}

/** A condition: the row is behind the position whose values begin at $5. */
function behindPosition([part, ...others]: Child["position"], next = 5): string {
  if (part === undefined) return "false";
  const { sql, isDescending } = part;
  const isBehind = `${sql} ${isDescending ? "<" : ">"} $${next}`;
  return others.length === 0
    ? isBehind
    : `(${isBehind} or (${sql} = $${next} and ${behindPosition(others, next + 1)}))`;
}
