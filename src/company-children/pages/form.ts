import type { FieldErrors } from "../../platform/fields/validation.ts";
import { errorSummary, fieldRow, type Choice, type FieldValues } from "../../web/field.ts";
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
  /** The state of the row that the form was made from; null of a new one. */
  version: string | null;
  language: Language;
};

/** The form of a child, for a new one and for one that is edited. */
export function childForm({ child, common, labels, values: valueLabels }: ChildNoun, form: ChildForm): Html {
  const { action, back, submit, values, errors, version, language } = form;
  const messages = errors && messagesIn(language, errors, labels[language]);
  const choices = Object.fromEntries(
    Object.entries(valueLabels[language]).map(([field, byValue]): [string, Choice[]] => [
      field,
      Object.entries(byValue).map(([value, label]) => ({ value, label })),
    ]),
  );
  const rows = (fields: typeof child.fields) =>
    fields.map((field) => fieldRow(field, { values, labels: labels[language], errors: messages, language, choices }));
  const folded = child.fields.filter(({ name }) => !common.has(name));
  const isOpen = folded.some(({ name }) => messages?.[name] !== undefined);
  return html`${errorSummary(messages, language)}
<form class="record" method="post" action="${action}" novalidate>
${version !== null && html`<input type="hidden" name="version" value="${version}">`}
${rows(child.fields.filter(({ name }) => common.has(name)))}
<details${isOpen && html` open`}><summary>${shellWords[language].moreFields}</summary>${rows(folded)}</details>
<p class="actions"><button class="main">${submit}</button><a class="button" href="${back}">${shellWords[language].cancel}</a></p>
</form>`;
}
