import { yearBefore } from "../../platform/dates.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { dueDay, isPaidOtherwise, leftSql, restSql, unpaidOf } from "./money-queries.ts";
import { isUnderWay } from "./shown-queries.ts";

/** The most invoices of a company and status that a list sums up, and the most orders that it looks at. */
const MOST_SUMMED = 200;
const MOST_COUNTED = 100;

/** Those with a rest. `is_cut`: there are more of them. */
const restsOf = (invoices: string, rest: string) =>
  `(select n.currency, n.rest as amount, n.due, count(*) over () > ${MOST_SUMMED} as is_cut
        from (select i.currency, ${rest} as rest, ${dueDay} as due from (${invoices}) i where ${rest} > 0 limit ${MOST_SUMMED + 1}) n)`;

const figures = selectList({
  id: column.text("c.id"),
  /** Orders under way, of MOST_COUNTED at most. */
  openOrders: column.number("o.count"),
  /** The turnover of twelve months in the currency with the most invoices; null without any. */
  turnover: "s.total",
  currency: "s.currency",
  /** Whether there are more invoices than are summed up, or other currencies. */
  isMore: column.flag("coalesce(s.is_more, false)"),
  /** The debt in the currency with the most unpaid invoices; null without any. */
  owed: "b.total",
  owedIn: "b.currency",
  owesMore: column.flag("coalesce(b.is_more, false)"),
  /** Since the oldest unpaid invoice was due; null if none is late. */
  daysLate: column.numberOrNull("case when b.days > 0 then b.days end"),
});

export type CompanyFigures = Selected<typeof figures>;

/** The sold invoices of some days of a company. `is_cut`: there are more of a status. */
export const soldOf = (company: string, after: string, until: string): string =>
  `select n.currency, n.total as amount, count(*) over () as of_all,
        count(*) over (partition by n.status) > ${MOST_SUMMED} as is_cut
      from (values ('issued'), ('paid')) known (status)
      cross join lateral (
        select known.status, i.currency, i.total from invoices i
        where i.tenant_id = $1 and i.company_id = ${company} and i.status = known.status and i.total is not null
          and i.issued_on > ${after}::date and i.issued_on <= ${until}::date
        limit ${MOST_SUMMED + 1}
      ) n`;

/** The rests of a company. */
export const debtsOf = (company: string): string => {
  const paidOtherwise = `select * from invoices i where i.tenant_id = $1 and i.company_id = ${company} and ${isPaidOtherwise}`;
  return `select n.currency, n.amount, n.due, count(*) over () as of_all, n.is_cut
      from (${restsOf(unpaidOf(company), leftSql)} union all ${restsOf(paidOtherwise, restSql)}) n`;
};

const list = slowQuery<[ids: string[], yearAgo: string, today: string]>(
  "companies_money",
  // Each company by itself, and each part from the start of a range of one index: invoices_of_company_moving,
  // invoices_of_company_by_status for each status, and invoices_paid_too_much.
  `select ${figures.sql} from unnest($2::bigint[]) c (id)
  cross join lateral (
    select count(*) filter (where ${isUnderWay}) as count from (
      select i.wms_shown from invoices i where i.tenant_id = $1 and i.company_id = c.id
        and (${isUnderWay} or i.wms_needs_at is not null) limit ${MOST_COUNTED}
    ) i
  ) o
  left join lateral (
    select y.currency, sum(y.amount) as total, count(*) < max(y.of_all) or bool_or(y.is_cut) as is_more
    from (${soldOf("c.id", "$3", "$4")}) y
    group by y.currency order by count(*) desc, y.currency limit 1
  ) s on true
  left join lateral (
    select y.currency, sum(y.amount) as total, max($4::date - min(y.due)) over () as days,
      count(*) < max(y.of_all) or bool_or(y.is_cut) as is_more
    from (${debtsOf("c.id")}) y
    group by y.currency order by count(*) desc, y.currency limit 1
  ) b on true`,
).all(figures.read);

/** The open orders, the turnover and the debts of the companies of a page, by id. */
export async function companiesMoney(
  tenant: TenantId,
  database: Database,
  ids: string[],
  today: string,
): Promise<ReadonlyMap<string, CompanyFigures>> {
  if (ids.length === 0) return new Map();
  const yearAgo = yearBefore(today);
  const listed = await list(tenant, database, ids, yearAgo, today);
  return new Map(listed.map((each) => [each.id, each]));
}
