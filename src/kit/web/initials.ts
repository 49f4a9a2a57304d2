import { html, type Html } from "./html.ts";

/** A person's initials, of the first and the last name. @param title the name, if it is not shown beside them */
export function initials(name: string, title: string | null = null): Html {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 && words.at(-1)].map((word) => Array.from(word || "")[0] ?? "");
  const text = letters.join("").toLocaleUpperCase();
  return title === null
    ? html`<b class="initials" aria-hidden="true">${text}</b>`
    : html`<b class="initials" title="${title}"><span aria-hidden="true">${text}</span><span class="hidden">${title}</span></b>`;
}
