import { assets, type icons } from "./assets.ts";
import { html, type Html } from "./html.ts";

/** An icon beside words with the same meaning; screen readers skip it. @param base the path of a proxy before ours */
export function icon(name: keyof typeof icons | "mark", base = ""): Html {
  return html`<svg class="icon" aria-hidden="true"><use href="${base + assets.pathOf("icons.svg")}#${name}" /></svg>`;
}
