/**
 * A file of its own: the rule has many cases, with a test beside it. The number after an invoice's number: its last run of
 * digits plus one, with the same width at least. A run that is a date or a version is not counted while another one
 * is left. Null if the number has no digit.
 * @param days the days that the number may contain: the invoice's, and today (`2026-12-01`)
 */
export function nextNumber(number: string, days: readonly string[]): string | null {
  const runs = [...number.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, index }));
  const counted = withoutVersion(number, withoutDate(number, runs, days)).at(-1);
  if (counted === undefined) return null;
  const { digits, index } = counted;
  const next = String(BigInt(digits) + 1n).padStart(digits.length, "0");
  return number.slice(0, index) + next + number.slice(index + digits.length);
}

type Run = { digits: string; index: number };

/** The forms of a date, the surest first. `Y`: the year with four digits, `y`: with two, `M`, `D`: month and day. */
const FORMS = ["D M Y", "Y M D", "D M y", "M Y", "Y M", "M y", "y M", "D M", "YMD", "DMY", "YM", "MY", "Y", "y", "M"];

function withoutDate(number: string, runs: readonly Run[], days: readonly string[]): readonly Run[] {
  for (const form of FORMS.map((each) => each.split(" "))) {
    const at = runs.findIndex((_run, first) => isDate(number, runs.slice(first, first + form.length), form, days));
    const others = runs.filter((_run, place) => place < at || place >= at + form.length);
    // A month alone may be a counter: it needs another run that is long.
    const isSure = form.join("") !== "M" || others.some(({ digits }) => digits.length > 2);
    if (at !== -1 && others.length > 0 && isSure) return others;
  }
  return runs;
}

/** Whether runs with a separator between them are parts of one of the days. */
function isDate(number: string, runs: readonly Run[], form: readonly string[], days: readonly string[]): boolean {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined || runs.length < form.length) return false;
  const between = number.slice(first.index, last.index).replaceAll(/\d+/g, "0");
  if (form.length > 1 && !/^(?:0\s*[./-]\s*)+$/.test(between)) return false;
  return days.some((day) => runs.every(({ digits }, place) => isPart(digits, form[place] ?? "", day)));
}

function isPart(digits: string, form: string, day: string): boolean {
  const [year = "", month = "", date = ""] = day.split("-");
  const parts: Record<string, string> = { Y: year, y: year.slice(-2), M: month, D: date };
  const part = form.replaceAll(/./g, (letter) => parts[letter] ?? "");
  return digits === part || (part.length === 2 && form !== "y" && digits === String(Number(part)));
}

/** Without the last run of `F0042 (v2)` or `F0042 rev. 2`. */
function withoutVersion(number: string, runs: readonly Run[]): readonly Run[] {
  const { index, digits } = runs.at(-1) ?? { index: 0, digits: "" };
  const isVersion = digits.length <= 2 && /[\s(._-](?:v|ver|vers|rev)\.?\s*$/i.test(number.slice(0, index));
  return isVersion && runs.length > 1 ? runs.slice(0, -1) : runs;
}
