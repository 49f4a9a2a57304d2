/**
 * A file of its own: the rule has many cases, with a test beside it. The number after an invoice's number: its last run
 * of digits plus one, with the same width at least. A run that is a date or a version is not counted while another one
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

/**
 * The forms of a date, the surest first. `Y`: the year with four digits, `y`: with two, `M`, `D`: month and day, `P`,
 * `N`: the year before and after. `D Y` has the month as a word.
 */
const FORMS = "D M Y,Y M D,D Y,D M y,Y N,P Y,M Y,Y M,M y,y M,D M,YMD,DMY,YM,MY,Y,P,N,y,M".split(",");
const SEPARATORS = /^(?:0\s*[./-]\s*)+$/;
const MONTH = /^0\.?[\s-]*(?:ian|jan|feb|mar|apr|mai|may|iun|jun|iul|jul|aug|sep|oct|noi|nov|dec)\p{L}*\.?[\s-]*$/iu;

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
  if (form.length > 1 && !(form.join("") === "DY" ? MONTH : SEPARATORS).test(between)) return false;
  return days.some((day) => runs.every(({ digits }, place) => isPart(digits, form[place] ?? "", day)));
}

function isPart(digits: string, form: string, day: string): boolean {
  const [year = "", month = "", date = ""] = day.split("-");
  const yearBy = (more: number) => String(Number(year) + more);
  const parts = { Y: year, y: year.slice(-2), M: month, D: date, P: yearBy(-1), N: yearBy(1) };
  const part = form.replaceAll(/./g, (letter) => parts[letter as keyof typeof parts]);
  return digits === part || (part.length === 2 && form !== "y" && digits === String(Number(part)));
}

/** Without the last run of `F0042 (v2)`, `F0042 rev. 2` or `F0042 (2)`, and of the quarter or week in `0042/Q4`. */
function withoutVersion(number: string, runs: readonly Run[]): readonly Run[] {
  const { index, digits } = runs.at(-1) ?? { index: 0, digits: "" };
  const before = number.slice(0, index);
  const isVersion = /(?:[\s(._-](?:v|ver|vers|rev|copie|copy)\.?\s*|\()$/i.test(before);
  const isPeriod = /[\s(./_-](?:q|t|trim|s|w)\.?\s*$/i.test(before) && runs.some((run) => run.digits.length > 2);
  return digits.length <= 2 && (isVersion || isPeriod) && runs.length > 1 ? runs.slice(0, -1) : runs;
}
