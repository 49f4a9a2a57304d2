import type { Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import type { Rejection } from "../kind.ts";
import { kindOf } from "../kinds.ts";
import { importWords } from "./import-words.ts";

/** The messages about a file's header and its rows, which the command line has in English, in Romanian. */
const FORMS: readonly [RegExp, (...found: string[]) => string][] = [
  [/^The file is empty: .*/, () => "Fișierul este gol: primul rând denumește coloanele."],
  [
    /^The header row cannot be read\. (.*)/s,
    (why) => `Rândul cu denumirile coloanelor nu poate fi citit. ${romanian(why)}`,
  ],
  [
    /^The file is no text.*/,
    () => "Fișierul nu este text, ci un registru de calcul sau o arhivă. Vă rugăm să îl salvați ca CSV.",
  ],
  [/^The header names the column (.*) twice\.$/s, (name) => `Coloana ${name} apare de două ori.`],
  [/^The header names more than (\d+) columns\.$/, (n) => `Antetul are peste ${n} de coloane.`],
  [/^The header has no column (.*)\.$/s, (name) => `Lipsește coloana ${name.replaceAll(" or ", " sau ")}.`],
  [/^The row is not valid UTF-8\.$/, () => "Rândul nu este text UTF-8."],
  [/^The row has more than (\d+) cells\.$/, (n) => `Rândul are peste ${n} de celule.`],
  [/^The row is too long\.$/, () => "Rândul este prea lung."],
  [
    /^The row has a quotation mark where.*/,
    () => "Rândul are ghilimele acolo unde CSV nu le permite sau care nu se închid.",
  ],
  [/^The row has (\d+) cells where the header has (\d+)\.$/, (n, m) => `Rândul are ${n} celule, iar antetul are ${m}.`],
  [/^More than (\d+) rows have the (\w+) (.*)\.$/s, (n, field, value) => `Peste ${n} de rânduri au ${field} ${value}.`],
  [/^The database refused the row\.$/, () => "Baza de date a refuzat rândul."],
  [
    /^Cannot change an invoice that was sent to the warehouse\.$/,
    () => "O factură trimisă la depozit nu se mai schimbă.",
  ],
  [/^The lines field must not have more than (\d+) items\.$/, (n) => `O factură poate avea cel mult ${n} linii.`],
  [/^The number field is required when title is not present\.$/, () => "Completați number sau title."],
];

/** A message about a file or a row, in a page's language. */
export function importMessage(language: Language, message: string): string {
  return language === "ro" ? romanian(message) : message;
}

/** All that is wrong with a row, in a page's language, with what the file has there; fields are called as the file calls them. */
export function rejectionIn(language: Language, kind: string, { errors, cells = {} }: Rejection): string {
  const all = Object.entries(errors).map(([field, messages]) => {
    const value = cells[field];
    const isChosen = messages.some((message) => /^The selected .* is invalid\.$/.test(message));
    if (isChosen) return importWords[language].unknownValue(choice(language, kind, field), value ?? "");
    const said = messagesIn(language, { [field]: messages }, { [field]: field })[field] ?? [];
    const texts = said.map((message) => importMessage(language, message));
    return [...texts, ...(value === undefined ? [] : [importWords[language].fileHas(value)])].join(" ");
  });
  return all.join(" ");
}

/** The values that a field takes, as a sentence begins. */
function choice(language: Language, kind: string, field: string): string {
  const values = kindOf(kind).bulk.fields.find(({ name }) => name === field)?.values;
  const words = importWords[language];
  if (values !== undefined) return words.oneOf(field, values.join(", "));
  return words.noSuch[field] ?? words.noSuchUser(field);
}

function romanian(message: string): string {
  for (const [form, say] of FORMS) {
    const found = form.exec(message);
    if (found !== null) return say(...found.slice(1));
  }
  return message;
}
