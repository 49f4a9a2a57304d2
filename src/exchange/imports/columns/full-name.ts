import { folded } from "./folded.ts";
import { names } from "./other-languages.ts";

/** A column of pages' files that has the first and the last name together. */
export const FULL_NAME = "full_name";

/** A column of pages' files that has the series of an invoice, whose number is in another one. */
export const SERIES = "series";

/** The marks between persons in one cell. */
export const BETWEEN_PERSONS = /[;/&|\n]|\s(?:și|si|şi|and|ȘI|SI|ŞI|AND)\s/;

/** Whether a first or full name is that of several persons, or has a telephone or an address in it. */
export function isNoOneName(text: string): boolean {
  const [family = "", given = "", ...others] = text.split(/\s*,\s*|\s[-–—]\s/);
  const whole = /^\p{Lu}/u.test(family) ? /^\p{Lu}\S*\s\p{Lu}/u : /^\S+\s\S/;
  const areBothWhole = whole.test(family) && whole.test(given);
  return BETWEEN_PERSONS.test(text) || /[\d@]/.test(text) || (areBothWhole && others.length === 0);
}

/** Names of columns in languages that write the family name first. */
const FAMILY_FIRST = new Set(
  names(`Név, Teljes név, Megjelenítendő név, Kapcsolattartó, Kapcsolattartó neve, Nom prénom, Nom et prénom`).map(
    folded,
  ),
);

/** Whether the names of a column begin with the family name, as its own name says. */
export function isFamilyFirst(column: string): boolean {
  return FAMILY_FIRST.has(folded(column));
}

/**
 * The parts of a full name: `Ana Maria Pop` and `Pop, Ana Maria` are Ana Maria and Pop. A single word has no last name.
 * A title or a remark behind the name belongs to the last one.
 * @param isReversed whether the family name comes first
 */
export function splitName(text: string, isReversed = false): { first_name: string; last_name?: string } {
  const [, name = text, remark = ""] =
    text.length > LONGEST ? [] : (BEHIND.exec(text) ?? BEHIND_WORDS.exec(text) ?? []);
  const [family = "", given, ...others] = name.split(/\s*,\s*/);
  if (given !== undefined && given !== "" && family !== "" && others.length === 0)
    return { first_name: given, last_name: family + remark };
  const words = name.split(/\s+/);
  if (isReversed && words.length > 1) {
    const before = /^(?:dr|id|ifj|özv)\.?$/i.test(words[0] ?? "") && words.length > 2 ? `${words.shift()} ` : "";
    return { last_name: before + words.shift() + remark, first_name: words.join(" ") };
  }
  const last = words.length > 1 ? words.pop() + remark : undefined;
  return { first_name: words.join(" "), ...(last !== undefined && { last_name: last }) };
}

/** Characters of a first and a last name. */
const LONGEST = 300;
const TITLE = "(?:[Ii]ng|[Dd]r|[Ee]c|[Aa]v|[Pp]rof|[Jj]r|[Ss]r|JR|SR|P[Hh]D|MBA|MD)";
const BEHIND = new RegExp(`^(.*\\S)(\\s*\\([^()]*\\)|,\\s*${TITLE}\\.?)$`, "s");
const BEHIND_WORDS = new RegExp(`^(\\S+\\s.*\\S)(\\s${TITLE}\\.?|\\s[-–—]\\s.*|,\\s*\\p{Ll}.*)$`, "su");

/** Whether most values have a first and a last name. */
export function isOneName(values: readonly string[]): boolean {
  const full = values.filter((value) => value !== "");
  return full.length > 0 && 2 * full.filter((value) => /\S\s+\S/.test(value)).length > full.length;
}
