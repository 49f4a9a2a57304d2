import { recordForm, type RecordForm } from "../../../kit/changes/record-form.ts";
import { choicesAmong } from "../../../kit/web/forms/select.ts";
import type { Html } from "../../../kit/web/html.ts";
import type { ChildNoun } from "./noun.ts";

/** The form of a new or existing child. */
export function childForm({ child: { fields }, common, labels, values }: ChildNoun, form: RecordForm): Html {
  const choices = Object.fromEntries(
    Object.entries(values[form.language]).map(([field, byValue]) => [field, choicesAmong(byValue)]),
  );
  return recordForm({ fields, common, labels: labels[form.language], choices }, form);
}
