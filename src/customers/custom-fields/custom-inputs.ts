import type { Wording } from "../../kit/changes/change-words.ts";
import { fieldValue } from "../../kit/web/field-value.ts";
import type { Form } from "../../kit/web/forms/form.ts";
import type { Choice } from "../../kit/web/forms/select.ts";
import { readTyped, type ReadInput } from "../../kit/web/forms/typed.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { day, decimal, type Language } from "../../kit/web/language.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { customInput, type CustomField, type CustomTable } from "../../platform/fields/custom.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { validate } from "../../platform/fields/validation.ts";
import { comparable } from "../../platform/text.ts";
import { customFieldWords } from "./custom-field-words.ts";
import { LABEL_MAX } from "./custom-field.ts";

/** The posted values of custom fields as input, and the errors of ambiguous ones. @param before the stored values */
export function readCustom(
  custom: CustomTable,
  form: Form,
  before: Readonly<Record<string, string | null>>,
  language: Language,
): ReadInput {
  const names = custom.fields.map(({ name }) => name);
  const { input: typed, errors } = readTyped(custom.fields, form.input(names), language);
  const input = { ...typed, ...readChoices(custom, typed, language) };
  return { input: customInput(custom, input, before), errors };
}

/** The values of choices, each sent as chosen or typed. */
function readChoices({ fields }: CustomTable, typed: Input, language: Language): Input {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = typed[field.name];
      return field.kind === "enum" && typeof text === "string" ? [[field.name, sentValue(field, text, language)]] : [];
    }),
  );
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
<dd>${customContent(field, row[field.name] ?? null, language)}</dd>`,
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
      return own === undefined ? wording.value(field, value, currency) : customText(own, value, language);
    },
  };
}

/** The labels of custom fields by their names. */
export function customLabels({ fields }: CustomTable): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, label }) => [name, label]));
}

/** The lines below their inputs: their help, and examples of options that are typed. */
export function customHints({ fields }: CustomTable, language: Language): Record<string, string> {
  const typed = typedChoices(fields);
  return Object.fromEntries(
    fields.flatMap(({ name, help, options }) => {
      const some = options.filter(({ archived }) => !archived).slice(0, EXAMPLES);
      const such = typed.has(name) && customFieldWords[language].oneOf(some.map(({ label }) => label).join(", "));
      const hint = [help, such].filter(Boolean).join(" ");
      return hint === "" ? [] : [[name, hint]];
    }),
  );
}

/** Characters of the options that a form offers together: those of further choices are typed, so a page stays small. */
const OFFERED_MAX = 30_000;
/** Characters of an option beside its own. */
const AROUND_OPTION = 10;
/** Options that the hint of a typed choice names. */
const EXAMPLES = 3;

/** The names of the choices whose options a form does not offer. */
function typedChoices(fields: readonly CustomField[]): ReadonlySet<string> {
  let offered = 0;
  const typed = fields.filter(({ options }) => {
    offered += options.reduce((sum, { value, label }) => sum + value.length + label.length + AROUND_OPTION, 0);
    return options.length > 0 && offered > OFFERED_MAX;
  });
  return new Set(typed.map(({ name }) => name));
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
  const typed = typedChoices(fields);
  return Object.fromEntries(
    fields.flatMap((field): [string, readonly Choice[]][] => {
      const { name, kind, options } = field;
      if (kind === "boolean") {
        return [
          [name, [none, ...["true", "false"].map((value) => ({ value, label: customText(field, value, language) }))]],
        ];
      }
      if (kind !== "enum" || typed.has(name)) return [];
      const offered = options.filter(({ value, archived }) => !archived || value === values[name]);
      return [[name, [none, ...offered]]];
    }),
  );
}

/** The value of an input that offers a field's values or, where they are too many, lets people type one. */
export function sentValue(field: CustomField, text: string, language: Language): string {
  return field.options.some(({ value }) => value === text) ? text : (typedValue(field, text, language) ?? text);
}

/** The value that a person typed for a field, a choice by its label too: null for none, undefined for a wrong one. */
export function typedValue(field: CustomField, text: string, language: Language): string | null | undefined {
  const { name, kind, options } = field;
  const typed = text.trim();
  if (typed === "") return null;
  const [asked, plain] = [comparable(typed, LABEL_MAX), (value: string) => comparable(value, LABEL_MAX)];
  const isTyped = (value: string) =>
    asked !== null && [value, customText(field, value, language)].map(plain).includes(asked);
  if (kind === "boolean") return ["true", "false"].find(isTyped);
  if (kind === "enum") {
    const named = options.filter(({ value, archived }) => !archived && isTyped(value));
    // People see labels. One may be the value of another option.
    return (named.find(({ label }) => plain(label) === asked) ?? named[0])?.value;
  }
  const { input, errors } = readTyped([field], { [name]: typed }, language);
  const checked = validate([field], input, "update");
  return errors !== null || checked.errors !== null ? undefined : String(checked.values[name]);
}

/** A stored value as a page shows it. */
export function customContent(field: CustomField, value: string | null, language: Language): Content {
  if (value === null) return null;
  return field.kind === "boolean" || field.kind === "enum"
    ? customText(field, value, language)
    : fieldValue(field, value, language, { en: {}, ro: {} });
}

/** The same as text. */
export function customText({ kind, options }: CustomField, value: string, language: Language): string {
  if (kind === "boolean") return shellWords[language][value === "true" ? "yes" : "no"];
  if (kind === "decimal") return decimal(language, value);
  if (kind === "date") return day(language, value);
  return options.find((option) => option.value === value)?.label ?? value;
}
