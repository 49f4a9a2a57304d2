import { fieldValue } from "../../kit/web/field-value.ts";
import type { Choice } from "../../kit/web/forms/select.ts";
import type { Content } from "../../kit/web/html.ts";
import { decimal, type Language } from "../../kit/web/language.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import type { CustomField, CustomTable } from "../../platform/fields/custom.ts";

/** The labels of custom fields by their names. */
export function customLabels({ fields }: CustomTable): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, label }) => [name, label]));
}

/** The lines below their inputs. */
export function customHints({ fields }: CustomTable): Record<string, string> {
  return Object.fromEntries(fields.flatMap(({ name, help }) => (help === null ? [] : [[name, help]])));
}

/**
 * The choices of fields that have some. Yes or no is a choice too, because there may be no value. An archived option
 * is offered only where it is the value.
 */
export function customChoices(
  { fields }: CustomTable,
  values: Readonly<Record<string, string | null | undefined>>,
  language: Language,
): Record<string, readonly Choice[]> {
  const none: Choice = { value: "", label: "—" };
  return Object.fromEntries(
    fields.flatMap((field): [string, readonly Choice[]][] => {
      const { name, kind, options } = field;
      if (kind === "boolean") {
        return [
          [name, [none, ...["true", "false"].map((value) => ({ value, label: shownValue(field, value, language) }))]],
        ];
      }
      if (kind !== "enum") return [];
      const offered = options.filter(({ value, archived }) => !archived || value === values[name]);
      return [[name, [none, ...offered]]];
    }),
  );
}

/** A stored value as a page shows it. */
export function customShown(field: CustomField, value: string | null, language: Language): Content {
  if (value === null) return null;
  return field.kind === "boolean" || field.kind === "enum" || field.kind === "decimal"
    ? shownValue(field, value, language)
    : fieldValue(field, value, language, { en: {}, ro: {} });
}

/** The same as text. */
export function shownValue({ kind, options }: CustomField, value: string, language: Language): string {
  if (kind === "boolean") return shellWords[language][value === "true" ? "yes" : "no"];
  if (kind === "decimal") return decimal(language, value);
  return options.find((option) => option.value === value)?.label ?? value;
}
