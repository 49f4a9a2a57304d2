import { companyExists } from "../../customers/companies/company-queries.ts";
import type { Actor } from "../../kit/actor.ts";
import type { Store } from "../../kit/deps.ts";
import { draftOf, refusal, storable } from "../../platform/fields/draft.ts";
import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import { passedOn, type Trace } from "../../platform/trace.ts";
import { changeInvoice, insertInvoice, invoiceExists, refusesChange, type InvoiceStored } from "./invoice-queries.ts";
import { invoice } from "./invoice.ts";

/** The outcome of a create or an update. For a create, `missing` means the company. */
export type InvoiceWritten =
  | InvoiceStored
  | { outcome: "missing" }
  | { outcome: "invalid"; messages: FieldErrors }
  /** The changes are refused, because the warehouse may have the invoice. */
  | { outcome: "sent"; isDraftAgain: boolean }
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
  const draft = draftOf(invoice, input, "create");
  if (draft.messages !== null) return refusal(draft.messages, await companyExists(tenant, database, companyId));
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
  const draft = draftOf(invoice, input, "update");
  if (draft.messages !== null) return refusal(draft.messages, await invoiceExists(tenant, database, id));
  const values = { ...storable(invoice, draft, { keyring, tenant }, actor), wms_trace: passedOn(trace) };
  const written = await changeInvoice(tenant, database, id, values, expected);
  if (written !== null) return written;
  if (!(await invoiceExists(tenant, database, id))) return { outcome: "missing" };
  // An existing invoice is only protected by its state at the warehouse and by its version.
  const isSent = expected === null || (await refusesChange(tenant, database, id, values));
  if (!isSent) return { outcome: "outdated" };
  const isDraftAgain =
    input.status === "draft" && (await refusesChange(tenant, database, id, { status: input.status }));
  return { outcome: "sent", isDraftAgain };
}
