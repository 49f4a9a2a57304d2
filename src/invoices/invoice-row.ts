import { membersReader } from "../platform/fields/reader.ts";
import { invoiceMembers, listedInvoiceMembers } from "./invoice-json.ts";

/** An invoice of a list by the names of its columns, for pages. */
export const listedInvoiceRow = membersReader(listedInvoiceMembers);

/** The same of a single invoice, with its lines. */
export const invoiceRow = membersReader(invoiceMembers);
