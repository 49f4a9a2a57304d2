import { contactsToChoose } from "../activities/activity-queries.ts";
import { composer, type RefusedActivity } from "../activities/pages/composer.ts";
import { differencesIn } from "../changes/differences.ts";
import type { Deps } from "../deps.ts";
import { happenedQuery, placeIn, readHappened, type Happened, type HappenedPage } from "../history/happened.ts";
import { ofCompany } from "../history/history-filters.ts";
import type { HistoryFilters } from "../history/history-queries.ts";
import { historyWords } from "../history/history-words.ts";
import { orderStatusWord } from "../invoices/order-words.ts";
import { parseQuery } from "../platform/http/lists/pagination.ts";
import { eventList, type Event } from "../web/event-list.ts";
import { html, type Html } from "../web/html.ts";
import { counted, dayOf, type Language } from "../web/language.ts";
import type { PageRequest } from "../web/page.ts";
import { pageWords } from "./page-words.ts";

/** The most lines on a company's page. */
const SHOWN = 10;
/** The events that are read of each source: more than lines, because most changes by machines are folded. */
const READ = 40;

/** The views of the events. By default the page shows `said`, or `all` if nothing was said. */
const views = ["all", "said", "changes"] as const;
type View = (typeof views)[number];

/** The latest events of a company, below the form that adds an activity. */
export async function timeline(
  deps: Deps,
  request: PageRequest,
  id: string,
  refused: RefusedActivity | null,
): Promise<Html> {
  const { actor, language, session } = request;
  const { timeZone } = session.workspace;
  const [{ view, filters, page }, contacts] = await Promise.all([
    viewed(deps, request, id),
    contactsToChoose(actor.tenant, deps.database, id),
  ]);
  const runs = runsOf(page.happened, language, timeZone);
  const shown = runs.slice(0, SHOWN);
  const place = page.placeAfter(shown.length < runs.length ? (shown.at(-1)?.at(-1) ?? null) : null);
  const words = pageWords[language];
  return html`<section class="section" id="happened"><header><h2>${words.sections.happened}</h2>
<nav class="switch" aria-label="${words.sections.happened}">${views.map(
    (each) =>
      html`<a href="/companies/${id}?activity=${each}" data-swap="happened"${each === view && html` aria-current="page"`}>${words.views[each]}</a>`,
  )}</nav></header>
${composer({ action: `/companies/${id}/activities`, contacts, refused, swaps: "happened facts notice", language })}
${shown.length === 0 && html`<p class="empty">${words.nothing[view]}</p>`}
${eventList(
  shown.flatMap((run) => (run.length === 1 ? run.map(({ event }) => event) : fold(run, language))),
  request,
  "h3",
)}
<p class="foot">${place !== null && html`<a rel="next" href="/history?${happenedQuery(filters, place)}">${historyWords[language].older}</a> `}<a href="/history?company=${id}">${words.allHappened}</a></p>
</section>`;
}

type Viewed = { view: View; filters: HistoryFilters; page: HappenedPage };

/** The view that the URL names, or the default one. */
async function viewed(deps: Deps, request: PageRequest, id: string): Promise<Viewed> {
  const read = async (view: View) => {
    const filters = ofCompany(id, view === "all" ? null : view, request.session.workspace.timeZone);
    return { view, filters, page: await readHappened(deps, request, filters, placeIn(parseQuery("")), READ) };
  };
  const chosen = views.find((view) => view === request.query.get("activity"));
  if (chosen !== undefined) return await read(chosen);
  const said = await read("said");
  return said.page.happened.length > 0 ? said : await read("all");
}

/** The events in groups: consecutive events of one day that all come from machines are one group. */
function runsOf(events: readonly Happened[], language: Language, timeZone: string): Happened[][] {
  const runs: Happened[][] = [];
  const dayIn = ({ event }: Happened) => dayOf(language, event.at, timeZone);
  for (const told of events) {
    const before = runs.at(-1)?.at(-1);
    const isSameDay = before !== undefined && dayIn(before) === dayIn(told);
    if (before !== undefined && [before, told].every(isOfMachines) && isSameDay) runs.at(-1)?.push(told);
    else runs.push([told]);
  }
  return runs;
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
