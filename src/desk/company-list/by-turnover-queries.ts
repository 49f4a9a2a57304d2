import { live } from "../../customers/companies/live-company-queries.ts";
import { isIssuedIn, isSold } from "../../orders/invoices/money-queries.ts";
import { NEWEST_FIRST } from "../../orders/invoices/shown-queries.ts";

/** The most invoices of a year by which a list is sorted. The page of sales has no such bound. */
export const MOST_RANKED = 200_000;

/**
 * The places of the companies that have a turnover of twelve months, each in its currency with the most invoices, as
 * the column has it. The highest turnover of the most frequent currency is the first. One pass over an index of days,
 * which has all that it reads. With too many invoices there are no places.
 */
export const RANKS = `sold as materialized (
    select i.company_id, coalesce(i.currency, '') as currency, sum(i.total) as sold, count(*) as n
    from (
      select i.company_id, i.currency, i.total from invoices i
      where i.tenant_id = $1 and ${isSold} and ${isIssuedIn(":year_ago", ":today")} ${NEWEST_FIRST} limit ${MOST_RANKED + 1}
    ) i group by i.company_id, coalesce(i.currency, '')
  ), read as materialized (
    select coalesce(sum(n), 0) > ${MOST_RANKED} as are_too_many from sold
  ), currencies as materialized (
    select currency, row_number() over (order by sum(n) desc, currency) as place from sold group by currency
  ), shown as materialized (
    select distinct on (company_id) company_id, currency, sold from sold
    where not (select are_too_many from read) order by company_id, n desc, nullif(currency, '')
  ), ranked as materialized (
    select s.company_id as id, row_number() over (order by c.place, s.sold desc, s.company_id desc) as place
    from shown s cross join lateral (select place from currencies c where c.currency = s.currency offset 0) c
    where s.sold is not null
  )`;

/** Whether there are too many invoices for places. */
export const ARE_TOO_MANY = "(select are_too_many from read)";

/** The candidates with their places. Those without a turnover have the last one together. */
export const PLACED = `select id, coalesce(max(place), ${MOST_RANKED + 1}) as place
    from (select id, null::bigint as place, true as is_asked from candidates union all select id, place, false from ranked) n
    where not ${ARE_TOO_MANY} group by id having bool_or(is_asked)`;

/**
 * The first `:most` companies of the order. The first ids contain enough of those without a turnover; for the order
 * that begins with them, as many more as have one. Only a live company has invoices.
 */
export function firstByTurnover(direction: "asc" | "desc"): string {
  const isDown = direction === "desc";
  return `select id from (
      select id, place from ranked
      union all (
        select id, null from companies where ${live} order by id ${direction}
        limit :most${isDown ? "" : " + (select count(*) from ranked)"}
      )
    ) c group by id order by max(place) ${isDown ? "nulls last" : "desc nulls first"}, id ${direction} limit :most`;
}
