import { readNumber } from "../../../kit/web/assets/numbers.js";
import type { Language } from "../../../kit/web/language.ts";
import { keyOf } from "../../../platform/fields/custom.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import type { FieldKind } from "../../../platform/fields/fields.ts";
import { isFirstDay, readDayOfColumn, type DayOrder } from "../columns/days.ts";
import { BETWEEN_PERSONS, FULL_NAME, isNoOneName } from "../columns/full-name.ts";
import { readLocal, valuesOfCell } from "../columns/local-values.ts";
import { LOST_LETTER, mended } from "../columns/mended.ts";
import { valueOfWord, type WordsOfField } from "../columns/value-words.ts";
import type { ImportReason } from "../reasons.ts";
import { amountIn, currencyOf } from "./amounts.ts";
import { isNoFiscalId, isShortened, meantIn, MERGED, withoutDecimals, withoutLabel } from "./meaning.ts";

/** A column of a file that has a field. */
export type FileColumn = {
  index: number;
  name: string;
  kind: FieldKind;
  /** The values of words, by folded word; null if the cell is the value. */
  words: WordsOfField | null;
  /** The order of day and month in its days, if the file or a person has decided it. */
  order: DayOrder | null;
  /** That of all its amounts, as the column's name says. */
  currency: string | null;
};

/** Why a row cannot be read: the errors of its fields, and the sentence about those without one of their own. */
export type Unread = { errors: FieldErrors; row?: ImportReason };

/**
 * A remark on a row that is written: a cell that was left out because it is no value, a further value of a cell, that
 * the row is there already, that no row has its id, that a contact was created from the cell, that the currency of an
 * amount has no field, that garbled letters were mended, or that the cell repeats the one above.
 */
export type RowNote = {
  field: string;
  text: string;
  why: "unfit" | "several" | "again" | "unknownId" | "person" | "odd" | "currency" | "mended" | "repeated";
};

/** How cells are read: whether an empty one empties its field, and the language; null for the documented formats. */
export type CellRules = {
  clearsEmpty: boolean;
  language: Language | null;
  /** A person's choice for the unreadable cells of a field, or for its days. */
  choices: Readonly<Record<string, string>>;
  /** Whether a row has a currency, which those of its amounts become. */
  takesCurrency: boolean;
  /** Whether the file has what is stored here, however odd. */
  isOwnExport: boolean;
};

export const CURRENCY = "currency";
/** Fields in percent, and fields that have digits. */
const [PERCENTS, PHONES] = [new Set(["vat_rate"]), new Set(["phone", "mobile"])];
/** Days that become today if they are left out. */
const TODAY_WITHOUT = new Set(["paid_on"]);

/** A row that is being read. */
type Read = {
  rules: CellRules & { columns: readonly FileColumn[] };
  input: Record<string, string | boolean | null>;
  notes: RowNote[];
  unread: Unread | null;
  /** The currency in the cells of amounts, and the field of the first. */
  currency: string | null;
  amountField: string;
};

/**
 * Reads the cells of a row: the only place where a cell gets its meaning, of every kind of file. The fields are as in a
 * request's body. A function for each row would cost a tenth of an import's time.
 * @param numbers of cells whose text is what a format shows
 * @param repeated the marks of cells that repeat the one above
 */
export function readRowCells(
  rules: Read["rules"],
  cells: readonly string[],
  numbers?: Readonly<Record<number, string>>,
  repeated?: Readonly<Record<number, string>>,
): Pick<Read, "input" | "unread" | "notes"> {
  const row: Read = { rules, input: {}, notes: [], unread: null, currency: null, amountField: "" };
  for (const column of rules.columns) {
    const cell = cells[column.index];
    if (cell !== undefined && cell !== "") readCell(row, column, cell, numbers?.[column.index]);
    else if (cell === "" && rules.clearsEmpty) row.input[column.name] = null;
  }
  if (repeated !== undefined) noteRepeated(row, cells, repeated);
  const { currency, input } = row;
  if (currency !== null) {
    const named = input[CURRENCY];
    if (named === undefined || named === null) input[CURRENCY] = currency;
    else if ((currencyOf(String(named)) ?? String(named).toUpperCase()) !== currency) {
      refuse(row, { code: "currencies", amount: currency, column: String(named) }, [row.amountField, CURRENCY]);
    }
  }
  return row;
}

/** A mark below a cell without a value repeats nothing, and stays. */
function noteRepeated(row: Read, cells: readonly string[], repeated: Readonly<Record<number, string>>): void {
  for (const { index, name, kind } of row.rules.columns) {
    const [mark, cell = ""] = [repeated[index], cells[index]];
    if (mark === undefined) continue;
    if (mark === MERGED && kind === "decimal") refuse(row, { code: "mergedAmount" }, [name]);
    else if (mark === cell) refuse(row, { code: "nothingAbove" }, [name]);
    else row.notes.push({ field: name, text: `${mark} = ${cell}`, why: "repeated" });
  }
}

function readCell(row: Read, column: FileColumn, cell: string, number: string | undefined): void {
  const { name, words } = column;
  const { clearsEmpty, language } = row.rules;
  const written = meantIn(words, cell);
  if (written === null) return;
  const meant = language === null ? written : withoutDecimals(name, mended(written));
  if (meant !== written) row.notes.push({ field: name, text: `${written} = ${meant}`, why: "mended" });
  if (language !== null && meant.includes(LOST_LETTER)) refuse(row, { code: "lostLetters" }, [name]);
  const said = isNoFiscalId(name, meant) ? "" : withoutLabel(name, meant);
  const text = (words === null ? null : valueOfWord(words, said)) ?? said;
  // A word that was mapped to nothing leaves its field out.
  if (text === "" && (!clearsEmpty || said !== "")) return;
  if (isShortened(name, text)) refuse(row, { code: "shortened" }, [name]);
  // A percentage is no plain number.
  const value = text === "" ? null : readValue(row, column, text, text.endsWith("%") ? undefined : number);
  if (value !== undefined) row.input[name] = value;
}

