import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { isInNeed, isUnderWay, NEWEST_FIRST } from "./shown-queries.ts";

/** The buckets of an ageing: the first day late and the last one. Amounts that are not due have one of their own. */
export const LATE = [
  ["days_1_30", 1, 30],
  ["days_31_60", 31, 60],
  ["days_61_90", 61, 90],
  ["days_over_90", 91, null],
] as const;
export const bucketNames = ["not_due", ...LATE.map(([name]) => name)] as const;
export type BucketName = (typeof bucketNames)[number];

/** The condition of an invoice `i` that is not paid. */
export const isUnpaid = "i.status = 'issued'";

/** The condition of an invoice `i` that reports of sales count. */
export const isSold = "i.status in ('issued', 'paid')";

/**
 * The day by which an invoice `i` has to be paid: its own, or by the terms of its company or of the workspace. Behind
 * row-level security, a comparison with `coalesce` would read no index (invoices_unpaid).
 */
export const dueDay = "(case when i.due_on is null then i.terms_due_on else i.due_on end)";

/** The condition of a paid invoice `i` with another sum than its total, or of a cancelled one with payments. */
export const isPaidOtherwise =
  "((i.status = 'paid' and i.paid <> i.total) or (i.status = 'cancelled' and i.paid <> 0))";

/** The debt of an invoice `i` before payments: a cancelled one has none. Null without a total. */
export const owedSql = "case when i.status = 'cancelled' then 0 else i.total end";

/** The rest of an invoice `i` as reports of debts have it. */
export const restSql = `(${owedSql} - i.paid)`;

/** The rest of an invoice `i`. */
export const leftSql = "(i.total - i.paid)";

/** Today in the tenant's time zone. */
export const todayOf = quickQuery("today_of_tenant", "select today_of($1)").value();

/**
 * The condition of an open invoice `i` whose due date is past. A credit note is never late. @param today an expression
 * of type date
 */
export function isOverdue(today: string): string {
  return `${isUnpaid} and ${dueDay} < ${today} and (${leftSql} < 0) is not true`;
}

/**
 * The condition of an invoice `i` that counts as the turnover of some days, if it is open or paid. Drafts and cancelled
 * ones do not count. @param after a parameter, as is `until`
 */
export function isIssuedIn(after: string, until: string): string {
  return `i.issued_on > ${after}::date and i.issued_on <= ${until}::date`;
}

/** The unpaid invoices of a company, the newest first: PostgreSQL reads them alone, by the index with this order. */
export const unpaidOf = (company: string): string =>
  `select * from invoices i where i.tenant_id = $1 and i.company_id = ${company} and ${isUnpaid}
    ${NEWEST_FIRST}`;

/** The most open invoices that are summed up, and the most paid ones. With more, the sums are lower bounds. */
export const MOST_SUMMED = 2_500;

/** $2: the company; $3: today; $4: the day a year ago. */
const OF_COMPANY = "i.tenant_id = $1 and i.company_id = $2";
const NEWEST = `${NEWEST_FIRST} limit ${MOST_SUMMED + 1}`;
const IS_OF_YEAR = isIssuedIn("$4", "$3");
const OWED = `case when ${restSql} > 0 then ${restSql} end as rest, case when ${dueDay} < $3::date then ${dueDay} end as overdue_since`;

const sum = selectList({
  of: column.text<"turnover" | "open">("s.of"),
  currency: "s.currency",
  total: column.text("s.total"),
  /** Whether there are more invoices than are summed up. */
  isMore: column.flag("s.is_more"),
  overdue: "s.overdue",
  /** The earliest due date of the overdue ones. */
  overdueSince: "s.overdue_since",
});

const listSums = quickQuery<[companyId: string, today: string, yearAgo: string]>(
  "money_of_company",
  // Each part reads an index alone: invoices_paid_too_much, or invoices_of_company_by_status.
  `with open as materialized (
      select i.currency, i.total, ${OWED}, ${IS_OF_YEAR} as is_of_year
      from invoices i where ${OF_COMPANY} and ${isUnpaid} and i.total is not null ${NEWEST}
    ), otherwise as materialized (
      select i.currency, ${OWED} from invoices i where ${OF_COMPANY} and ${isPaidOtherwise} limit ${MOST_SUMMED}
    ), paid as materialized (
      select i.currency, i.total from invoices i where ${OF_COMPANY} and i.status = 'paid' and i.total is not null
        and ${IS_OF_YEAR} ${NEWEST}
    ), sold as (
      select currency, total from open where is_of_year union all select currency, total from paid
    ), counts as (
      select (select count(*) from open) > ${MOST_SUMMED} as more_open, (select count(*) from paid) > ${MOST_SUMMED} as more_paid
    )
    select ${sum.sql} from (
      select 'turnover' as of, currency, sum(total) as total, count(*) as count, more_open or more_paid as is_more,
        null::numeric as overdue, null::date as overdue_since
      from sold, counts group by currency, more_open, more_paid
      union all
      select 'open', currency, sum(rest), count(*), more_open,
        sum(rest) filter (where overdue_since is not null), min(overdue_since) filter (where rest is not null)
      from (select currency, rest, overdue_since from open union all select * from otherwise where rest is not null) o, counts
      group by currency, more_open
    ) s where s.total is not null order by s.count desc, s.currency`,
).all(sum.read);

/** The most currencies that are listed: more than there are. Codes are not checked, so a tenant may make many up. */
export const MOST_CURRENCIES = 200;

/** A sum of one currency; amounts are PostgreSQL's text. */
export type Sum = Omit<Selected<typeof sum>, "of">;
/** By currency, the most frequent first. */
export type CompanyMoney = { turnover: Sum[]; open: Sum[] };

/** The turnover of a company's last twelve months, and its open invoices. @param days today, and the day a year ago */
export async function moneyOfCompany(
  tenant: TenantId,
  database: Database,
  companyId: string,
  days: { today: string; yearAgo: string },
): Promise<CompanyMoney> {
  const sums = await listSums(tenant, database, companyId, days.today, days.yearAgo);
  return { turnover: sums.filter(({ of }) => of === "turnover"), open: sums.filter(({ of }) => of === "open") };
}

const orders = selectList({
  hasInvoices: column.flag(`exists (select from invoices i where ${OF_COMPANY})`),
  underWay: column.number(`count(*) filter (where ${isUnderWay})`),
  inNeed: column.number(`count(*) filter (where ${isInNeed})`),
});

export type CompanyOrders = Selected<typeof orders>;

/** More than these cannot be handled by hand. */
export const MOST_ORDERS_COUNTED = 1_000;

/** Whether a company has invoices, and how many of its orders are under way and need attention. */
export const ordersOfCompany = quickQuery<[companyId: string]>(
  "orders_of_company",
  // The condition is that of the index invoices_of_company_moving, word for word.
  `select ${orders.sql} from (
    select i.wms_shown, i.wms_needs_at, i.wms_settled_at, i.wms_put_off_until from invoices i
    where ${OF_COMPANY} and (${isUnderWay} or i.wms_needs_at is not null) limit ${MOST_ORDERS_COUNTED}
  ) i`,
).only(orders.read);
