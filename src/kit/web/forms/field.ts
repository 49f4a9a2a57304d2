import type { Field } from "../../../platform/fields/fields.ts";
import { readBeside } from "../assets/numbers.js";
import { isPhone } from "../field-value.ts";
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { FieldLabels, FieldMessages } from "../messages.ts";
import { shellWords } from "../shell-words.ts";
import { options, type Choice } from "./select.ts";
import { dayIn } from "./typed.ts";

/** The values of a form's fields: as typed or as stored. */
export type FieldValues = Readonly<Record<string, string | null | undefined>>;

export type FormFields = {
  values: FieldValues;
  labels: FieldLabels;
  /** Messages by field, in the page's language (messages.ts). */
  errors: FieldMessages | null;
  language: Language;
  /** That of the amounts, if no field has it. Their inputs show it. */
  currency?: string | null | undefined;
  /** The choices of a field: an enum's values, or the users. */
  choices?: Readonly<Record<string, readonly Choice[]>>;
  /** A line below a field that needs more than its label. */
  hints?: Readonly<Record<string, string>>;
  /** A note beside a field, for example a change that was stored meanwhile. */
  notes?: Readonly<Record<string, Html>>;
};

/** A field of a form: label, control and messages. */
export function fieldRow(field: Field, fields: FormFields): Html {
  const { name } = field;
  const { labels, errors, language, hints, notes } = fields;
  const isWrong = errors?.[name] !== undefined;
  const hint = hints?.[name];
  const note = notes?.[name];
  const isDecimal = field.kind === "decimal";
  const unit = field.isAmount === true ? fields.currency : null;
  // The label of a box is behind it.
  const isBox = field.kind === "boolean" && fields.choices?.[name] === undefined;
  const described = [
    ...(isWrong ? [`${name}-error`] : []),
    ...(unit == null ? [] : [`${name}-unit`]),
    ...(isDecimal ? [`${name}-read`] : []),
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(note === undefined ? [] : [`${name}-note`]),
  ];
  const label = html`<label for="${name}">${labels[name] ?? name}${
    field.required && html` <span class="required">${shellWords[language].required}</span>`
  }</label>`;
  const input = control(field, fields, isWrong, described.join(" "));
  return html`<div class="field" id="field-${name}">
${!isBox && label}
${unit == null ? input : html`<div class="with-unit">${input}<span id="${name}-unit">${unit}</span></div>`}
${isDecimal && html`<small class="read" id="${name}-read">${readBeside(fields.values[name] ?? "", language, field.isAmount === true ? (fields.currency ?? fields.values.currency) : null)}</small>`}
${isBox && label}
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

/** All messages of a form, above it, each with a link to its field. */
export function errorSummary(errors: FieldMessages | null, language: Language): Html | null {
  if (errors === null) return null;
  const entries = Object.entries(errors).flatMap(([name, messages]) => messages.map((message) => ({ name, message })));
  if (entries.length === 0) return null;
  return html`<div class="error-summary" role="alert"><p>${shellWords[language].summary}</p>
<ul>${entries.map(({ name, message }) => html`<li><a href="#${name}">${message}</a></li>`)}</ul></div>`;
}

/** The buttons at the end of a form: submit and cancel. */
export function formActions(submit: string, back: string, language: Language, more: Html | null = null): Html {
  return html`<p class="actions"><button class="main">${submit}</button>${more}<a class="button" href="${back}">${shellWords[language].cancel}</a></p>`;
}

/** Maximum length of a value in a single-line input; longer ones get a text area. */
const LINE_MAX = 255;

/** Whether the control of a field has several lines. */
function isArea({ kind, max = LINE_MAX }: Field): boolean {
  return kind === "string" && max > LINE_MAX;
}

/** A stored text as the control of its field has it, and posts it. */
export function inControl(field: Field, text: string): string {
  return isArea(field) ? text.replaceAll(/\r\n?/g, "\n") : inInput(text);
}

/** A text in an input, which would join its lines without blanks. */
export function inInput(text: string): string {
  return text.replaceAll(/[\r\n]+/g, " ");
}

function control(field: Field, { values, choices }: FormFields, isWrong: boolean, described: string): Html {
  const { name, kind } = field;
  const value = values[name] ?? "";
  const attributes = html` id="${name}" name="${name}"${described !== "" && html` aria-describedby="${described}"`}${
    isWrong && html` aria-invalid="true"`
  }${field.required && html` required`}`;
  const listed = choices?.[name];
  if (listed !== undefined) {
    // A stored value outside the choices is offered too, or saving the form would change it.
    const isListed = value === "" || listed.some((choice) => choice.value === value);
    return html`<select${attributes}>${options(isListed ? listed : [...listed, { value, label: value }], value)}</select>`;
  }
  if (kind === "boolean") {
    // An unticked box sends nothing, so the hidden field sends "0".
    return html`<input type="hidden" name="${name}" value="0"><input type="checkbox" value="1"${attributes}${
      (value === "1" || value === "true") && html` checked`
    }>`;
  }
  if (isArea(field)) {
    // The browser drops the first line break of a text area, so an extra one is added.
    return html`<textarea rows="4"${attributes}>
${value}</textarea>`;
  }
  // A browser's date field shows no other format.
  const shown = kind === "date" ? dayIn(value) : inControl(field, value);
  return html`<input${inputType(field)} value="${inputValue(shown)}"${attributes}>`;
}

/** The most characters that an input shows again: more than any takes, and few enough for a page. */
const MOST_SHOWN = 4_096;

export function inputValue(value: string | null | undefined): string | null | undefined {
  return value?.slice(0, MOST_SHOWN);
}

function inputType({ kind, name }: Field): Html {
  if (kind === "email" || kind === "url") return html` type="${kind}"`;
  if (kind === "date") return html` type="date"`;
  if (kind === "integer" || kind === "user") return html` type="text" inputmode="numeric"`;
  if (kind === "decimal") return html` type="text" inputmode="decimal"`;
  return isPhone(name) ? html` type="tel"` : html` type="text"`;
}
