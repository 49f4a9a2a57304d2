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
  return html`<dialog class="finder" id="finder" closedby="any" data-script="${assets.pathOf("finder.js")}" aria-label="${keyboardWords[language].find}">
${findForm(language, null, { count: null, found: null })}
</dialog>`;
}

/** The dialog that lists the keyboard shortcuts. */
export function shortcuts(language: Language): Html {
  const words = keyboardWords[language];
  return html`<dialog class="shortcuts" id="shortcuts" closedby="any" aria-labelledby="shortcuts-title">
<header><h2 id="shortcuts-title">${words.title}</h2>
<form method="dialog"><button class="quiet">${words.close}</button></form></header>
<dl>${words.keys.map(
    ([keys, what]) =>
      html`<div><dt>${keys.split(" ").map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`,
  )}</dl>
<a hidden href="/companies/new" aria-keyshortcuts="c"></a><a hidden href="/invoices/new" aria-keyshortcuts="i"></a>
</dialog>`;
}
