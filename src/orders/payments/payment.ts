import type { Writable } from "../../platform/fields/draft.ts";
import { fieldTable, INTEGER_MAX } from "../../platform/fields/fields.ts";

/** How a payment was made. */
export const paymentMeans = ["bank", "cash", "card", "set_off", "other"] as const;
export type PaymentMeans = (typeof paymentMeans)[number];

/** The fields of a payment, in the order of docs/contract.md 14.9. */
export const paymentFields = fieldTable([
  {
    name: "amount",
    kind: "decimal",
    isAmount: true,
    required: true,
    description: "In the invoice's currency. Not 0; a negative amount is a refund.",
    example: "1250.50",
  },
  {
    name: "paid_on",
    kind: "date",
    description: "The day of the payment. Default: today, in the workspace's time zone.",
    example: "2026-11-24",
  },
  {
    name: "means",
    kind: "enum",
    values: paymentMeans,
    default: "other",
    description: "How it was paid.",
    example: "bank",
  },
  {
    name: "reference",
    kind: "string",
    max: 100,
    description: "The number of its document, such as a payment order.",
    example: "OP 4711",
  },
]);

/** A payment of an invoice. It is not edited: it is deleted, and recorded again. */
export const payment: Writable = {
  table: "payments",
  external: "payment",
  fields: paymentFields,
  rule: ({ amount }) => (Number(amount) === 0 ? { amount: [{ code: "notZero" }] } : {}),
};

/** The names of a payment's invoice in a batch and in a file: one of them is enough. */
export const INVOICE_ID = "invoice_id";
export const INVOICE_NUMBER = "invoice_number";

/** The text of a bank's transfer, which names invoices by their numbers. Only files have it. */
export const TEXT = "text";

/** The amount that left the account, in a bank's file with two columns of amounts. Only files have it. */
export const DEBIT = "debit";

/** A payment that names its invoice. */
export const namedPayment: Writable = {
  ...payment,
  fields: [
    { name: INVOICE_ID, kind: "integer", min: 1, max: INTEGER_MAX },
    { name: INVOICE_NUMBER, kind: "string", max: 255 },
    ...paymentFields,
  ],
  rule: (values) => ({
    ...(values[INVOICE_ID] === null &&
      values[INVOICE_NUMBER] === null && { [INVOICE_ID]: [{ code: "requiredWithout", other: INVOICE_NUMBER }] }),
    ...payment.rule?.(values),
  }),
};
