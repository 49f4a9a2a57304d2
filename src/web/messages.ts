import type { FieldErrors } from "../platform/fields/validation.ts";
import { counted, decimal, wholeNumber, type InLanguages, type Language, type Plural } from "./language.ts";

/** The names of fields as people read them. */
export type FieldLabels<Name extends string = string> = Readonly<Record<Name, string>>;

/** The API's messages in a page's language, each field named as the page labels it. */
export function messagesIn(language: Language, errors: FieldErrors, labels: FieldLabels): FieldErrors {
  const translated = Object.entries(errors).map(([field, messages]) => [
    field,
    messages.map((message) => messageIn(language, message, labels[field] ?? field.replaceAll("_", " "))),
  ]);
  return Object.fromEntries(translated) as FieldErrors;
}

const characters: InLanguages<Plural> = {
  en: { one: "character", other: "characters" },
  ro: { one: "caracter", few: "caractere", other: "de caractere" },
};
const entries: InLanguages<Plural> = {
  en: { one: "entry", other: "entries" },
  ro: { one: "înregistrare", few: "înregistrări", other: "de înregistrări" },
};

/** Every form of message that platform/fields/validation.ts and users/password.ts make, and what it is called in each language. */
const FORMS: {
  form: RegExp;
  en: (label: string, bound: number, found: readonly string[]) => string;
  ro: (label: string, bound: number, found: readonly string[]) => string;
}[] = [
  { form: /field is required\.$/, en: (l) => `${l} is required.`, ro: (l) => `Completați câmpul „${l}”.` },
  {
    form: /must be a valid email address\.$/,
    en: (l) => `${l} must be an e-mail address, such as ana@example.com.`,
    ro: (l) => `„${l}” trebuie să fie o adresă de e-mail, de exemplu ana@example.com.`,
  },
  {
    form: /must be a valid URL\.$/,
    en: (l) => `${l} must be an address, such as https://example.com/hooks.`,
    ro: (l) => `„${l}” trebuie să fie o adresă, de exemplu https://example.com/hooks.`,
  },
  {
    form: /must not be greater than (\d+) characters\.$/,
    en: (l, n) => `${l} can have at most ${counted("en", n, characters.en)}.`,
    ro: (l, n) => `„${l}” poate avea cel mult ${counted("ro", n, characters.ro)}.`,
  },
  {
    form: /must be at least (\d+) characters\.$/,
    en: (l, n) => `${l} must have at least ${counted("en", n, characters.en)}.`,
    ro: (l, n) => `„${l}” trebuie să aibă cel puțin ${counted("ro", n, characters.ro)}.`,
  },
  {
    form: /must not be the e-mail address or the workspace\.$/,
    en: (l) => `${l} must not be the e-mail address or the workspace.`,
    ro: (l) => `„${l}” nu poate fi adresa de e-mail sau spațiul de lucru.`,
  },
  {
    form: /must not be one of the commonest passwords\.$/,
    en: (l) => `${l} must not be one that many people use.`,
    ro: (l) => `„${l}” nu poate fi una dintre parolele folosite de mulți.`,
  },
  {
    form: /must be an array\.$/,
    en: (l) => `${l} must be a list.`,
    ro: (l) => `„${l}” trebuie să fie o listă.`,
  },
  {
    form: /must be an object\.$/,
    en: (l) => `${l} must be an entry.`,
    ro: (l) => `„${l}” trebuie să fie o înregistrare.`,
  },
  {
    form: /must not have more than (\d+) items\.$/,
    en: (l, n) => `${l} can have at most ${counted("en", n, entries.en)}.`,
    ro: (l, n) => `„${l}” poate avea cel mult ${counted("ro", n, entries.ro)}.`,
  },
  {
    form: /must be an integer\.$/,
    en: (l) => `${l} must be a whole number.`,
    ro: (l) => `„${l}” trebuie să fie un număr întreg.`,
  },
  {
    form: /must be at least (-?\d+)\.$/,
    en: (l, n) => `${l} must be ${wholeNumber("en", n)} or more.`,
    ro: (l, n) => `„${l}” trebuie să fie cel puțin ${wholeNumber("ro", n)}.`,
  },
  {
    form: /must not be greater than (-?\d+)\.$/,
    en: (l, n) => `${l} can be at most ${wholeNumber("en", n)}.`,
    ro: (l, n) => `„${l}” poate fi cel mult ${wholeNumber("ro", n)}.`,
  },
  {
    form: /must be true or false\.$/,
    en: (l) => `${l} is either on or off.`,
    ro: (l) => `„${l}” este fie pornit, fie oprit.`,
  },
  {
    form: /must be a valid date(?: and time)?\.$/,
    en: (l) => `${l} must be a day that exists, such as 2026-12-01.`,
    ro: (l) => `„${l}” trebuie să fie o zi care există, de exemplu 2026-12-01.`,
  },
  {
    form: /must be a number\.$/,
    en: (l) => `${l} must be a number, such as 12.50.`,
    ro: (l) => `„${l}” trebuie să fie un număr, de exemplu 12,50.`,
  },
  {
    form: /can mean (-?\d+) or (-?\d+\.\d+)\.$/,
    en: (l, _, [whole = "", decimals = ""]) =>
      `${l} can mean ${decimal("en", whole)} or ${decimal("en", decimals)}. Please write ${whole}, or ${decimals}0.`,
    ro: (l, _, [whole = "", decimals = ""]) =>
      `„${l}” poate însemna ${decimal("ro", whole)} sau ${decimal("ro", decimals)}. Scrieți ${whole} sau ${decimals.replace(".", ",")}0.`,
  },
  { form: /must be a string\.$/, en: (l) => `${l} must be text.`, ro: (l) => `„${l}” trebuie să fie un text.` },
  {
    form: /contains invalid characters\.$/,
    en: (l) => `${l} contains characters that cannot be stored.`,
    ro: (l) => `„${l}” conține caractere care nu pot fi păstrate.`,
  },
  {
    form: /^The selected .* is invalid\.$/,
    en: (l) => `Please choose a value for ${l} from the list.`,
    ro: (l) => `Alegeți din listă o valoare pentru „${l}”.`,
  },
];

/** A message of no known form stays as it is. */
function messageIn(language: Language, message: string, label: string): string {
  for (const form of FORMS) {
    const match = form.form.exec(message);
    if (match !== null) return form[language](label, Number(match[1]), match.slice(1));
  }
  return message;
}
