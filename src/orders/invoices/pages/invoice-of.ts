import type { Deps } from "../../deps.ts";
import { found } from "../../endpoint.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import type { PageRequest } from "../../web/page.ts";
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