function refuse(row: Read, reason: ImportReason, fields: readonly string[]): void {
  row.unread ??= { errors: {}, row: reason };
  for (const field of fields) row.unread.errors[field] ??= [];
}

function readValue(
  row: Read,
  column: FileColumn,
  text: string,
  number: string | undefined,
): string | boolean | null | undefined {
  const { name, kind } = column;
  const { language } = row.rules;
  if (kind === "boolean") return booleans.get(text.toLowerCase()) ?? text;
  if (language === null) return text;
  if (kind === "decimal") return readAmount(row, column, text, language, number);
  if (kind === "date") return readDate(row, column, text);
  if (number !== undefined) {
    return kind === "integer" || kind === "user" ? number.replace(/\.0+$/, "") : shownNumber(text, number);
  }
  const isOther = name === FULL_NAME ? isNoOneName(text) : name === "first_name" && BETWEEN_PERSONS.test(text);
  if (isOther && !row.rules.isOwnExport) refuse(row, { code: "severalPersons" }, [name]);
  if (PHONES.has(name) && !/\p{Nd}/u.test(text)) return leaveOut(row, name, text);
  if (name === CURRENCY) return readCurrency(row, text);
  const [first = text, ...others] = valuesOfCell(name, kind, text);
  for (const other of others) row.notes.push({ field: name, text: other, why: "several" });
  return readLocal(kind, first);
}

/** A code that no list has is one too. */
function readCurrency(row: Read, text: string): string {
  const code = currencyOf(text) ?? currencyOf(text.toUpperCase());
  if (code === null && !/^[A-Z]{3}$/.test(text)) refuse(row, { code: "currencyUnknown" }, [CURRENCY]);
  return code ?? text;
}

/**
 * A cell that is no value is left out, unless a person skips its rows: a phone without a digit, the year 1, and an
 * empty day that becomes today.
 */
function leaveOut(row: Read, name: string, text: string): undefined {
  if (row.rules.choices[name] === "skip") (row.unread ??= { errors: {} }).errors[name] = [{ code: "notStorable" }];
  else row.notes.push({ field: name, text, why: "unfit" });
}

function readAmount(
  row: Read,
  { name, currency: ofColumn }: FileColumn,
  text: string,
  language: Language,
  number: string | undefined,
): string | null {
  const isPercent = PERCENTS.has(name);
  const amount = amountIn(isPercent ? text.replace(/ ?%$/, "") : text);
  const currency = amount.currency ?? ofColumn;
  const other = ofColumn !== null && ofColumn !== currency ? ofColumn : row.currency;
  // That of a custom field is not the record's.
  const isRecords = keyOf(name) === null;
  if (currency !== null && !(isRecords && row.rules.takesCurrency)) {
    row.notes.push({ field: name, text, why: "currency" });
  }
  if (currency !== null && isRecords) {
    if (other !== null && currency !== other)
      refuse(row, { code: "currencies", amount: currency, column: other }, [row.amountField || name, name]);
    [row.currency, row.amountField] = [currency, name];
  }
  const read = number === undefined ? readNumber(amount.number, language) : { value: number };
  if (isPercent && !text.endsWith("%") && /^0\.\d*[1-9]/.test(read?.value ?? "")) {
    const decimals = read?.value ?? "";
    // A part of one, as a spreadsheet stores a percentage.
    const whole = String(Math.round(Number(decimals) * 1e8) / 1e6);
    (row.unread ??= { errors: {} }).errors[name] = [{ code: "ambiguous", whole, decimals }];
  }
  if (read?.readings !== undefined) {
    const [whole, decimals] = read.readings;
    (row.unread ??= { errors: {} }).errors[name] = [{ code: "ambiguous", whole, decimals }];
  }
  // Another text stays as the file has it, and the rules of its field reject it.
  if (number !== undefined) return number;
  return read === null ? text : withoutMark(read.value ?? text);
}

/** Undefined if the cell is left out. */
function readDate(row: Read, { name, order }: FileColumn, text: string): string | null | undefined {
  const day = readDayOfColumn(text, order);
  // Left out, a wrong day of a payment would become today.
  if (day === null) return isFirstDay(text) ? leaveOut(row, name, text) : text;
  if ("day" in day) return day.day;
  if ("isEmpty" in day && TODAY_WITHOUT.has(name)) return leaveOut(row, name, text);
  if (!("readings" in day)) return row.rules.clearsEmpty ? null : undefined;
  if (row.rules.choices[name] === "leave") {
    row.notes.push({ field: name, text, why: "unfit" });
    return undefined;
  }
  (row.unread ??= { errors: {} }).errors[name] = [{ code: "ambiguousDay", days: day.readings }];
  return text;
}

/** An export has a zero more in an amount that would have two readings (kit/files/cells.ts). */
function withoutMark(value: string): string {
  return value.replace(/^(-?[1-9]\d{0,2}\.\d{3}0*)0$/, "$1");
}

/** A number without a format of its own, as text: an amount has a zero more, so that it has one reading. */
function shownNumber(text: string, number: string): string {
  const mark = text.includes(",") ? "," : ".";
  const plain = number.replace(".", mark);
  return text === `${plain}0` ? plain : text;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);
