import { fieldMessages, type FieldErrors } from "../platform/fields/field-reasons.ts";
import { errorTable, HttpError, protocolErrors } from "../platform/http/http-error.ts";

/**
 * The error table: every error of the API. docs/errors.md explains each by the same name; a test compares the two. A
 * row's name is its `X-Error-Code` in snake_case, so it must not change.
 */
export const errors = errorTable({
  ...protocolErrors,
  keyMissing: () =>
    new HttpError(401, { error: "API key missing. Use Authorization: Bearer <tenant>.<key>" }, CHALLENGE),
  keyFormatInvalid: () => new HttpError(401, { error: "Invalid API key format. Expected: <tenant>.<key>" }, CHALLENGE),
  tenantUnknown: () => new HttpError(401, { error: "Invalid API key (unknown tenant)." }, CHALLENGE),
  keyUnknown: () => new HttpError(401, { error: "Invalid API key." }, CHALLENGE),
  keyInactive: () => new HttpError(403, { error: "API key is inactive or expired." }),
  tenantSuspended: () => new HttpError(403, { error: "Account suspended." }),
  addressNotAllowed: () => new HttpError(403, { error: "IP address not allowed." }),
  capabilityMissing: (capability: string) => new HttpError(403, { error: `Missing capability: ${capability}` }),
  /** @param model Company, Contact, Address or Invoice. @param id as in the URL, decoded once */
  resourceMissing: (model: string, id: string, headers?: Record<string, string>) =>
    new HttpError(404, { message: sentences.missing(model, id) }, headers),
  resourceChanged: () => new HttpError(412, { error: "The resource was changed meanwhile." }),
  /** @param holder the live company that has the tax id */
  taxIdTaken: (holder: { id: number; name: string; tax_id: string | null }) =>
    new HttpError(409, { error: sentences.taxIdTaken, data: holder }),
  /** @param holder the invoice that has the number */
  invoiceNumberTaken: (holder: { id: number; number: string; company_id: number }) =>
    new HttpError(409, { error: sentences.invoiceNumberTaken, data: holder }),
  /** @param holder the live resource that has the external id, and its type */
  externalIdTaken: ({ type, ...data }: { type: string; id: number; source: string; external_id: string }) =>
    new HttpError(409, { error: sentences.externalIdTaken(type), data }),
  /** @param details the allowed values, as a sentence */
  validationFailed: (wrong: FieldErrors, details?: string) =>
    new HttpError(422, {
      error: "Validation failed.",
      errors: fieldMessages(wrong),
      ...(details !== undefined && { details }),
    }),
  cursorInvalid: () => new HttpError(422, { error: "Invalid cursor." }),
  cursorTooOld: () =>
    new HttpError(410, {
      error: "This cursor is too old.",
      details: "Changes behind it may be missing: read everything again, and follow from there.",
    }),
  /** @param known the known types */
  changeTypeUnknown: (known: readonly string[]) =>
    new HttpError(422, { error: "Unknown type of change.", details: `Types are ${known.join(", ")}.` }),
  /** @param kinds among invoices, offers, deals, tickets, subscriptions, in that order */
  deletionBlocked: (kinds: string[]) =>
    new HttpError(422, {
      error: sentences.deletionBlocked,
      details: sentences.blockedBy(kinds),
    }),
  /** @param merge the merge by which the company went into another */
  companyMerged: (merge: string) => new HttpError(422, sentences.merged("Company", merge)),
  contactMerged: (merge: string) => new HttpError(422, sentences.merged("Contact", merge)),
  /** @param details the reason, as a sentence */
  mergeNotUndoable: (details: string) => new HttpError(422, { error: "Cannot undo the merge.", details }),
  idempotencyKeyInvalid: () => new HttpError(422, { error: "Invalid Idempotency-Key." }),
  idempotencyKeyReused: () => new HttpError(422, { error: "Idempotency-Key was used for another request." }),
  idempotencyKeyInProgress: () =>
    new HttpError(409, { error: "A request with this Idempotency-Key is in progress." }, { "retry-after": "1" }),
  webhookInactive: () => new HttpError(422, { error: "The webhook is switched off." }),
  webhookSecretsTooMany: () =>
    new HttpError(422, {
      error: "The webhook has too many secrets.",
      details: "Ten that were replaced sign for 24 hours each: try again later, or make another webhook.",
    }),
  invoiceSent: () => new HttpError(422, { error: "Cannot change an invoice that was sent to the warehouse." }),
  /** @param status of the invoice */
  paymentRefused: (status: "draft" | "cancelled") =>
    new HttpError(422, { error: sentences.paymentRefused, details: sentences.paymentRefusedFor[status] }),
  customFieldInUse: () =>
    new HttpError(422, { error: "Cannot delete this custom field.", details: "It is not archived." }),
  /** @param details the reason, as a sentence */
  invoiceNotSendable: (details: string) =>
    new HttpError(422, { error: "Cannot send the invoice to the warehouse.", details }),
  /** @param details the reason, as a sentence */
  orderNotCancellable: (details: string) =>
    new HttpError(422, { error: "Cannot cancel the order in the warehouse.", details }),
});

/** The sentences that are also used for one item among many (batch/). */
export const sentences = {
  missing: (model: string, id: string) => `No query results for model [${model}] ${id}`,
  taxIdTaken: "Company with this tax_id already exists.",
  externalIdTaken: (type: string) => `Another ${type} has this external id.`,
  invoiceNumberTaken: "Invoice with this number already exists.",
  deletionBlocked: "Cannot delete company with related records.",
  blockedBy: (kinds: readonly string[]) => `Blocked by: ${kinds.join(", ")}.`,
  merged: (model: string, merge: string) => ({
    error: `The ${model.toLowerCase()} was merged into another.`,
    details: `Undo merge ${merge} instead.`,
  }),
  deletedAndRestored: "An item cannot have both delete and restore.",
  unchangeable: (model: string) => `${model}s cannot be changed.`,
  stay: (model: string) => `${model}s cannot be deleted or restored.`,
  paymentRefused: "Cannot record a payment of this invoice.",
  paymentRefusedFor: { draft: "It is a draft.", cancelled: "It is cancelled, so it takes refunds only." },
};

const CHALLENGE = { "www-authenticate": "Bearer" };
