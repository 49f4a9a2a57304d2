import { customTable } from "../../../customers/custom-fields/defined-fields.ts";
import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { customValues, METADATA, type CustomTable } from "../../../platform/fields/custom.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { findInvoice } from "../invoice-queries.ts";
import { invoiceRow } from "../invoice-row.ts";

/** The invoice that the path names, with the values of its custom fields. Throws resourceMissing. */
export async function invoiceOf(
  { database, keyring }: Deps,
  request: Pick<PageRequest, "actor" | "params">,
): Promise<{ invoice: RowByName; companyName: string; custom: CustomTable }> {
  const { tenant } = request.actor;
  const row = await found("Invoice", request, async (id) => await findInvoice(tenant, database, id));
  const invoice = invoiceRow(row, { keyring, tenant });
  const custom = await customTable(tenant, database, "invoice");
  const values = customValues(custom, invoice[METADATA] ?? null);
  return { invoice: { ...invoice, ...values }, companyName: String(row.at(-1)), custom };
}
