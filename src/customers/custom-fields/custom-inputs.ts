import type { Wording } from "../../kit/changes/change-words.ts";
import { fieldValue } from "../../kit/web/field-value.ts";
import type { Form } from "../../kit/web/forms/form.ts";
import type { Choice } from "../../kit/web/forms/select.ts";
import { readTyped, type ReadInput } from "../../kit/web/forms/typed.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { day, decimal, type Language } from "../../kit/web/language.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { customInput, type CustomField, type CustomTable } from "../../platform/fields/custom.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { validate } from "../../platform/fields/validation.ts";

/** The posted values of custom fields as input, and the errors of ambiguous ones. @param before the stored values */
export function readCustom(
  custom: CustomTable,
  form: Form,
  before: Readonly<Record<string, string | null>>,
  language: Language,
): ReadInput {
  const names = custom.fields.map(({ name }) => name);
  const { input, errors } = readTyped(custom.fields, form.input(names), language);
  return { input: customInput(custom, input, before), errors };
}

/** Both inputs as one, with the errors of both. */
export function together(one: ReadInput, other: ReadInput): ReadInput {
  const errors = { ...one.errors, ...other.errors };
  return { input: { ...one.input, ...other.input }, errors: Object.keys(errors).length === 0 ? null : errors };
}

/** The values of a record that has some, each with its label. */
export function customFacts({ fields }: CustomTable, row: RowByName, language: Language): Html[] {
  return fields
    .filter(({ name }) => (row[name] ?? null) !== null)
    .map(
      (field) => html`<dt>${field.label}</dt>
<dd>${customShown(field, row[field.name] ?? null, language)}</dd>`,
    );
}

/** How changes of a noun are shown, with those of its custom fields. */
export function withCustomWording(custom: CustomTable, wording: Wording): Wording {
  if (custom.fields.length === 0) return wording;
  const { language } = wording;
  return {
    ...wording,
    labels: { ...wording.labels, ...customLabels(custom) },
    value(field, value, currency) {
      const own = custom.fields.find(({ name }) => name === field);
      if (own === undefined) return wording.value(field, value, currency);
      return own.kind === "date" ? day(language, value) : shownValue(own, value, language);
    },
  };
}

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

/** The value that a person typed for a field, a choice by its label too: null for none, undefined for a wrong one. */
export function typedValue(field: CustomField, text: string, language: Language): string | null | undefined {
  const { name, kind, options } = field;
  const typed = text.trim();
  if (typed === "") return null;
  const isTyped = (value: string) =>
    [value, shownValue(field, value, language)].some((each) => each.toLowerCase() === typed.toLowerCase());
  if (kind === "boolean") return ["true", "false"].find(isTyped);
  if (kind === "enum") return options.find(({ value, archived }) => !archived && isTyped(value))?.value;
  const { input, errors } = readTyped([field], { [name]: typed }, language);
  const checked = validate([field], input, "update");
  return errors !== null || checked.errors !== null ? undefined : String(checked.values[name]);
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
