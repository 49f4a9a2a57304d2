import type { Expected } from "../../platform/fields/row-state.ts";
import { isExpected } from "../../platform/fields/sql.ts";
import { columnsOf, insertEntries, writtenTypes } from "../../platform/fields/sql.ts";
import { quickQuery, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import { dueDay, leftSql } from "../invoices/money-queries.ts";
import { paymentMembers } from "./payment-json.ts";
import { payment } from "./payment.ts";

const names = paymentMembers.map(({ name }) => name);
const columns = columnsOf(names, "k");
const live = "k.tenant_id = $1 and k.id = $2 and k.deleted_at is null";

/** The row of a payment, or null. */
export const findPayment = quickQuery<[id: string]>(
  "find_payment",
  `select ${columns} from payments k where ${live}`,
).row();

/** Deletes a payment; false if it is unknown, or has none of the expected versions. */
export const deletePayment = writeQuery<[id: string, by: string, expected: Expected]>(
  "delete_payment",
  `update payments k set deleted_at = moment_after(updated_at), updated_at = moment_after(updated_at), changed_by = $3
  where ${live} and ${isExpected("k.updated_at", "$4::timestamptz[]")} returning k.id`,
).exists();

/** The external ids of a deleted payment of an invoice, as JSON; null without any. */
export const externalOfDeleted = quickQuery<[invoiceId: string, id: string]>(
  "external_of_deleted_payment",
  `select k.external from payments k
  where k.tenant_id = $1 and k.invoice_id = $2 and k.id = $3 and k.deleted_at is not null`,
).value();

/** The payments of an invoice, the newest first. */
export const paymentsOfInvoice = quickQuery<[invoiceId: string, most: number]>(
  "payments_of_invoice",
  `select ${columns} from payments k where k.tenant_id = $1 and k.invoice_id = $2 and k.deleted_at is null
  order by k.id desc limit $3`,
).rows();

/** An invoice that gets payments, locked. */
export const payable = selectList({
  id: column.text("i.id"),
  number: column.text("i.number"),
  companyId: column.text("i.company_id"),
  status: column.text<"draft" | "issued" | "paid" | "cancelled">("i.status"),
  left: leftSql,
  currency: "i.currency",
});
export type Payable = Selected<typeof payable>;

/**
 * Locks the invoices that payments name by their ids or numbers. The lock is that of the payments' trigger. It follows
 * the order of the ids, so that two batches cannot wait for each other.
 */
export const lockPayable = stepQuery<[ids: readonly string[], numbers: readonly string[]]>(
  "lock_invoices_to_pay",
  `select ${payable.sql} from invoices i
  where i.tenant_id = $1 and (i.id = any($2::bigint[]) or i.number = any($3::text[]))
  order by i.id for no key update of i`,
).all(payable.read);

export const invoiceOfEnding = selectList({
  ending: column.text("sent.ending"),
  id: column.text("i.id"),
  number: column.text("i.number"),
  companyId: column.text("i.company_id"),
  total: column.text("i.total"),
  left: column.text(leftSql),
  /** The day by which the oldest comes first. */
  due: column.text(`coalesce(${dueDay}, i.issued_on, 'infinity')`),
});
export type NamedInvoice = Selected<typeof invoiceOfEnding>;

/** The most invoices of an ending that are looked at: with more, the ending says too little. */
const MOST_OF_ENDING = 500;

/** The invoices (invoiceOfEnding) whose numbers have one of these endings. */
export const findInvoicesEnding = stepQuery<[endings: readonly string[]]>(
  "invoices_by_ending_to_pay",
  `select distinct ${invoiceOfEnding.sql} from unnest($2::text[]) sent (ending)
  cross join lateral find_invoices(sent.ending, ${MOST_OF_ENDING}) found
  cross join lateral (select * from invoices i where i.tenant_id = $1 and i.id = found.id limit 1) i
  where i.status in ('issued', 'paid') and i.total is not null`,
).rows();

export const comparedPayment = selectList({
  invoiceId: column.text("i.id"),
  number: column.text("i.number"),
  amount: column.text("p.amount"),
  paidOn: column.text("p.paid_on"),
  reference: column.text("coalesce(p.reference, '')"),
});

/** The payments (comparedPayment) of invoices with these ids or numbers, to find those that a file has again. */
export const findPaymentsToCompare = stepQuery<[ids: readonly string[], numbers: readonly string[]]>(
  "payments_to_compare",
  `select ${comparedPayment.sql} from invoices i
  join payments p on p.tenant_id = $1 and p.invoice_id = i.id and p.deleted_at is null
  where i.tenant_id = $1 and (i.id = any($2::bigint[]) or i.number = any($3::text[]))`,
).rows();

/** Stores payments (JSON, each with its id), and returns their rows in the order of their ids. */
export const insertPayments = stepQuery<[entries: string]>(
  "insert_payments",
  `${insertEntries(
    "payments",
    new Map([["id", "bigint"], ["invoice_id", "bigint"], ["company_id", "bigint"], ...writtenTypes(payment)]),
  )} returning ${columnsOf(names, "t")}`,
).rows();

/** Ids for new payments, and today in the tenant's time zone. */
export const drawPaymentIds = stepQuery<[count: number]>(
  "payment_ids",
  `select nextval('payments_id_seq'), today_of($1) from generate_series(1, $2::integer)`,
).of((rows) => ({ ids: rows.map(([id]) => String(id)), today: String(rows[0]?.[1]) }));

/** The payments with these ids. */
export const findPayments = stepQuery<[ids: readonly (string | number)[]]>(
  "payments_by_id",
  `select ${columns} from payments k where k.tenant_id = $1 and k.id = any($2::bigint[]) and k.deleted_at is null`,
).rows();
