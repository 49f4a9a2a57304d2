import { recordForm, type NamedHolder, type Obstacle, type RecordForm } from "../../changes/record-form.ts";
import type { Choice } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import { companyLabels, companyWords } from "../company-words.ts";
import { companyFields } from "../company.ts";
import { statusChoices, userChoices, type Users } from "./choices.ts";

export type CompanyForm = RecordForm & { users: Users };

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
  const { holder, language } = form;
  const noun = { fields: companyFields, common: COMMON, labels: companyLabels[language], choices: choicesOf(form) };
  return recordForm(noun, form, taken(holder, language));
}

export function choicesOf({ users, values, language }: CompanyForm): Readonly<Record<string, readonly Choice[]>> {
  return {
    status: statusChoices(language),
    assigned_to: userChoices(users, values.assigned_to ?? "", companyWords[language].nobody),
  };
}

/** Another company has the fiscal id: it is named above the form, and the field is marked. */
export function taken(holder: NamedHolder | null, language: Language): Obstacle | null {
  if (holder === null) return null;
  const words = companyWords[language];
  const summary = html`<div class="error-summary" role="alert">
    <p>${words.taken} <a href="/companies/${holder.id}">${holder.name}</a></p>
  </div>`;
  return { field: "tax_id", message: words.takenHere, summary };
}
