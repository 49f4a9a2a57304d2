import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import { dueDay, isUnpaid, leftSql, MOST_SUMMED } from "./money-queries.ts";

/** An invoice that is later than this is asked about before the company gets more. */
const LATE_DAYS = 30;

const credit = selectList({
  limit: "s.credit_limit",
  /** The debt of the company in the invoice's currency, this invoice included. */
  owed: column.text("coalesce(s.owed, 0)"),
  exceeds: column.flag("s.owed > s.credit_limit"),
  /** The days since the oldest open invoice was due, if they are more than LATE_DAYS. */
  daysLate: column.numberOrNull(`case when $3::date - s.since > ${LATE_DAYS} then $3::date - s.since end`),
  /** The late part in the invoice's currency. */
  late: column.text("coalesce(s.late, 0)"),
});

/** The debt of a company, before an invoice of it is sent. */
export type Credit = Selected<typeof credit>;

/** The credit of an invoice's company; null for an unknown invoice. With very many open invoices, of the newest. */
export const findCredit = quickQuery<[invoiceId: string, today: string]>(
  "find_credit",
  `select ${credit.sql} from (
    select c.credit_limit,
      sum(o.rest) filter (where o.currency is not distinct from n.currency or o.id = n.id) as owed,
      sum(o.rest) filter (where o.due < $3::date and o.currency is not distinct from n.currency) as late,
      min(o.due) as since
    from invoices n
    join companies c on c.tenant_id = $1 and c.id = n.company_id
    left join lateral (
      select i.id, ${leftSql} as rest, i.currency, ${dueDay} as due from invoices i
      where i.tenant_id = $1 and i.company_id = n.company_id and ${isUnpaid}
      order by i.issued_on desc nulls last, i.id desc limit ${MOST_SUMMED}
    ) o on true
    where n.tenant_id = $1 and n.id = $2
    group by c.credit_limit
  ) s`,
).first(credit.read);
