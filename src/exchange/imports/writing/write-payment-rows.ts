import { amountAfter, endingsIn, namesNumber } from "../../../orders/payments/numbers-in-text.ts";
import { paymentRow } from "../../../orders/payments/payment-json.ts";
import {
  comparedPayment,
  invoicesEndingStatement,
  invoiceToPay,
  paymentsToCompareStatement,
  type NamedInvoice,
} from "../../../orders/payments/payment-queries.ts";
import { DEBIT, INVOICE_ID, INVOICE_NUMBER, TEXT } from "../../../orders/payments/payment.ts";
import { recordPayments, restsOf, type RowPaymentWritten } from "../../../orders/payments/write-payment.ts";
import { EXTERNAL } from "../../../platform/fields/external-ids.ts";
import type { Input } from "../../../platform/fields/fields.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { BatchOutcome, ImportTarget, Rejection } from "../kind.ts";
import type { CsvHeader } from "../reading/header.ts";
import { refusedCells, type ImportRow } from "../reading/rows.ts";

/** The payments of a row: one of the invoice that it names, or several of those that its text names. */
type Asked = { row: ImportRow; inputs: Input[]; refused: Omit<Rejection, "line"> | null };

/** Records payments, each of the invoice that its row names by its number, or in the text of a bank's transfer. */
export async function writePaymentRows(
  run: Run,
  target: ImportTarget,
  rows: ImportRow[],
  locked?: () => void,
): Promise<BatchOutcome> {
  const { actor, kind, deps, header } = target;
  const { keyring } = deps;
  const outcome: BatchOutcome = { rows: [], rejected: [], written: [] };
  const isOfRests = rows.some(({ id }) => id !== null);
  const asked = isOfRests ? await paidInFull(run, rows) : await namedByText(run, rows);
  const isKnown = header.isFile && !isOfRests ? await knownIn(target, run, asked) : () => false;
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

/** The rows of a change of listed invoices ("Mark paid"): each names its invoice by the id, and pays what is left. */
async function paidInFull(run: Run, rows: readonly ImportRow[]): Promise<Asked[]> {
  const restOf = await restsOf(
    run,
    rows.flatMap(({ id }) => id ?? []),
  );
  return rows.map((row) => {
    const rest = restOf(row.id ?? "");
    return { row, inputs: rest === null ? [] : [{ ...row.input, ...rest }], refused: null };
  });
}

/**
 * The invoices that rows without a number name in their texts; an amount alone names none. Several invoices are paid
 * together if the text has an amount for each, or if the amount is the sum of their rests; otherwise a person decides.
 */
async function namedByText(run: Run, rows: readonly ImportRow[]): Promise<Asked[]> {
  const namingText = ({ input }: ImportRow) =>
    (input[INVOICE_NUMBER] ?? input[INVOICE_ID] ?? null) === null && typeof input[TEXT] === "string"
      ? input[TEXT]
      : null;
  const endings = [...new Set(rows.flatMap((row) => endingsIn(namingText(row) ?? "")))];
  const candidates = await invoicesEnding(run, endings);
  return rows.map((row): Asked => {
    const { [TEXT]: _text, [DEBIT]: debit, ...others } = row.input;
    const input = debit == null ? others : { ...others, amount: amountOf(others.amount, debit) };
    const text = namingText(row);
    if (text === null) return { row, inputs: [input], refused: null };
    const named = candidates.filter(({ number }) => namesNumber(text, number));
    const [only] = named;
    if (only === undefined) return { row, inputs: [], refused: { errors: {}, row: { code: "noInvoiceNamed" } } };
    if (named.length === 1) return { row, inputs: [{ ...input, [INVOICE_ID]: only.id }], refused: null };
    const amount = textOf(input.amount);
    const oldest = named.toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : Number(a.id) - Number(b.id)));
    const parts =
      amountsSaid(text, oldest, amount) ?? (isPaidTogether(named, amount) ? oldest.map(({ left }) => left) : null);
    if (parts === null) {
      const numbers = oldest.map(({ number }) => number);
      return {
        row,
        inputs: [],
        refused: { errors: {}, row: { code: "severalInvoices", numbers, split: split(oldest, amount) } },
      };
    }
    return {
      row,
      inputs: oldest.map(({ id }, at) => Object.assign({}, input, { [INVOICE_ID]: id, amount: parts[at] })),
      refused: null,
    };
  });
}

/** The amount of a bank's file with two columns of amounts: what left the account is negative. */
function amountOf(credit: unknown, debit: unknown): unknown {
  const [added, removed] = [credit, debit].map((value) => Number(textOf(value)));
  return added !== 0 || !(Math.abs(removed ?? 0) > 0) ? credit : `-${textOf(debit).replace(/^[-+]/, "")}`;
}

