import { now } from "../../platform/clock.ts";
import { inLanguage, LOCALES, placesOf } from "./assets/numbers.js";
import { html, type Html } from "./html.ts";

/** The languages of the pages. The API's messages stay English. */
export type Language = "en" | "ro";

/** The same words in each language; a missing one does not compile. */
export type InLanguages<Words> = Readonly<Record<Language, Words>>;

export const languages: InLanguages<string> = { en: "English", ro: "Română" };

export function isLanguage(text: unknown): text is Language {
  return text === "en" || text === "ro";
}

/**
 * The supported language with the highest weight in the header, the first of equals; otherwise English. Weight 0
 * excludes a language.
 */
export function requestedLanguage(acceptLanguage: string | undefined): Language {
  const asked = (acceptLanguage ?? "").split(",").flatMap((entry) => {
    const [range = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const language = /^(\w+)(?:-|$)/.exec(range)?.[1];
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return isLanguage(language) && Number(weight) > 0 ? [{ language, weight: Number(weight) }] : [];
  });
  return asked.toSorted((one, other) => other.weight - one.weight)[0]?.language ?? "en";
}

/** The forms of a noun after a number. Romanian has three: 1 factură, 2 facturi, 20 de facturi. */
export type Plural = { one: string; few?: string; other: string };

/** A number and its noun. */
export function counted(language: Language, count: number, forms: Plural): string {
  return `${wholeNumber(language, count)} ${formOf(language, count, forms)}`;
}

/** The noun alone, in the form for a number. */
export function formOf(language: Language, count: number, forms: Plural): string {
  const rule = pluralRules(language).select(count);
  return rule === "one" ? forms.one : rule === "few" ? (forms.few ?? forms.other) : forms.other;
}

export function wholeNumber(language: Language, value: number): string {
  return wholeNumbers(language).format(value);
}

/** A decimal, exact at any length, with at least two decimals, or those of a currency: `1,234.50`. */
export function decimal(language: Language, value: string, currency?: string | null): string {
  return inLanguage(value, language, currency);
}

/** A quantity, exact at any length: `40`, `2.5`. */
export function quantityIn(language: Language, value: string): string {
  return quantities(language).format(value as Intl.StringNumericLiteral);
}

/** With one decimal, as a share in percent: `40.0`. */
export function oneDecimal(language: Language, value: string): string {
  return shares(language).format(value as Intl.StringNumericLiteral);
}

/** An amount with its currency; null if there is no amount. */
export function amount(language: Language, value: string | null, currency: string | null): string | null {
  return value === null ? null : `${decimal(language, value, currency)} ${currency ?? ""}`.trimEnd();
}

/** An amount as assets/select.js adds it up: behind it are the currency's decimals, if they are not two. */
export function summand(value: string, currency: string | null): string {
  const places = placesOf(currency);
  return `${value} ${currency ?? ""}${places === 2 ? "" : ` ${places}`}`;
}

/** A date without a zone, from `2026-12-02`. */
export function day(language: Language, date: string): string {
  return formatted(language, "UTC", "day", new Date(`${date.slice(0, 10)}T00:00:00Z`));
}

/** A month with its year, from `2026-12` or a day of it. */
export function monthIn(language: Language, month: string): string {
  return formatted(language, "UTC", "month", new Date(`${month.slice(0, 7)}-01T00:00:00Z`));
}

/** A date in a list: without the year, which is its title, if that is the current one in a time zone. */
export function listedDay(language: Language, date: string | null, timeZone: string): Html | null {
  if (date === null) return null;
  const [near, whole] = [nearDay(language, date, timeZone), day(language, date)];
  return near === whole ? html`${near}` : html`<span title="${whole}">${near}</span>`;
}

export function nearDay(language: Language, date: string, timeZone: string): string {
  const isThisYear = localMoment(new Date(now()).toISOString(), timeZone).slice(0, 4) === date.slice(0, 4);
  return formatted(language, "UTC", isThisYear ? "nearDay" : "day", new Date(`${date.slice(0, 10)}T00:00:00Z`));
}

/** A date, or null. */
export function dayOrNone(language: Language, date: string | null | undefined): string | null {
  return date == null ? null : day(language, date);
}

/** The date of a moment in a time zone; `timestamp` as PostgreSQL writes it under `TimeZone=UTC`, or as ISO. */
export function dayOf(language: Language, timestamp: string, timeZone: string): string {
  return formatted(language, timeZone, "day", dateOf(timestamp));
}

/** A moment to the minute. */
export function moment(language: Language, timestamp: string, timeZone: string): string {
  return formatted(language, timeZone, "moment", dateOf(timestamp));
}

/** The time of a moment, to the minute. */
export function timeOf(language: Language, timestamp: string, timeZone: string): string {
  return formatted(language, timeZone, "time", dateOf(timestamp));
}

/** The current day of the week with its date: `Sunday 22 November`. */
export function weekday(language: Language, timeZone: string): string {
  return formatted(language, timeZone, "weekday", new Date(now()));
}

/**
 * A moment on a page that updates itself: its age within a day (`2 hr ago`), otherwise its date, with the year if that
 * is not the current one. The title has the complete moment.
 * @param isFollowed false for a page that does not update itself, where an age would become wrong
 */
export function momentAgo(language: Language, timestamp: string, timeZone: string, isFollowed: boolean): Html {
  const minutes = Math.floor((now() - dateOf(timestamp).getTime()) / 60_000);
  const isRecent = isFollowed && minutes < 24 * 60;
  const text = isRecent ? passed(language, minutes) : nearDay(language, localMoment(timestamp, timeZone), timeZone);
  // Lists have many: seconds would cost bytes.
  return html`<time datetime="${timestamp.slice(0, 16)}Z" title="${moment(language, timestamp, timeZone)}">${text}</time>`;
}

/** A moment to come: the seconds or minutes until it within an hour, otherwise its date and time. */
export function momentAhead(language: Language, timestamp: string, timeZone: string): Html {
  const seconds = Math.max(0, Math.ceil((dateOf(timestamp).getTime() - now()) / 1_000));
  const [count, unit] = seconds < 60 ? [seconds, "second" as const] : [Math.round(seconds / 60), "minute" as const];
  const text = seconds < 3_600 ? agos(language).format(count, unit) : moment(language, timestamp, timeZone);
  return html`<time datetime="${timestamp}" title="${moment(language, timestamp, timeZone)}">${text}</time>`;
}

const JUST_NOW: InLanguages<string> = { en: "just now", ro: "chiar acum" };

function passed(language: Language, minutes: number): string {
  if (minutes < 1) return JUST_NOW[language];
  const [count, unit] = minutes < 60 ? [minutes, "minute" as const] : [Math.floor(minutes / 60), "hour" as const];
  return agos(language).format(-count, unit);
}

/** A moment in a time zone in the format of browsers' fields: `2026-11-22T14:30`. */
export function localMoment(timestamp: string, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(dateOf(timestamp).getTime()).toZonedDateTimeISO(timeZone);
  return local.toPlainDateTime().toString({ smallestUnit: "minute" });
}

/** Joins words as alternatives: `offers, deals or tickets`. */
export function oneOf(language: Language, words: readonly string[]): string {
  return disjunctions(language).format(words);
}

/** Joins words: `owner, city and phone`. More than `most` end with a number: `owner, city and 3 more`. */
export function listOf(language: Language, words: readonly string[], most: number): string {
  const shown = words.length <= most ? words : [...words.slice(0, most - 1), MORE[language](words.length - most + 1)];
  return conjunctions(language).format(shown);
}

const MORE = {
  en: (count: number) => `${wholeNumber("en", count)} more`,
  ro: (count: number) => `încă ${wholeNumber("ro", count)}`,
} satisfies InLanguages<object>;

/** Creates each formatter on first use, because most processes need none of them at start. */
function perLanguage<T>(make: (locale: string) => T): (language: Language) => T {
  const made: Partial<Record<Language, T>> = {};
  return (language) => (made[language] ??= make(LOCALES[language]));
}

const disjunctions = perLanguage((locale) => new Intl.ListFormat(locale, { type: "disjunction" }));
const conjunctions = perLanguage((locale) => new Intl.ListFormat(locale, { type: "conjunction" }));
const agos = perLanguage((locale) => new Intl.RelativeTimeFormat(locale, { style: "short" }));
const pluralRules = perLanguage((locale) => new Intl.PluralRules(locale));
const wholeNumbers = perLanguage((locale) => new Intl.NumberFormat(locale));
const shares = perLanguage(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const quantities = perLanguage((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }));

const STYLES = {
  day: { day: "numeric", month: "short", year: "numeric" },
  nearDay: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
  moment: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  time: { hour: "2-digit", minute: "2-digit" },
  weekday: { weekday: "long", day: "numeric", month: "long" },
} as const;

/** Creating a formatter takes a hundred times as long as using it. There are some 450 time zones. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Months have three letters; only the locale's September has four. */
function formatted(language: Language, timeZone: string, style: keyof typeof STYLES, date: Date): string {
  return formatter(language, timeZone, style)
    .format(date)
    .replace(/Sept\b/, "Sep");
}

function formatter(language: Language, timeZone: string, style: keyof typeof STYLES): Intl.DateTimeFormat {
  return formatters.getOrInsertComputed(`${language} ${timeZone} ${style}`, () => {
    return new Intl.DateTimeFormat(LOCALES[language], { ...STYLES[style], timeZone });
  });
}

function dateOf(timestamp: string): Date {
  return new Date(timestamp.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00"));
}
