import { isOwnedBy } from "../../customers/companies/live-company-queries.ts";
import { isSold } from "../invoices/money-queries.ts";
import { firstDay, lastToSum, monthSql } from "./summed-sales-queries.ts";

/** The condition of the invoices `i` that are asked for. Parameters have names. */
export const OF = `i.tenant_id = $1 and (:currency::text is null or i.currency = :currency)
      and (:assigned_to::bigint is null or i.company_id in (
        select c.id from companies c where c.tenant_id = $1 and ${isOwnedBy("c", ":assigned_to")}))`;
export const IN_PERIOD = "i.issued_on >= :from::date and i.issued_on <= :to::date";
export const YEAR_BEFORE = "i.issued_on >= :before_from::date and i.issued_on <= :before_to::date";

export const SUMS = ["sold", "sold_before", "invoices", "invoices_before"] as const;

/** With changes of more companies, the report reads the invoices alone. */
const MOST_CHANGED = 5_000;
const isKept = "y.last_month >= y.first_month";
const ofCurrency = (alias: string) => `(:currency::text is null or nullif(${alias}.currency, '') = :currency)`;

const summedUntil = "(select p.until from sales_progress p where p.tenant_id = $1 and p.id = 0)";

/**
 * The whole months of both years whose sums a job keeps (sum-sales.ts), and the days around them. Columns of weeks, and
 * the companies of an owner, have no such months. What changed since the sums were made is read from the invoices.
 */
const years = `noted as materialized (
    select n.company_id from changed_sales n where n.tenant_id = $1 order by n.id limit ${MOST_CHANGED + 1}
  ), changed as materialized (
    select distinct n.company_id from noted n
  ), kept as materialized (
    select case when (select count(*) from noted) <= ${MOST_CHANGED} then ${summedUntil} end as until
  ), years as materialized (
    select y.at, y.first, y.last, ${monthSql("y.first")} + (extract(day from y.first) > 1)::integer as first_month,
      case when k.until is not null and :assigned_to::bigint is null and :unit::text <> 'week'
        then least(k.until, ${monthSql("(y.last + 1)")} - 1) end as last_month
    from kept k cross join (values (0, :from::date, :to::date), (1, :before_from::date, :before_to::date)) y (at, first, last)
  ), days as materialized (
    select y.at, y.first, case when ${isKept} then ${firstDay("y.first_month")} - 1 else y.last end as last from years y
    union all
    select y.at, ${firstDay("y.last_month + 1")}, y.last from years y where ${isKept}
  )`;

const soldIn = (condition: string) => `cross join lateral (
        select i.company_id, i.issued_on, i.currency, i.total from invoices i where ${OF} and ${isSold} and ${condition}
      ) i`;

/** The sum of a company until a month: `sold` or `invoices`. */
const until = (sums: string, month: string) => `coalesce(s.${sums}[width_bucket(${month}, s.months)], 0)`;
const keptOf = (at: number, sums: string) =>
  `coalesce(case when y${at}.last_month >= y${at}.first_month then ${until(sums, `y${at}.last_month`)} - ${until(sums, `y${at}.first_month - 1`)} end, 0)`;
const ofYear = (sums: string) => [0, 1].map((at) => `case when y.at = ${at} then ${sums} else 0 end`).join(", ");

/**
 * The sums of each company, and those of each day, whose company is null. The day of a kept month is its first one.
 * One pass over the index of days, which has all columns that it reads, for each of both years: no row has conditions.
 */
export const groups = `${years}, ${[0, 1]
  .map(
    (at) => `year_${at} as materialized (
    select i.company_id, i.issued_on as day, i.currency, sum(i.total) as sold, count(*) as invoices
    from (
      select i.* from days d ${soldIn("i.issued_on >= d.first and i.issued_on <= d.last")} where d.at = ${at}
      union all
      select i.* from years y cross join changed n
      ${soldIn(`i.company_id = n.company_id and i.issued_on >= ${firstDay("y.first_month")} and i.issued_on < ${firstDay("y.last_month + 1")}`)}
      where y.at = ${at} and ${isKept}
    ) i
    group by grouping sets ((i.company_id, i.currency), (i.issued_on, i.currency))
  )`,
  )
  .join(", ")}, kept_companies as materialized (
    select s.company_id, s.currency, s.months[1] as first_month,
      ${[keptOf(0, "sold"), keptOf(1, "sold"), keptOf(0, "invoices"), keptOf(1, "invoices")].map((sum, at) => `${sum} as ${SUMS[at]}`).join(",\n      ")}
    from kept k cross join years y0 cross join years y1 cross join company_sales s
    where k.until is not null and y0.at = 0 and y1.at = 1 and s.tenant_id = $1 and ${ofCurrency("s")}
      and s.company_id not in (select n.company_id from changed n)
  ), kept_months as (
    select y.at, m.month, m.currency, m.sold, m.invoices
    from years y join month_sales m on m.tenant_id = $1 and m.month between y.first_month and y.last_month
    where ${ofCurrency("m")}
    union all
    select y.at, m.month, s.currency, m.before - m.sold, m.invoices_before - m.invoices
    from changed n cross join lateral (
      select s.* from company_sales s where s.tenant_id = $1 and s.company_id = n.company_id and ${ofCurrency("s")}
    ) s cross join lateral (
      select u.*, lag(u.sold, 1, 0) over w as before, lag(u.invoices, 1, 0) over w as invoices_before
      from unnest(s.months, s.sold, s.invoices) u (month, sold, invoices) window w as (order by u.month)
    ) m join years y on m.month between y.first_month and y.last_month
  ), grouped as materialized (
    select y.company_id, y.day, y.currency, ${SUMS.map((name) => `sum(y.${name})${name.startsWith("inv") ? "::bigint" : ""} as ${name}`).join(", ")},
      min(y.first_month) as first_month
    from (
      select y.company_id, y.day, coalesce(y.currency, '') as currency, ${ofYear("coalesce(y.sold, 0)")}, ${ofYear("y.invoices")}, null::integer
      from (select n.*, 0 as at from year_0 n union all select n.*, 1 from year_1 n) y
      union all
      select k.company_id, null, k.currency, ${SUMS.map((name) => `k.${name}`).join(", ")}, k.first_month from kept_companies k
      union all
      select null, ${firstDay("y.month")}, y.currency, ${ofYear("y.sold")}, ${ofYear("y.invoices")}, null from kept_months y
    ) y (company_id, day, currency, ${SUMS.join(", ")}, first_month)
    group by y.company_id, y.day, y.currency
  ), by_company as (
    select g.* from grouped g where g.company_id is not null and g.invoices + g.invoices_before > 0
  )`;

/** With as many invoices and more that were not summed up, a report has the job sum up what it may. */
const [MANY, MANY_CHANGES] = [20_000, 100];
export const IS_BEHIND = `((select count(*) > ${MANY_CHANGES} from noted)
      or ${summedUntil} is null or ${summedUntil} < ${lastToSum})
      and (select sum(y.invoices) from (select * from year_0 union all select * from year_1) y where y.day is not null) > ${MANY}`;
