import { html, type Html } from "../html.ts";

/** An option of a select. */
export type Choice = { value: string; label: string };

/** Choices with their labels. @param values the available values, in order */
export function choicesAmong(
  labels: Readonly<Record<string, string>>,
  values: readonly string[] = Object.keys(labels),
): Choice[] {
  return values.map((value) => ({ value, label: labels[value] ?? value }));
}

/** Such as time zones: each value that is also the label would add a kilobyte. */
const LONG = 100;

export function options(choices: readonly Choice[], chosen: string | null = null): Html[] {
  return choices.map(
    ({ value, label }) =>
      html`<option${(value !== label || choices.length < LONG) && html` value="${value}"`}${value === chosen && html` selected`}>${label}</option>`,
  );
}

/** A select within its label. */
export function labelledSelect(
  label: string,
  name: string,
  chosen: string | null,
  choices: readonly Choice[],
  key: string | null = null,
): Html {
  return html`<label>${label} <select name="${name}"${key !== null && html` aria-keyshortcuts="${key}"`}>${options(choices, chosen)}</select></label>`;
}
