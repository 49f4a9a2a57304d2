import { THOUSANDTHS, WHOLE } from "../../kit/web/assets/numbers.js";
import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement, readNamed, type NamedStatement } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { isSold, MOST_CURRENCIES } from "../invoices/money-queries.ts";
import type { ReportFilters } from "./report-filters.ts";
import { columnDays, type Period } from "./sales-period.ts";
import { groups, IN_PERIOD, IS_BEHIND, OF, SUMS, YEAR_BEFORE } from "./sales-sums.ts";
import { sumSales } from "./sum-sales.ts";
import { monthSql } from "./summed-sales-queries.ts";

export const dimensions = ["company", "owner", "product", "city", "month"] as const;
export type Dimension = (typeof dimensions)[number];

/** Sales that are asked for. */
export type SalesQuery = ReportFilters & {
  period: Period;
  by: Dimension;
  /** Only rows with sales in the year before and none in the period. */
  isStoppedOnly: boolean;
};

/** The sums of a currency; amounts are decimals as text. */
export type CurrencySales = {
  currency: string;
  sold: string;
  sold_before: string;
  invoices: number;
  invoices_before: number;
  companies: number;
  companies_before: number;
  /** Companies whose first invoice is of the period. */
  new_companies: number;
  new_companies_before: number;
  average: string | null;
  average_before: string | null;
};

/** The sums of a week, month or year of a currency. */
export type SalesColumn = { currency: string; place: number; sold: string; sold_before: string };

export type SalesRow = {
  /** The id of a company or user, a SKU, a city, or a month (`2026-11`); null: none. */
  key: string | null;
  /** The name of a company, or the description of a product. */
  name: string | null;
  currency: string;
  sold: string;
  sold_before: string;
  difference: string;
  invoices: number;
  invoices_before: number;
  /** In percent of the sum of all rows of the currency. */
  share: string | null;
  /** The newest invoice of a company that bought nothing in the period. */
  last_issued_on: string | null;
};

export type Sales = {
  /** The currency with the most invoices first; at most MOST_CURRENCIES. */
  totals: CurrencySales[];
  columns: (SalesColumn & { from: string })[];
  rows: SalesRow[];
  /** Rows of all pages. */
  total: number;
  /** Whether rows are missing, because the lines of MOST_PARSED invoices and more would have to be read. */
  hasTooManyLines: boolean;
  leftOut: { drafts: number; cancelled: number; undated: number };
};

/** The decimals of a currency, an expression. */
const placesSql = (currency: string) =>
  `case when upper(${currency}) in (${listed(WHOLE)}) then 0 when upper(${currency}) in (${listed(THOUSANDTHS)}) then 3 else 2 end`;
const listed = (codes: readonly string[]) => codes.map((code) => `'${code}'`).join(", ");
/** A sum of totals is exact, with the decimals of its currency at least, however it was summed up. */
const sumSql = (of: string, sum: string) =>
  `case when ${sum} = 0 then '0' else round(${sum}, greatest(min_scale(${sum}), ${placesSql(`${of}.currency`)}))::text end`;
const sumsSql = (of: string) =>
  `${sumSql(of, `${of}.sold`)} as sold, ${sumSql(of, `${of}.sold_before`)} as sold_before`;

/** The most invoices, of both years together, whose lines a report reads: parsing them takes two seconds. */
export const MOST_PARSED = 200_000;
const parsed = `parsed as materialized (
    select coalesce(sum(g.invoices + g.invoices_before), 0) > ${MOST_PARSED} as are_too_many
    from grouped g where g.day is not null
  )`;

const countOf = (condition: string) => `(select count(*) from invoices i where ${OF} and ${condition})`;

const summed = SUMS.map((name) => `sum(b.${name}) as ${name}`).join(", ");

/** Whether a company `b` has no invoice before a day. The kept sums say it of most. */
const isNewOn = (
  day: string,
) => `(b.first_month is null or b.first_month >= ${monthSql(`${day}::date`)}) and (select true from invoices i
      where i.tenant_id = $1 and i.company_id = b.company_id and ${isSold} and i.issued_on < ${day}::date limit 1) is null`;

/**
 * The companies of each currency. A company is new if it has no invoice before the first day, in whatever currency; one
 * that bought in an earlier year before needs no look-up for that. No join of the groups with each other: requests have
 * no hash joins.
 */
