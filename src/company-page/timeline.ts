import { contactsToChoose, listActivities } from "../activities/activity-queries.ts";
import { activityEvent } from "../activities/pages/activity-list.ts";
import { composer, type RefusedActivity } from "../activities/pages/composer.ts";
import { differencesIn } from "../changes/differences.ts";
import type { Deps } from "../deps.ts";
import { allOfCompany } from "../history/history-filters.ts";
import { historyEvent } from "../history/history-lines.ts";
import { readHistory, type HistoryChange } from "../history/history-queries.ts";
import { allTellings } from "../history/tellings.ts";
import { orderStatusWord } from "../invoices/order-words.ts";
import { isoTimestamp } from "../platform/dates.ts";
import { momentBefore } from "../platform/http/lists/moment-cursor.ts";
import { eventList, type Event } from "../web/event-list.ts";
import { html, type Html } from "../web/html.ts";
import { counted, dayOf, type Language } from "../web/language.ts";
import type { PageRequest } from "../web/page.ts";
import { pageWords } from "./page-words.ts";

/** As many events as a company's page shows, and the changes that are read for them: most of what machines tell is folded. */
const SHOWN = 10;
const READ = 40;

/** The latest that happened at a company, below the form that adds to it. */
export async function timeline(
  { database, ...deps }: Deps,
  request: PageRequest,
  id: string,
  refused: RefusedActivity | null,
): Promise<Html> {
  const { actor, language, session } = request;
  const { timeZone } = session.workspace;
  const latest = momentBefore(undefined);
  const [{ changes }, activities, contacts, tellings] = await Promise.all([
    readHistory(actor.tenant, database, allOfCompany(id, timeZone), latest, READ),
    listActivities(actor.tenant, database, { of: "company", id }, latest, SHOWN),
    contactsToChoose(actor.tenant, database, id),
    allTellings({ database, ...deps }, request),
  ]);
  const events = [
    // An activity says more than the change that it makes.
    ...changes
      .filter(({ changed }) => !isLastContact(changed))
      .map((change) => ({ event: historyEvent(change, tellings(change.type), id), change })),
    ...activities.map((activity) => ({ event: activityEvent(activity, request, true), change: null })),
  ].toSorted((a, b) => (isoTimestamp(a.event.at) < isoTimestamp(b.event.at) ? 1 : -1));
  const swaps = "happened facts notice";
  const words = pageWords[language];
  return html`<section class="section" id="happened"><header><h2>${words.sections.happened}</h2>
<a class="button quiet" href="/history?company=${id}">${words.allHappened}</a></header>
${composer({ action: `/companies/${id}/activities`, contacts, refused, swaps, language })}
${eventList(folded(events, language, timeZone).slice(0, SHOWN), request, "h3")}
</section>`;
}

/** `change` is null of an activity. */
type Happened = { event: Event; change: HistoryChange | null };

/** The events, with those of a day that machines alone told one after the other as one. */
function folded(events: readonly Happened[], language: Language, timeZone: string): Event[] {
  const runs: Happened[][] = [];
  const dayIn = ({ event }: Happened) => dayOf(language, event.at, timeZone);
  for (const told of events) {
    const before = runs.at(-1)?.at(-1);
    const isSameDay = before !== undefined && dayIn(before) === dayIn(told);
    if (before !== undefined && [before, told].every(isOfMachines) && isSameDay) runs.at(-1)?.push(told);
    else runs.push([told]);
  }
  return runs.flatMap((run) => (run.length === 1 ? run.map(({ event }) => event) : fold(run, language)));
}

function isOfMachines({ change }: Happened): boolean {
  return change !== null && change.changedBy === "worker";
}

/** "Shipped: INV-3, INV-4 · 5 changes", with the changes behind it. */
function fold(run: readonly Happened[], language: Language): Event[] {
  const words = pageWords[language];
  const latest = new Map<string, string>();
  for (const { change } of run) {
    const name = change?.resource.name ?? "";
    const status = differencesIn(change?.changed ?? null).find(({ field }) => field === "wms_status")?.to;
    if (!latest.has(name) && typeof status === "string") latest.set(name, orderStatusWord(status, language));
  }
  const byStatus = Map.groupBy(latest, ([, status]) => status);
  const told = [...byStatus].map(([status, invoices]) => `${status}: ${invoices.map(([name]) => name).join(", ")}`);
  const summary = [...told, counted(language, run.length, words.changes)].join(" · ");
  const content = html`<details class="folded"><summary>${summary}</summary>
<ul>${run.map(({ event }) => html`<li>${event.content}</li>`)}</ul></details>`;
  return run.slice(0, 1).map(({ event: { at } }) => ({ at, content }));
}

function isLastContact(changed: string | null): boolean {
  const differences = differencesIn(changed);
  return differences.length === 1 && differences[0]?.field === "last_contacted_at";
}
