import { formOf, wholeNumber, type InLanguages, type Plural } from "../../kit/web/language.ts";

const nouns = {
  en: {
    companies: { one: "company was", other: "companies were" },
    contacts: { one: "contact was", other: "contacts were" },
    invoices: { one: "invoice was", other: "invoices were" },
  },
  ro: {
    companies: { one: "firmă", few: "firme", other: "de firme" },
    contacts: { one: "persoană", few: "persoane", other: "de persoane" },
    invoices: { one: "factură", few: "facturi", other: "de facturi" },
  },
} satisfies InLanguages<Record<string, Plural>>;

/** The rows that a list changes. */
export type ChangedKind = keyof typeof nouns.en;

export function isChangedKind(text: string): text is ChangedKind {
  return Object.hasOwn(nouns.en, text);
}

const en = (kind: ChangedKind, count: number) => `${wholeNumber("en", count)} ${formOf("en", count, nouns.en[kind])}`;
const ro = (kind: ChangedKind, count: number, one: string, other: string) =>
  `${wholeNumber("ro", count)} ${formOf("ro", count, nouns.ro[kind])} ${count === 1 ? one : other}`;

/** The words of a change of selected rows. */
export const changeWords = {
  en: {
    field: "Field",
    value: "Its value (empty: none)",
    changed: (kind: ChangedKind, count: number) => `${en(kind, count)} changed.`,
    nothingChosen: "Nothing was changed: tick rows, and choose a value for them.",
    noRoom: "Nothing was changed: the files of your imports use all their space.",
    refusedTitle: "Not all were changed",
    refused: (kind: ChangedKind, count: number) =>
      `${en(kind, count)} ${count === 1 ? "left as it was" : "left as they were"}:`,
    isGone: "deleted in the meantime",
    invalid: "A value that you chose is no longer available: nothing was changed.",
    noValue: (value: string, field: string) => `“${value}” is no value of the field “${field}”: nothing was changed.`,
    possible: (values: string) => `It can be: ${values}.`,
    back: "Back to the list",
  },
  ro: {
    field: "Câmp",
    value: "Valoarea (gol: niciuna)",
    changed: (kind: ChangedKind, count: number) => `${ro(kind, count, "a fost modificată", "au fost modificate")}.`,
    nothingChosen: "Nu s-a modificat nimic: bifați rânduri și alegeți o valoare pentru ele.",
    noRoom: "Nu s-a modificat nimic: fișierele importurilor ocupă tot spațiul disponibil.",
    refusedTitle: "Nu toate au fost modificate",
    refused: (kind: ChangedKind, count: number) => `${ro(kind, count, "a rămas neschimbată", "au rămas neschimbate")}:`,
    isGone: "ștearsă între timp",
    invalid: "O valoare aleasă nu mai este disponibilă: nu s-a modificat nimic.",
    noValue: (value: string, field: string) =>
      `„${value}” nu este o valoare a câmpului „${field}”: nu s-a modificat nimic.`,
    possible: (values: string) => `Poate fi: ${values}.`,
    back: "Înapoi la listă",
  },
} satisfies InLanguages<object>;
