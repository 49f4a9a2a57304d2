import { html, type Html } from "../web/html.ts";
import type { FoundPlace } from "./search.ts";

/** The results of a search. */
export function searchMain(query: string, found: readonly FoundPlace[], base: string): Html {
  if (query.trim() === "") return html`<p>Search for a field, an error, an event or any word of the guides.</p>`;
  if (found.length === 0) return html`<p>Nothing has all of these words. Try fewer, or the name of a field.</p>`;
  const results = found.map(
    ({ title, page, path, text }) =>
      html`<li><a href="${base + path}">${title}</a>${title !== page && html` <i>${page}</i>`}<p>${text}</p></li>`,
  );
  return html`<ul class="found">${results}</ul>`;
}
