import { invoiceReads } from "../../orders/invoices/invoice-reads.ts";
import { MOST_CURRENCIES } from "../../orders/invoices/money-queries.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement, readNamed } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { allValues, matches, type FilterValues } from "../../platform/reads/filters.ts";

const statement = namedStatement(
  "sums_of_company_invoices",
  `select coalesce(k.currency, ''), sum(case when :status = 'issued' then k.total - k.paid else k.total end)
  from invoices k where k.tenant_id = $1 and k.company_id = :parent and k.total is not null
      and ${matches(invoiceReads.filters)}
  group by k.currency order by count(*) desc, k.currency limit ${MOST_CURRENCIES}`,
);

/** The sums of a company's invoices by currency; if it is a list of unpaid ones, of the rests. */
export async function sumInvoices(
  tenant: TenantId,
  database: Database,
  { parent, filters }: { parent: string; filters: FilterValues<typeof invoiceReads.filters> },
): Promise<{ amount: string; currency: string }[]> {
  const values = { ...allValues(invoiceReads.filters, filters), parent };
  const rows = await readNamed(tenant, database.slow, statement, values);
  return rows.map(([currency, sum]) => ({ amount: String(sum), currency: String(currency) }));
}
