import { invoiceStates } from "../../../orders/invoices/invoice-reads.ts";
import { ownFields } from "../../../orders/invoices/invoice.ts";
import { readListPage } from "../list-page.ts";
import { cursor, fieldResults, filterBy, id, limit, list, resultSchema, text } from "../schemas.ts";
import type { ReadingTool } from "../tool.ts";

export const invoiceSummary = {
  id,
  company_id: id,
  ...fieldResults(ownFields),
  wms: { type: "object", description: "The order in the warehouse." },
};

export const listInvoicesTool: ReadingTool = {
  name: "list_invoices",
  title: "List the invoices of a company",
  description: "The invoices of one company, newest first, without their lines. `more` is the cursor of the next page.",
  needs: ["invoices:read"],
  input: {
    company: id,
    number: text("Exactly this number."),
    status: filterBy("status", ownFields),
    wms_state: {
      type: "string",
      enum: invoiceStates,
      description:
        "How far the invoice is on its way to the warehouse; cancelled_here: its goods go on although it is cancelled.",
    },
    limit,
    cursor,
  },
  required: ["company"],
  output: { invoices: list(resultSchema(invoiceSummary)), total: { type: "integer" }, more: { type: "string" } },
  async run(session, args, { rows }) {
    const { company, number, status, wms_state } = args as Record<string, string | undefined>;
    const call = { params: { company }, query: { number, status, wms_state } };
    const { data, ...page } = await readListPage(session, "GET /companies/{company}/invoices", call, args, rows);
    return { invoices: data, ...page };
  },
};
