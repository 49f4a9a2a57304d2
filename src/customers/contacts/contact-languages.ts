import type { InLanguages, Language } from "../../kit/web/language.ts";
import { sentence } from "../../kit/web/open-word.ts";

/** The languages that a form offers; a contact may have another one by the API. */
const CODES = [
  "bg",
  "cs",
  "de",
  "el",
  "en",
  "es",
  "fr",
  "hu",
  "it",
  "nl",
  "pl",
  "pt",
  "ro",
  "ru",
  "sk",
  "sr",
  "tr",
  "uk",
];

/** The names of languages by their codes, in the order of the alphabet. */
export const contactLanguages: InLanguages<Readonly<Record<string, string>>> = { en: namesIn("en"), ro: namesIn("ro") };

function namesIn(language: Language): Record<string, string> {
  const names = new Intl.DisplayNames(language, { type: "language" });
  const named = CODES.map((code): [string, string] => [code, sentence(names.of(code) ?? code)]);
  return Object.fromEntries(named.toSorted(([, a], [, b]) => a.localeCompare(b, language)));
}
