import {
  dueDay,
  isOverdue,
  isPaidOtherwise,
  isSold,
  isUnpaid,
  leftSql,
  restSql,
} from "../../invoices/money-queries.ts";
import { isDone, isInNeed, isPutOff, isUnderWay, NEWEST_FIRST } from "../../invoices/shown-queries.ts";
import { BESIDE, IS_DUE } from "./narrowed-orders.ts";
import type { OrderState } from "./order-filters.ts";
import { UNSENT, unsent } from "./unsent-queries.ts";

/**
 * A source of invoices: the `:most` newest of a state, by an index with this order or with the order of their needs.
 * `select` returns these columns of them. `ofDays`: a condition on their days, if the index has them by day. `beside`:
 * further invoices of the narrowed list of all days. `among`: the invoices that the newest are found among, if the
 * source leaves some of them out.
 */
export type OrderSource = {
  select: (columns: string, ofDays: string) => string;
  isOfNeeds?: true;
  beside?: string;
  among?: string;
  /** The amount of an invoice that the list sums up; `total` by default. */
  amount?: string;
};

export const OF_DAYS = "and i.issued_on >= :from::date and i.issued_on <= :to::date";

/** The newest invoices with a condition. */
export function newest(condition: string, order = NEWEST_FIRST): OrderSource["select"] {
  return (columns, ofDays) =>
    `select ${columns} from invoices i where i.tenant_id = $1 ${condition} ${ofDays} ${order} limit :most`;
}

const newestShown = [newest("and i.wms_shown = :shown"), newest("and i.wms_shown = :other_shown")];
const byNeed = "order by i.wms_needs_at desc";
/** The day is that of the workspace. */
const overdue = isOverdue("(select (now() at time zone t.time_zone)::date from tenants t where t.id = $1)");

/** Those without a day of payment are last. */
const BY_DUE_DAY = `order by ${dueDay}, i.id`;

/** Invoices with a rest, or with a negative one, of a company, a currency and days of payment. */
function withRest(sign: ">" | "<"): OrderSource {
  const asked = `and (:company::bigint is null or i.company_id = :company::bigint)
    and (:currency::text is null or i.currency = :currency) and ${IS_DUE}`;
  const parts = [isUnpaid, isPaidOtherwise].map((condition) =>
    newest(`and ${condition} and ${restSql} ${sign} 0 ${asked}`, BY_DUE_DAY),
  );
  const select: OrderSource["select"] = (columns) => parts.map((each) => `(${each(columns, "")})`).join(" union all ");
  return { select, isOfNeeds: true, amount: restSql };
}

/** Needs are few, and come by the time of their index. */
export const sources: Readonly<Record<OrderState["of"], OrderSource>> = {
  all: { select: newest(""), beside: BESIDE },
  under_way: { select: newest(`and ${isUnderWay}`) },
  to_send: {
    select: (columns, ofDays) => `select ${columns} from ${unsent({ ofInvoice: ofDays })} ${NEWEST_FIRST} limit :most`,
    among: UNSENT,
  },
  done: { select: newest(`and ${isDone}`) },
  draft: { select: newest("and i.status = 'draft'") },
  sold: { select: newest(`and ${isSold}`) },
  shown: { select: (columns, ofDays) => newestShown.map((each) => `(${each(columns, ofDays)})`).join(" union all ") },
  attention: { select: newest(`and ${isInNeed}`, byNeed), isOfNeeds: true },
  needs: { select: newest(`and ${isInNeed} and i.wms_shown <> 'to_be_confirmed'`, byNeed), isOfNeeds: true },
  put_off: { select: newest(`and ${isPutOff}`, "order by i.wms_put_off_until"), isOfNeeds: true },
  unpaid: { select: newest(`and ${isUnpaid}`, BY_DUE_DAY), isOfNeeds: true, amount: leftSql },
  overdue: { select: newest(`and ${overdue}`, BY_DUE_DAY), isOfNeeds: true, amount: leftSql },
  owed: withRest(">"),
  paid_too_much: withRest("<"),
};
