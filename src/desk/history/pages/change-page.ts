import { differencesIn } from "../../../kit/changes/differences.ts";
import { found } from "../../../kit/endpoint.ts";
import { eventList } from "../../../kit/web/event-list.ts";
import { html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import type { Page } from "../../../kit/web/page.ts";
import { differenceList, historyEvent } from "../history-lines.ts";
import { findChange } from "../history-queries.ts";
import { historyWords } from "../history-words.ts";
import { withReferences } from "../reference-queries.ts";
import { allWordings } from "../wordings.ts";

/** GET /history/{id}: one change with its complete texts. */
export const changePage: Page = async (deps, request) => {
  const { actor, language } = request;
  const change = await found("Change", request, async (id) => await findChange(actor.tenant, deps.database, id));
  const words = historyWords[language];
  const differences = differencesIn(change.changed);
  const naming = await withReferences(deps, actor.tenant, differences);
  const wording = naming((await allWordings(deps, request))(change.type));
  const main = html`<a class="back" href="/history">${icon("back")}${words.title}</a>
<header class="heading"><h1>${words.actions[change.action as keyof typeof words.actions] ?? words.title}</h1></header>
${eventList([historyEvent({ ...change, changed: "{}" }, wording, null)], request)}
${differenceList(differences, change.action, { ...wording, currency: change.currency })}`;
  return { title: words.title, area: "history", main };
};
