import { assets, type icons } from "./assets.ts";
import { html, type Html } from "./html.ts";

/** An icon beside words with the same meaning; screen readers skip it. */
export function icon(name: keyof typeof icons | "mark"): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="${assets.pathOf("icons.svg")}#${name}" /></svg>`;
}
