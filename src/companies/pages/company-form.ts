import type { Reconciled } from "../../changes/reconcile.ts";
import { versionFields } from "../../changes/version-fields.ts";
import type { FieldTable } from "../../platform/fields/fields.ts";
import type { FieldErrors } from "../../platform/fields/validation.ts";
import { errorSummary, fieldRow, type FieldValues } from "../../web/forms/field.ts";
import type { Choice } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import { shellWords } from "../../web/shell-words.ts";
import type { Holder } from "../company-queries.ts";
import { companyLabels, companyWords } from "../company-words.ts";
import { companyFields } from "../company.ts";
import { statusChoices, userChoices, type Users } from "./choices.ts";

export type CompanyForm = {
  action: string;
  /** Where Cancel leads. */
  back: string;
  submit: string;
  values: FieldValues;
  /** As the API says them. */
  errors: FieldErrors | null;
  /** The company that has the fiscal id already. */
  holder: Holder | null;
  /** The updated_at of the company as the form shows it; null of a new one. */
  version: string | null;
  /** Where somebody else was quicker. */
  conflict: Reconciled | null;
  users: Users;
  language: Language;
};

/** The fields that nearly every company has; the others are folded. */
const COMMON = new Set([
  "name",
  "tax_id",
  "status",
  "assigned_to",
  "phone",
  "email",
  "website",
  "address",
  "city",
  "county",
]);

/** The form of a company, for a new one and for one that is edited. */
export function companyForm(form: CompanyForm): Html {
  const { action, back, submit, values, errors, holder, conflict, language } = form;
  const labels = companyLabels[language];
  const messages = errors && messagesIn(language, errors, labels);
  const choices = choicesOf(form);
  const notes = conflict?.notes ?? {};
  const row = (field: (typeof companyFields)[number]) =>
    fieldRow(field, { values, labels, errors: messages, language, choices, notes });
  const folded = companyFields.filter(({ name }) => !COMMON.has(name));
  const isOpen = folded.some(({ name }) => messages?.[name] !== undefined || notes[name] !== undefined);
  return html`${errorSummary(messages, language)}
${holder !== null && taken(holder, language)}
${conflict !== null && html`<div class="error-summary" role="alert"><p>${conflict.message}</p></div>`}
<form class="record" method="post" action="${action}" novalidate>
${hiddenFields(form, companyFields)}
${companyFields.filter(({ name }) => COMMON.has(name)).map(row)}
<details${isOpen && html` open`}><summary>${shellWords[language].moreFields}</summary>${folded.map(row)}</details>
<p class="actions"><button class="main">${submit}</button><a class="button" href="${back}">${shellWords[language].cancel}</a></p>
</form>`;
}

/** The hidden fields of a form that edits; none of a new one. */
export function hiddenFields({ version, values }: CompanyForm, fields: FieldTable): Html | null {
  return version === null ? null : versionFields(version, values, fields);
}

export function choicesOf({ users, values, language }: CompanyForm): Readonly<Record<string, readonly Choice[]>> {
  return {
    status: statusChoices(language),
    assigned_to: userChoices(users, values.assigned_to ?? "", companyWords[language].nobody),
  };
}

/** Says which company has the fiscal id. */
export function taken({ id, name }: Holder, language: Language): Html {
  return html`<div class="error-summary" role="alert">
    <p>${companyWords[language].taken} <a href="/companies/${id}">${name}</a></p>
  </div>`;
}
