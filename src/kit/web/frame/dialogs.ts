import { assets } from "../assets.ts";
import { html, type Html } from "../html.ts";
import { icon } from "../icon.ts";
import type { Language } from "../language.ts";
import { keyboardWords } from "./keyboard-words.ts";

/**
 * The search of the page /find with its results; in the dialog the results are loaded from that page
 * (assets/finder.js).
 */
export function findForm(
  language: Language,
  search: string | null,
  { count, found }: { count: Html | null; found: Html | null },
): Html {
  const words = keyboardWords[language];
  return html`<form class="search" role="search" action="/find" data-live="found found-count">
<label class="hidden" for="find">${words.find}</label>${icon("search")}
<input id="find" name="q" type="search" value="${search}" placeholder="${words.findHint}" autocomplete="off" maxlength="255">
<button class="hidden">${words.find}</button>
</form>
<div role="status" class="hidden"><span id="found-count">${count}</span></div>
<div class="found" id="found" data-search="${search}">${found}</div>`;
}

/** The dialog of Ctrl K: the search of /find above the current page. */
export function finder(language: Language): Html {
  return html`<dialog class="finder" id="finder" closedby="any" data-script="${assets.pathOf("finder.js")}" data-styles="${assets.pathOf("dialogs.css")}" aria-label="${keyboardWords[language].find}">
${findForm(language, null, { count: null, found: null })}
</dialog>`;
}

/** The keyboard shortcuts, on the page /find. `?` shows them above the current page (assets/finder-key.js). */
export function shortcutList(language: Language): Html {
  const words = keyboardWords[language];
  return html`<section class="section shortcuts" id="shortcuts" tabindex="-1"><header><h2>${words.title}</h2></header>
<dl>${words.keys.map(
    ([keys, what]) =>
      html`<div><dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`,
  )}</dl></section>`;
}

/** The keys that work on every page. */
export function everywhereKeys(): Html {
  return html`<a hidden href="/companies/new" aria-keyshortcuts="c"></a><a hidden href="/invoices/new" aria-keyshortcuts="i"></a><a hidden href="${SHORTCUTS}" aria-keyshortcuts="?"></a>`;
}

export const SHORTCUTS = "/find#shortcuts";
