import { shortList } from "../../../kit/tables/short-list.ts";
import { emptyState } from "../../../kit/web/empty-state.ts";
import { html } from "../../../kit/web/html.ts";
import { wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { Page } from "../../../kit/web/page.ts";
import { listApiKeys, type ListedKey } from "../api-key-queries.ts";
import { assistantWords } from "../assistant-words.ts";
import { withImplied } from "../capability.ts";
import { keyWords } from "../key-words.ts";
import { isActive, keyState, lastUse } from "./key-state.ts";

/** GET /keys: those that work first, the newest on top. */
export const listKeysPage: Page = async ({ database }, request) => {
  const { actor, session, language } = request;
  const words = keyWords[language];
  const keys = (await listApiKeys(actor.tenant, database)).toReversed();
  const { timeZone } = session.workspace;
  const add = { href: "/keys/new", label: words.new };
  const forAssistant = { href: "/keys/assistant", label: assistantWords[language].title };
  return shortList<ListedKey>(request, {
    area: "keys",
    title: words.title,
    add,
    about: html`<p>${words.about} <a href="${forAssistant.href}">${forAssistant.label}</a> · <a href="/docs">${words.reference}</a></p>`,
    rows: [...keys.filter(isActive), ...keys.filter((key) => !isActive(key))],
    paged: null,
    columns: [
      ["name", words.name, ({ name }) => name, { href: ({ id }) => `/keys/${id}` }],
      ["code", words.key, ({ prefix, last4 }) => `${prefix}…${last4}`],
      ["text", words.state, (key) => keyState(key, language, timeZone)],
      ["number", words.capabilities, (key) => use(key, language)],
      [
        "number",
        words.requests,
        (key) => wholeNumber(language, key.requests),
        { sort: ["requests", (key) => key.requests] },
      ],
      [
        "labelled",
        words.lastUsed,
        (key) => lastUse(key, language, timeZone),
        { sort: ["last_used", (key) => key.lastUsedAt] },
      ],
    ],
    empty: emptyState("keys", words.empty, [add, forAssistant]),
  });
};

function use({ capabilities, recentlyUsed }: ListedKey, language: Language): string {
  const [used, granted] = [recentlyUsed.length, withImplied(capabilities).size];
  return `${wholeNumber(language, used)} / ${wholeNumber(language, granted)}`;
}
