import { isCustom } from "../../../platform/fields/custom.ts";
import type { Field } from "../../../platform/fields/fields.ts";
import { CONTACT_PERSON } from "./contact-person.ts";
import { namesOfField } from "./dictionary.ts";
import { folded } from "./folded.ts";
import { FULL_NAME } from "./full-name.ts";
import { guessWork, knownNames, valuesIn, type GuessedFile, type TurnForWork } from "./guess-columns.ts";
import { areWordsOf } from "./value-shapes.ts";
import { spellingOf } from "./value-words.ts";

/** A file that was read as one kind, with the field of each column. */
export type FittedFile = Pick<GuessedFile, "kind" | "table" | "fields" | "names" | "samples"> & {
  columns: readonly string[];
  fileName: string;
};

const [NAMED, BY_VALUES, MISSING, HINT, PERSONAL] = [4, 2, 10, 1, 20];

/** Words in the names of columns, or of the file, that name a kind whose columns others have too. */
const HINTS: Readonly<Record<string, RegExp>> = {
  payments:
    /incas|plati[ti]|paid|payment|[bg]ezahlt|zahlungseingang|verwendungszweck|montant (?:paye|operation)|date de paiement|[bk]efizet|jovairas|kozlemeny/,
  offers: /ofert|offer|quote|angebot|\bdevis\b|ajanlat/,
  deals: /oportunit|deal|opportunit/,
  tickets: /tichet|ticket/,
  subscriptions: /abonament|subscription|abonnement|elofizetes/,
};

const OF_PERSONS = new Set(["job_title", "department", "birth_date"]);

/** The person to ask for, as lists of companies name them. */
const PERSONS =
  /^(?:persoana (?:de )?contact|persoana|contact|contact person|contact name|ansprechpartner|kontaktperson|interlocuteur|personne de contact|nom du contact|kapcsolattarto(?: neve)?)$/;

/**
 * How well a file fits a kind: higher with each column that has a field, lower with each required field that has no
 * column. A list of companies has their contacts and addresses as well, so what is common in it does not count for
 * other kinds.
 */
export async function fitOf(file: FittedFile, rest: TurnForWork): Promise<number> {
  const { kind, table, fields, names, samples, columns, fileName } = file;
  // Its names are folded twice here.
  await rest(2 * guessWork(names));
  const known = new Set(knownNames(kind, fields, names));
  const companyNames = kind === "companies" ? [] : namesOfField("companies", "name").map(folded);
  let fit = 0;
  for (const [index, column] of columns.entries()) {
    const field = fields.find(({ name }) => name === column);
    const name = names[index] ?? "";
    if (field === undefined || isCommon(field, folded(name), companyNames)) continue;
    // Other kinds may have the values of a workspace's own field too.
    if (isCustom(field) && !known.has(name)) continue;
    if (field.kind === "enum") {
      const values = valuesIn(samples, index);
      await rest(guessWork(values));
      if (!areWordsOf(table, field, values.map(spellingOf))) continue;
    }
    fit += known.has(name) ? NAMED : BY_VALUES;
  }
  if (fit === 0) return 0;
  const isWhole = columns.some((column, index) => column === FULL_NAME && !PERSONS.test(folded(names[index] ?? "")));
  const missing = fields.filter(
    ({ name, required }) =>
      required === true && !columns.includes(name) && !(isWhole && (name === "first_name" || name === "last_name")),
  );
  const isNamed = kind === "contacts" && columns.includes("first_name") && columns.includes("last_name");
  // An address book has a firm's address in many columns.
  const isAddressBook =
    isNamed && !columns.includes("company_tax_id") && columns.some((column) => OF_PERSONS.has(column));
  const isHinted = isNamed || [...names, fileName].some((name) => HINTS[kind]?.test(folded(name)));
  return fit - MISSING * missing.length + (isHinted ? HINT : 0) + (isAddressBook ? PERSONAL : 0);
}

/** Whether a column of another kind is one of a company's list: its name, or the person to ask for. */
function isCommon({ name }: Field, word: string, companyNames: readonly string[]): boolean {
  if (name === "contact_name" || name === CONTACT_PERSON || (name === FULL_NAME && PERSONS.test(word))) return true;
  return (name === "label" || name === "title" || name === "description") && companyNames.includes(word);
}
