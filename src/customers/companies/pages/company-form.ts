import {
  recordForm,
  versionFields,
  withObstacle,
  type NamedHolder,
  type Obstacle,
  type RecordForm,
} from "../../../kit/changes/record-form.ts";
import { fieldRow } from "../../../kit/web/forms/field.ts";
import type { Choice } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { messagesIn, type FieldLabels } from "../../../kit/web/messages.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import type { CustomTable } from "../../../platform/fields/custom.ts";
import type { Field } from "../../../platform/fields/fields.ts";
import { customChoices, customHints, customLabels } from "../../custom-fields/custom-inputs.ts";
import { companyLabels, companyWords } from "../company-words.ts";
import { companyFields } from "../company.ts";
import { isOddTaxId, isRomania } from "../odd-tax-id.ts";
import { statusChoices, userChoices, type Users } from "./choices.ts";

export type CompanyForm = RecordForm & { users: Users; custom: CustomTable };

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
  const { custom } = form;
  const noun = {
    fields: [...companyFields, ...custom.fields],
    common: COMMON,
    labels: labelsOf(form),
    hints: customHints(custom, form.language),
    choices: choicesOf(form),
  };
  const { tax_id: said, ...others } = form.notes ?? {};
  const notes = { tax_id: html`${oddTaxIdNote(form)} ${said}`, ...others };
  return recordForm(noun, { ...form, notes }, taken(holder, language));
}

/** The form of one field, in the place of its value. */
export function factForm(field: Field, form: CompanyForm): Html {
  const { action, submit, values, errors: found, holder, version, conflict, language } = form;
  const labels = labelsOf(form);
  const { name } = field;
  const custom = { ...form.custom, fields: form.custom.fields.filter((one) => one.name === name) };
  const notes = { tax_id: oddTaxIdNote(form), ...conflict?.notes };
  const obstacle = taken(holder, language);
  const errors = withObstacle(found && messagesIn(language, found, labels), obstacle);
  return html`<form class="in-place" method="post" action="${action}" novalidate data-swap="heading figures facts happened fact-${name}" data-focus="edit-${name}" data-page="${action}/edit?field=${name}">
<input type="hidden" name="field" value="${name}">${versionFields(version, values, [field])}
${fieldRow(field, { values, labels, errors, language, notes, hints: customHints(custom, language), choices: choicesOf({ ...form, custom }) })}
${obstacle?.summary}
<p class="actions"><button class="main">${submit}</button>
<a class="button" href="${action}" data-swap="fact-${name}" data-focus="edit-${name}" data-leave>${shellWords[language].cancel}</a></p>
</form>`;
}

/** Loaded again while the fiscal id is typed (live.js), which does not send the country. */
function oddTaxIdNote({ values, language }: CompanyForm): Html {
  const isOdd = isOddTaxId(values.tax_id ?? null, values.country ?? null);
  return html`<span id="odd-tax-id" role="status"${isRomania(values.country ?? "") && html` data-asks="/companies/new"`}>${isOdd && companyWords[language].oddTaxId}</span>`;
}

function labelsOf({ custom, language }: CompanyForm): FieldLabels {
  return { ...companyLabels[language], ...customLabels(custom) };
}

function choicesOf({ users, values, custom, language }: CompanyForm): Readonly<Record<string, readonly Choice[]>> {
  return {
    status: statusChoices(language),
    assigned_to: userChoices(users, values.assigned_to ?? "", companyWords[language].nobody),
    ...customChoices(custom, values, language),
  };
}

/** Another company has the fiscal id: it is named above the form, and the field is marked. */
function taken(holder: NamedHolder | null, language: Language): Obstacle | null {
  if (holder === null) return null;
  const words = companyWords[language];
  const summary = html`<div class="error-summary" role="alert">
    <p>${words.taken} <a href="/companies/${holder.id}">${holder.name}</a></p>
  </div>`;
  return { field: "tax_id", message: words.takenHere, summary };
}
