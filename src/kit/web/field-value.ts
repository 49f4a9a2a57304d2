import type { Field } from "../../platform/fields/fields.ts";
import { emailLink, phoneLink } from "./contact-links.ts";
import type { Content } from "./html.ts";
import { day, decimal, type InLanguages, type Language } from "./language.ts";
import { shellWords } from "./shell-words.ts";

/** The labels of enum values: by field, then by value. */
export type ValueLabels = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A stored value in its displayed format, by the kind of its field. */
export function fieldValue(
  { name, kind }: Field,
  value: string | null,
  language: Language,
  labels: InLanguages<ValueLabels>,
): Content {
  if (value === null) return null;
  if (kind === "boolean") return shellWords[language][value === "true" ? "yes" : "no"];
  if (kind === "date") return day(language, value);
  if (kind === "decimal") return decimal(language, value);
  if (kind === "email") return emailLink(value);
  return isPhone(name) ? phoneLink(value) : (labels[language][name]?.[value] ?? value);
}

/** Whether a field of any noun holds a phone number. */
export function isPhone(name: string): boolean {
  return name === "phone" || name === "mobile";
}