const totals = `companies_of as materialized (
    select b.currency, count(*) filter (where b.invoices > 0) as companies,
      count(*) filter (where b.invoices_before > 0) as companies_before,
      count(*) filter (where b.invoices > 0 and (b.invoices_before = 0 or :before_to::date >= :from::date)
        and ${isNewOn(":from")}) as new_companies,
      count(*) filter (where b.invoices_before > 0 and ${isNewOn(":before_from")}) as new_companies_before
    from by_company b group by b.currency
  ), totals as materialized (
    select t.*, c.companies, c.companies_before, c.new_companies, c.new_companies_before
    from (select b.currency, ${summed} from grouped b where b.day is not null group by b.currency) t
    join companies_of c on c.currency = t.currency
  ), said as materialized (
    select t.* from totals t order by t.invoices + t.invoices_before desc, t.currency limit ${MOST_CURRENCIES}
  )`;

/** The number of a day's column. A leap year's further day is in the last one. */
const place = `case :unit::text
        when 'week' then least((b.day - case when b.is_before then :before_from::date else :from::date end + extract(isodow from :from::date)::int - 1) / 7,
          (:to::date - :from::date + extract(isodow from :from::date)::int - 1) / 7)
        else extract(year from b.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from b.day)::int else 0 end
          - (select extract(year from f.day)::int * case when :unit = 'month' then 12 else 1 end + case when :unit = 'month' then extract(month from f.day)::int else 0 end
             from (select case when b.is_before then :before_from::date else :from::date end as day) f) end`;
const columns = `both_years as (
    select d.day, d.currency, b.*
    from grouped d cross join lateral (
      values (false, d.sold, 0, d.invoices, 0), (true, 0, d.sold_before, 0, d.invoices_before)
    ) b (is_before, ${SUMS.join(", ")})
    where d.day is not null and b.invoices + b.invoices_before > 0
  ), columns as (
    select b.currency, ${place} as place, sum(b.sold) as sold, sum(b.sold_before) as sold_before
    from both_years b where b.currency in (select s.currency from said s) group by b.currency, place
  )`;

const ofCompanies = (key: string, group: string) =>
  `select ${key} as key, null::text as name, b.currency, ${summed}
    from by_company b join companies c on c.tenant_id = $1 and c.id = b.company_id group by ${group}, b.currency`;
/** One row per invoice and SKU: invoices are counted without a sort of all lines. */
const linesOf = (condition: string, isBefore: boolean) =>
  `select l.sku, l.description, coalesce(i.currency, '') as currency, ${isBefore} as is_before, l.amount
      from invoices i cross join lateral (
        select coalesce(r.sku, '') as sku, max(r.description) as description, sum(r.quantity * r.unit_price) as amount
        from json_to_recordset(i.lines::json) r(sku text, description text, quantity numeric, unit_price numeric)
        group by coalesce(r.sku, '')
      ) l
      where ${OF} and ${condition} and ${isSold} and i.lines is not null
        and not (select p.are_too_many from parsed p)`;

/** The rows of each dimension. A city is one whatever its case and accents. */
const rowsBy: Readonly<Record<Dimension, string>> = {
  company: `select b.company_id::text as key, null::text as name, b.currency, ${SUMS.map((name) => `b.${name}`).join(", ")} from by_company b`,
  owner: ofCompanies("c.assigned_to::text", "c.assigned_to"),
  city: ofCompanies("nullif(min(c.city), '')", "fold(coalesce(c.city, ''))"),
  month: `select to_char(b.month, 'YYYY-MM') as key, null::text as name, b.currency, ${summed}
    from (select date_trunc('month', b.day + case when b.is_before then interval '1 year' else interval '0' end) as month, b.*
      from both_years b) b group by b.month, b.currency`,
  product: `select nullif(l.sku, '') as key, case when l.sku <> '' then max(l.description) end as name, l.currency,
      round(coalesce(sum(l.amount) filter (where not l.is_before), 0), ${placesSql("l.currency")}) as sold,
      round(coalesce(sum(l.amount) filter (where l.is_before), 0), ${placesSql("l.currency")}) as sold_before,
      count(*) filter (where not l.is_before) as invoices, count(*) filter (where l.is_before) as invoices_before
    from (${linesOf(IN_PERIOD, false)}
      union all ${linesOf(YEAR_BEFORE, true)}) l group by l.sku, l.currency`,
};

const lastIssued = `case when p.invoices = 0 then (select max(i.issued_on) from invoices i
        where i.tenant_id = $1 and i.company_id = p.key::bigint and ${isSold} and i.issued_on < :from::date) end`;
const nameOf = "(select c.name from companies c where c.tenant_id = $1 and c.id = p.key::bigint)";
const listOf = (members: string, from: string, order = "") =>
  `(select json_agg(r${order}) from (select ${members} from ${from}) r)`;

