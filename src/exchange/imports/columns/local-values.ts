import type { Language } from "../../../kit/web/language.ts";
import type { FieldKind } from "../../../platform/fields/fields.ts";

/**
 * A date without what spreadsheets add to it: `25/11/2026 00:00` is `2026-11-25`. Other texts stay as they are. A day
 * of slashes that may be American stays so in English, and is rejected.
 */
export function readLocal(kind: FieldKind, text: string, language: Language): string {
  if (text.length > 40) return text;
  if (kind !== "date") return text;
  const [, iso] = /^(\d{4}-\d\d-\d\d)(?:[T ][\d:.]+Z?)?$/.exec(text) ?? [];
  if (iso !== undefined) return iso;
  const [, day = "", mark, month = "", year = ""] =
    /^(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4})\.?(?: \d{1,2}:\d\d(?::\d\d)?)?$/.exec(text) ?? [];
  if (year === "") return text;
  const mayBeAmerican = mark === "/" && language === "en" && Number(day) <= 12 && Number(month) <= 12 && day !== month;
  return mayBeAmerican ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}
