import { membersReader } from "../../platform/fields/reader.ts";
import { invoiceMembers, listedInvoiceMembers } from "./invoice-json.ts";

/** A listed invoice by column name, for pages. */
export const listedInvoiceRow = membersReader(listedInvoiceMembers);

/** A single invoice with its lines, by column name. */
export const invoiceRow = membersReader(invoiceMembers);
