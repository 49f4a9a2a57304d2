import { emptyState } from "../../web/empty-state.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { wholeNumber, type Language } from "../../web/language.ts";
import type { Page } from "../../web/page.ts";
import { listApiKeys, type ListedKey } from "../api-key-queries.ts";
import { assistantWords } from "../assistant-words.ts";
import { withImplied } from "../capability.ts";
import { keyWords } from "../key-words.ts";
import { isActive, keyState, lastUse } from "./key-state.ts";

/** GET /keys: those that work first, the newest on top. */
export const listKeysPage: Page = async ({ database }, { actor, session, language }) => {
  const words = keyWords[language];
  const keys = (await listApiKeys(actor.tenant, database)).toReversed();
  const sorted = [...keys.filter(isActive), ...keys.filter((key) => !isActive(key))];
  const { timeZone } = session.workspace;
  const main = html`<header class="heading">
<h1>${words.title}</h1>
<a class="button" href="/keys/assistant">${assistantWords[language].title}</a>
<a class="button main" href="/keys/new" aria-keyshortcuts="n">${icon("add")}${words.new}</a>
</header>
<p>${words.about} <a href="/docs">${words.reference}</a></p>
${
  sorted.length === 0
    ? emptyState("keys", words.empty, [{ href: "/keys/new", label: words.new }])
    : table(sorted, language, timeZone)
}`;
  return { title: words.title, area: "keys", main };
};

function table(keys: ListedKey[], language: Language, timeZone: string): Html {
  const words = keyWords[language];
  const head = [words.name, words.key, words.state];
  return html`<table class="list"><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}
<th scope="col" class="number">${words.capabilities}</th><th scope="col" class="number">${words.requests}</th><th scope="col">${words.lastUsed}</th></tr></thead>
<tbody>${keys.map(
    (key) => html`<tr>
<td class="name"><a href="/keys/${key.id}" title="${key.name}">${key.name}</a></td>
<td class="code">${key.prefix}…${key.last4}</td>
<td>${keyState(key, language, timeZone)}</td>
${labelledCell(words.capabilities, use(key, language), "number")}
${labelledCell(words.requests, wholeNumber(language, key.requests), "number")}
${labelledCell(words.lastUsed, lastUse(key, language, timeZone))}
</tr>`,
  )}</tbody></table>`;
}

function use({ capabilities, recentlyUsed }: ListedKey, language: Language): string {
  const [used, granted] = [recentlyUsed.length, withImplied(capabilities).size];
  return `${wholeNumber(language, used)} / ${wholeNumber(language, granted)}`;
}
