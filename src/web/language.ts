import { now } from "../platform/clock.ts";
import { inLanguage } from "./assets/numbers.js";
import { html, type Html } from "./html.ts";

/** The languages of the pages. The API's messages stay English. */
export type Language = "en" | "ro";

/** The same words in each language; a missing one does not compile. */
export type InLanguages<Words> = Readonly<Record<Language, Words>>;

export const languages: InLanguages<string> = { en: "English", ro: "Română" };

const LOCALES: InLanguages<string> = { en: "en-GB", ro: "ro-RO" };

export function isLanguage(text: unknown): text is Language {
  return text === "en" || text === "ro";
}

/** The language of the header that we speak and that weighs most there, the first of equals; else English. What weighs nothing is never meant. */
export function languageAsked(acceptLanguage: string | undefined): Language {
  const asked = (acceptLanguage ?? "").split(",").flatMap((entry) => {
    const [range = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const language = /^(\w+)(?:-|$)/.exec(range)?.[1];
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return isLanguage(language) && Number(weight) > 0 ? [{ language, weight: Number(weight) }] : [];
  });
  return asked.toSorted((one, other) => other.weight - one.weight)[0]?.language ?? "en";
}

/** The forms of a noun behind a number. Romanian has three: 1 factură, 2 facturi, 20 de facturi. */
export type Plural = { one: string; few?: string; other: string };

/** A number and its noun. */
export function counted(language: Language, count: number, forms: Plural): string {
  return `${wholeNumber(language, count)} ${formOf(language, count, forms)}`;
}

/** The noun alone, in the form that the number asks for. */
export function formOf(language: Language, count: number, forms: Plural): string {
  const rule = pluralRules(language).select(count);
  return rule === "one" ? forms.one : rule === "few" ? (forms.few ?? forms.other) : forms.other;
}

export function wholeNumber(language: Language, value: number): string {
  return wholeNumbers(language).format(value);
}

/** A decimal, exact however long: `1,234.50`. With two places behind the point at least. */
export function decimal(language: Language, value: string): string {
  return inLanguage(value, language);
}

/** A quantity, exact however long: `40`, `2.5`. */
export function quantityIn(language: Language, value: string): string {
  return quantities(language).format(value as Intl.StringNumericLiteral);
}

/** An amount with its currency; null where there is none. */
export function amount(language: Language, value: string | null, currency: string | null): string | null {
  return value === null ? null : `${decimal(language, value)} ${currency ?? ""}`.trimEnd();
}

/** A day without a zone, from `2026-12-02`. */
export function day(language: Language, date: string): string {
  return formatted(language, "UTC", "day", new Date(`${date.slice(0, 10)}T00:00:00Z`));
}

/** The same, of a day that there may be none of. */
export function dayOrNone(language: Language, date: string | null | undefined): string | null {
  return date == null ? null : day(language, date);
}

/** The day of a moment in a time zone; `timestamp` as PostgreSQL writes it under `TimeZone=UTC`, or as ISO. */
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

/** The day of the week of now, with its date: `Sunday 22 November`. */
export function weekday(language: Language, timeZone: string): string {
  return formatted(language, timeZone, "weekday", new Date(now()));
}

/**
 * A moment as it is told where a page follows what goes on: how long ago, within a day (`2 hr ago`); else its day. The whole moment is its title.
 * @param isFollowed otherwise the page may stand open, and tell a wrong time
 */
export function momentAgo(language: Language, timestamp: string, timeZone: string, isFollowed: boolean): Html {
  const minutes = Math.floor((now() - dateOf(timestamp).getTime()) / 60_000);
  const isRecent = isFollowed && minutes < 24 * 60;
  const text = isRecent ? passed(language, minutes) : dayOf(language, timestamp, timeZone);
  return html`<time datetime="${timestamp}" title="${moment(language, timestamp, timeZone)}">${text}</time>`;
}

const JUST_NOW: InLanguages<string> = { en: "just now", ro: "chiar acum" };

function passed(language: Language, minutes: number): string {
  if (minutes < 1) return JUST_NOW[language];
  const [count, unit] = minutes < 60 ? [minutes, "minute" as const] : [Math.floor(minutes / 60), "hour" as const];
  return agos(language).format(-count, unit);
}

/** A moment by the clock of a time zone, as the fields of browsers have it: `2026-11-22T14:30`. */
export function localMoment(timestamp: string, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(dateOf(timestamp).getTime()).toZonedDateTimeISO(timeZone);
  return local.toPlainDateTime().toString({ smallestUnit: "minute" });
}

/** Some words as one of them: `offers, deals or tickets`. */
export function oneOf(language: Language, words: readonly string[]): string {
  return disjunctions(language).format(words);
}

/** Each is made when somebody first asks for it: a program that starts needs none of them. */
function perLanguage<T>(make: (locale: string) => T): (language: Language) => T {
  const made: Partial<Record<Language, T>> = {};
  return (language) => (made[language] ??= make(LOCALES[language]));
}

const disjunctions = perLanguage((locale) => new Intl.ListFormat(locale, { type: "disjunction" }));
const agos = perLanguage((locale) => new Intl.RelativeTimeFormat(locale, { style: "short" }));
const pluralRules = perLanguage((locale) => new Intl.PluralRules(locale));
const wholeNumbers = perLanguage((locale) => new Intl.NumberFormat(locale));
const quantities = perLanguage((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }));

const STYLES = {
  day: { day: "numeric", month: "short", year: "numeric" },
  moment: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" },
  time: { hour: "2-digit", minute: "2-digit" },
  weekday: { weekday: "long", day: "numeric", month: "long" },
} as const;

/** Making a formatter costs a hundred times what using it does. There are some 450 time zones. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Each month has three letters; the locale gives September four. */
function formatted(language: Language, timeZone: string, style: keyof typeof STYLES, date: Date): string {
  return formatter(language, timeZone, style).format(date).replace("Sept ", "Sep ");
}

function formatter(language: Language, timeZone: string, style: keyof typeof STYLES): Intl.DateTimeFormat {
  return formatters.getOrInsertComputed(`${language} ${timeZone} ${style}`, () => {
    return new Intl.DateTimeFormat(LOCALES[language], { ...STYLES[style], timeZone });
  });
}

function dateOf(timestamp: string): Date {
  return new Date(timestamp.replace(" ", "T").replace(/([+-]\d{2})$/, "$1:00"));
}
