import { sentences } from "../errors.ts";
import type { Kind } from "../imports/kind.ts";
import { kindOf, kindOfRows } from "../imports/kinds.ts";
import { invoiceBulk } from "../invoices/invoice-bulk-queries.ts";
import { invoice } from "../invoices/invoice.ts";

/** A noun of which many are written at once. */
export type BatchKind = {
  kind: Kind;
  /** As messages name it. */
  model: "Company" | "Contact" | "Address" | "Invoice";
  /** The sentence for an identity that another row has; null of a noun that has none. */
  taken: string | null;
};

export const batchOfCompanies: BatchKind = {
  kind: kindOf("companies"),
  model: "Company",
  taken: sentences.taxIdTaken,
};

export const batchOfContacts: BatchKind = { kind: kindOf("contacts"), model: "Contact", taken: null };
export const batchOfAddresses: BatchKind = { kind: kindOf("addresses"), model: "Address", taken: null };

/** Invoices as the API writes them: with their lines, and without an order, which only a file tells of. */
export const batchOfInvoices: BatchKind = {
  kind: kindOfRows({ ...invoiceBulk, fields: invoice.fields }),
  model: "Invoice",
  taken: sentences.invoiceNumberTaken,
};
