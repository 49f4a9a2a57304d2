/** A column of pages' files that has the first and the last name together. */
export const FULL_NAME = "full_name";

/** A column of pages' files that has the series of an invoice, whose number is in another one. */
export const SERIES = "series";

/**
 * The parts of a full name: `Ana Maria Pop` and `Pop, Ana Maria` are Ana Maria and Pop. A single word has no last name.
 * A title or a remark behind the name belongs to the last one.
 */
export function splitName(text: string): { first_name: string; last_name?: string } {
  const [, name = text, remark = ""] = BEHIND.exec(text) ?? [];
  const [family = "", given, ...others] = name.split(/\s*,\s*/);
  if (given !== undefined && given !== "" && family !== "" && others.length === 0)
    return { first_name: given, last_name: family + remark };
  const words = name.split(/\s+/);
  const last = words.length > 1 ? words.pop() + remark : undefined;
  return { first_name: words.join(" "), ...(last !== undefined && { last_name: last }) };
}

const BEHIND = /^(.*\S)(\s*\([^()]*\)|,\s*(?:ing|dr|ec|av|prof|jr|sr|phd|mba|md)\.?)$/is;

/** Whether most values have a first and a last name. */
export function isOneName(values: readonly string[]): boolean {
  const full = values.filter((value) => value !== "");
  return full.length > 0 && 2 * full.filter((value) => /\S\s+\S/.test(value)).length > full.length;
}
