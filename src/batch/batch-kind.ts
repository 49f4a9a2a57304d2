import { sentences } from "../errors.ts";
import type { Kind } from "../imports/kind.ts";
import { kindOf, kindOfRows } from "../imports/kinds.ts";
import { invoiceBulk } from "../invoices/invoice-bulk-queries.ts";
import { invoice } from "../invoices/invoice.ts";

/** A noun that batches can write. */
export type BatchKind = {
  kind: Kind;
  /** The name in messages. */
  model: "Company" | "Contact" | "Address" | "Invoice";
  /** The error for an identity that another row has; null for a noun without an identity. */
  taken: string | null;
};

export const batchOfCompanies: BatchKind = {
  kind: kindOf("companies"),
  model: "Company",
  taken: sentences.taxIdTaken,
};

export const batchOfContacts: BatchKind = { kind: kindOf("contacts"), model: "Contact", taken: null };
export const batchOfAddresses: BatchKind = { kind: kindOf("addresses"), model: "Address", taken: null };

/** Invoices as the API writes them: with lines, and without order fields, which only files contain. */
export const batchOfInvoices: BatchKind = {
  kind: kindOfRows({ ...invoiceBulk, fields: invoice.fields }),
  model: "Invoice",
  taken: sentences.invoiceNumberTaken,
};
