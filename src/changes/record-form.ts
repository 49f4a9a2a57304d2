import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import { encryptedFields, type Field, type FieldTable } from "../platform/fields/fields.ts";
import { errorSummary, fieldRow, formActions, type FormFields, type FieldValues } from "../web/forms/field.ts";
import { html, type Html } from "../web/html.ts";
import type { Language } from "../web/language.ts";
import { messagesIn } from "../web/messages.ts";
import { shellWords } from "../web/shell-words.ts";
import { wasName, type Reconciled } from "./reconcile.ts";

/** The company that already has a tax id. */
export type NamedHolder = { id: number; name: string };

/** The values of a form, and the outcome of the last submission. */
export type Filled = {
  values: FieldValues;
  /** In the API's format. */
  errors: FieldErrors | null;
  /** The company that already has the tax id. */
  holder: NamedHolder | null;
  /** The row's updated_at when the form was opened; null for a new row. */
  version: string | null;
  /** Set if the row was changed meanwhile. */
  conflict: Reconciled | null;
};

export type RecordForm = Filled & {
  action: string;
  /** The target of Cancel. */
  back: string;
  submit: string;
  language: Language;
};

/** The noun's part of a form. `common`: the usual fields; the others are folded away. */
export type FormNoun = Pick<FormFields, "labels" | "choices"> & {
  fields: readonly Field[];
  common: ReadonlySet<string>;
};

/** The form of a new or existing resource. @param obstacle a problem that is not in a field */
export function recordForm(noun: FormNoun, form: RecordForm, obstacle: Html | null = null): Html {
  const { fields, common, labels } = noun;
  const { action, back, submit, values, errors: found, version, conflict, language } = form;
  const { notes = {}, message = null } = conflict ?? {};
  const errors = found && messagesIn(language, found, labels);
  const row = (field: Field) => fieldRow(field, { ...noun, values, errors, language, notes });
  const folded = fields.filter(({ name }) => !common.has(name));
  const isOpen = folded.some(({ name }) => errors?.[name] !== undefined || notes[name] !== undefined);
  return html`${errorSummary(errors, language)}
${obstacle}
${message !== null && html`<div class="error-summary" role="alert"><p>${message}</p></div>`}
<form class="record" method="post" action="${action}" novalidate>
${versionFields(version, values, fields)}
${fields.filter(({ name }) => common.has(name)).map(row)}
<details${isOpen && html` open`}><summary>${shellWords[language].moreFields}</summary>${folded.map(row)}</details>
${formActions(submit, back, language)}
</form>`;
}

/**
 * The hidden fields of an edit form: the version when it was opened, and the original values of encrypted fields, which
 * show later whether they were edited. None for a new resource.
 */
export function versionFields(version: string | null, values: FieldValues, fields: FieldTable): Html | null {
  if (version === null) return null;
  const secrets = encryptedFields(fields).map(
    ({ name }) => html`<input type="hidden" name="${wasName(name)}" value="${values[name] ?? ""}">`,
  );
  return html`<input type="hidden" name="version" value="${version}">${secrets}`;
}
