import { isOwnedBy } from "../../customers/companies/live-company-queries.ts";
import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement, readNamed } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import {
  bucketNames,
  dueDay,
  isPaidOtherwise,
  isUnpaid,
  LATE,
  MOST_CURRENCIES,
  restSql,
  type BucketName,
} from "../invoices/money-queries.ts";
import type { ReportFilters } from "./report-filters.ts";

/** An ageing that is asked for. */
export type ReceivablesQuery = ReportFilters & {
  /** The day of the ageing (`YYYY-MM-DD`). */
  day: string;
  /** Whether invoices issued and payments made after the day are left out: it was asked for. */
  isAsOf: boolean;
  companyId: string | null;
  isOverdueOnly: boolean;
};

const OF = "i.tenant_id = $1 and (:company::bigint is null or i.company_id = :company::bigint)";
const ISSUED =
  "(:as_of::date is null or coalesce(i.issued_on, (i.created_at at time zone (select t.time_zone from tenants t where t.id = $1))::date) <= :as_of::date)";
const columns = "i.company_id, coalesce(i.currency, '') as currency";
const isAsNow = "(:as_of::date is null or i.id not in (select p.invoice_id from later p))";
const candidates = (condition: string) =>
  `select ${columns}, ${restSql} as rest, ${dueDay} as due from invoices i where ${OF} and ${condition} and ${ISSUED} and ${isAsNow}`;

const daysLate = (first: number, last: number | null) =>
  `l.due < :day::date - ${first - 1}${last === null ? "" : ` and l.due >= :day::date - ${last}`}`;

/** The condition of each bucket of invoices `l`, whose `rest` is negative if too much was paid. */
const conditions: Readonly<Record<string, string>> = {
  not_due: "l.rest > 0 and (l.due is null or l.due >= :day::date)",
  ...Object.fromEntries(LATE.map(([name, first, last]) => [name, `l.rest > 0 and ${daysLate(first, last)}`])),
  paid_too_much: "l.rest < 0",
};
const overdueOf = LATE.map(([name]) => `b.${name}`).join(" + ");
const sums = ["owed", "overdue", ...Object.keys(conditions)];

/**
 * The figures of each company in each currency, as of :day. Payments after the day are taken back: their invoices are
 * read by id, and all others from an index alone. Each row has one status, so that the index of the open ones has all.
 */
const ageing = `later as materialized (
    select p.invoice_id, sum(p.amount) as amount from payments p
    where p.tenant_id = $1 and p.deleted_at is null and p.paid_on > :as_of::date group by p.invoice_id
  ), rests as (
    ${candidates(isUnpaid)}
    union all
    ${candidates(isPaidOtherwise)}
    union all
    select ${columns}, ${restSql} + p.amount, ${dueDay} from later p
    join invoices i on i.tenant_id = $1 and i.id = p.invoice_id
    where ${OF} and ${ISSUED} and i.status in ('issued', 'paid', 'cancelled')
  ), buckets as (
    select l.company_id, l.currency, ${Object.entries(conditions)
      .map(([name, condition]) => `coalesce(sum(l.rest) filter (where ${condition}), 0) as ${name}`)
      .join(", ")},
      min(l.due) filter (where l.rest > 0) as first_due, count(*) filter (where l.rest > 0) as invoices
    from rests l where l.rest <> 0 group by l.company_id, l.currency
  ), by_company as materialized (
    select b.company_id, b.currency, b.not_due + ${overdueOf} as owed, ${overdueOf} as overdue, ${bucketNames.map((name) => `b.${name}`).join(", ")},
      -b.paid_too_much as paid_too_much, case when b.first_due < :day::date then b.first_due end as oldest, b.invoices
    from buckets b
  ), shown as materialized (
    select b.* from by_company b
    where (:currency::text is null or b.currency = :currency) and (not :overdue_only::boolean or b.overdue > 0)
      and (:assigned_to::bigint is null or exists (
        select from companies c where c.tenant_id = $1 and c.id = b.company_id and ${isOwnedBy("c", ":assigned_to")}))
  )`;

const row = selectList({
  /** Null in a row with the sums of a currency. */
  companyId: "s.company_id",
  companyName: column.text("s.name"),
  owner: "s.owner",
  currency: column.text("s.currency"),
  oldest: "s.oldest",
  invoices: column.number("s.invoices"),
  companies: column.number("s.companies"),
  rows: column.number("s.rows"),
  ...Object.fromEntries(sums.map((name) => [name, column.text(`s.${name}`)])),
});

type Figures = Record<BucketName | "owed" | "overdue" | "paid_too_much", string>;

/** The figures of a company in a currency, or all of a currency. */
export type Receivable = Pick<Selected<typeof row>, "currency" | "oldest" | "invoices"> & Figures;
export type CompanyReceivable = Receivable & { companyId: string; companyName: string; owner: string | null };
/** `companies`: those that owe. `rows`: those with any figure, in all currencies. */
export type CurrencyReceivable = Receivable & { companies: number; rows: number };

export type Receivables = {
  /** The sums of each currency, the one with the most invoices first; at most MOST_CURRENCIES. */
  totals: CurrencyReceivable[];
  /** Companies of the page, with the largest overdue amount first. */
  companies: CompanyReceivable[];
  /** The number of all of them; a company counts once for each currency. */
  total: number;
};

const statement = namedStatement(
  "receivables",
  `with ${ageing}, page as (
    select b.* from shown b order by b.overdue desc, b.owed desc, b.company_id, b.currency limit :limit offset :offset
  )
  select ${row.sql} from (
    (select null::bigint as company_id, '' as name, null::bigint as owner, b.currency, min(b.oldest) as oldest,
      sum(b.invoices) as invoices, count(*) filter (where b.owed > 0) as companies, sum(count(*)) over () as rows, ${sums.map((name) => `sum(b.${name}) as ${name}`).join(", ")}
    from shown b group by b.currency order by invoices desc, b.currency limit ${MOST_CURRENCIES})
    union all
    select b.company_id, c.name, c.assigned_to, b.currency, b.oldest, b.invoices, 1, 1, ${sums.map((name) => `b.${name}`).join(", ")}
    from page b join companies c on c.tenant_id = $1 and c.id = b.company_id
  ) s
  order by s.company_id is not null, s.overdue * (s.company_id is not null)::int desc,
    case when s.company_id is null then s.invoices end desc, s.owed desc, s.company_id, s.currency`,
);

/** The debts of companies by the days since they were due, in one snapshot. */
export async function receivables(
  tenant: TenantId,
  database: Database,
  { day, isAsOf, assignedTo, currency, companyId, isOverdueOnly }: ReceivablesQuery,
  { perPage, offset }: Pick<PageQuery, "perPage" | "offset">,
): Promise<Receivables> {
  const rows = await readNamed(tenant, database.slow, statement, {
    day,
    as_of: isAsOf ? day : null,
    assigned_to: assignedTo,
    currency,
    company: companyId,
    overdue_only: isOverdueOnly,
    limit: perPage,
    offset,
  });
  const all = rows.map(row.read) as unknown as (CurrencyReceivable &
    Omit<CompanyReceivable, "companyId"> & { companyId: string | null })[];
  const totals = all.filter(({ companyId: id }) => id === null);
  return {
    totals,
    companies: all.filter((each): each is CompanyReceivable & CurrencyReceivable => each.companyId !== null),
    total: totals[0]?.rows ?? 0,
  };
}
