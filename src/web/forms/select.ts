import { html, type Html } from "../html.ts";

/** A choice of a list, by its value. */
export type Choice = { value: string; label: string };

export function options(choices: readonly Choice[], chosen: string | null = null): Html[] {
  return choices.map(
    ({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  );
}

/** A list to choose from, within its label. */
export function labelledSelect(label: string, name: string, chosen: string | null, choices: readonly Choice[]): Html {
  return html`<label>${label} <select name="${name}">${options(choices, chosen)}</select></label>`;
}
