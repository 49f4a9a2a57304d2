import { numberCell } from "./cell-text.ts";
import { numberFormat, shownBy, type NumberFormat } from "./number-format.ts";

/**
 * How the numbers of a style are meant: days, or numbers with what their format shows. `isBlank`: it shows nothing.
 * `places`: the decimals of a format of digits alone. `time`: the letters of a format of hours, minutes and seconds.
 */
export type Style = {
  isDay: boolean;
  hasTime: boolean;
  isPercent: boolean;
  isBlank: boolean;
  time: string;
  format: NumberFormat | null;
  places: number;
};

const PLAIN: Style = {
  isDay: false,
  hasTime: false,
  isPercent: false,
  isBlank: false,
  time: "",
  format: null,
  places: 0,
};
/** The built-in formats of days and times. */
const DAYS = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58]);

/** The built-in formats of times. */
const TIMES: ReadonlyMap<number, string> = new Map([
  [18, "h:mm"],
  [19, "h:mm:ss"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [46, "[h]:mm:ss"],
]);
/** The built-in formats that show hundredths. */
const PERCENTS = new Set([9, 10]);
/** The built-in formats of two decimals. */
const TWO_PLACES = new Set([2, 4]);

/** @param code of a format of the workbook's own */
export function styleOf(id: number, code: string | undefined): Style {
  if (code === undefined && PERCENTS.has(id)) return { ...PLAIN, isPercent: true };
  if (code === undefined && TWO_PLACES.has(id)) return { ...PLAIN, places: 2 };
  if (code === undefined && TIMES.has(id)) return { ...PLAIN, time: TIMES.get(id) ?? "" };
  if (code === undefined) return DAYS.has(id) ? { ...PLAIN, isDay: true, hasTime: id === 22 } : PLAIN;
  if (/^(?:\[[A-Za-z]+\])?;;;$/.test(code)) return { ...PLAIN, isBlank: true };
  // Literal texts, colours, currencies and languages are no parts of a day.
  const letters = code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\.|_./g, "").split(";")[0] ?? "";
  const isDay = /[dy]|mmm/i.test(letters) && !/general/i.test(letters);
  const [time = ""] = isDay ? [] : (/(?:\[h+\]|h+)[:.]mm(?:[:.]ss)?/i.exec(code) ?? []);
  if (time !== "") return { ...PLAIN, time };
  const places = /^(?:#,##)?0\.(0+)$/.exec(code)?.[1]?.length ?? 0;
  if (!isDay) return { ...PLAIN, isPercent: letters.includes("%"), format: numberFormat(code), places };
  return { ...PLAIN, isDay, hasTime: /[hs]/i.test(letters) };
}

const DAY = 86_400_000;
/** The last day that a spreadsheet knows: 31 December 9999. */
const LAST_DAY = 2_958_465;

/** Characters of a number whose digits all count. */
const EXACT_LENGTH = 16;

/** A number as the text of its cell (cell-text.ts). @param epoch1904 whether days are counted from 1904 */
export function numberText(value: string, style: Style = PLAIN, epoch1904 = false): string {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number)) return value;
  // The day 0 is what an empty cell becomes in a formula: a spreadsheet shows 00.01.1900.
  if (style.isDay && number >= 0 && number <= LAST_DAY) return number < 1 ? "" : dayText(number, style, epoch1904);
  if (style.time !== "" && number >= 0) return numberCell(decimalOf(number), timeText(number, style.time));
  // 0.19 is shown as 19%, which is what a text file would have.
  if (style.isPercent) return numberCell(decimalOf(Number((100 * number).toPrecision(15))), "", "%");
  const { format, places } = style;
  // A spreadsheet stores no zeros at the end; an export does, with a format that shows them.
  const [, whole, decimals = ""] = /^(-?\d+)\.(\d*0)$/.exec(value) ?? [];
  if (whole !== undefined && decimals.length === places && value.length <= EXACT_LENGTH) return numberCell(value);
  if (Number.isInteger(number)) {
    const text = BigInt(number).toString();
    const shown = format === null ? "" : shownBy(format, number);
    const currency = shown === "" || shown === text ? (format?.currency ?? "") : "";
    return shown === "" && currency === "" ? text : numberCell(text, shown, currency);
  }
  // Spreadsheets compute with 15 digits: 0.1 + 0.2 is stored as 0.30000000000000004.
  const rounded = Number(number.toPrecision(15));
  const decimal = decimalOf(rounded);
  const currency = format?.currency ?? "";
  return decimal.includes(".") || currency !== "" ? numberCell(decimal, "", currency) : decimal;
}

function decimalOf(number: number): string {
  const text = String(number);
  return text.includes("e") ? number.toFixed(15).replace(/\.?0+$/, "") : text;
}

/** A time of the day, or of `[h]:mm` a number of hours. */
function timeText(number: number, code: string): string {
  const seconds = Math.round((code.startsWith("[") ? number : number % 1) * 86_400);
  const parts = [
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 60) % 60,
    ...(/s$/i.test(code) ? [seconds % 60] : []),
  ];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function dayText(number: number, { hasTime }: Style, epoch1904: boolean): string {
  // Of the count from 1900, day 60 is a 29 February that never was: it is no day of any field.
  if (!epoch1904 && Math.floor(number) === 60) return "1900-02-29";
  const first = epoch1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, number < 60 ? 31 : 30);
  const moment = new Date(first + Math.round((number * DAY) / 1_000) * 1_000).toISOString();
  return hasTime && number % 1 > 0 ? `${moment.slice(0, 10)} ${moment.slice(11, 19)}` : moment.slice(0, 10);
}
