import type { Database } from "../../platform/postgres/database.ts";
import { slowQuery } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { customFilter } from "../../platform/reads/custom-values.ts";
import { type ReadFilters, searching, searchingWords, updatedSince } from "../../platform/reads/filters.ts";
import { byId } from "../../platform/reads/order.ts";
import { listReads } from "../../platform/reads/reads.ts";
import { companyParent } from "../companies/live-company-queries.ts";
import { childStoredMembers } from "./child-json.ts";
import type { Child } from "./child.ts";

/** The lists of a kind of child: those of a company, and those of all live companies. */
export function childReads(child: Child) {
  const { table, fields, order, searched, exact, hasCustom } = child;
  const isLive = "k.deleted_at is null";
  const common = {
    table,
    members: childStoredMembers(child),
    fields,
    filters: {
      search: searching(...searched.map((name) => `fold(k.${name})`)),
      updated_since: updatedSince,
      ...(hasCustom && { custom: customFilter }),
    } as ReadFilters,
    exact,
  };
  const forPeople: ReadFilters = { words: searchingWords(...searched.map((name) => `k.${name}`)) };
  return {
    ofCompany: listReads({
      ...common,
      filters: { ...common.filters, ...forPeople },
      name: table,
      parent: companyParent,
      live: isLive,
      orders: { place: order },
      behind: `${table}_behind`,
      // Each row that a search scans takes as long as ten rows of other lists.
      scanned: 1_000,
    }),
    ofAll: listReads({
      ...common,
      name: `${table}_of_all`,
      ...(hasCustom && { values: child.changeType }),
      // As a sub-select that has one row, each company is looked up by itself.
      shown: `${isLive}
    and (select c.id from companies c where c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null limit 1) is not null`,
      orders: { id: byId },
      scanned: 5_000,
    }),
  };
}

/** The most changes of all types that the updated rows are found by. */
const CHANGES_MAX = 5_000;

const changedStatement = slowQuery<[since: string, type: string, most: number]>(
  "children_changed_since",
  `with seen as materialized (
    select type, resource_id from changes where tenant_id = $1 and at >= $2::timestamptz order by at, id limit $4
  )
  select case
    when (select at from changes where tenant_id = $1 order by at, id limit 1) <= $2 and (select count(*) from seen) < $4
    then array_to_string(array(select distinct resource_id from seen where type = $3), ',')
  end`,
).value();

/** The children that may have been updated since; undefined if the history does not name them all. */
export async function changedChildren(
  tenant: TenantId,
  database: Database,
  { changeType }: Child,
  since: string,
): Promise<string[] | undefined> {
  const ids = await changedStatement(tenant, database, since, changeType, CHANGES_MAX);
  return ids === null ? undefined : ids.split(",").filter((id) => id !== "");
}
