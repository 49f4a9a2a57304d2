import type { Writable } from "../platform/fields/draft.ts";
import type { FieldTable } from "../platform/fields/fields.ts";

/**
 * The fields of an invoice that an import reads (docs/operations.md 4.3). The `wms_` fields describe the order that a
 * WMS made of it.
 */
export const invoiceFields: FieldTable = [
  { name: "number", kind: "string", max: 255, required: true },
  { name: "issued_on", kind: "date" },
  { name: "due_on", kind: "date" },
  { name: "total", kind: "decimal" },
  { name: "currency", kind: "string", max: 10 },
  { name: "status", kind: "enum", values: ["draft", "issued", "paid", "cancelled"], default: "issued" },
  { name: "wms_instance", kind: "string", max: 255 },
  { name: "wms_order_id", kind: "integer", min: 1 },
  { name: "wms_order_number", kind: "string", max: 100 },
  { name: "wms_status", kind: "string", max: 100 },
  { name: "wms_synced_at", kind: "timestamp" },
];

export const invoice: Writable = { table: "invoices", fields: invoiceFields };
