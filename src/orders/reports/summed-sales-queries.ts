import type { Run } from "../../platform/postgres/database.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import { isSold } from "../invoices/money-queries.ts";

/** Companies of a step, and changes of one. */
const [COMPANIES, CHANGES] = [250, 500];
/** Changes that nothing was summed up before, which are forgotten in a step. */
const FORGOTTEN = 10_000;

/** The month of a day as a number (SQL). */
export const monthSql = (day: string): string =>
  `(extract(year from ${day})::integer * 12 + extract(month from ${day})::integer - 1)`;

/** The first day of a month (SQL). */
export const firstDay = (month: string): string => `make_date((${month}) / 12, (${month}) % 12 + 1, 1)`;

/**
 * The last month to sum up. Invoices of this month, as it was three days ago, are changed without a note
 * (migrations/functions/invoices_after_update.sql).
 */
export const lastToSum = `${monthSql("(current_date - 7)")} - 1`;

const progress = selectList({
  /** The last month that is summed up of every company. */
  until: "p.until",
  target: column.number("p.target"),
  isCleared: column.flag("p.is_cleared"),
  last: column.number(lastToSum),
});
export type SalesProgress = Selected<typeof progress>;

const lock = stepQuery(
  "lock_sales_progress",
  `select ${progress.sql} from sales_progress p where p.tenant_id = $1 and p.id = 0 for update`,
).first(progress.read);
const begin = stepQuery(
  "begin_sales_progress",
  "insert into sales_progress (tenant_id, target) values ($1, 0) on conflict (tenant_id, id) do nothing returning id",
).nothing();

/** Locks the progress, so that one step runs at a time. Null where it began just now. */
export async function lockSalesProgress(run: Run): Promise<SalesProgress | null> {
  const locked = await lock(run);
  if (locked === null) await begin(run);
  return locked;
}

const forgetSome = stepQuery(
  "forget_changed_sales",
  `delete from changed_sales n where n.tenant_id = $1 and n.id = any(array(
    select o.id from changed_sales o where o.tenant_id = $1 order by o.id limit ${FORGOTTEN})) returning n.id`,
).count();
const noteCleared = stepQuery(
  "cleared_sales",
  "update sales_progress p set is_cleared = true where p.tenant_id = $1 and p.id = 0 returning p.id",
).nothing();

/** Forgets changes of companies that will all be summed up afterwards. */
export async function forgetChanges(run: Run): Promise<void> {
  if ((await forgetSome(run)) < FORGOTTEN) await noteCleared(run);
}

/** Begins to walk through all companies, to sum up their sales until a month. */
export const beginWalk = stepQuery<[month: number]>(
  "target_sales",
  "update sales_progress p set target = $2, walked_id = 0 where p.tenant_id = $1 and p.id = 0 returning p.id",
).nothing();

const nextToWalk = stepQuery(
  "walk_sales",
  `select c.id from companies c
  where c.tenant_id = $1 and c.id > (select p.walked_id from sales_progress p where p.tenant_id = $1 and p.id = 0)
  order by c.id limit ${COMPANIES}`,
).all(([id]) => String(id));
const noteWalked = stepQuery<[id: string | null, isEnd: boolean]>(
  "walked_sales",
  `update sales_progress p set walked_id = coalesce($2::bigint, p.walked_id),
    until = case when $3::boolean then p.target else p.until end
  where p.tenant_id = $1 and p.id = 0 returning p.id`,
).nothing();

/** Sums up the next companies. */
export async function walkOn(run: Run): Promise<void> {
  const companies = await nextToWalk(run);
  await sumUp(run, companies);
  await noteWalked(run, companies.at(-1) ?? null, companies.length < COMPANIES);
}

const nextChanges = stepQuery(
  "follow_sales",
  `select n.id, n.company_id from changed_sales n where n.tenant_id = $1 order by n.id limit ${CHANGES}`,
).all(([id, company]) => ({ id: String(id), company: String(company) }));
const forgetFollowed = stepQuery<[ids: readonly string[]]>(
  "followed_sales",
  "delete from changed_sales n where n.tenant_id = $1 and n.id = any($2::bigint[]) returning n.id",
).nothing();

