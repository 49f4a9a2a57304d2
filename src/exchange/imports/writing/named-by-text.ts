import { invoiceOfEnding, findInvoicesEnding, type NamedInvoice } from "../../../orders/payments/payment-queries.ts";
import { DEBIT, INVOICE_ID, INVOICE_NUMBER, TEXT } from "../../../orders/payments/payment.ts";
import type { Input } from "../../../platform/fields/fields.ts";
import type { Run } from "../../../platform/postgres/database.ts";
import type { Rejection } from "../kind.ts";
import type { Rest } from "../reading/csv-reader.ts";
import type { ImportRow } from "../reading/rows.ts";
import {
  amountAfter,
  endingsIn,
  hasDigitsIn,
  namesNumberIn,
  waysOfNumber,
  type ReadNumber,
} from "./numbers-in-text.ts";

/** The payments of a row: one of the invoice that it names, or several of those that its text names. */
export type PaymentsOfRow = { row: ImportRow; inputs: Input[]; refused: Omit<Rejection, "line"> | null };

/** Endings that are looked up together: each has up to 500 invoices. */
const ENDINGS_AT_ONCE = 100;

/**
 * The invoices that rows without a number name in their texts; an amount alone names none. Several invoices are paid
 * together if the text has an amount for each, or if the amount is the sum of their rests; otherwise a person decides.
 */
export async function namedByText(run: Run, rows: readonly ImportRow[], rest: Rest): Promise<PaymentsOfRow[]> {
  const asked: PaymentsOfRow[] = [];
  let [part, endings]: [Texted[], Set<string>] = [[], new Set()];
  for (const [index, row] of rows.entries()) {
    const text = namingText(row);
    const own = endingsIn(text ?? "");
    part.push({ row, text, endings: own });
    for (const ending of own) endings.add(ending);
    if (endings.size < ENDINGS_AT_ONCE && index < rows.length - 1) continue;
    const found = await invoicesEnding(run, [...endings], rest);
    for (const each of part) asked.push(paymentsOf(each, await namedIn(each, found, rest)));
    [part, endings] = [[], new Set()];
  }
  return asked;
}

/** A row with its text, if that names its invoice, and the endings of numbers in it. */
type Texted = { row: ImportRow; text: string | null; endings: string[] };

function namingText({ input }: ImportRow): string | null {
  const { [INVOICE_NUMBER]: number = null, [INVOICE_ID]: id = null, [TEXT]: text } = input;
  return number === null && id === null && typeof text === "string" ? text : null;
}

/** Rows of an answer that are read between two rests. */
export const ROWS_READ_AT_ONCE = 250;
/** The work for a row of an answer, and for a comparison with a text (csv-reader.ts). */
export const MATCHING_WORK = { read: 200, compared: 32 };

/** The most invoices that one payment is split over. */
const MOST_NAMED = 100;

/**
 * The invoices that a text names, of those with its endings: one more than MOST_NAMED, if there are more. Digits
 * without a word for invoices name one whose total is the amount of the row.
 */
async function namedIn({ row, text, endings }: Texted, found: OfEnding, rest: Rest): Promise<NamedInvoice[]> {
  if (text === null) return [];
  const [isNamed, hasDigits] = [namesNumberIn(text), hasDigitsIn(text)];
  const amount = inMillionths(valueText(row.input.amount));
  const [named, confirmed] = [new Map<string, NamedInvoice>(), new Map<string, NamedInvoice>()];
  for (const ending of endings) {
    const some = found.get(ending) ?? [];
    for (const { invoice, read } of some) {
      if (named.size <= MOST_NAMED && isNamed(read)) named.set(invoice.id, invoice);
      else if (hasDigits(read) && inMillionths(invoice.total) === amount) confirmed.set(invoice.id, invoice);
    }
    await rest(MATCHING_WORK.compared * some.length);
  }
  return [...(named.size > 0 ? named : confirmed).values()];
}

function paymentsOf({ row, text }: Texted, named: NamedInvoice[]): PaymentsOfRow {
  const { [TEXT]: _text, [DEBIT]: debit, ...others } = row.input;
  const input = debit == null ? others : { ...others, amount: amountOf(others.amount, debit) };
  if (text === null) return { row, inputs: [input], refused: null };
  const [only] = named;
  if (only === undefined) return { row, inputs: [], refused: { errors: {}, row: { code: "noInvoiceNamed" } } };
  if (named.length === 1) return { row, inputs: [{ ...input, [INVOICE_ID]: only.id }], refused: null };
  const amount = valueText(input.amount);
  const oldest = named.toSorted((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : Number(a.id) - Number(b.id)));
  const isPaid = named.length <= MOST_NAMED && isPaidTogether(named, amount);
  const parts = amountsSaid(text, oldest, amount) ?? (isPaid ? oldest.map(({ left }) => left) : null);
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
}

/** The amount of a bank's file with two columns of amounts: what left the account is negative. */
function amountOf(credit: unknown, debit: unknown): unknown {
  const [added, removed] = [credit, debit].map((value) => Number(valueText(value)));
  return added !== 0 || !(Math.abs(removed ?? 0) > 0) ? credit : `-${valueText(debit).replace(/^[-+]/, "")}`;
}

/** The amount of each invoice in the text, `DMO-1 = 30.00, DMO-2 = 60.00`; null unless they are the whole amount. */
function amountsSaid(text: string, named: readonly NamedInvoice[], amount: string): string[] | null {
  const said = named.length > MOST_NAMED ? [null] : named.map(({ number }) => amountAfter(text, number));
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

/** Invoices by an ending of their numbers. */
type OfEnding = ReadonlyMap<string, readonly Candidate[]>;
type Candidate = { invoice: NamedInvoice; read: ReadNumber };

async function invoicesEnding(run: Run, endings: readonly string[], rest: Rest): Promise<OfEnding> {
  const found = new Map<string, Candidate[]>();
  if (endings.length === 0) return found;
  for (const [at, row] of (await findInvoicesEnding(run, endings)).entries()) {
    if (at % ROWS_READ_AT_ONCE === 0) await rest(ROWS_READ_AT_ONCE * MATCHING_WORK.read);
    const invoice = invoiceOfEnding.read(row);
    const read = waysOfNumber(invoice.number);
    found.getOrInsertComputed(invoice.ending, () => []).push({ invoice, read });
  }
  return found;
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

/** A value of a row or of a request; others are refused before they are compared. */
export function valueText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
