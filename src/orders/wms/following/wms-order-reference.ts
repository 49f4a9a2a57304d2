import { errors } from "../../../kit/errors.ts";
import { plainPageSchema } from "../../../kit/openapi/page-schemas.ts";
import { pagingParameters } from "../../../kit/openapi/parameters.ts";
import type { Reference } from "../../../kit/openapi/reference.ts";
import { detailedErrorSchema, resourceMissing } from "../../../kit/openapi/request-errors.ts";
import { resourceExample } from "../../../kit/openapi/resource-examples.ts";
import { successWithOne } from "../../../kit/openapi/resource-references.ts";
import { resourceSchema } from "../../../kit/openapi/resource-schemas.ts";
import {
  idSchema,
  integerSchema,
  named,
  nullable,
  objectSchema,
  timestampSchema,
} from "../../../kit/openapi/schema.ts";
import { invoiceResource } from "../../invoices/invoice-reference.ts";

const wmsOrder = named("WmsOrder", {
  description: "The link between an invoice and the order that it became in a warehouse management system.",
  ...objectSchema({
    crm_invoice_id: idSchema,
    crm_invoice_number: { type: "string", examples: ["INV-2026-0042"] },
    company: named(
      "WmsOrderCompany",
      objectSchema({
        id: idSchema,
        tax_id: nullable({
          type: "string",
          description:
            "The company's current tax id, which the WMS has as `client_cui`. Compare it to confirm the client.",
          examples: ["RO18547290"],
        }),
      }),
    ),
    wms: named(
      "WmsOrderLink",
      objectSchema({
        instance: nullable({
          type: "string",
          description:
            "Hostname of the WMS, stored when the order was created. With `order_id` it identifies the order. Null if the order is older " +
            "than this field: check such an order by hand before you rely on it.",
          examples: ["transilvania.wms.example"],
        }),
        order_id: { ...integerSchema(1), examples: [90017] },
        order_number: nullable({ type: "string", description: "For display; not unique.", examples: ["SO-90017"] }),
        status: nullable({
          type: "string",
          description: "The WMS's own word; new values may appear.",
          examples: ["shipped"],
        }),
        synced_at: nullable(timestampSchema),
      }),
    ),
  }),
});

const invoiceSchema = resourceSchema(invoiceResource);

/** Correlations with and without what older orders lack. */
const page = {
  current_page: 1,
  data: [
    {
      crm_invoice_id: 42,
      crm_invoice_number: "INV-2026-0042",
      company: { id: 1, tax_id: "RO18547290" },
      wms: {
        instance: "transilvania.wms.example",
        order_id: 90_017,
        order_number: "SO-90017",
        status: "shipped",
        synced_at: "2026-11-20T09:15:00.123456Z",
      },
    },
    {
      crm_invoice_id: 7,
      crm_invoice_number: "INV-2019-0007",
      company: { id: 1, tax_id: "RO18547290" },
      wms: { instance: null, order_id: 311, order_number: "SO-311", status: "delivered", synced_at: null },
    },
  ],
  per_page: 50,
  total: 2,
};

function sentExample(state: string): object {
  const example = resourceExample(invoiceResource);
  return { ...example, wms: { ...(invoiceResource.readOnly.wms?.example as object), state } };
}

/** The words of the endpoint of warehouse orders. */
export const wmsOrderReference = {
  list: {
    operationId: "listWmsOrders",
    tag: { name: "WMS orders", description: "The warehouse orders that invoices became. Read-only." },
    summary: "List the warehouse orders of a company's invoices",
    description:
      "The invoices that have an order in a warehouse management system (WMS). Order: newest " +
      "`synced_at` first, null last. `wms.instance` and `wms.order_id` together identify the order; " +
      "`company.tax_id` confirms the client; `wms.order_number` is for people to read.",
    query: pagingParameters,
    success: {
      status: 200,
      description: "The page.",
      schema: plainPageSchema(wmsOrder),
      examples: { page: { summary: "A recent order, and one older than `wms.instance`", value: page } },
    },
    errors: [resourceMissing("Company")],
  },
  send: {
    operationId: "sendInvoice",
    resource: invoiceResource,
    tag: invoiceResource.tag,
    summary: "Send an invoice to the warehouse",
    description:
      "Sends the invoice to its company's warehouse soon afterwards. It becomes one order, however often you repeat the request. " +
      "`wms.state` says how far it is. Only an invoice that is issued or paid can be sent.",
    success: successWithOne(202, "The invoice, queued.", invoiceSchema, {
      queued: { summary: "A queued invoice", value: { data: sentExample("queued") } },
    }),
    done: successWithOne(200, "The invoice, which is on its way or there already. Nothing was queued.", invoiceSchema, {
      sending: { summary: "An invoice that is being sent", value: { data: sentExample("sending") } },
    }),
    errors: [
      resourceMissing("Invoice"),
      {
        name: "invoiceNotSendable",
        summary: "A company without a connection",
        example: errors.invoiceNotSendable("The company has no warehouse connection."),
        meaning: "The invoice cannot be sent as it is; `details` says why.",
        schema: detailedErrorSchema,
      },
    ],
  },
  cancel: {
    operationId: "cancelOrder",
    resource: invoiceResource,
    tag: invoiceResource.tag,
    summary: "Cancel the order of a cancelled invoice in the warehouse",
    description:
      "Asks the warehouse soon afterwards, however often you repeat the request. `wms.status` becomes `cancelled`; " +
      "otherwise `wms.error` says why not, and the invoice stays in the list `wms_state=cancelled_here`.",
    success: successWithOne(202, "The invoice; its warehouse will be asked.", invoiceSchema, {
      asked: { summary: "A cancelled invoice", value: { data: { ...sentExample("sent"), status: "cancelled" } } },
    }),
    done: successWithOne(200, "The order is cancelled, or the warehouse is being asked already.", invoiceSchema, {
      asked: { summary: "A cancelled invoice", value: { data: { ...sentExample("sent"), status: "cancelled" } } },
    }),
    errors: [
      resourceMissing("Invoice"),
      {
        name: "orderNotCancellable",
        summary: "An invoice that is not cancelled",
        example: errors.orderNotCancellable("The invoice is not cancelled."),
        meaning: "The order cannot be cancelled as it is; `details` says why.",
        schema: detailedErrorSchema,
      },
    ],
  },
} satisfies Record<string, Reference>;
