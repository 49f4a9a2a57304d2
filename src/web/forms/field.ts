import type { Field } from "../../platform/fields/fields.ts";
import { readBeside } from "../assets/numbers.js";
import { isPhone } from "../field-value.ts";
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { FieldLabels, FieldMessages } from "../messages.ts";
import { shellWords } from "../shell-words.ts";
import { options, type Choice } from "./select.ts";
import { dayIn } from "./typed.ts";

/** The contents of a form in its fields: texts as people typed them, or as they are stored. */
export type FieldValues = Readonly<Record<string, string | null | undefined>>;

export type FormFields = {
  values: FieldValues;
  labels: FieldLabels;
  /** Messages by field, in the page's language already (messages.ts). */
  errors: FieldMessages | null;
  language: Language;
  /** The choices of a field that has some: an enum's values, the users. */
  choices?: Readonly<Record<string, readonly Choice[]>>;
  /** A line below a field, where its label does not say enough. */
  hints?: Readonly<Record<string, string>>;
  /** Something to look at beside a field: what somebody else changed there. */
  notes?: Readonly<Record<string, Html>>;
};

/** A field of a form: its label, its control, and what is wrong with it. */
export function fieldRow(field: Field, fields: FormFields): Html {
  const { name } = field;
  const { labels, errors, language, hints, notes } = fields;
  const isWrong = errors?.[name] !== undefined;
  const hint = hints?.[name];
  const note = notes?.[name];
  const isDecimal = field.kind === "decimal";
  const described = [
    ...(isWrong ? [`${name}-error`] : []),
    ...(isDecimal ? [`${name}-read`] : []),
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(note === undefined ? [] : [`${name}-note`]),
  ];
  const label = html`<label for="${name}">${labels[name] ?? name}${
    field.required && html` <span class="required">${shellWords[language].required}</span>`
  }</label>`;
  return html`<div class="field" id="field-${name}">
${field.kind !== "boolean" && label}
${control(field, fields, isWrong, described.join(" "))}
${isDecimal && html`<small class="read" id="${name}-read">${readBeside(fields.values[name] ?? "", language)}</small>`}
${field.kind === "boolean" && label}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${note !== undefined && html`<p class="note" id="${name}-note">${note}</p>`}
${errorLine(name, errors)}
</div>`;
}

/** The messages of a field, below it. */
export function errorLine(name: string, errors: FieldMessages | null): Html | null {
  const messages = errors?.[name];
  return messages === undefined ? null : html`<p class="error" id="${name}-error">${messages.join(" ")}</p>`;
}

/** All that is wrong with a form, on top of it, each leading to its field. */
export function errorSummary(errors: FieldMessages | null, language: Language): Html | null {
  if (errors === null) return null;
  const entries = Object.entries(errors).flatMap(([name, messages]) => messages.map((message) => ({ name, message })));
  if (entries.length === 0) return null;
  return html`<div class="error-summary" role="alert"><p>${shellWords[language].summary}</p>
<ul>${entries.map(({ name, message }) => html`<li><a href="#${name}">${message}</a></li>`)}</ul></div>`;
}

/** The end of a form: it is sent, or left. */
export function formActions(submit: string, back: string, language: Language): Html {
  return html`<p class="actions"><button class="main">${submit}</button><a class="button" href="${back}">${shellWords[language].cancel}</a></p>`;
}

/** The longest value that gets a line and no box. */
const LINE_MAX = 255;

function control(field: Field, { values, choices }: FormFields, isWrong: boolean, described: string): Html {
  const { name, kind } = field;
  const value = values[name] ?? "";
  const attributes = html` id="${name}" name="${name}"${described !== "" && html` aria-describedby="${described}"`}${
    isWrong && html` aria-invalid="true"`
  }${field.required && html` required`}`;
  const listed = choices?.[name];
  if (listed !== undefined) {
    // A stored value that is none of the choices stays one, or saving the form would change it.
    const isListed = value === "" || listed.some((choice) => choice.value === value);
    return html`<select${attributes}>${options(isListed ? listed : [...listed, { value, label: value }], value)}</select>`;
  }
  if (kind === "boolean") {
    // A box that is not ticked sends nothing: the hidden field says so.
    return html`<input type="hidden" name="${name}" value="0"><input type="checkbox" value="1"${attributes}${
      (value === "1" || value === "true") && html` checked`
    }>`;
  }
  if (kind === "string" && (field.max ?? LINE_MAX) > LINE_MAX) {
    // The browser drops a line break that the text begins with, so it gets one to drop.
    return html`<textarea rows="4"${attributes}>
${value}</textarea>`;
  }
  // A browser shows no day that is written in another way.
  const shown = kind === "date" ? dayIn(value) : value;
  return html`<input${inputType(field)} value="${shown}"${attributes}>`;
}

function inputType({ kind, name }: Field): Html {
  if (kind === "email" || kind === "url") return html` type="${kind}"`;
  if (kind === "date") return html` type="date"`;
  if (kind === "integer" || kind === "user") return html` type="text" inputmode="numeric"`;
  if (kind === "decimal") return html` type="text" inputmode="decimal"`;
  return isPhone(name) ? html` type="tel"` : html` type="text"`;
}
