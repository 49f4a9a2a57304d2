import { listHistory } from "../changes/list-history.ts";
import { invoiceExists } from "./invoice-queries.ts";

/** GET /api/v1/invoices/{id}/history. */
export const listInvoiceHistoryEndpoint = listHistory({
  model: "Invoice",
  changeType: "invoice",
  exists: invoiceExists,
});
