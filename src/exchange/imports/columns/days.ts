import { trim } from "../../../platform/text.ts";
import { folded } from "./folded.ts";

/** The order of day and month in a column of days. */
export const dayOrders = ["dmy", "mdy"] as const;
export type DayOrder = (typeof dayOrders)[number];

/** A day, an empty one (`00.00.0000`), or both readings of a text; null for a text that is no day. */
type ReadDay = { day: string } | { isEmpty: true } | { readings: [dayFirst: string, monthFirst: string] } | null;

/** The names of the months in the languages of files, folded. People write the first letters. */
const MONTHS: readonly (readonly string[])[] = [
  "january ianuarie januar janner janvier",
  "february februarie fevrier februar",
  "march martie marz mrz mars marcius",
  "april aprilie avril aprilis",
  "may mai majus",
  "june iunie juni juin junius",
  "july iulie juli juillet julius",
  "august aout augusztus",
  "september septembrie septembre szeptember",
  "october octombrie oktober octobre",
  "november noiembrie novembre",
  "december decembrie dezember decembre",
].map((names) => names.split(" "));

/** A time and an offset behind a day. The day counts as it is written. */
const TIME =
  /(?:(?:(?:[T,]|,? (?:ora|orele|la|at))? ?\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?|(?<=\d{8})T\d{4}(?:\d\d)?)(?: ?(?:Z|UTC|[+-]\d\d(?::?\d\d)?))?)$/i;
const WEEKDAY =
  /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? |^(?:luni|mar[tțţ]i|miercuri|joi|vineri|s[aâ]mb[aă]t[aă]|duminic[aă]), |^(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche),? /i;
const ZERO = /^(?:0{1,2}([./-])0{1,2}\1(?:0{2}|0{4})|0{4}([./-])0{1,2}\2 ?0{1,2}|0{8})$/;

/**
 * Reads a day as people and programs write it. A text in which day and month may be exchanged is read in the order of
 * its column. Without one, a dot puts the day first, in each language of the pages.
 */
export function readDayOfColumn(text: string, order: DayOrder | null): ReadDay {
  if (text.length > 40) return null;
  const written = bare(text);
  if (ZERO.test(written)) return { isEmpty: true };
  const named = withMonthName(written);
  if (named !== null) return dayOf(named);
  const [, year, , month, date] =
    /^(\d{4})([./-]) ?(\d{1,2})\2 ?(\d{1,2})\.?$/.exec(written) ?? /^(\d{4})()(\d\d)(\d\d)$/.exec(written) ?? [];
  if (year !== undefined) return dayOf([year, month ?? "", date ?? ""]);
  const parts = orderedParts(written);
  if (parts === null) return null;
  const { first, second, full, mark } = parts;
  const [dayFirst, monthFirst] = [iso([full, second, first]), iso([full, first, second])];
  if (dayFirst === null || monthFirst === null || dayFirst === monthFirst)
    return dayOf([full, ...(dayFirst === null ? [first, second] : [second, first])] as [string, string, string]);
  const decided = order ?? (mark === "." ? "dmy" : null);
  if (decided === null) return { readings: [dayFirst, monthFirst] };
  return { day: decided === "dmy" ? dayFirst : monthFirst };
}

/** Whether a program wrote an empty day as the first one that it knows: 0001-01-01. */
export function isFirstDay(text: string): boolean {
  return text.length <= 40 && FIRST.test(bare(text));
}

const FIRST = /^(?:000[01]([./-]) ?\d{1,2}\1 ?\d{1,2}|\d{1,2}([./-]) ?\d{1,2}\2 ?000[01]|000[01]\d{4})\.?$/;

function bare(text: string): string {
  return trim(text.replace(TIME, "").replace(WEEKDAY, ""));
}

/** The order that a text proves: it can be read in one order only. A dot is weaker evidence, which others overrule. */
export function orderOf(text: string): DayOrder | "dotted" | null {
  const parts = text.length > 40 ? null : orderedParts(bare(text));
  if (parts === null) return null;
  const { first, second, full, mark } = parts;
  const [dayFirst, monthFirst] = [iso([full, second, first]), iso([full, first, second])];
  if (dayFirst === null) return monthFirst === null ? null : "mdy";
  if (monthFirst === null) return "dmy";
  return mark === "." && dayFirst !== monthFirst ? "dotted" : null;
}

/** `25/11/26`, whose first two numbers are a day and a month. */
function orderedParts(text: string): { first: string; second: string; full: string; mark: string } | null {
  const [, first, mark, second, year] = /^(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4}|\d{2})\.?$/.exec(text) ?? [];
  if (first === undefined || mark === undefined || second === undefined || year === undefined) return null;
  return { first, second, full: fullYear(year), mark };
}

/** `25-Nov-26`, `25 noiembrie 2026`, `Nov 25th, 2026`, `2026. november 25.` as year, month and day. */
function withMonthName(text: string): [string, string, string] | null {
  const [, before, name, year] =
    /^(\d{1,2})(?:er|st|nd|rd|th)?[. /-]{1,2}(\p{L}{3,10})[., /-]{1,2}(\d{4}|\d{2})$/u.exec(text) ?? [];
  if (before !== undefined) return monthNamed(name, fullYear(year ?? ""), before);
  const [, first, date, full] = /^(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u.exec(text) ?? [];
  if (first !== undefined) return monthNamed(first, full, date ?? "");
  const [, whole, month, behind] = /^(\d{4})[. -]{1,2}(\p{L}{3,10})[. -]{1,2}(\d{1,2})\.?$/u.exec(text) ?? [];
  return whole === undefined ? null : monthNamed(month, whole, behind ?? "");
}

function monthNamed(name = "", year = "", date: string): [string, string, string] | null {
  const word = folded(name);
  const [month, other] = MONTHS.flatMap((names, at) => (names.some((one) => one.startsWith(word)) ? [at + 1] : []));
  if (month === undefined || other !== undefined) return null;
  return [year, String(month), date];
}

function fullYear(year: string): string {
  if (year.length === 4) return year;
  return String(SINCE + ((Number(year) - SINCE + 2_000) % 100));
}

/** The first of the hundred years that two digits mean: 30 is 1930, 29 is 2029 (docs/web.md). */
const SINCE = 1930;

function dayOf(parts: [year: string, month: string, day: string]): ReadDay {
  const day = iso(parts);
  return day === null ? null : { day };
}

/** Null for a day that no calendar has, and for a year such as 0026, in which digits are wrong. */
function iso([year, month, day]: readonly [year: string, month: string, day: string]): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const isDay = y >= 1_000 && m >= 1 && m <= 12 && d >= 1 && d <= new Date(Date.UTC(y, m, 0)).getUTCDate();
  return isDay ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : null;
}
