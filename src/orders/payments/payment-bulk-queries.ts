import type { Bulk, BulkRows } from "../../kit/bulk-queries.ts";
import { bulkWrites } from "../../kit/bulk-queries.ts";
import { namesOf } from "../../platform/fields/sql.ts";
import { namedStatement } from "../../platform/postgres/query.ts";
import { DEBIT, INVOICE_NUMBER, TEXT, namedPayment, payment, paymentFields } from "./payment.ts";

/** Payments by the hundred, for batches: each names its invoice by its id or its number. */
export const paymentBatch: BulkRows = { ...namedPayment, identity: null, page: exported() };

/** The same for files. */
export const paymentBulk: BulkRows = {
  ...paymentBatch,
  fields: [
    { name: INVOICE_NUMBER, kind: "string", max: 255 },
    ...paymentFields,
    { name: TEXT, kind: "string", max: 1_000 },
    { name: DEBIT, kind: "decimal" },
  ],
};

/** Reads payments as they were written. No file updates one. */
export const paymentWrites: Pick<Bulk, "stored" | "update"> = bulkWrites(payment);

function exported() {
  return namedStatement(
    "export_payments",
    `select k.id, i.number, ${namesOf(paymentFields)
      .map((name) => `k.${name}`)
      .join(", ")}, null, null
    from payments k join invoices i on i.tenant_id = $1 and i.id = k.invoice_id
    where k.tenant_id = $1 and k.id > :after and k.deleted_at is null order by k.id limit :limit`,
  );
}
