import type { FieldErrors } from "../../platform/fields/validation.ts";
import { errorSummary, fieldRow, type FieldValues } from "../../web/field.ts";
import { html, type Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import { shellWords } from "../../web/shell-words.ts";
import { companyFields } from "../company.ts";
import type { Holder } from "../company-queries.ts";
import { companyLabels, companyWords } from "../company-words.ts";
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
export function companyForm({ action, back, submit, values, errors, holder, users, language }: CompanyForm): Html {
  const words = companyWords[language];
  const labels = companyLabels[language];
  const messages = errors && messagesIn(language, errors, labels);
  const choices = {
    status: statusChoices(language),
    assigned_to: userChoices(users, values.assigned_to ?? "", words.nobody),
  };
  const row = (field: (typeof companyFields)[number]) =>
    fieldRow(field, { values, labels, errors: messages, language, choices });
  const folded = companyFields.filter(({ name }) => !COMMON.has(name));
  const isOpen = folded.some(({ name }) => messages?.[name] !== undefined);
  return html`${errorSummary(messages, language)}
${holder !== null && taken(holder, language)}
<form class="record" method="post" action="${action}" novalidate>
${companyFields.filter(({ name }) => COMMON.has(name)).map(row)}
<details${isOpen && html` open`}><summary>${words.more}</summary>${folded.map(row)}</details>
<p class="actions"><button class="main">${submit}</button><a class="button" href="${back}">${shellWords[language].cancel}</a></p>
</form>`;
}

function taken({ id, name }: Holder, language: Language): Html {
  return html`<div class="error-summary" role="alert">
    <p>${companyWords[language].taken} <a href="/companies/${id}">${name}</a></p>
  </div>`;
}
