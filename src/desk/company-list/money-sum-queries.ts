import type { ColumnSums } from "../../kit/tables/list.ts";
import { debtsOf, soldOf } from "../../orders/invoices/list-figures-queries.ts";
import {
  dueDay,
  isPaidOtherwise,
  isSold,
  isUnpaid,
  leftSql,
  MOST_CURRENCIES,
  restSql,
} from "../../orders/invoices/money-queries.ts";
import { NEWEST_FIRST } from "../../orders/invoices/shown-queries.ts";
import { yearBefore } from "../../platform/dates.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement, readNamed, type NamedStatement, type NamedValues } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { activeIn, allValues, matches } from "../../platform/reads/filters.ts";
import { listFilters, type ListFilters } from "./list-filters.ts";
import type { Scanned } from "./looked-through-queries.ts";

/** The most invoices that are summed up for the companies that a filter leaves. */
const MOST_NARROWED = 10_000;

const positive = (rest: string) => `case when ${rest} > 0 then ${rest} end`;

/**
 * The columns of money, and the invoices that each sums up, read from an index alone: those of all companies, `most` at
 * most, and those of one. The list shows both columns by itself.
 */
const amounts = {
  turnover: {
    most: 50_000,
    all: `select i.company_id, i.currency, i.total as amount from invoices i where i.tenant_id = $1 and ${isSold}
      and i.issued_on > :year_ago::date and i.issued_on <= :today::date ${NEWEST_FIRST} limit :most`,
    of: soldOf("c.id", ":year_ago", ":today"),
  },
  owed: {
    most: 10_000,
    all: `(select i.company_id, i.currency, ${positive(leftSql)} as amount from invoices i
        where i.tenant_id = $1 and ${isUnpaid} order by ${dueDay}, i.id limit :most)
      union all (select i.company_id, i.currency, ${positive(restSql)} from invoices i
        where i.tenant_id = $1 and ${isPaidOtherwise} limit :most)`,
    of: debtsOf("c.id"),
  },
};
type SummedColumn = keyof typeof amounts;
const summedColumns = Object.keys(amounts) as SummedColumn[];

const byCurrency = (isMore: string) => `b.currency, sum(b.amount), ${isMore}`;
const MOST_FIRST = `group by b.currency order by sum(b.n) desc, b.currency limit ${MOST_CURRENCIES}`;
const CURRENCY = `coalesce(i.currency, '') collate "C"`;
/** The sums of the invoices, and how many were read. */
const added = (all: string, key = "") =>
  `select ${key} ${CURRENCY} as currency, sum(i.amount) as amount, count(i.amount) as n, sum(count(*)) over () as read
    from (${all}) i group by ${key} ${CURRENCY}`;
const IS_CUT = "max(b.read) >= :most";

const statementsOf = (column: SummedColumn): Record<"all" | "narrowed" | "listed", NamedStatement> => {
  const { all, of } = amounts[column];
  return {
    all: namedStatement(
      `sum_${column}_of_all_companies`,
      `select ${byCurrency(IS_CUT)} from (${added(all)}) b where b.n > 0 ${MOST_FIRST}`,
    ),
    // Each company is looked up by itself, so that no filter reads all of them.
    narrowed: namedStatement(
      `sum_${column}_of_narrowed_companies`,
      `with by_company as materialized (${added(all, "i.company_id,")})
      select ${byCurrency(IS_CUT)} from by_company b cross join lateral (
        select from companies k
        where k.tenant_id = $1 and k.id = b.company_id and k.deleted_at is null and ${matches(listFilters)} offset 0
      ) k where b.n > 0 ${MOST_FIRST}`,
    ),
    listed: namedStatement(
      `sum_${column}_of_listed_companies`,
      `select ${byCurrency("bool_or(b.is_cut)")} from (
        select coalesce(y.currency, '') as currency, y.amount, y.is_cut, 1 as n from unnest(:ids::bigint[]) c (id) cross join lateral (${of}) y
        where y.amount is not null
      ) b ${MOST_FIRST}`,
    ),
  };
};

const statements = Object.fromEntries(summedColumns.map((column) => [column, statementsOf(column)])) as Record<
  SummedColumn,
  ReturnType<typeof statementsOf>
>;

/** The sums of a column, of all companies that match. @param ids of all of them, if a page has them */
async function sumMoney(
  tenant: TenantId,
  database: Database,
  column: SummedColumn,
  { filters, ids, today }: { filters: ListFilters; ids: string[] | null; today: string },
): Promise<ColumnSums> {
  const { all, narrowed, listed } = statements[column];
  const year_ago = yearBefore(today);
  const read = async (statement: NamedStatement, values: NamedValues) =>
    await readNamed(tenant, database.slow, statement, { today, year_ago, ...values });
  const rows =
    ids !== null
      ? await read(listed, { ids })
      : activeIn(listFilters, filters).length === 0
        ? await read(all, { most: amounts[column].most })
        : await read(narrowed, { ...allValues(listFilters, filters), most: MOST_NARROWED });
  return {
    column,
    isMore: rows.some(([, , isMore]) => isMore === "t"),
    amounts: rows.map(([currency, sum]) => ({ amount: String(sum), currency: String(currency) })),
  };
}

/** The sums of the shown columns of money. What is typed into the search shall not wait for those of several pages. */
export async function sumShown(
  tenant: TenantId,
  database: Database,
  shown: ReadonlySet<string>,
  {
    filters,
    ids,
    listed: { total, isCut },
    today,
  }: { filters: ListFilters; ids: string[]; listed: Scanned; today: string },
): Promise<ColumnSums[]> {
  const areAll = !isCut && total === ids.length;
  if (ids.length === 0 || (!areAll && filters.search != null)) return [];
  const of = { filters, ids: areAll ? ids : null, today };
  const columns = summedColumns.filter((column) => shown.has(column));
  return await Promise.all(columns.map(async (column) => await sumMoney(tenant, database, column, of)));
}
