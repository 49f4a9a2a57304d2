/** The types of numbers.js, which browsers load unchanged. */
type Language = "en" | "ro";
type Currency = string | null | undefined;
export type ReadNumber = { value: string; readings?: undefined } | { value?: undefined; readings: [string, string] };
export const LOCALES: Readonly<Record<Language, string>>;
export const WHOLE: readonly string[];
export const THOUSANDTHS: readonly string[];
export function placesOf(currency: Currency): number;
export function readNumber(text: string, language: Language, currency?: string | null): ReadNumber | null;
export function writtenNumber(value: string, language: Language): string;
export function readBeside(text: string, language: Language, currency?: string | null): string;
export function inLanguage(value: string, language: Language, currency?: string | null): string;
export function lineAmount(quantity: string | null, price: string | null, currency: Currency): string | null;
type Line = { quantity: string | null; unit_price: string | null; vat_rate?: string | null };
type RateTotals = { rate: string; net: string; vat: string };
export type LineTotals = { net: string; vat: string; total: string; byRate: readonly RateTotals[] };
export function sumOf(lines: readonly Line[], currency: Currency): string;
export function totalsOf(lines: readonly Line[], currency: Currency): LineTotals;
