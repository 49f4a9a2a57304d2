import { companyListColumns } from "../../customers/companies/company-columns.ts";
import { live } from "../../customers/companies/live-company-queries.ts";
import { isInNeed, isUnderWay, NEWEST_FIRST } from "../../orders/invoices/shown-queries.ts";
import { yearBefore } from "../../platform/dates.ts";
import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement, quickQuery, readNamed, type NamedStatement } from "../../platform/postgres/query.ts";
import { oneValue } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { rarestEntries } from "../../platform/reads/custom-values.ts";
import { allValues, matches } from "../../platform/reads/filters.ts";
import { foundPage } from "../../platform/reads/found.ts";
import type { ListPage } from "../../platform/reads/numbered.ts";
import { ARE_TOO_MANY, firstByTurnover, PLACED, RANKS } from "./by-turnover-queries.ts";
import { filtersBesideOrders, listFilters, listSorts, type ListFilters, type ListSort } from "./list-filters.ts";

/**
 * The source of a page's companies. Each has an index of its own: an order of a kind, a planned call, a search or a
 * city, an owner or a status (or all companies), or the first companies of a sort order.
 */
export type Source = "in_need" | "under_way" | "called" | "found" | "valued" | Narrowed | `by:${ListSort}`;
type Narrowed = "all" | "of_owner" | "of_status" | "of_owner_and_status";

/** `isCut`: there may be more. `isUnsorted`: there are too many invoices for the order, so there are no rows. */
export type Scanned = ListPage & { isCut: boolean; isUnsorted: boolean };

/** A page of the companies among the first `most` entries of `source` that pass the filters. */
export async function scanCompanies(
  tenant: TenantId,
  database: Database,
  { source, most }: { source: Source; most: number },
  filters: ListFilters,
  sort: ListSort,
  { perPage, offset }: PageQuery,
  today: string,
): Promise<Scanned> {
  const days = { today, year_ago: yearBefore(today) };
  const values = { ...allValues(listFilters, filters), ...days, most, sort, limit: perPage, offset };
  const statement = (isByTurnover(sort) ? statementsByTurnover : statements)[source];
  const rows = await readNamed(tenant, database.slow, statement, values);
  const read = oneValue(rows);
  const page = foundPage(rows.map(([, ...row]) => row)) ?? { rows: [], total: 0 };
  return { ...page, isCut: Number(read) >= most, isUnsorted: read === null };
}

const isByTurnover = (sort: ListSort) => sort.endsWith("turnover");

/** The city without case and accents, the last of the search text. The index companies_by_city has it. */
const city = (text: string) => `split_part(${text}, E'\\x1f', -1) collate "C"`;
const OWNER_NAME = `fold(u.name) collate "C"`;

/** At the same place, the ids decide. */
const BY_ID = "case when :sort like '-%' then k.id end desc nulls last, k.id";

/** The values that sort companies `k`, by the name of their order. Owners of the same name are apart. */
const sorted: readonly [name: string, value: string][] = [
  ["name", `k.search_text collate "C"`],
  ["city", `case when k.city is not null then ${city("k.search_text")} end`],
  ["assigned_to", `(select ${OWNER_NAME} from users u where u.tenant_id = $1 and u.id = k.assigned_to)`],
  ["assigned_to", "k.assigned_to"],
  ...["callback_date", "last_contacted_at", "updated_at"].map((column): [string, string] => [column, `k.${column}`]),
];

/** The order `:sort`. Companies without a value are last in both directions. */
const ORDER = `${sorted
  .flatMap(([name, value]) =>
    [name, `-${name}`].map((sort, isDown) => {
      const key = `case when :sort = '${sort}' then ${value} end`;
      return isDown ? `${key} desc nulls last` : key;
    }),
  )
  .join(", ")}, ${BY_ID}`;

/** How a statement sorts its candidates: from their own columns, or by places that are made before. */
const byColumns = {
  before: "",
  candidates: "select distinct id from candidates",
  read: "count(*)",
  order: ORDER,
};
const byTurnover: typeof byColumns = {
  before: `${RANKS}, `,
  candidates: PLACED,
  read: `case when ${ARE_TOO_MANY} then null else count(*) end`,
  order: `case when :sort like '-%' then n.place end, n.place desc, ${BY_ID}`,
};

/**
 * Each company is looked up by itself ("offset 0", 0006), by its id alone. The planner cannot estimate the rows of a
 * source, nor does it know that most companies are live, if the table was never analyzed.
 */
function statement(name: string, source: string, sorted: typeof byColumns): NamedStatement {
  return namedStatement(
    `look_through_companies_${name}`,
    `with ${sorted.before}candidates as materialized (${source}),
  matched as materialized (
    select k.id, row_number() over (order by ${sorted.order}) as place
    from (${sorted.candidates}) n
    cross join lateral (select * from companies where tenant_id = $1 and id = n.id offset 0) k
    where k.deleted_at is null and ${matches(filtersBesideOrders)}
  )
  select (select ${sorted.read} from candidates), (select count(*) from matched), ${companyListColumns("c")}
  from (select 1) one
  left join lateral (select id, place from matched order by place limit :limit offset :offset) page on true
  left join lateral (select * from companies where tenant_id = $1 and id = page.id offset 0) c on true
  order by page.place`,
  );
}

