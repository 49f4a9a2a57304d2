import { companyExists } from "../../customers/companies/company-queries.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import { storedValues } from "../../customers/custom-fields/stored-values-queries.ts";
import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { draftOf, draftOfUpdate, refusal, storable } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { passedOn, type Trace } from "../../platform/trace.ts";
import { isAddressOfCompany, isAddressOfInvoice } from "./delivery-queries.ts";
import { changeInvoice, insertInvoice, invoiceExists, refusesChange, type InvoiceStored } from "./invoice-queries.ts";
import { invoice } from "./invoice.ts";

/** The rejection of an address that the company does not have. */
const NO_SUCH_ADDRESS: FieldErrors = { delivery_address_id: [{ code: "notSelectable" }] };

/** The rejection of the status `draft`, because the warehouse may have the invoice. */
export const DRAFT_AGAIN: FieldErrors = { status: [{ code: "withWarehouse" }] };

/** The outcome of a create or an update. For a create, `missing` means the company. */
export type InvoiceWritten =
  | InvoiceStored
  | { outcome: "missing" }
  | { outcome: "invalid"; messages: FieldErrors }
  /** The changes are refused, because the warehouse may have the invoice. */
  | { outcome: "sent" }
  /** Its version is not one of the expected ones. */
  | { outcome: "outdated" };

/**
 * Creates an invoice of a company with its lines; `row` is in the format of invoiceJson.
 * @param trace of the request, for calls of the warehouse if the company sends automatically
 * @param corrects the id of an invoice of the tenant
 */
export async function createInvoice(
  { database, keyring }: Store,
  actor: Actor,
  companyId: string,
  input: Input,
  trace: Trace | null = null,
  corrects: string | null = null,
): Promise<Exclude<InvoiceWritten, { outcome: "sent" | "outdated" }>> {
  const { tenant } = actor;
  const draft = draftOf(invoice, input, "create", await customTable(tenant, database, "invoice"));
  if (draft.messages !== null) return refusal(draft.messages, await companyExists(tenant, database, companyId));
  const address = draft.values.delivery_address_id ?? null;
  if (address !== null && !(await isAddressOfCompany(tenant, database, companyId, String(address))))
    return refusal(NO_SUCH_ADDRESS, await companyExists(tenant, database, companyId));
  const stored = storable(invoice, draft, { keyring, tenant }, actor);
  const values = { ...stored, wms_trace: passedOn(trace), corrects_id: corrects };
  return (await insertInvoice(tenant, database, companyId, values)) ?? { outcome: "missing" };
}

/**
 * Changes only the fields that were sent, if the invoice has one of the expected versions; the statement checks this.
 * `lines` are replaced as a whole. The trace has the same purpose as in a create.
 */
export async function updateInvoice(
  { database, keyring }: Store,
  actor: Actor,
  id: string,
  input: Input,
  expected: Expected,
  trace: Trace | null,
): Promise<InvoiceWritten> {
  const { tenant } = actor;
  const custom = await customTable(tenant, database, "invoice");
  const draft = await draftOfUpdate(invoice, input, custom, async () => storedValues.invoice(tenant, database, id));
  if (draft.messages !== null) return refusal(draft.messages, await invoiceExists(tenant, database, id));
  const address = draft.values.delivery_address_id ?? null;
  if (address !== null && !(await isAddressOfInvoice(tenant, database, id, String(address))))
    return refusal(NO_SUCH_ADDRESS, await invoiceExists(tenant, database, id));
  const values = { ...storable(invoice, draft, { keyring, tenant }, actor), wms_trace: passedOn(trace) };
  const written = await changeInvoice(tenant, database, id, values, expected);
  if (written !== null) return written;
  if (!(await invoiceExists(tenant, database, id))) return { outcome: "missing" };
  // An existing invoice is only protected by its state at the warehouse and by its version.
  const isSent = expected === null || (await refusesChange(tenant, database, id, values));
  if (!isSent) return { outcome: "outdated" };
  const isDraftAgain =
    draft.values.status === "draft" && (await refusesChange(tenant, database, id, { status: "draft" }));
  return isDraftAgain ? { outcome: "invalid", messages: DRAFT_AGAIN } : { outcome: "sent" };
}
