import { updatedSince } from "../../platform/reads/filters.ts";
import { byId } from "../../platform/reads/order.ts";
import { listReads } from "../../platform/reads/reads.ts";
import { paymentMembers } from "./payment-json.ts";

const common = {
  table: "payments",
  members: paymentMembers,
  orders: { id: byId },
  filters: { updated_since: updatedSince },
  scanned: 5_000,
} as const;

/** The payments of an invoice, in the order in which they were recorded. */
export const invoicePaymentReads = listReads({
  ...common,
  name: "payments",
  live: "k.deleted_at is null",
  parent: { table: "invoices", column: "invoice_id", live: "id is not null" },
});

/** The payments of all invoices. */
export const paymentReads = listReads({ ...common, name: "payments_of_all", shown: "k.deleted_at is null" });