const ofLive = (condition: string, order: string) =>
  `select id from companies where ${live} ${condition} order by ${order} limit :most`;

const narrowed: Readonly<Record<Narrowed, string>> = {
  all: ofLive("", "id"),
  of_owner: ofLive("and assigned_to = :assigned_to", "id"),
  of_status: ofLive("and status = :status", "id"),
  of_owner_and_status: ofLive("and assigned_to = :assigned_to and status = :status", "id"),
};

/**
 * The companies with a value in the column, in its order, then others up to `:most`. Others are needed only if fewer
 * than `:most` have a value, so twice as many ids contain enough of them.
 */
function nullsLast(column: string, direction: string, value = column): string {
  const dated = ofLive(`and ${column} is not null`, `${value} ${direction}, id ${direction}`);
  return `with dated as materialized (${dated})
    select id from dated union all (
      select id from (select id, ${column} from companies where ${live} order by id ${direction} limit 2 * :most) c
      where ${column} is null order by id ${direction} limit :most - (select count(*) from dated)
    )`;
}

/** The companies of each owner by the owners' names, then those without an owner: companies_assigned_to has both. */
function byOwner(direction: string): string {
  return `with owned as materialized (
      select c.id from (select id, ${OWNER_NAME} as name from users u where u.tenant_id = $1 order by 2 ${direction}, 1 ${direction} offset 0) u
      cross join lateral (${ofLive("and assigned_to = u.id", `id ${direction}`)} offset 0) c limit :most
    )
    select id from owned union all (
      select id from companies where ${live} and assigned_to is null
      order by id ${direction} limit :most - (select count(*) from owned)
    )`;
}

/** The companies of the newest or oldest changes. Among the oldest, a company that was changed since is left out. */
function byChange(direction: string): string {
  const changes = `select resource_id, at from changes where tenant_id = $1 and type in ('company', 'connection')
      order by at ${direction}, resource_id ${direction} limit :most`;
  if (direction === "desc") return `select resource_id as id from (${changes}) h`;
  return `select case when c.updated_at <= max(h.at) over () then h.resource_id end as id from (${changes}) h
    cross join lateral (select updated_at from companies where tenant_id = $1 and id = h.resource_id offset 0) c`;
}

const up = (sort: ListSort) => (sort.startsWith("-") ? "desc" : "asc");
const firstOf = (sort: ListSort): string => {
  if (sort.endsWith("name")) return ofLive("", `search_text collate "C" ${up(sort)}, id ${up(sort)}`);
  if (sort.endsWith("updated_at")) return byChange(up(sort));
  if (sort.endsWith("assigned_to")) return byOwner(up(sort));
  if (sort.endsWith("city")) return nullsLast("city", up(sort), city("search_text"));
  if (isByTurnover(sort)) return firstByTurnover(up(sort));
  if (sort.endsWith("id")) return ofLive("", `id ${up(sort)}`);
  return nullsLast(sort.replace("-", ""), up(sort));
};

/** Each field of the search text begins with this separator; the city is one of them. */
const BEGINS = "E'\\x1f' ||";

const sources: Readonly<Record<string, string>> = {
  in_need: `select i.company_id as id from invoices i where i.tenant_id = $1 and ${isInNeed} order by i.wms_needs_at desc limit :most`,
  under_way: `select i.company_id as id from invoices i where i.tenant_id = $1 and ${isUnderWay}
    ${NEWEST_FIRST} limit :most`,
  called: ofLive("and callback_date is not null and callback_date <= :callback::date", "callback_date, id"),
  found: `select id from search_companies(coalesce(:search, ${BEGINS} :city), :status, :assigned_to, :sort like '%name', :sort like '-%', :most, 0) where id is not null`,
  valued: rarestEntries("company"),
  ...narrowed,
};

const statementsOf = (sorts: readonly ListSort[], end: string, sorted: typeof byColumns) =>
  Object.fromEntries([
    ...Object.entries(sources).map(([name, source]) => [name, statement(`${name}${end}`, source, sorted)]),
    ...sorts.map((sort) => [`by:${sort}`, statement(`by_${sort}`, firstOf(sort), sorted)]),
  ]) as Readonly<Record<Source, NamedStatement>>;

const statements = statementsOf(
  listSorts.filter((sort) => !isByTurnover(sort)),
  "",
  byColumns,
);
const statementsByTurnover = statementsOf(listSorts.filter(isByTurnover), "_by_turnover", byTurnover);

/** The last contact with each company, by its id. */
export const lastContacted = quickQuery<[ids: string[]]>(
  "companies_last_contacted",
  "select id, last_contacted_at from companies where tenant_id = $1 and id = any($2::bigint[])",
).of((rows) => new Map(rows.map(([id, at]) => [String(id), at ?? null])));
