import { idSchema, nullable, objectSchema, refTo, timestampSchema, type Schema } from "./schema.ts";

/** The page envelope of companies, contacts and addresses (decisions 4). */
export function pageSchema(model: string): Schema {
  return objectSchema({
    current_page: currentPage,
    data: { type: "array", maxItems: 200, items: refTo(model) },
    first_page_url: pageUrl,
    from: nullable({ ...position, description: "The position of the page's first item. Null on an empty page." }),
    last_page: { type: "integer", minimum: 1 },
    last_page_url: pageUrl,
    next_page_url: nullable({ ...pageUrl, description: "Null on the last page, and beyond it." }),
    path: { ...pageUrl, description: "The list's address without its query." },
    per_page: perPage,
    prev_page_url: nullable({ ...pageUrl, description: "Null on the first page." }),
    to: nullable({ ...position, description: "The position of the page's last item. Null on an empty page." }),
    total,
  });
}

const currentPage: Schema = { type: "integer", minimum: 1, description: "As asked for, also beyond the last page." };
const perPage: Schema = { type: "integer", minimum: 1, maximum: 200 };
const total: Schema = { type: "integer", minimum: 0, description: "Of all pages together; exact." };
const position: Schema = { type: "integer", minimum: 1 };
const pageUrl: Schema = { type: "string", format: "uri", description: "Absolute, with the list's other parameters." };

const wmsOrder: Schema = {
  description: "The link between an invoice and the order that it became in a warehouse management system.",
  ...objectSchema({
    crm_invoice_id: idSchema,
    crm_invoice_number: { type: "string", examples: ["INV-2026-0042"] },
    company: objectSchema({
      id: idSchema,
      tax_id: nullable({
        type: "string",
        description: "The fiscal id that the WMS gets as `client_cui`: the recommended business check.",
        examples: ["RO18547290"],
      }),
    }),
    wms: objectSchema({
      instance: nullable({
        type: "string",
        description:
          "Hostname of the WMS, saved when the order was created. With `order_id` it is the stable identifier across " +
          "systems. Null on orders older than the field: reconfirm those before automating anything.",
        examples: ["transilvania.wms.example"],
      }),
      order_id: { type: "integer", format: "int64", examples: [90017] },
      order_number: nullable({ type: "string", description: "For display; not unique.", examples: ["SO-90017"] }),
      status: nullable({ type: "string", description: "As the WMS said it; an open list.", examples: ["shipped"] }),
      synced_at: nullable(timestampSchema),
    }),
  }),
};

/** The one list that is of no noun of its own (specification 2.3 and 4.3). */
export const wmsOrderSchemas: Record<string, Schema> = {
  WmsOrder: wmsOrder,
  WmsOrderPage: objectSchema({
    current_page: currentPage,
    data: { type: "array", maxItems: 200, items: refTo("WmsOrder") },
    per_page: perPage,
    total,
  }),
};
