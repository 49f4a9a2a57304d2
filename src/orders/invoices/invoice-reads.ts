import { companyParent } from "../../customers/companies/live-company-queries.ts";
import { customFilter } from "../../platform/reads/custom-values.ts";
import { equal, indexed, searching, updatedSince, type ReadFilter } from "../../platform/reads/filters.ts";
import { LAST_ID } from "../../platform/reads/order.ts";
import { listReads } from "../../platform/reads/reads.ts";
import { listedInvoiceMembers } from "./invoice-json.ts";
import { invoice, ownFields, wmsStates } from "./invoice.ts";
import { isCancelledHere } from "./shown-queries.ts";

/** A value of the filter by state that is no state of sending. */
const CANCELLED_HERE = "cancelled_here";
/** The values of the filter by state. */
export const invoiceStates: readonly string[] = [...wmsStates, CANCELLED_HERE];

/** The statuses that an invoice can have. */
export const invoiceStatuses: readonly string[] = invoice.fields.find(({ name }) => name === "status")?.values ?? [];

/** An invoice that is cancelled although its order is not has been sent: the index finds it among those. */
const state: ReadFilter = {
  sql: `k.wms_state = case when :wms_state = '${CANCELLED_HERE}' then 'sent' else :wms_state end
      and (:wms_state <> '${CANCELLED_HERE}' or ${isCancelledHere})`,
  type: "text",
  parse: (text) => (invoiceStates.includes(text) ? text : null),
};

/** The invoices of a company, newest first. */
export const invoiceReads = listReads({
  name: "invoices",
  table: "invoices",
  members: listedInvoiceMembers,
  // None is long, but the values of custom fields are left out of lists where they are.
  fields: ownFields,
  parent: companyParent,
  orders: {
    newest: [
      { sql: "k.issued_on", beginning: "infinity", isDescending: true, isNullable: true },
      { sql: "k.id", beginning: LAST_ID, isDescending: true },
    ],
  },
  filters: {
    status: indexed(equal(invoice.fields, "status")),
    wms_state: indexed(state),
    search: searching("fold(k.number)"),
    updated_since: updatedSince,
    custom: customFilter,
  },
  exact: { number: true },
  scanned: 5_000,
});
