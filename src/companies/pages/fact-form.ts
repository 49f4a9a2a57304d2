import { versionFields, withObstacle } from "../../changes/record-form.ts";
import type { Field } from "../../platform/fields/fields.ts";
import { fieldRow } from "../../web/forms/field.ts";
import { html, type Html } from "../../web/html.ts";
import { messagesIn } from "../../web/messages.ts";
import { shellWords } from "../../web/shell-words.ts";
import { companyLabels } from "../company-words.ts";
import { choicesOf, taken, type CompanyForm } from "./company-form.ts";

/** The form of one field, in the place of its value. */
export function factForm(field: Field, form: CompanyForm): Html {
  const { action, submit, values, errors: found, holder, version, conflict, language } = form;
  const labels = companyLabels[language];
  const { name } = field;
  const notes = conflict?.notes ?? {};
  const obstacle = taken(holder, language);
  const errors = withObstacle(found && messagesIn(language, found, labels), obstacle);
  return html`<form class="in-place" method="post" action="${action}" novalidate data-swap="heading figures facts happened fact-${name}" data-focus="edit-${name}" data-page="${action}/edit?field=${name}">
<input type="hidden" name="field" value="${name}">${versionFields(version, values, [field])}
${fieldRow(field, { values, labels, errors, language, notes, choices: choicesOf(form) })}
${obstacle?.summary}
<p class="actions"><button class="main">${submit}</button>
<a class="button" href="${action}" data-swap="fact-${name}" data-focus="edit-${name}" data-leave>${shellWords[language].cancel}</a></p>
</form>`;
}
