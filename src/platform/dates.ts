import { now } from "./clock.ts";

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:[Zz]|[+-](\d{2}):(\d{2}))?$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * The `YYYY-MM-DD` of a date, or of an RFC 3339 date-time, whose date part is used as written (seconds and zone are
 * optional); null for anything else. The day and the time must exist: `new Date("2024-02-30")` would not object.
 */
export function parseDate(text: string): string | null {
  if (isExistingDay(text)) return text;
  return isDateTime(text) ? text.slice(0, 10) : null;
}

/**
 * The text of an RFC 3339 date-time as PostgreSQL reads it, in UTC if it names no zone; null for anything else, and for
 * a time that may lie outside the years 1 to 9999 in UTC.
 */
export function parseTimestamp(text: string): string | null {
  if (!isDateTime(text) || /^(?:0001-01-01|9999-12-31)[Tt ].*[+-]/.test(text)) return null;
  return /(?:[Zz]|[+-]\d{2}:\d{2})$/.test(text.slice(10)) ? text : `${text}Z`;
}

/** The day this many days after today in a time zone: `2026-12-01`. */
export function dayAfter(days: number, timeZone: string): string {
  const today = Temporal.Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(timeZone).toPlainDate();
  return today.add({ days }).toString();
}

/** The same day a year before a day (`YYYY-MM-DD`). */
export function yearBefore(day: string): string {
  return Temporal.PlainDate.from(day).subtract({ years: 1 }).toString();
}

/** The next day from Monday to Friday after today in a time zone, as `YYYY-MM-DD`. */
export function nextWorkingDay(timeZone: string): string {
  const tomorrow = Temporal.PlainDate.from(dayAfter(1, timeZone));
  const [SATURDAY, SUNDAY] = [6, 7];
  const days = tomorrow.dayOfWeek === SATURDAY ? 2 : tomorrow.dayOfWeek === SUNDAY ? 1 : 0;
  return tomorrow.add({ days }).toString();
}

/** The days from today in a time zone until a day (`YYYY-MM-DD`); negative for an earlier one. */
export function daysUntil(date: string, timeZone: string): number {
  return daysBetween(dayAfter(0, timeZone), date);
}

/** The last second of a day (`YYYY-MM-DD`) in a time zone, as RFC 3339. */
export function endOfDay(date: string, timeZone: string): string {
  const nextDay = Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(timeZone);
  return nextDay.subtract({ seconds: 1 }).toInstant().toString();
}

function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match === null) return false;
  const [, day, hour, minute, second, zoneHour, zoneMinute] = match;
  return (
    isExistingDay(day ?? "") &&
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second ?? 0) <= 59 &&
    Number(zoneHour ?? 0) <= 23 &&
    Number(zoneMinute ?? 0) <= 59
  );
}

function isExistingDay(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
  return year >= 1 && day >= 1 && day <= days;
}

/**
 * A timestamp as the API writes it, `2026-11-20T09:15:00.123456Z`, from PostgreSQL's text of it under `TimeZone=UTC`
 * (`2026-11-20 09:15:00.1234+00`, trailing zeros cut). It never becomes a JavaScript Date, which has no microseconds.
 */
export function isoTimestamp(text: string): string {
  const end = text.length - 3;
  const seconds = `${text.slice(0, 10)}T${text.slice(11, end)}`;
  return `${end === 19 ? `${seconds}.000000` : seconds.padEnd(26, "0")}Z`;
}

/** The same for a timestamp that may be missing. */
export function isoOrNull(text: string | null): string | null {
  return text === null ? null : isoTimestamp(text);
}

/** The days from one date to another, both as `2026-12-02`. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from.slice(0, 10)).until(to.slice(0, 10), { largestUnit: "days" }).days;
}
