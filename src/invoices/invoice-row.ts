import { membersReader } from "../platform/fields/reader.ts";
import { listedInvoiceMembers } from "./invoice-json.ts";

/** An invoice of a list by the names of its columns, for pages. */
export const listedInvoiceRow = membersReader(listedInvoiceMembers);
