import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import { dueDay, leftSql, unpaidOf } from "./money-queries.ts";

/** An invoice that is later than this is asked about before the company gets more. */
export const LATE_DAYS = 30;

const credit = selectList({
  limit: "c.credit_limit",
  /** The debt of the company in the invoice's currency, this invoice included. */
  owed: column.text("coalesce(s.owed, 0)"),
  exceeds: column.flag("s.owed > c.credit_limit"),
  /** The days since the oldest invoice with a rest was due, if they are more than LATE_DAYS. */
  daysLate: column.numberOrNull(`case when (:today::date - s.since) > ${LATE_DAYS} then :today::date - s.since end`),
  /** The late part, the currency with the oldest invoice first. */
  late: column.list<{ amount: string; currency: string | null }>(`(select json_agg(l order by l.since) from (
    select sum(o.rest)::text as amount, o.currency, min(o.due) as since from o
    where o.rest > 0 and o.due < :today::date group by o.currency
  ) l)`),
});

/** The debt of a company, before an invoice of it is sent. */
export type Credit = Selected<typeof credit>;

/** An invoice that is to be sent. It may not be committed yet: it counts with its total. */
type ToBeSent = { company: string; invoice: string; currency: string | null; total: string; today: string };

/** The credit of an invoice's company; null without that. */
export const findCredit = quickQuery<ToBeSent>(
  "find_credit",
  `with o as materialized (
    (
      select i.id, ${leftSql} as rest, i.currency, ${dueDay} as due
      from (${unpaidOf(":company")}) i
    )
    union all
    select :invoice::bigint, :total::numeric, :currency::text, null::date
    where not exists (select from invoices i where i.tenant_id = $1 and i.id = :invoice::bigint)
  )
  select ${credit.sql} from companies c
  cross join lateral (
    select sum(o.rest) filter (where o.currency is not distinct from :currency::text or o.id = :invoice::bigint) as owed,
      min(o.due) filter (where o.rest > 0) as since from o
  ) s
  where c.tenant_id = $1 and c.id = :company`,
).first(credit.read);