/** The amount of each invoice in the text, `DMO-1 = 30.00, DMO-2 = 60.00`; null unless they are the whole amount. */
function amountsSaid(text: string, named: readonly NamedInvoice[], amount: string): string[] | null {
  const said = named.map(({ number }) => amountAfter(text, number));
  const sum = said.reduce((all, each) => all + inMillionths(each ?? ""), 0n);
  return said.every((each) => each !== null) && sum === inMillionths(amount) ? said : null;
}

/** A text that pays the oldest invoices first; the newest gets the remainder. */
function split(oldest: readonly NamedInvoice[], amount: string): string {
  let remaining = inMillionths(amount);
  const parts: string[] = [];
  for (const [at, { number, left }] of oldest.entries()) {
    const rest = inMillionths(left);
    const own = at === oldest.length - 1 || remaining < rest ? remaining : rest;
    if (own > 0n) parts.push(`${number} = ${inDecimals(own)}`);
    remaining -= own > 0n ? own : 0n;
  }
  return parts.join("; ");
}

async function invoicesEnding(run: Run, endings: readonly string[]): Promise<NamedInvoice[]> {
  if (endings.length === 0) return [];
  return (await run(invoicesEndingStatement, [endings])).map(invoiceToPay.read);
}

function isPaidTogether(named: readonly NamedInvoice[], amount: string): boolean {
  const rests = named.map(({ left }) => inMillionths(left));
  return rests.every((rest) => rest > 0n) && rests.reduce((all, rest) => all + rest, 0n) === inMillionths(amount);
}

/** Decimals have at most six places. */
const PLACES = 6;

function inMillionths(decimal: string): bigint {
  const [, sign, whole = "0", fraction = ""] = /^([-+]?)(\d+)(?:\.(\d{1,6})0*)?$/.exec(decimal) ?? [];
  const value = BigInt(whole + fraction.padEnd(PLACES, "0"));
  return sign === "-" ? -value : value;
}

/** At least two places, as amounts are written. */
function inDecimals(millionths: bigint): string {
  const digits = millionths.toString().padStart(PLACES + 1, "0");
  return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES).replace(/0{1,4}$/, "")}`;
}

/** The lines that each payment of a file is on. */
const linesOf = new WeakMap<CsvHeader, Map<string, Set<number>>>();

/**
 * Whether a payment of a file is recorded already: as many equal ones are there as the file has up to this line. So a
 * file that is imported again, or that overlaps with another, adds what is new, and two equal rows are two payments.
 */
async function knownIn({ header }: ImportTarget, run: Run, asked: readonly Asked[]): Promise<(each: Asked) => boolean> {
  const inputs = asked.flatMap((each) => each.inputs);
  const texts = (name: string) => inputs.flatMap(({ [name]: value }) => (typeof value === "string" ? value : []));
  const rows = await run(paymentsToCompareStatement, [texts(INVOICE_ID), texts(INVOICE_NUMBER)]);
  const recorded = rows.map(comparedPayment.read);
  const counts = new Map<string, number>();
  for (const { invoiceId, number, ...payment } of recorded) {
    // A row without a day is known on any.
    for (const name of [`#${invoiceId}`, `=${number}`]) {
      for (const paidOn of [payment.paidOn, null]) {
        const key = keyOf(name, { ...payment, paidOn });
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  const lines = linesOf.getOrInsertComputed(header, () => new Map<string, Set<number>>());
  const keysOf = ({ inputs: own }: Asked) =>
    own.map((input) => {
      const id = input[INVOICE_ID] ?? null;
      const name = id === null ? `=${textOf(input[INVOICE_NUMBER])}` : `#${textOf(id)}`;
      return keyOf(name, { amount: input.amount, paidOn: input.paid_on, reference: input.reference });
    });
  for (const each of asked) {
    for (const key of keysOf(each)) lines.getOrInsertComputed(key, () => new Set()).add(each.row.line);
  }
  return (each) =>
    each.inputs.length > 0 &&
    keysOf(each).every((key) => {
      const before = [...(lines.get(key) ?? [])].filter((line) => line <= each.row.line).length;
      return before <= (counts.get(key) ?? 0);
    });
}

/** A value of a row or of a request; others are refused before they are compared. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function keyOf(
  invoice: string,
  { amount, paidOn, reference }: Record<"amount" | "paidOn" | "reference", unknown>,
): string {
  const decimal = textOf(amount)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
  return JSON.stringify([invoice, decimal, paidOn ?? null, reference ?? ""]);
}
