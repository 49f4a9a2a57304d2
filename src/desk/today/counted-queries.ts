import { isOwnedBy, NO_OWNER } from "../../customers/companies/live-company-queries.ts";
import { MOST_ORDERS_LISTED } from "../../orders/wms/orders/unsent-queries.ts";
import type { Row } from "../../platform/postgres/statement.ts";

/** The most items of all users that are counted by their owners. The list of orders reads as many. */
export const MOST_SCANNED = MOST_ORDERS_LISTED;

/**
 * The owner's (`:assigned_to`) items, those without an owner, whether there are more candidates than were scanned, and
 * the owner's `newest`. @param found the scanned ones with their companies `c`
 */
export const countedOf = (found: string, candidates: string, owned = "c", newest = "null") => `select
    count(*) filter (where ${isOwnedBy(owned, ":assigned_to")}) as own, count(*) filter (where ${isOwnedBy(owned, NO_OWNER)}) as nobodys,
    (select count(*) from (select from ${candidates} limit ${MOST_SCANNED + 1}) n) > ${MOST_SCANNED} as is_cut,
    ${newest} as newest
  from ${found}`;

/** The company `c` of each item `n`, by an index that has its owner. */
export const COMPANY_OF_ITEM = `cross join lateral (
    select c.assigned_to from companies c
    where c.tenant_id = $1 and c.id = n.company_id and c.deleted_at is null offset 0
  ) c`;

/** More invoices are not summed up: their list has the sum. */
const MOST_SUMMED = 1_000;

/** The sums of the owner's invoices of `s` by currency, as text; null for more than MOST_SUMMED. */
const sumsOf = (amount: string) => `case when k.own <= ${MOST_SUMMED} then (
    select string_agg(concat_ws(' ', a.amount, a.currency), '|' order by a.count desc, a.currency) from (
      select i.currency, sum(i.amount) as amount, count(*) from s
      cross join lateral (
        select i.currency, ${amount} as amount from invoices i where i.tenant_id = $1 and i.id = s.id offset 0
      ) i
      where ${isOwnedBy("s", ":assigned_to")} and i.amount is not null group by i.currency
    ) a) end`;

/** The highest id of the owner's items `s`. */
const NEWEST = `max(s.id) filter (where ${isOwnedBy("s", ":assigned_to")})`;

/**
 * A statement that scans the items of a group once: the first ones of the owner (`:most` of them), and in each row, as
 * its last columns, the counts of `countedOf` and the sums. Without an item, one row has these alone.
 * @param found the scanned items: `id`, `at` and `assigned_to`
 * @param amount of an invoice `i`, to be summed up
 */
export function firstAndCounted({ found, candidates, order, columns, joins, amount }: CountedGroup): string {
  return `with s as materialized (${found}),
  k as (select k.*, ${amount === undefined ? "null" : sumsOf(amount)} as sums from (${countedOf("s", candidates, "s", NEWEST)}) k),
  n as (select s.id, s.at from s where ${isOwnedBy("s", ":assigned_to")} order by ${order} limit :most)
  select n.id, ${columns}, counts.*
  from k counts left join n on true
  ${joins}
  order by ${order.replaceAll(/\b(?:at|id)\b/g, "n.$&")}`;
}

export type CountedGroup = Record<"found" | "candidates" | "order" | "columns" | "joins", string> & { amount?: string };

/** The columns behind those of an item. */
const COUNTS = 5;

/** The rows with an item, without its id and the counts. */
export function itemsIn(rows: readonly Row[]): Row[] {
  return rows.filter(([id]) => id !== null).map((row) => row.slice(1, -COUNTS));
}

export function countsBeside(rows: readonly Row[]): CountedItems {
  return countIn([rows[0]?.slice(-COUNTS) ?? []]);
}

/**
 * `isCut`: there are more than MOST_SCANNED candidates. `sums`: the amounts with their currencies. `newest`: the
 * highest id of all of them.
 */
export type CountedItems = {
  total: number;
  ofNobody: number;
  isCut: boolean;
  sums: CurrencySum[];
  newest: string | null;
};
export type CurrencySum = { amount: string; currency: string | null };

export function countIn([row]: readonly Row[] = []): CountedItems {
  const sums = (row?.[4] ?? "").split("|").filter((sum) => sum !== "");
  return {
    total: Number(row?.[0] ?? 0),
    ofNobody: Number(row?.[1] ?? 0),
    isCut: row?.[2] === "t",
    sums: sums.map((sum) => {
      const [amount = "", currency = null] = sum.split(" ");
      return { amount, currency };
    }),
    newest: row?.[3] ?? null,
  };
}
