import { html, type Html } from "../web/html.ts";
import type { InLanguages, Language } from "../web/language.ts";

const words = { en: "Choose", ro: "Alege" } satisfies InLanguages<string>;

/** Shows the checkboxes of a list's rows on a phone, where they are hidden. It needs no script. */
export function choosing(language: Language): Html {
  return html`<label class="button choosing"><input type="checkbox">${words[language]}</label>`;
}
