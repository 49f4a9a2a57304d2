import { address } from "../../customers/addresses/address.ts";
import { alikeTo } from "../../customers/alike/alike-to.ts";
import { companyRemoval } from "../../customers/companies/company-removal-queries.ts";
import { childRemoval } from "../../customers/company-children/child-bulk-queries.ts";
import { contact } from "../../customers/contacts/contact.ts";
import type { BulkRemoval } from "../../kit/bulk-queries.ts";
import { sentences } from "../../kit/errors.ts";
import { invoiceBulk } from "../../orders/invoices/invoice-bulk-queries.ts";
import { invoice } from "../../orders/invoices/invoice.ts";
import { paymentBatch } from "../../orders/payments/payment-bulk-queries.ts";
import type { Kind } from "../imports/kind.ts";
import { kindOf, kindOfRows } from "../imports/kinds.ts";

/** A noun that batches can write. */
export type BatchKind = {
  kind: Kind;
  /** The name in messages. */
  model: "Company" | "Contact" | "Address" | "Invoice" | "Payment";
  /** The error for an identity that another row has; null for a noun without an identity. */
  taken: string | null;
  /** Null for a noun that cannot be deleted. */
  removal: BulkRemoval | null;
  /** Whether stored rows stay as they are. */
  isUnchangeable?: true;
  /** Finds what looks like each new row, in a dry run. */
  alikeTo?: typeof alikeTo;
};

export const batchOfCompanies: BatchKind = {
  kind: kindOf("companies"),
  model: "Company",
  taken: sentences.taxIdTaken,
  removal: companyRemoval,
  alikeTo,
};

export const batchOfContacts: BatchKind = {
  kind: kindOf("contacts"),
  model: "Contact",
  taken: null,
  removal: childRemoval(contact),
};

export const batchOfAddresses: BatchKind = {
  kind: kindOf("addresses"),
  model: "Address",
  taken: null,
  removal: childRemoval(address),
};

/** Invoices as the API writes them: with lines, and without order fields, which only files contain. */
export const batchOfInvoices: BatchKind = {
  kind: kindOfRows({ ...invoiceBulk, fields: invoice.fields }),
  model: "Invoice",
  taken: sentences.invoiceNumberTaken,
  removal: null,
};

export const batchOfPayments: BatchKind = {
  kind: { ...kindOf("payments"), bulk: paymentBatch },
  model: "Payment",
  taken: null,
  removal: null,
  isUnchangeable: true,
};
