import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import { encryptedFields, type Field, type FieldTable } from "../../platform/fields/fields.ts";
import { errorSummary, fieldRow, formActions, type FormFields, type FieldValues } from "../web/forms/field.ts";
import { onceField } from "../web/forms/once.ts";
import { html, type Html } from "../web/html.ts";
import type { Language } from "../web/language.ts";
import { messagesIn, type FieldMessages } from "../web/messages.ts";
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
  /** Lines beside fields, besides those of a conflict. */
  notes?: Readonly<Record<string, Html>>;
  /** A button behind the one that submits: Enter presses the first one of a form. */
  more?: Html | null;
};

/** The noun's part of a form. `common`: the usual fields; the others are folded away. */
export type FormNoun = Pick<FormFields, "labels" | "choices" | "hints"> & {
  fields: readonly Field[];
  common: ReadonlySet<string>;
};

/** Why a value cannot be stored although it is valid: its field, the message there, and the one above the form. */
export type Obstacle = { field: string; message: string; summary: Html };

/** The form of a new or existing resource. */
export function recordForm(noun: FormNoun, form: RecordForm, obstacle: Obstacle | null = null): Html {
  const { fields, common, labels } = noun;
  const { action, back, submit, values, errors: found, version, conflict, language } = form;
  const notes = { ...form.notes, ...conflict?.notes };
  const message = conflict?.message ?? null;
  const errors = found && messagesIn(language, found, labels);
  const wrong = withObstacle(errors, obstacle);
  const row = (field: Field) => fieldRow(field, { ...noun, values, errors: wrong, language, notes });
  const folded = fields.filter(({ name }) => !common.has(name));
  const isOpen = folded.some(({ name }) => wrong?.[name] !== undefined || notes[name] !== undefined);
  return html`${errorSummary(errors, language)}
${obstacle?.summary}
${message !== null && html`<div class="error-summary" role="alert"><p>${message}</p></div>`}
<form class="record" method="post" action="${action}" novalidate>
${version === null ? onceField() : versionFields(version, values, fields)}
${fields.filter(({ name }) => common.has(name)).map(row)}
<details${isOpen && html` open`}><summary>${shellWords[language].moreFields}</summary>${folded.map(row)}</details>
${formActions(submit, back, language, form.more)}
</form>`;
}

/** The messages of fields, with that of an obstacle. */
export function withObstacle(errors: FieldMessages | null, obstacle: Obstacle | null): FieldMessages | null {
  return obstacle === null ? errors : { ...errors, [obstacle.field]: [obstacle.message] };
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
