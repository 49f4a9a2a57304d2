import type { Reconciled } from "../../changes/reconcile.ts";
import { versionFields } from "../../changes/version-fields.ts";
import type { FieldErrors } from "../../platform/fields/validation.ts";
import { errorSummary, fieldRow, type FieldValues } from "../../web/forms/field.ts";
import type { Choice } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import { shellWords } from "../../web/shell-words.ts";
import type { ChildNoun } from "./noun.ts";

export type ChildForm = {
  action: string;
  /** Where Cancel leads. */
  back: string;
  submit: string;
  values: FieldValues;
  /** As the API says them. */
  errors: FieldErrors | null;
  /** The updated_at of the row as the form shows it; null of a new one. */
  version: string | null;
  /** Where somebody else was quicker. */
  conflict: Reconciled | null;
  language: Language;
};

/** The form of a child, for a new one and for one that is edited. */
export function childForm({ child, common, labels, values: valueLabels }: ChildNoun, form: ChildForm): Html {
  const { action, back, submit, values, errors, version, conflict, language } = form;
  const notes = conflict?.notes ?? {};
  const messages = errors && messagesIn(language, errors, labels[language]);
  const choices = Object.fromEntries(
    Object.entries(valueLabels[language]).map(([field, byValue]): [string, Choice[]] => [
      field,
      Object.entries(byValue).map(([value, label]) => ({ value, label })),
    ]),
  );
  const rows = (fields: typeof child.fields) =>
    fields.map((field) =>
      fieldRow(field, { values, labels: labels[language], errors: messages, language, choices, notes }),
    );
  const folded = child.fields.filter(({ name }) => !common.has(name));
  const isOpen = folded.some(({ name }) => messages?.[name] !== undefined || notes[name] !== undefined);
  return html`${errorSummary(messages, language)}
${conflict !== null && html`<div class="error-summary" role="alert"><p>${conflict.message}</p></div>`}
<form class="record" method="post" action="${action}" novalidate>
${version !== null && versionFields(version, values, child.fields)}
${rows(child.fields.filter(({ name }) => common.has(name)))}
<details${isOpen && html` open`}><summary>${shellWords[language].moreFields}</summary>${rows(folded)}</details>
<p class="actions"><button class="main">${submit}</button><a class="button" href="${back}">${shellWords[language].cancel}</a></p>
</form>`;
}
