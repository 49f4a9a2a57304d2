import { recordForm, type RecordForm } from "../../../kit/changes/record-form.ts";
import { choicesAmong } from "../../../kit/web/forms/select.ts";
import type { Html } from "../../../kit/web/html.ts";
import type { CustomTable } from "../../../platform/fields/custom.ts";
import { customChoices, customHints, customLabels } from "../../custom-fields/custom-inputs.ts";
import type { ChildNoun } from "./noun.ts";

/** The form of a new or existing child. */
export function childForm(
  { child, common, labels, values }: ChildNoun,
  { custom, ...form }: RecordForm & { custom: CustomTable },
): Html {
  const { language } = form;
  const choices = Object.entries(values[language]).map(([field, byValue]) => [field, choicesAmong(byValue)]);
  const noun = {
    fields: [...child.fields, ...custom.fields],
    common,
    labels: { ...labels[language], ...customLabels(custom) },
    hints: customHints(custom, language),
    choices: { ...Object.fromEntries(choices), ...customChoices(custom, form.values, language) },
  };
  return recordForm(noun, form);
}
