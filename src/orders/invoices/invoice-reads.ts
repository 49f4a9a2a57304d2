import { companyParent } from "../../customers/companies/live-company-queries.ts";
import { equal, indexed, oneOfWords, searching, updatedSince } from "../../platform/reads/filters.ts";
import { LAST_ID } from "../../platform/reads/order.ts";
import { listReads } from "../../platform/reads/reads.ts";
import { listedInvoiceMembers } from "./invoice-json.ts";
import { invoice, wmsStates } from "./invoice.ts";

/** The statuses that an invoice can have. */
export const invoiceStatuses: readonly string[] = invoice.fields.find(({ name }) => name === "status")?.values ?? [];

/** The invoices of a company, newest first. */
export const invoiceReads = listReads({
  name: "invoices",
  table: "invoices",
  members: listedInvoiceMembers,
  parent: companyParent,
  orders: {
    newest: [
      { sql: "k.issued_on", beginning: "infinity", isDescending: true, isNullable: true },
      { sql: "k.id", beginning: LAST_ID, isDescending: true },
    ],
  },
  filters: {
    status: indexed(equal(invoice.fields, "status")),
    wms_state: indexed(oneOfWords("wms_state", wmsStates)),
    search: searching("fold(k.number)"),
    updated_since: updatedSince,
  },
  exact: { number: true },
  scanned: 5_000,
});
