import { paymentRow } from "../../../orders/payments/payment-json.ts";
import { comparedPayment, findPaymentsToCompare } from "../../../orders/payments/payment-queries.ts";
import { INVOICE_ID, INVOICE_NUMBER, namedPayment } from "../../../orders/payments/payment.ts";
import { paymentsInFull, recordPayments, type RowPaymentWritten } from "../../../orders/payments/write-payment.ts";
import { EXTERNAL } from "../../../platform/fields/external-ids.ts";
import type { Input } from "../../../platform/fields/fields.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { RowNote } from "../cells/read-cell.ts";
import type { BatchOutcome, ImportTarget, Rejection } from "../kind.ts";
import type { Rest } from "../reading/csv-reader.ts";
import type { CsvHeader } from "../reading/header.ts";
import { nameIn, refusedCells, type ImportRow } from "../reading/rows.ts";
import { throttleOf } from "../reading/throttle-reading.ts";
import { ROWS_READ_AT_ONCE, namedByText, valueText, MATCHING_WORK, type PaymentsOfRow } from "./named-by-text.ts";

/** Records payments, each of the invoice that its row names by its number, or in the text of a bank's transfer. */
export async function writePaymentRows(
  run: Run,
  target: ImportTarget,
  rows: ImportRow[],
  locked?: () => void,
): Promise<BatchOutcome> {
  const { actor, kind, deps, header } = target;
  const { keyring } = deps;
  const notes = new Map<number, readonly RowNote[]>();
  const outcome: BatchOutcome = { rows: [], rejected: [], written: [], notes };
  const isOfRests = paysRests(rows);
  const rest = throttleOf(deps, actor.tenant);
  const asked = isOfRests ? await paidInFull(run, rows) : await namedByText(run, rows, rest);
  const isKnown = header.isFile && !isOfRests ? await knownIn(target, run, asked, rest) : () => false;
  const fresh = asked.map((each) => (each.refused === null && !isKnown(each) ? each.inputs : []));
  const written = await recordPayments(run, { actor, keyring }, fresh.flat(), header.language !== null);
  locked?.();
  let at = 0;
  for (const [index, { row, refused }] of asked.entries()) {
    const { line, input } = row;
    const own = written.slice(at, (at += fresh[index]?.length ?? 0));
    const wrong = own.find((each) => !("row" in each));
    if (refused !== null) outcome.rejected.push({ line, ...refused });
    else if (wrong !== undefined && !("row" in wrong)) {
      const cells = "messages" in wrong ? refusedCells(kind.bulk.fields, input, wrong.messages) : {};
      outcome.rejected.push({ line, ...whyOf(wrong), cells });
    } else {
      const recorded = own.flatMap((each) => ("row" in each ? each : []));
      const created = recorded.filter((each) => each.outcome === "created");
      for (const each of created) {
        const { id, updated_at: version } = paymentRow(each.row, { keyring, tenant: actor.tenant });
        outcome.written.push({ id: String(id), version: String(version), stored: null });
      }
      if (row.notes !== undefined) notes.set(line, row.notes);
      const id = recorded[0]?.row[0] ?? null;
      outcome.rows.push({ line, id, outcome: created.length > 0 ? "created" : "unchanged" });
    }
  }
  return outcome;
}

function whyOf(written: Exclude<RowPaymentWritten, { outcome: "created" | "unchanged" }>): Omit<Rejection, "line"> {
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
    case "currency":
      return {
        errors: { amount: [] },
        row: { code: "invoiceCurrency", amount: written.amount, invoice: written.invoice },
      };
    default:
      return { errors: {}, row: { code: written.outcome === "draft" ? "paymentOfDraft" : "paymentOfCancelled" } };
  }
}

/** Counts the lines of payments that an earlier attempt has recorded: their payments are among the stored ones. */
export async function noteEarlierPayments(run: Run, target: ImportTarget, rows: readonly ImportRow[]): Promise<void> {
  const { deps, actor, header } = target;
  if (paysRests(rows)) return;
  noteLines(header, await namedByText(run, rows, throttleOf(deps, actor.tenant)));
}

