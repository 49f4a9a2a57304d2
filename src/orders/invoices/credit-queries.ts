import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import { dueDay, isUnpaid, leftSql, MOST_SUMMED } from "./money-queries.ts";

/** An invoice that is later than this is asked about before the company gets more. */
export const LATE_DAYS = 30;

const credit = selectList({
  limit: "c.credit_limit",
  /** The debt of the company in the invoice's currency, this invoice included. */
  owed: column.text("coalesce(s.owed, 0)"),
  exceeds: column.flag("s.owed > c.credit_limit"),
  /** The days since the oldest open invoice was due, if they are more than LATE_DAYS. */
  daysLate: column.numberOrNull(`case when $3::date - s.since > ${LATE_DAYS} then $3::date - s.since end`),
  /** The late part, the currency with the oldest invoice first. */
  late: column.list<{ amount: string; currency: string | null }>(`(select json_agg(l order by l.since) from (
    select sum(o.rest)::text as amount, o.currency, min(o.due) as since from o where o.due < $3::date group by o.currency
  ) l)`),
});

/** The debt of a company, before an invoice of it is sent. */
export type Credit = Selected<typeof credit>;

/** The credit of an invoice's company; null for an unknown invoice. With very many open invoices, of the newest. */
export const findCredit = quickQuery<[invoiceId: string, today: string]>(
  "find_credit",
  `with n as materialized (
    select i.id, i.company_id, i.currency from invoices i where i.tenant_id = $1 and i.id = $2
  ), o as materialized (
    select i.id, ${leftSql} as rest, i.currency, ${dueDay} as due from invoices i
    where i.tenant_id = $1 and i.company_id = (select n.company_id from n) and ${isUnpaid}
    order by i.issued_on desc nulls last, i.id desc limit ${MOST_SUMMED}
  )
  select ${credit.sql} from n
  join companies c on c.tenant_id = $1 and c.id = n.company_id
  cross join lateral (
    select sum(o.rest) filter (where o.currency is not distinct from n.currency or o.id = n.id) as owed,
      min(o.due) as since from o
  ) s`,
).first(credit.read);
