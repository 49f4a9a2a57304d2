import { companyListColumns } from "../../customers/companies/company-columns.ts";
import { foundPage } from "../../customers/companies/company-list-queries.ts";
import { live } from "../../customers/companies/live-company-queries.ts";
import { isInNeed, isUnderWay } from "../../orders/invoices/shown-queries.ts";
import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ListPage } from "../../platform/postgres/read-page.ts";
import { oneValue, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { conditions } from "./conditions.ts";
import { listSorts, type ListFilters, type ListSort } from "./list-filters.ts";

/**
 * The source of a page's companies. Each has an index of its own: an order of a kind, a planned call, a search or a
 * city, an owner or a status (or all companies), or the first companies of a sort order.
 */
export type Source = "in_need" | "under_way" | "called" | "found" | Narrowed | `by:${ListSort}`;
type Narrowed = "all" | "of_owner" | "of_status" | "of_owner_and_status";

/**
 * A page of the companies among the first `most` entries of `source` that pass the filters. `isCut`: there may be more.
 */
export async function scanCompanies(
  tenant: TenantId,
  database: Database,
  { source, most }: { source: Source; most: number },
  filters: ListFilters,
  sort: ListSort,
  { perPage, offset }: PageQuery,
): Promise<ListPage & { isCut: boolean }> {
  const { search, status, assignedTo, city, calledUntil, orders } = filters;
  const parameters = [most, search, status, assignedTo, city, calledUntil, orders, sort, perPage, offset];
  const rows = await database.slow.read(tenant, statements[source], parameters);
  const isCut = Number(oneValue(rows)) >= most;
  return { ...foundPage(rows.map(([, ...row]) => row)), isCut };
}

/** $9: the sort order. Companies without a value are last in both directions. */
const ORDER = `case when $9 = 'name' then c.search_text end collate "C", case when $9 = '-name' then c.search_text end collate "C" desc nulls last,
      case when $9 = 'callback_date' then c.callback_date end, case when $9 = '-callback_date' then c.callback_date end desc nulls last,
      case when $9 = 'last_contacted_at' then c.last_contacted_at end, case when $9 = '-last_contacted_at' then c.last_contacted_at end desc nulls last,
      case when $9 = 'updated_at' then c.updated_at end, case when $9 = '-updated_at' then c.updated_at end desc nulls last,
      case when $9 like '-%' then c.id end desc nulls last, c.id`;

/**
 * Each company is looked up by itself ("offset 0", 0006), by its id alone. The planner cannot estimate the rows of a
 * source, nor does it know that most companies are live, if the table was never analyzed.
 */
function statement(name: string, source: string): Statement {
  return {
    name: `look_through_companies_${name}`,
    text: `with candidates as materialized (${source}),
  matched as materialized (
    select c.id, row_number() over (order by ${ORDER}) as place
    from (select distinct id from candidates) n
    cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) c
    where c.deleted_at is null and ${conditions("c", 3)}
  )
  select (select count(*) from candidates), (select count(*) from matched), ${companyListColumns("c")}
  from (select 1) one
  left join lateral (select id, place from matched order by place limit $10 offset $11) page on true
  left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
  order by page.place`,
  };
}

const ofLive = (condition: string, order: string) =>
  `select id from companies where ${live} ${condition} order by ${order} limit $2`;

const narrowed: Readonly<Record<Narrowed, string>> = {
  all: ofLive("", "id"),
  of_owner: ofLive("and assigned_to = $5", "id"),
  of_status: ofLive("and status = $4", "id"),
  of_owner_and_status: ofLive("and assigned_to = $5 and status = $4", "id"),
};

/**
 * The companies with a value in the column, in its order, then others up to $2. Others are needed only if fewer than $2
 * have a value, so twice as many ids contain enough of them.
 */
function nullsLast(column: string, direction: string): string {
  const dated = ofLive(`and ${column} is not null`, `${column} ${direction}, id ${direction}`);
  return `with dated as materialized (${dated})
    select id from dated union all (
      select id from (select id, ${column} from companies where ${live} order by id ${direction} limit 2 * $2) c
      where ${column} is null order by id ${direction} limit $2 - (select count(*) from dated)
    )`;
}

/** The companies of the newest or oldest changes. Among the oldest, a company that was changed since is left out. */
function byChange(direction: string): string {
  const changes = `select resource_id, at from changes where tenant_id = $1 and type in ('company', 'connection')
      order by at ${direction}, resource_id ${direction} limit $2`;
  if (direction === "desc") return `select resource_id as id from (${changes}) h`;
  return `select case when c.updated_at <= max(h.at) over () then h.resource_id end as id from (${changes}) h
    cross join lateral (select updated_at from companies where tenant_id = $1 and id = h.resource_id offset 0) c`;
}

const up = (sort: ListSort) => (sort.startsWith("-") ? "desc" : "asc");
const firstOf = (sort: ListSort): string => {
  if (sort.endsWith("name")) return ofLive("", `search_text collate "C" ${up(sort)}, id ${up(sort)}`);
  if (sort.endsWith("updated_at")) return byChange(up(sort));
  if (sort.endsWith("id")) return ofLive("", `id ${up(sort)}`);
  return nullsLast(sort.replace("-", ""), up(sort));
};

/** Each field of the search text begins with this separator; the city is one of them. */
const BEGINS = "E'\\x1f' ||";

const sources: Readonly<Record<string, string>> = {
  in_need: `select i.company_id as id from invoices i where i.tenant_id = $1 and ${isInNeed} order by i.wms_needs_at desc limit $2`,
  under_way: `select i.company_id as id from invoices i where i.tenant_id = $1 and ${isUnderWay}
    order by i.issued_on desc nulls last, i.id desc limit $2`,
  called: ofLive("and callback_date is not null and callback_date <= $7::date", "callback_date, id"),
  found: `select id from search_companies(coalesce($3, ${BEGINS} $6), $4, $5, $9 like '%name', $9 like '-%', $2, 0) where id is not null`,
  ...narrowed,
};

const statements: Readonly<Record<Source, Statement>> = Object.fromEntries([
  ...Object.entries(sources).map(([name, source]) => [name, statement(name, source)]),
  ...listSorts.map((sort) => [`by:${sort}`, statement(`by_${sort}`, firstOf(sort))]),
]) as Record<Source, Statement>;

const contactedStatement: Statement = {
  name: "companies_last_contacted",
  text: "select id, last_contacted_at from companies where tenant_id = $1 and id = any($2::bigint[])",
};

/** The last contact with each company, by its id. */
export async function lastContacted(
  tenant: TenantId,
  database: Database,
  ids: string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = ids.length === 0 ? [] : await database.quick.read(tenant, contactedStatement, [ids]);
  return new Map(rows.map(([id, at]) => [String(id), at ?? null]));
}
