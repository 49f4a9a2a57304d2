import { html, type Html } from "./html.ts";

/** A list's filters as a line on its paper: those that are set, or that have a value. */
export function printedFilters(
  filters: readonly (readonly [label: string, value: string | boolean | null | undefined])[],
): Html | null {
  const said = filters.flatMap(([label, value]) => {
    if (value === true) return [label];
    return value ? [`${label}: ${value}`] : [];
  });
  return said.length === 0 ? null : html`<p class="printed start">${said.join(" · ")}</p>`;
}
