import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement, readNamed } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { MOST_SUMMED } from "../invoices/money-queries.ts";
import { NEWEST_FIRST } from "../invoices/shown-queries.ts";
import type { Period } from "./sales-period.ts";

/** The sold amount of a month (its first day) in a currency. */
export type SoldInMonth = { currency: string; from: string; sold: string };

const month = selectList({
  currency: column.text("s.currency"),
  from: column.text("s.month"),
  sold: column.text("s.sold"),
  isCut: column.flag("s.is_cut"),
});

// Each part reads the index invoices_of_company_by_status alone.
const ofStatus = (status: string) => `(select i.issued_on, i.currency, i.total from invoices i
      where i.tenant_id = $1 and i.company_id = :company::bigint and i.status = '${status}'
        and i.issued_on >= :from::date and i.issued_on <= :to::date
      ${NEWEST_FIRST} limit ${MOST_SUMMED})`;

const statement = namedStatement(
  "months_of_company",
  `with sold as materialized (${ofStatus("issued")} union all ${ofStatus("paid")})
    select ${month.sql} from (
      select coalesce(i.currency, '') as currency, date_trunc('month', i.issued_on::timestamp)::date as month,
        coalesce(sum(i.total), 0) as sold, (select count(*) from sold) >= ${MOST_SUMMED} as is_cut
      from sold i group by 1, 2
    ) s order by s.month`,
);

/** The months in which a company bought; none if it has more invoices than a page sums up. */
export async function monthsOfCompany(
  tenant: TenantId,
  { quick }: Database,
  company: string,
  { from, to }: Period,
): Promise<SoldInMonth[]> {
  const months = (await readNamed(tenant, quick, statement, { company, from, to })).map(month.read);
  return months.some(({ isCut }) => isCut) ? [] : months;
}