/** Sums up the companies of the next changes. Returns whether more may wait. */
export async function sumChanged(run: Run): Promise<boolean> {
  const changes = await nextChanges(run);
  await sumUp(run, [...new Set(changes.map(({ company }) => company))]);
  const ids = changes.map(({ id }) => id);
  if (ids.length > 0) await forgetFollowed(run, ids);
  return changes.length === CHANGES;
}

const sums = selectList({ companies: column.text("s.companies"), months: column.text("s.months") });

/** The new sums of companies, and the differences to those that are stored by month: one snapshot, as JSON. */
const findSums = stepQuery<[companies: readonly string[]]>(
  "sum_sales",
  `with sold as materialized (
    select i.company_id, coalesce(i.currency, '') as currency, ${monthSql("i.issued_on")} as month,
      coalesce(sum(i.total), 0) as sold, count(*)::integer as invoices
    from unnest($2::bigint[]) c (id) cross join lateral (
      select i.company_id, i.currency, i.issued_on, i.total from invoices i
      where i.tenant_id = $1 and i.company_id = c.id and ${isSold} and i.issued_on < (
        select ${firstDay("p.target + 1")} from sales_progress p
        where p.tenant_id = $1 and p.id = 0)
    ) i group by 1, 2, 3
  ), stored as (
    select s.currency, m.month, m.sold - lag(m.sold, 1, 0) over w as sold,
      m.invoices - lag(m.invoices, 1, 0) over w as invoices
    from unnest($2::bigint[]) c (id) cross join lateral (
      select s.* from company_sales s where s.tenant_id = $1 and s.company_id = c.id
    ) s cross join lateral unnest(s.months, s.sold, s.invoices) m (month, sold, invoices)
    window w as (partition by s.company_id, s.currency order by m.month)
  )
  select ${sums.sql} from (select
    coalesce((select json_agg(c) from (
      select u.company_id, u.currency, json_agg(u.month order by u.month) as months,
        json_agg(u.sold order by u.month) as sold, json_agg(u.invoices order by u.month) as invoices
      from (
        select s.company_id, s.currency, s.month, sum(s.sold) over w as sold, sum(s.invoices) over w as invoices
        from sold s window w as (partition by s.company_id, s.currency order by s.month)
      ) u group by u.company_id, u.currency
    ) c), '[]') as companies,
    coalesce((select json_agg(m) from (
      select d.month, d.currency, sum(d.sold) as sold, sum(d.invoices) as invoices
      from (
        select s.month, s.currency, s.sold, s.invoices from sold s
        union all select s.month, s.currency, -s.sold, -s.invoices from stored s
      ) d group by d.month, d.currency having sum(d.sold) <> 0 or sum(d.invoices) <> 0
    ) m), '[]') as months
  ) s`,
).first(sums.read);
const removeCompanies = stepQuery<[companies: readonly string[]]>(
  "remove_company_sales",
  "delete from company_sales s where s.tenant_id = $1 and s.company_id = any($2::bigint[]) returning s.company_id",
).nothing();
const storeCompanies = stepQuery<[sums: string]>(
  "write_company_sales",
  `insert into company_sales (tenant_id, company_id, currency, months, sold, invoices)
  select $1::bigint, s.company_id, s.currency, s.months, s.sold, s.invoices
  from json_to_recordset($2) as s (company_id bigint, currency text, months integer[], sold numeric[], invoices integer[])
  returning company_id`,
).nothing();
const storeMonths = stepQuery<[differences: string]>(
  "write_month_sales",
  `insert into month_sales as s (tenant_id, month, currency, sold, invoices)
  select $1::bigint, m.month, m.currency, m.sold, m.invoices
  from json_to_recordset($2) as m (month integer, currency text, sold numeric, invoices bigint)
  on conflict (tenant_id, month, currency) do update
  set sold = s.sold + excluded.sold, invoices = s.invoices + excluded.invoices
  returning month`,
).nothing();

async function sumUp(run: Run, companies: readonly string[]): Promise<void> {
  if (companies.length === 0) return;
  const found = await findSums(run, companies);
  if (found === null) return;
  await removeCompanies(run, companies);
  await storeCompanies(run, found.companies);
  await storeMonths(run, found.months);
}
