import { activityWords } from "../../customers/activities/activity-words.ts";
import { differencesIn } from "../../kit/changes/differences.ts";
import type { Deps } from "../../kit/deps.ts";
import { eventList } from "../../kit/web/event-list.ts";
import { html, type Html } from "../../kit/web/html.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { foldedEvent, runsOf, type Folding } from "./folds.ts";
import { historyEvent, valuesWithinRoom } from "./history-lines.ts";
import type { HistoryChange } from "./history-queries.ts";
import { withReferences } from "./reference-queries.ts";
import { invoiceWording } from "./wordings.ts";

/** The changes of an invoice as sentences, newest first. They name the invoice and do not link to it. */
export async function invoiceHistory(
  deps: Deps,
  changes: readonly HistoryChange[],
  request: PageRequest,
): Promise<Html | null> {
  if (changes.length === 0) return null;
  const { actor, language, session } = request;
  const all = changes.flatMap(({ changed }) => differencesIn(changed));
  const wording = (await withReferences(deps, actor.tenant, all))(await invoiceWording(deps, request));
  const folding: Folding = { wordings: () => wording, within: null, language, timeZone: session.workspace.timeZone };
  const happened = valuesWithinRoom(changes.map(onOwnPage)).map((change) => ({
    event: historyEvent(change, wording, null),
    change,
  }));
  return html`<section class="section" id="history"><header><h2>${activityWords[language].title}</h2></header>
${eventList(
  runsOf(happened, folding).flatMap((run) => foldedEvent(run, folding)),
  request,
  "h3",
)}</section>`;
}

/** Without links to the page itself, and without the values of the new invoice, which the page shows. */
function onOwnPage(change: HistoryChange): HistoryChange {
  return {
    ...change,
    changed: change.action === "created" ? "{}" : change.changed,
    resource: { ...change.resource, isLive: false },
    company: null,
  };
}
