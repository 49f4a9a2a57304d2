import { trim } from "../../../platform/text.ts";
import { BETWEEN_PERSONS, splitName } from "./full-name.ts";

/** A column of pages' files of companies: the persons to ask for, who become contacts. */
export const CONTACT_PERSON = "contact_person";

/** A person in a cell; `name` is null if the text is no first and last name. */
export type PersonInCell = { text: string; name: { first_name: string; last_name: string } | null };

const PERSONS = new RegExp(`,|${BETWEEN_PERSONS.source}`);

/** Characters of a cell that is read, and of each name (customers/contacts/contact.ts). */
const [CELL_MAX, NAME_MAX] = [1_000, 100];

/** The persons in a cell, each once. A function, a telephone or a single name is no person. */
export function personsIn(cell: string, isReversed = false): PersonInCell[] {
  if (cell.length > CELL_MAX) return [{ text: cell, name: null }];
  const parts = cell.split(PERSONS).map((part) => trim(part).replaceAll(/\s+/g, " "));
  return [...new Set(parts)].filter((text) => text !== "").map((text) => ({ text, name: nameOf(text, isReversed) }));
}

function nameOf(text: string, isReversed: boolean): PersonInCell["name"] {
  const { first_name: first, last_name: last } = splitName(text, isReversed);
  const isName = last !== undefined && !/[\d@:()]/.test(text) && /\p{L}/u.test(first) && /\p{L}/u.test(last);
  return isName && first.length <= NAME_MAX && last.length <= NAME_MAX ? { first_name: first, last_name: last } : null;
}
