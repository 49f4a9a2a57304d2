import { versionFields } from "../../../kit/changes/record-form.ts";
import { errorLine, errorSummary, fieldRow, formActions, type FieldValues } from "../../../kit/web/forms/field.ts";
import type { Form } from "../../../kit/web/forms/form.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { choicesAmong } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { messagesIn } from "../../../kit/web/messages.ts";
import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import type { Input } from "../../../platform/fields/fields.ts";
import { shortened, trim } from "../../../platform/text.ts";
import { customFieldWords } from "../custom-field-words.ts";
import { definitionFields, OPTION_VALUE_MAX, type DefinitionOption } from "../custom-field.ts";

/** `options`: those that are stored. `version`: null for a new field. */
export type FilledDefinition = {
  values: FieldValues;
  options: readonly DefinitionOption[];
  errors: FieldErrors | null;
  version: string | null;
};

const NEW = ["noun", "label", "kind", "key", "help", "position"];
const CHANGED = ["label", "help", "position"];
const MORE = "more_options";

/** The stored options as a form has them. */
export function typedOptions(form: Form, stored: readonly DefinitionOption[]): DefinitionOption[] {
  return stored.map((option, at) => ({
    ...option,
    label: form.get(`option-${at}`) ?? option.label,
    archived: form.get(`archived-${at}`) === "1",
  }));
}

/** A posted form as a body of the API. @param stored the options that there are */
export function definitionInput(form: Form, stored: readonly DefinitionOption[] | null): Input {
  const kept = typedOptions(form, stored ?? []).map(({ value, label, archived }) => ({ value, label, archived }));
  const lines = (form.get(MORE) ?? "").split("\n").map(trim).filter(Boolean);
  const added = lines.map((label) => ({ value: shortened(label, OPTION_VALUE_MAX), label }));
  const options = [...kept, ...added];
  return {
    ...form.input(stored === null ? NEW : CHANGED),
    ...((stored === null || stored.length > 0) && options.length > 0 ? { options } : {}),
  };
}

/** The typed values, to show the form again. */
export function typedIn(form: Form): FieldValues {
  return form.values([...NEW, MORE]);
}

/** The form of a field. @param action where it is posted @param back the target of Cancel */
export function definitionForm(
  { values, options, errors: wrong, version }: FilledDefinition,
  { action, submit, back }: { action: string; submit: string; back: string },
  language: Language,
): Html {
  const words = customFieldWords[language];
  const errors = wrong === null ? null : messagesIn(language, wrong, words.labels);
  const isNew = version === null;
  const shown = {
    values,
    labels: words.labels,
    errors,
    language,
    hints: { key: words.keyHint, help: words.helpHint, position: words.positionHint },
    choices: { noun: choicesAmong(words.nouns), kind: choicesAmong(words.kinds) },
  };
  const row = (name: string) =>
    definitionFields.filter((field) => field.name === name).map((field) => fieldRow(field, shown));
  return html`${errorSummary(errors, language)}
<form class="record" method="post" action="${action}" novalidate>
${version === null ? onceField() : versionFields(version, values, [])}
${(isNew ? ["noun", "label", "kind"] : ["label"]).map(row)}
${(isNew || options.length > 0) && optionRows(options, values, wrong, errors, language)}
${(isNew ? ["key", "help", "position"] : ["help", "position"]).map(row)}
${formActions(submit, back, language)}
</form>`;
}

function optionRows(
  options: readonly DefinitionOption[],
  values: FieldValues,
  wrong: FieldErrors | null,
  errors: ReturnType<typeof messagesIn> | null,
  language: Language,
): Html {
  const words = customFieldWords[language];
  const messages = Object.entries(errors ?? {}).flatMap(([name, said]) => (/^options\b/.test(name) ? said : []));
  const all = messages.length === 0 ? null : { options: messages };
  const label = options.length === 0 ? words.labels.options : words.moreOptions;
  return html`${options.map(
    ({ value, label, archived }, at) => html`<div class="field"><label for="option-${at}">${words.option(value)}</label>
<input id="option-${at}" name="option-${at}" type="text" value="${label}">
<label class="choice"><input type="checkbox" name="archived-${at}" value="1"${archived && html` checked`}> <span>${words.archivedOption(value)}</span></label></div>`,
  )}
<div class="field" id="field-options"><label for="options">${label}</label>
<textarea id="options" name="${MORE}" rows="4" aria-describedby="options-hint${all !== null && " options-error"}"${wrong !== null && all !== null && html` aria-invalid="true"`}>
${values[MORE] ?? ""}</textarea>
<p class="hint" id="options-hint">${words.optionsHint}</p>
${errorLine("options", all)}</div>`;
}
