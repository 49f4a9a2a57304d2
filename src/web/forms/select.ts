import { html, type Html } from "../html.ts";

/** A choice of a list, by its value. */
export type Choice = { value: string; label: string };

/** The choices among values by what people call them. @param values those that there are, in their order */
export function choicesAmong(
  labels: Readonly<Record<string, string>>,
  values: readonly string[] = Object.keys(labels),
): Choice[] {
  return values.map((value) => ({ value, label: labels[value] ?? value }));
}

export function options(choices: readonly Choice[], chosen: string | null = null): Html[] {
  return choices.map(
    ({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  );
}

/** A list to choose from, within its label. */
export function labelledSelect(label: string, name: string, chosen: string | null, choices: readonly Choice[]): Html {
  return html`<label>${label} <select name="${name}">${options(choices, chosen)}</select></label>`;
}
