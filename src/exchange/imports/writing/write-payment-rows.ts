import { paymentRow } from "../../../orders/payments/payment-json.ts";
import { recordPayments, type PaymentWritten } from "../../../orders/payments/write-payment.ts";
import { EXTERNAL } from "../../../platform/fields/external-ids.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { BatchOutcome, ImportTarget, Rejection } from "../kind.ts";
import { refusedCells, type ImportRow } from "../reading/rows.ts";

/** Records payments, each of the invoice that its row names. */
export async function writePaymentRows(
  run: Run,
  { actor, kind, deps }: ImportTarget,
  rows: ImportRow[],
  locked?: () => void,
): Promise<BatchOutcome> {
  const { keyring } = deps;
  const outcome: BatchOutcome = { rows: [], rejected: [], written: [] };
  const written = await recordPayments(
    run,
    { actor, keyring },
    rows.map(({ input }) => input),
  );
  locked?.();
  for (const [index, { line, input }] of rows.entries()) {
    const each = written[index];
    if (each === undefined) throw new Error("a payment has no outcome");
    if ("row" in each) {
      const { id, updated_at: version } = paymentRow(each.row, { keyring, tenant: actor.tenant });
      outcome.rows.push({ line, id: String(id), outcome: each.outcome });
      if (each.outcome === "created") outcome.written.push({ id: String(id), version: String(version), stored: null });
    } else {
      outcome.rejected.push({
        line,
        ...whyOf(each),
        cells: "messages" in each ? refusedCells(kind.bulk.fields, input, each.messages) : {},
      });
    }
  }
  return outcome;
}

function whyOf(written: Exclude<PaymentWritten, { outcome: "created" | "unchanged" }>): Omit<Rejection, "line"> {
  switch (written.outcome) {
    case "invalid":
      return { errors: written.messages };
    case "missing":
      return {
        errors: {},
        row: { code: "invoiceMissing", named: written.named },
        cause: { what: "invoice-missing", named: written.named },
      };
    case "taken":
      return { errors: { [EXTERNAL]: [] }, cause: { what: "external-taken" } };
    default:
      return { errors: {}, row: { code: written.outcome === "draft" ? "paymentOfDraft" : "paymentOfCancelled" } };
  }
}