const paysRests = (rows: readonly ImportRow[]) => rows.some(({ id }) => id !== null);

/** The rows of a change of listed invoices ("Mark paid"): each names its invoice by the id, and pays what is left. */
async function paidInFull(run: Run, rows: readonly ImportRow[]): Promise<PaymentsOfRow[]> {
  const restOf = await paymentsInFull(
    run,
    rows.flatMap(({ id }) => id ?? []),
  );
  return rows.map((row) => {
    const rest = restOf(row.id ?? "");
    return { row, inputs: rest === null ? [] : [{ ...row.input, ...rest }], refused: null };
  });
}

/** The lines that each payment of a file is on, in order. */
const linesOf = new WeakMap<CsvHeader, Map<string, number[]>>();

/**
 * Whether a payment of a file is recorded already: as many equal ones are there as the file has up to this line. So a
 * file that is imported again, or that overlaps with another, adds what is new, and two equal rows are two payments.
 */
async function knownIn(
  { header }: ImportTarget,
  run: Run,
  asked: readonly PaymentsOfRow[],
  rest: Rest,
): Promise<(each: PaymentsOfRow) => boolean> {
  const inputs = asked.flatMap((each) => each.inputs);
  const ids = inputs.flatMap(({ [INVOICE_ID]: id }) => (/^\d{1,18}$/.test(valueText(id)) ? valueText(id) : []));
  const numbers = inputs.flatMap((input) => nameIn(namedPayment.fields, INVOICE_NUMBER, input)?.text ?? []);
  const rows = await findPaymentsToCompare(run, ids, numbers);
  const counts = new Map<string, number>();
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_READ_AT_ONCE === 0) await rest(ROWS_READ_AT_ONCE * MATCHING_WORK.read);
    const { invoiceId, number, ...payment } = comparedPayment.read(row);
    // A row without a day is known on any.
    for (const name of [`#${invoiceId}`, `=${number}`]) {
      for (const paidOn of [payment.paidOn, null]) {
        const key = keyOf(name, { ...payment, paidOn });
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  const lines = noteLines(header, asked);
  return (each) =>
    each.inputs.length > 0 &&
    keysOf(each).every((key) => {
      return placeOf(lines.get(key) ?? [], each.row.line + 1) <= (counts.get(key) ?? 0);
    });
}

/** Adds the lines of payments to those of their file, which are returned. */
function noteLines(header: CsvHeader, asked: readonly PaymentsOfRow[]): ReadonlyMap<string, readonly number[]> {
  const lines = linesOf.getOrInsertComputed(header, () => new Map<string, number[]>());
  for (const each of asked) {
    for (const key of keysOf(each))
      addInOrder(
        lines.getOrInsertComputed(key, () => []),
        each.row.line,
      );
  }
  return lines;
}

function keysOf({ inputs }: PaymentsOfRow): string[] {
  return inputs.map((input) => {
    const id = input[INVOICE_ID] ?? null;
    const name = id === null ? `=${storedText(input, INVOICE_NUMBER)}` : `#${valueText(id)}`;
    return keyOf(name, { amount: input.amount, paidOn: input.paid_on, reference: storedText(input, "reference") });
  });
}

/** As it is stored, because it is compared with stored texts. */
function storedText(input: Input, field: string): string {
  return nameIn(namedPayment.fields, field, input)?.text ?? valueText(input[field]);
}

/** The number of lines before a line. */
function placeOf(lines: readonly number[], line: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Almost always at the end; a batch that is written again has its lines already. */
function addInOrder(lines: number[], line: number): void {
  const place = placeOf(lines, line);
  if (lines[place] !== line) lines.splice(place, 0, line);
}

function keyOf(
  invoice: string,
  { amount, paidOn, reference }: Record<"amount" | "paidOn" | "reference", unknown>,
): string {
  const decimal = valueText(amount)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
  return JSON.stringify([invoice, decimal, paidOn ?? null, reference ?? ""]);
}
