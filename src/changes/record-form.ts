import type { FieldErrors } from "../platform/fields/field-reasons.ts";
import { encryptedFields, type Field, type FieldTable } from "../platform/fields/fields.ts";
import { errorSummary, fieldRow, formActions, type FormFields, type FieldValues } from "../web/forms/field.ts";
import { html, type Html } from "../web/html.ts";
import type { Language } from "../web/language.ts";
import { messagesIn } from "../web/messages.ts";
import { shellWords } from "../web/shell-words.ts";
import { wasName, type Reconciled } from "./reconcile.ts";

/** The company that has a tax id already. */
export type NamedHolder = { id: number; name: string };

/** A form as it was filled in, and what came of the last try. */
export type Filled = {
  values: FieldValues;
  /** As the API says them. */
  errors: FieldErrors | null;
  /** The one that has the fiscal id already. */
  holder: NamedHolder | null;
  /** The updated_at of the row as the form shows it; null of a new one. */
  version: string | null;
  /** Where somebody else was quicker. */
  conflict: Reconciled | null;
};

export type RecordForm = Filled & {
  action: string;
  /** Where Cancel leads. */
  back: string;
  submit: string;
  language: Language;
};

/** The part of a form that is its noun's. `common`: the fields that nearly everyone fills in; the others are folded. */
export type FormNoun = Pick<FormFields, "labels" | "choices"> & {
  fields: readonly Field[];
  common: ReadonlySet<string>;
};

/** The form of a resource, for a new one and for one that is edited. @param obstacle what is in the way beside the fields */
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
 * The hidden fields of a form that edits: the version that it was made of; and what an encrypted field was, which tells later
 * whether it was touched. None of a new one.
 */
export function versionFields(version: string | null, values: FieldValues, fields: FieldTable): Html | null {
  if (version === null) return null;
  const secrets = encryptedFields(fields).map(
    ({ name }) => html`<input type="hidden" name="${wasName(name)}" value="${values[name] ?? ""}">`,
  );
  return html`<input type="hidden" name="version" value="${version}">${secrets}`;
}
