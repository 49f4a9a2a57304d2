import { errors, sentences } from "../../kit/errors.ts";
import { batching } from "../../kit/openapi/batch-reference.ts";
import type { ErrorReference, Reference } from "../../kit/openapi/reference.ts";
import { detailedErrorSchema, resourceMissing } from "../../kit/openapi/request-errors.ts";
import { creating, deleting, listing, showing } from "../../kit/openapi/resource-references.ts";
import { everyonesMembers, type Resource } from "../../kit/openapi/resource.ts";
import { idSchema } from "../../kit/openapi/schema.ts";
import { payment } from "./payment.ts";

/** The payment in the OpenAPI document. */
export const paymentResource: Resource = {
  tag: {
    name: "Payments",
    description: "What was paid of invoices. An invoice is paid when its payments reach its total.",
  },
  model: "Payment",
  singular: "payment",
  plural: "payments",
  fields: payment.fields,
  hasExternal: true,
  members: ["id", "invoice_id", "company_id", ...payment.fields.map(({ name }) => name), "created_at", "updated_at"],
  membersOfOne: [],
  readOnly: {
    ...everyonesMembers,
    invoice_id: { schema: { ...idSchema, description: "The invoice that it pays." }, example: 1 },
    company_id: { schema: { ...idSchema, description: "The company of the invoice." }, example: 1 },
  },
  searched: [],
  order: "ascending `id`",
  change: { reference: "OP 4711" },
};

const refused: ErrorReference = {
  name: "paymentRefused",
  summary: "A payment of a draft",
  example: errors.paymentRefused("draft"),
  meaning: "The invoice takes no such payment; `details` says why.",
  schema: detailedErrorSchema,
};

const deletingPayment = deleting(paymentResource);
const batch = batching(paymentResource, {
  names: {
    invoice_id: { ...idSchema, description: "The invoice that is paid." },
    invoice_number: { type: "string", maxLength: 255, description: "Its number, instead of `invoice_id`." },
  },
  removes: false,
  recorded: {
    items: [
      { invoice_id: 1, amount: "1250.50", reference: "OP 4711" },
      { invoice_number: "INV-9", amount: "20" },
    ],
    error: sentences.missing("Invoice", "INV-9"),
  },
});

/** The documentation of the payment endpoints. */
export const paymentReference = {
  listAll: { ...listing(paymentResource), operationId: "listAllPayments" },
  list: {
    ...listing(paymentResource, { where: " of an invoice", errors: [resourceMissing("Invoice")] }),
    operationId: "listPayments",
  },
  create: {
    ...creating(paymentResource, {
      twice: "records two payments, unless they have an external id",
      errors: [resourceMissing("Invoice"), refused],
    }),
    summary: "Record a payment",
  },
  show: showing(paymentResource),
  delete: {
    ...deletingPayment,
    description: `${deletingPayment.description} Payments are not edited: delete one, and record it again.`,
  },
  batch,
} satisfies Record<string, Reference>;
