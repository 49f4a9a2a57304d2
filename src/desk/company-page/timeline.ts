import type { Deps } from "../../kit/deps.ts";
import { eventList } from "../../kit/web/event-list.ts";
import { html, type Html } from "../../kit/web/html.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { foldedEvent, runsOf } from "../history/folds.ts";
import { positionText, positionIn, readHappened, type HappenedPage } from "../history/happened.ts";
import { ofCompany } from "../history/history-filters.ts";
import { historyWords } from "../history/history-words.ts";
import { allWordings } from "../history/wordings.ts";
import { pageWords } from "./page-words.ts";

/** The most lines on a company's page. */
const SHOWN = 10;
/** The events that are read of each source: more than lines, because most changes by machines are folded. */
const READ = 40;

/** The views of the events. By default the page shows `said`, or `all` if nothing was said. */
const views = ["all", "said", "changes"] as const;
type View = (typeof views)[number];

/** The events of a company from a position on, newest first. */
export async function timeline(deps: Deps, request: PageRequest, id: string): Promise<Html> {
  const { language, session, query } = request;
  const [{ view, page }, wordings] = await Promise.all([viewed(deps, request, id), allWordings(deps, request)]);
  const folding = { wordings, within: id, language, timeZone: session.workspace.timeZone };
  const runs = runsOf(page.happened, folding);
  const shown = runs.slice(0, SHOWN);
  const position = page.positionAfter(shown.length < runs.length ? (shown.at(-1)?.at(-1) ?? null) : null);
  const words = pageWords[language];
  const at = (address: string) => `/companies/${id}?activity=${address}#happened`;
  const isNewest = query.get("before") === undefined && query.get("said") === undefined;
  return html`<section class="section" id="happened"><header><h2>${words.sections.happened}</h2>
<nav class="switch" aria-label="${words.sections.happened}">${views.map(
    (each) =>
      html`<a href="${at(each)}" data-swap="happened"${each === view && html` aria-current="page"`}>${words.views[each]}</a>`,
  )}</nav></header>
${shown.length === 0 && html`<p class="empty">${words.nothing[view]}</p>`}
${eventList(
  shown.flatMap((run) => foldedEvent(run, folding)),
  request,
  "h3",
)}
<p class="foot">${position !== null && html`<a rel="next" href="${at(`${view}&${positionText(position)}`)}" data-swap="happened">${historyWords[language].older}</a> `}${
    !isNewest && html`<a href="${at(view)}" data-swap="happened">${words.newest}</a> `
  }<a href="/history?company=${id}">${words.allHappened}</a></p>
</section>`;
}

type Viewed = { view: View; page: HappenedPage };

/** The view that the URL names, or the default one. */
async function viewed(deps: Deps, request: PageRequest, id: string): Promise<Viewed> {
  const { query, session } = request;
  const read = async (view: View) => {
    const filters = ofCompany(id, view === "all" ? null : view, session.workspace.timeZone);
    return { view, page: await readHappened(deps, request, filters, positionIn(query), READ) };
  };
  const chosen = views.find((view) => view === query.get("activity"));
  if (chosen !== undefined) return await read(chosen);
  const said = await read("said");
  return said.page.happened.length > 0 ? said : await read("all");
}
