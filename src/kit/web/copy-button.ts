import { html, type Html } from "./html.ts";
import { icon } from "./icon.ts";
import type { Language } from "./language.ts";
import { shellWords } from "./shell-words.ts";

/**
 * Copies the value before it; hidden without JavaScript (assets/pointing.js). @param what the value's name, for screen
 * readers
 */
export function copyButton(what: string, language: Language): Html {
  const { copy } = shellWords[language];
  return html`<button type="button" class="copy" data-copy title="${copy}">${icon("copy")}<span class="hidden">${copy} ${what}</span></button>`;
}

/** A value that is shown once, with a button that copies it. */
export function copiedOnce(id: string, value: string, what: string, language: Language): Html {
  return html`<div class="once"><pre id="${id}" tabindex="0">${value}</pre>
${copyButton(what, language)}</div>`;
}
