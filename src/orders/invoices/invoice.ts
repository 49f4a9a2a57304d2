import type { Writable } from "../../platform/fields/draft.ts";
import { fieldTable } from "../../platform/fields/fields.ts";
import { positionField } from "../../platform/fields/list-items.ts";
import { withTotal } from "./line-totals.ts";

/** The invoice's own fields, common to all ways of writing it. */
export const ownFields = fieldTable([
  {
    name: "number",
    kind: "string",
    max: 255,
    required: true,
    description: "The invoice's number. Unique among the invoices of the tenant. `a-1` and `A-1` are two numbers.",
    example: "INV-2026-0042",
  },
  { name: "issued_on", kind: "date", description: "The day on which it was issued.", example: "2026-11-20" },
  { name: "due_on", kind: "date", description: "The day by which it has to be paid.", example: "2026-12-20" },
  {
    name: "total",
    kind: "decimal",
    isAmount: true,
    description:
      "The amount of the whole invoice. It is not compared with the lines. A new invoice whose lines have VAT rates gets " +
      "their net and VAT together, unless it is sent.",
    example: "1250.50",
  },
  {
    name: "currency",
    kind: "string",
    max: 10,
    description: "A code such as `RON` or `EUR`. It is not checked.",
    example: "RON",
  },
  {
    name: "status",
    kind: "enum",
    values: ["draft", "issued", "paid", "cancelled"],
    default: "issued",
    description: "The state of the invoice itself; `wms` has that of its order.",
    example: "issued",
  },
  {
    name: "delivery_address_id",
    kind: "integer",
    description:
      "The address of the company to which the goods go. Null: its default delivery address, otherwise its first one, otherwise the company's own.",
  },
]);

/** The fields of an invoice's line, in the order of docs/contract.md 14.3. */
export const lineFields = fieldTable([
  {
    name: "sku",
    kind: "string",
    max: 100,
    description: "The article's number in the warehouse.",
    example: "PALLET-80",
  },
  {
    name: "description",
    kind: "string",
    max: 255,
    required: true,
    description: "What is sold.",
    example: "Pallet, 80 x 120 cm",
  },
  { name: "quantity", kind: "decimal", required: true, description: "How many of it.", example: "50" },
  {
    name: "unit_price",
    kind: "decimal",
    isAmount: true,
    required: true,
    description: "The price of one.",
    example: "25.01",
  },
  {
    name: "unit",
    kind: "string",
    max: 20,
    sparse: true,
    description: "What the quantity counts. A line without one has no such member.",
    example: "pcs",
  },
  {
    name: "vat_rate",
    kind: "decimal",
    min: 0,
    max: 100,
    places: 2,
    sparse: true,
    description: "The VAT of the line, in percent. A line without VAT has no such member.",
    example: "21",
  },
]);

export const LINES_MAX = 500;

/** A line as it is stored. */
export type InvoiceLine = {
  sku?: string | null;
  description: string;
  quantity: string;
  unit_price: string;
  unit?: string;
  vat_rate?: string;
};

/** The lines of an invoice, in order. @param stored the column `lines` */
export function storedLines(stored: string | null): InvoiceLine[] {
  return JSON.parse(stored ?? "[]") as InvoiceLine[];
}

/** The invoice's writable fields, in the order of docs/contract.md 14.2. */
export const invoice: Writable = {
  table: "invoices",
  external: "invoice",
  hasCustom: true,
  complete: withTotal,
  fields: [
    ...ownFields,
    {
      name: "lines",
      kind: "list",
      items: lineFields,
      max: LINES_MAX,
      description: "In their order. Lines that are sent replace all lines of the invoice.",
      example: [{ sku: "PALLET-80", description: "Pallet, 80 x 120 cm", quantity: "50", unit_price: "25.01" }],
    },
  ],
};

/**
 * The fields of an invoice that an import reads (docs/csv.md 3). The `wms_` fields describe the order that a
 * warehouse made of it.
 */
export const importedInvoice: Writable = {
  table: "invoices",
  hasCustom: true,
  fields: [
    ...ownFields,
    { name: "wms_instance", kind: "string", max: 255 },
    { name: "wms_order_id", kind: "integer", min: 1 },
    { name: "wms_order_number", kind: "string", max: 100 },
    { name: "wms_status", kind: "string", max: 100 },
    { name: "wms_synced_at", kind: "timestamp" },
  ],
};

/** The fields that identify a line. Positions are ascending, and may have gaps. */
export const lineName: Writable = {
  table: "invoices",
  fields: [{ name: "invoice_number", kind: "string", max: 255, required: true }, positionField],
};

/** The fields of a line that an import reads (docs/csv.md 7). */
export const importedLine: Writable = { table: "invoices", fields: [...lineName.fields, ...lineFields] };

/** All writable fields of an invoice. */
export const wholeInvoice: Writable = {
  table: "invoices",
  external: "invoice",
  hasCustom: true,
  complete: withTotal,
  fields: [...invoice.fields, ...importedInvoice.fields.slice(ownFields.length)],
};

/** The sending states of an invoice. */
export const wmsStates = ["not_sent", "queued", "sending", "unknown", "sent", "failed"] as const;

/** The statuses in which an invoice may be sent. */
export const statusesToSend: readonly string[] = ["issued", "paid"];

/** The condition that an invoice `i` has one of these statuses. */
export const hasStatusToSend = `i.status in (${statusesToSend.map((status) => `'${status}'`).join(", ")})`;

/** The columns that are locked once the warehouse may have the invoice (`hasLockedColumns`). */
export const lockedColumns: readonly string[] = [
  "number",
  "lines",
  "total",
  "currency",
  "company_id",
  "delivery_address_id",
];