/** Shares are of the sum of the rows: of products, only invoices with lines have rows. */
function statementBy(by: Dimension): NamedStatement {
  const order = `s.weight desc, s.currency, ${by === "month" ? "s.key" : "s.sold desc, s.sold_before desc, s.key"}`;
  const isOfLines = by === "product";
  const whole = isOfLines ? "sum(s.sold) over (partition by s.currency)" : "t.sold";
  return namedStatement(
    `sales_by_${by}`,
    `with ${groups}, ${isOfLines ? `${parsed}, ` : ""}${totals}, ${columns}, by_key as materialized (
    ${rowsBy[by]}
  ), ranked as ${isOfLines ? "materialized " : ""}(
    select s.*, t.invoices + t.invoices_before as weight, ${whole} as whole from by_key s join totals t on t.currency = s.currency
  ), listed as (
    select s.* from ranked s where not :stopped_only::boolean or (s.invoices = 0 and s.invoices_before > 0)
  ), page as materialized (
    select s.* from listed s order by ${order} limit :limit offset :offset
  )
  select ${result.sql} from (select
    ${listOf(
      `t.currency, ${sumsSql("t")}, t.invoices, t.invoices_before, t.companies, t.companies_before,
      t.new_companies, t.new_companies_before, round(t.sold / nullif(t.invoices, 0), ${placesSql("t.currency")})::text as average,
      round(t.sold_before / nullif(t.invoices_before, 0), ${placesSql("t.currency")})::text as average_before`,
      "said t",
      " order by r.invoices + r.invoices_before desc, r.currency",
    )} as totals,
    ${listOf(`c.currency, c.place, ${sumsSql("c")}`, "columns c")} as columns,
    ${listOf(
      `row_number() over (order by ${order.replaceAll("s.", "p.")}) as place, p.key, ${by === "company" ? nameOf : "p.name"} as name, p.currency, ${sumsSql("p")}, ${sumSql("p", "(p.sold - p.sold_before)")} as difference,
      p.invoices, p.invoices_before, round(100 * p.sold / nullif(p.whole, 0), 1)::text as share, ${by === "company" ? lastIssued : "null::date"} as last_issued_on`,
      "page p",
      " order by r.place",
    )} as rows,
    (select count(*) from listed) as total,
    ${isOfLines ? "(select p.are_too_many from parsed p)" : "false"} as has_too_many_lines,
    ${countOf(`${IN_PERIOD} and i.status = 'draft'`)} as drafts,
    ${countOf(`${IN_PERIOD} and i.status = 'cancelled'`)} as cancelled,
    ${countOf(`i.issued_on is null and ${isSold}`)} as undated,
    ${IS_BEHIND} as is_behind
  ) s`,
  );
}

const result = selectList({
  totals: column.list<CurrencySales>("s.totals"),
  columns: column.list<SalesColumn>("s.columns"),
  rows: column.list<SalesRow>("s.rows"),
  total: column.number("s.total"),
  hasTooManyLines: column.flag("s.has_too_many_lines"),
  drafts: column.number("s.drafts"),
  cancelled: column.number("s.cancelled"),
  undated: column.number("s.undated"),
  isBehind: column.flag("s.is_behind"),
});

const statements = Object.fromEntries(dimensions.map((by) => [by, statementBy(by)])) as Record<
  Dimension,
  NamedStatement
>;

/** The sales of a period beside the same days of the year before, in one snapshot. */
export async function salesOf(
  tenant: TenantId,
  database: Database,
  { period, by, assignedTo, currency, isStoppedOnly }: SalesQuery,
  { perPage, offset }: Pick<PageQuery, "perPage" | "offset">,
): Promise<Sales> {
  const [row = []] = await readNamed(tenant, database.slow, statements[by], {
    from: period.from,
    to: period.to,
    before_from: period.beforeFrom,
    before_to: period.beforeTo,
    unit: period.unit,
    assigned_to: assignedTo,
    currency,
    stopped_only: isStoppedOnly,
    limit: perPage,
    offset,
  });
  const { drafts, cancelled, undated, isBehind, columns: found, ...sales } = result.read(row);
  if (isBehind) await database.write(tenant, [sumSales()]);
  const days = columnDays(period);
  const all = sales.totals.flatMap(({ currency: of }) =>
    days.map((from, at) => {
      const { sold, sold_before } = found.find((each) => each.currency === of && each.place === at) ?? NONE;
      return { currency: of, place: at, from, sold, sold_before };
    }),
  );
  return { ...sales, columns: all, leftOut: { drafts, cancelled, undated } };
}

const NONE = { sold: "0", sold_before: "0" };
