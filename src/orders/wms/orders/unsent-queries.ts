import { hasWarehouse } from "../../../customers/companies/warehouse-of-company.ts";
import { hasStatusToSend } from "../../invoices/invoice.ts";
import { isLongPaidSql } from "../../invoices/long-paid.ts";
import { NEWEST_FIRST } from "../../invoices/shown-queries.ts";

/**
 * The most invoices of a list: the newest of its state and its days. Older ones are not read, so a page costs the same
 * with any number of invoices (docs/decisions/0051-one-truth-about-an-order.md). Of those to be sent, some are left out
 * of these: they have no warehouse, or were paid long ago.
 */
export const MOST_ORDERS_LISTED = 10_000;

/** The invoices among which those to be sent are looked for, as the index invoices_unsent has them. */
export const UNSENT = `invoices i where i.tenant_id = $1 and i.wms_shown = 'not_sent' and ${hasStatusToSend}`;

/**
 * From-clause and condition of the newest invoices `i` of connected companies `c` that may be sent and were not. The
 * condition on `i` must equal that of the index invoices_unsent word for word.
 * @param ofInvoice a further condition of the index's columns
 * @param ofCompany a further condition of the company `c`
 */
export function unsent({ ofInvoice = "", ofCompany = "", companyColumns = "c.name" } = {}): string {
  return `(
    select i.* from ${UNSENT} ${ofInvoice}
    ${NEWEST_FIRST} limit ${MOST_ORDERS_LISTED}
  ) i
  cross join lateral (
    select ${companyColumns} from companies c
    where c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null and ${hasWarehouse("c")} ${ofCompany} limit 1
  ) c
  where not ${isLongPaidSql}`;
}
