import { versionFields } from "../../../kit/changes/record-form.ts";
import { errorSummary, fieldRow, formActions, type FieldValues } from "../../../kit/web/forms/field.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { choicesAmong } from "../../../kit/web/forms/select.ts";
import { html, type Content, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { messagesIn } from "../../../kit/web/messages.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import type { Input } from "../../../platform/fields/fields.ts";
import { eventParts, webhookWords } from "../webhook-words.ts";
import { EVERY_TYPE, eventTypes, webhookFields } from "../webhook.ts";

/** The values of a form. `version` is the updated_at of the webhook when the form was opened; null for a new one. */
export type FilledWebhook = {
  values: FieldValues;
  types: readonly string[];
  errors: FieldErrors | null;
  version: string | null;
};

/** The fields of a posted form, as in a body of the API. */
export function inputOf(form: Form): Input {
  return { ...form.input(["url", "description", "body", "children", "active"]), types: form.all("types") };
}

/** A form for a webhook. @param action where it is posted @param back the target of Cancel */
export function webhookForm(
  { values, types, errors: wrong, version }: FilledWebhook,
  { action, submit, back }: { action: string; submit: string; back: string },
  language: Language,
): Html {
  const words = webhookWords[language];
  const errors = wrong === null ? null : messagesIn(language, wrong, words.labels);
  const fields = {
    values,
    labels: words.labels,
    errors,
    language,
    hints: { url: words.urlHint },
    choices: { body: choicesAmong(words.bodies) },
  };
  const row = (name: string) =>
    webhookFields.filter((field) => field.name === name).map((field) => fieldRow(field, fields));
  const wrongTypes = Object.entries(errors ?? {}).filter(([name]) => /^types\b/.test(name));
  const choice = (type: string, label: Content) =>
    html`<label class="choice"${type !== EVERY_TYPE && html` title="${type}"`}><input type="checkbox" name="types" value="${type}"${types.includes(type) && html` checked`}> <span>${label}</span></label>`;
  // The line names the noun once. Each checkbox has it in its name.
  const event = (type: string) => {
    const { noun, verb } = eventParts(language, type);
    return choice(type, html`<span class="hidden">${noun} </span>${verb}`);
  };
  return html`${errorSummary(errors, language)}
<form class="record" method="post" action="${action}" novalidate>
${version === null ? onceField() : versionFields(version, values, webhookFields)}
${row("url")}${row("description")}
<fieldset id="types"${wrongTypes.length > 0 && html` aria-describedby="types-error"`}><legend>${words.labels.types}</legend>
${choice(EVERY_TYPE, words.every)}
${[...Map.groupBy(eventTypes, (type) => eventParts(language, type).noun)].map(
  ([noun, ofNoun]) =>
    html`<div class="choices" role="group" aria-label="${noun}"><b>${noun}</b>${ofNoun.map(event)}</div>`,
)}
${wrongTypes.length > 0 && html`<p class="error" id="types-error">${wrongTypes.flatMap(([, messages]) => messages).join(" ")}</p>`}</fieldset>
${row("body")}${row("children")}${row("active")}
${formActions(submit, back, language)}
</form>`;
}
