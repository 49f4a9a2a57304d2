import { parentMembers, parentNames } from "../../customers/companies/company-reference.ts";
import { historyReference } from "../../kit/changes/change-reference.ts";
import { errors } from "../../kit/errors.ts";
import { batching } from "../../kit/openapi/batch-reference.ts";
import type { ErrorReference, Reference } from "../../kit/openapi/reference.ts";
import { errorSchema, resourceMissing } from "../../kit/openapi/request-errors.ts";
import { creating, listing, showing, updating } from "../../kit/openapi/resource-references.ts";
import { fieldValues } from "../../kit/openapi/resource-schemas.ts";
import { everyonesMembers, metadataMember, type ReadOnlyMember, type Resource } from "../../kit/openapi/resource.ts";
import {
  idSchema,
  integerSchema,
  named,
  nullable,
  objectSchema,
  timestampSchema,
  type Schema,
} from "../../kit/openapi/schema.ts";
import { invoiceStates } from "./invoice-reads.ts";
import { invoice as noun, wmsStates } from "./invoice.ts";

const wmsState = named("InvoiceWmsState", { type: "string", enum: wmsStates });

const wms: ReadOnlyMember = {
  schema: {
    description: "The state of the invoice on its way to the warehouse, and its order there.",
    ...named(
      "InvoiceWms",
      objectSchema({
        state: wmsState,
        instance: nullable({
          type: "string",
          description: "Hostname of the warehouse management system. With `order_id` it identifies the order.",
          examples: ["transilvania.wms.example"],
        }),
        order_id: nullable({ ...integerSchema(1), examples: [90017] }),
        order_number: nullable({ type: "string", description: "For display; not unique.", examples: ["SO-90017"] }),
        status: nullable({
          type: "string",
          description: "The WMS's own word; new values may appear.",
          examples: ["shipped"],
        }),
        synced_at: nullable(timestampSchema),
        error: nullable({ type: "string", description: "What is wrong, as a sentence for people." }),
      }),
    ),
  },
  example: {
    state: "not_sent",
    instance: null,
    order_id: null,
    order_number: null,
    status: null,
    synced_at: null,
    error: null,
  },
};

const net: ReadOnlyMember = {
  schema: {
    type: "string",
    description: "The sum of the lines without VAT. Answered with lines, if one of them has a VAT rate.",
    examples: ["1250.50"],
  },
  example: "1250.50",
};

const vat: ReadOnlyMember = {
  schema: {
    type: "string",
    description: "The VAT of the lines, rounded for each rate. Answered with `net`.",
    examples: ["262.61"],
  },
  example: "262.61",
};

const correctsId: ReadOnlyMember = {
  schema: {
    ...idSchema,
    description: "The cancelled invoice that this one replaces. Answered where there is one.",
  },
  example: 1,
};

const paid: ReadOnlyMember = {
  schema: {
    type: "string",
    description: "The sum of the invoice's payments. Answered if it has some.",
    examples: ["1000.00"],
  },
  example: "1000.00",
};

const left: ReadOnlyMember = {
  schema: nullable({
    type: "string",
    description: "`total` without `paid`; negative if too much was paid; null without a total. Answered with `paid`.",
    examples: ["250.50"],
  }),
  example: "250.50",
};

const text = nullable({ type: "string" });

const deliveredTo: ReadOnlyMember = {
  schema: nullable({
    description: "The delivery that the warehouse received with the order; null before that.",
    ...named(
      "InvoiceDelivery",
      objectSchema({
        name: text,
        address: text,
        city: text,
        county: text,
        country: text,
        postal_code: text,
        phone: text,
        notes: text,
      }),
    ),
  }),
  example: null,
};

const names = noun.fields.map(({ name }) => name);

/** The invoice in the OpenAPI document. */
export const invoiceResource: Resource = {
  tag: { name: "Invoices", description: "The invoices of a company, which become orders in its warehouse." },
  model: "Invoice",
  singular: "invoice",
  plural: "invoices",
  fields: noun.fields,
  hasExternal: true,
  hasCustom: true,
  members: ["id", "company_id", ...names, "wms", "delivered_to", "created_at", "updated_at"],
  notInLists: ["lines", "delivered_to"],
  embedded: [{ word: "lines", capability: null }],
  membersOfOne: ["company"],
  sometimes: ["net", "vat", "corrects_id", "paid", "left", "metadata"],
  readOnly: {
    ...everyonesMembers,
    ...parentMembers,
    wms,
    net,
    vat,
    corrects_id: correctsId,
    paid,
    left,
    metadata: metadataMember,
    delivered_to: deliveredTo,
  },
  lookUps: [
    {
      name: "number",
      in: "query",
      description: "The invoice with this number, in the same upper and lower case.",
      schema: { type: "string", examples: ["INV-2026-0042"] },
    },
  ],
  searched: ["number"],
  order: "newest `issued_on` first, those without one last, then descending `id`",
  change: { status: "paid", due_on: null },
};

const numberTaken: ErrorReference = {
  name: "invoiceNumberTaken",
  summary: "A number that another invoice has",
  example: errors.invoiceNumberTaken({ id: 1, number: "INV-2026-0042", company_id: 1 }),
  meaning: "The `number` belongs to another invoice of the tenant.",
  schema: named(
    "InvoiceNumberTaken",
    objectSchema({
      error: { type: "string", const: "Invoice with this number already exists." },
      data: {
        description: "The invoice that has the `number`.",
        ...named("NumberHolder", objectSchema({ id: idSchema, number: { type: "string" }, company_id: idSchema })),
      },
    }),
  ),
};

const sent: ErrorReference = {
  name: "invoiceSent",
  summary: "Another total for an invoice that was sent",
  example: errors.invoiceSent(),
  schema: errorSchema,
};

const filters: readonly Schema[] = [
  {
    name: "status",
    in: "query",
    description: "Invoices of this status. Any other value matches nothing.",
    schema: { ...fieldValues(invoiceResource, "status"), examples: ["issued"] },
  },
  {
    name: "wms_state",
    in: "query",
    description:
      "Invoices with this `wms.state`. `cancelled_here`: those that are cancelled although their order is not, until a " +
      "person accepts that. Any other value matches nothing.",
    schema: { type: "string", enum: invoiceStates, examples: ["failed"] },
  },
];

/** The documentation of the invoice endpoints. */
export const invoiceReference = {
  list: listing(invoiceResource, {
    where: " of a company",
    filters,
    errors: [resourceMissing("Company")],
  }),
  create: creating(invoiceResource, {
    twice: "creates one invoice: the second returns 409, which names the first",
    errors: [resourceMissing("Company"), numberTaken],
  }),
  show: showing(invoiceResource),
  update: updatingInvoice(),
  history: historyReference(invoiceResource, "invoice"),
  batch: batching(invoiceResource, { by: "number", names: parentNames, removes: false }),
} satisfies Record<string, Reference>;

function updatingInvoice(): Reference {
  const reference = updating(invoiceResource, [numberTaken, sent]);
  return {
    ...reference,
    description:
      `${reference.description} \`lines\` replace all lines of the invoice. While \`wms.state\` is queued, sending, ` +
      "unknown or sent, or failed with an order that may exist, its `number`, `lines`, `total`, `currency` and " +
      "`delivery_address_id` cannot change, and it cannot become a `draft`.",
  };
}
