import type { MergeableNoun } from "../../exchange/merging/mergeable-noun.ts";
import { mergesInto } from "../../exchange/merging/stored-merge-queries.ts";
import type { Deps } from "../../kit/deps.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { dayOf } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { mergeWords } from "./merge-words.ts";

/** On the page of a company or contact, the merges into it that can be undone; null without any. */
export async function mergesHint(
  { database }: Deps,
  { actor, language, session }: PageRequest,
  type: MergeableNoun["type"],
  id: string,
): Promise<Html | null> {
  const merges = await mergesInto(actor.tenant, database, type, id);
  if (merges.length === 0) return null;
  const words = mergeWords[language];
  const { timeZone } = session.workspace;
  return html`<p class="hint">${merges.map((each) => html`${words.mergedIn(each.from, dayOf(language, each.at, timeZone))} <a href="/merges/${each.id}/undo">${words.undo}</a> `)}</p>`;
}
