import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { findInvoice } from "../invoice-queries.ts";
import { invoiceRow } from "../invoice-row.ts";

/** The invoice that the path names. Throws resourceMissing. */
export async function invoiceOf(
  { database, keyring }: Deps,
  request: PageRequest,
): Promise<{ invoice: RowByName; companyName: string }> {
  const { tenant } = request.actor;
  const row = await found("Invoice", request, async (id) => await findInvoice(tenant, database, id));
  return { invoice: invoiceRow(row, { keyring, tenant }), companyName: String(row.at(-1)) };
}
