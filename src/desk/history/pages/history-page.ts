import { writerIn } from "../../../kit/changes/change-words.ts";
import { changeActions } from "../../../kit/changes/change.ts";
import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import { eventList } from "../../../kit/web/event-list.ts";
import { choicesAmong, labelledSelect, options, type Choice } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { day, moment, type Language } from "../../../kit/web/language.ts";
import type { Page, PageRequest } from "../../../kit/web/page.ts";
import { printedFilters } from "../../../kit/web/printed-filters.ts";
import { listApiKeys } from "../../../people/api-keys/api-key-queries.ts";
import { usersEver } from "../../../people/users/user-queries.ts";
import { isoTimestamp } from "../../../platform/dates.ts";
import { foldedEvent, runsOf } from "../folds.ts";
import { happenedQuery, positionIn, readHappened, type HappenedPosition } from "../happened.ts";
import { happenedTypes, namelessWriters, parseHistoryFilters } from "../history-filters.ts";
import { findCompanyEver, type HistoryFilters, type Named } from "../history-queries.ts";
import { historyWords } from "../history-words.ts";
import { allWordings } from "../wordings.ts";

const SHOWN = 50;

/**
 * GET /history: all activities and changes, newest first; with `company`, those of one company and its related
 * resources (docs/web.md 12).
 */
export const historyPage: Page = async (deps, request) => {
  const { actor, query, language, session } = request;
  const { timeZone } = session.workspace;
  const words = historyWords[language];
  const filters = parseHistoryFilters(query, timeZone);
  const { companyId } = filters;
  const company = companyId === null ? null : await findCompanyEver(actor.tenant, deps.database, companyId);
  if (companyId !== null && company === null) throw errors.resourceMissing("Company", companyId);
  const [{ happened, positionAfter }, writers, wordings] = await Promise.all([
    readHappened(deps, request, filters, positionIn(query), SHOWN),
    writerChoices(deps, request),
    allWordings(deps, request),
  ]);
  const folding = { wordings, within: companyId, language, timeZone };
  const shown = happened.slice(0, SHOWN);
  const next = positionAfter(shown.length < happened.length ? (shown.at(-1) ?? null) : null);
  const title = company === null ? words.title : words.titleOf(company.name ?? "");
  const main = html`${company !== null && back(company)}
<header class="heading"><h1>${title}</h1></header>
${filterForm(filters, writers, language)}
<div id="changes">
${onPaper(filters, writers, language)}
${shown.length === 0 && html`<p class="empty">${isAll(filters) && next === null ? words.empty : words.nothing}</p>`}
${eventList(
  runsOf(shown, folding).flatMap((run) => foldedEvent(run, folding)),
  request,
)}
${older(filters, next, shown.length < SHOWN && !isAll(filters), language)}
</div>`;
  return { title, area: "history", main };
};

function back({ id, name, isLive }: Named): Html | null {
  return isLive ? html`<a class="back" href="/companies/${id}">${icon("back")}${name}</a>` : null;
}

type Writers = readonly { label: string; choices: readonly Choice[] }[];

function onPaper({ type, action, by, from, to }: HistoryFilters, writers: Writers, language: Language): Html | null {
  const words = historyWords[language];
  const dayOf = (each: string | null) => each && day(language, each);
  return printedFilters([
    [words.type, type && words.types[type as (typeof happenedTypes)[number]]],
    [words.by, writers.flatMap(({ choices }) => choices).find(({ value }) => value === by)?.label],
    [words.action, action && words.actions[action as (typeof changeActions)[number]]],
    [words.from, dayOf(from)],
    [words.to, dayOf(to)],
  ]);
}

function filterForm(filters: HistoryFilters, writers: Writers, language: Language): Html {
  const words = historyWords[language];
  const { companyId, type, action, by, from, to } = filters;
  const active = [type, action, by, from, to].filter((filter) => filter !== null).length;
  const select = (name: "type" | "action", choices: readonly Choice[], chosen: string | null) =>
    labelledSelect(words[name], name, chosen, [{ value: "", label: words.any }, ...choices]);
  const date = (name: "from" | "to", value: string | null) =>
    html`<label>${words[name]} <input type="date" name="${name}" value="${value}"></label>`;
  return html`<form class="filters" action="/history" data-live="changes active-filters">
${companyId !== null && html`<input type="hidden" name="company" value="${companyId}">`}
${select("type", choicesAmong(words.types, happenedTypes), type)}
<label>${words.by} <select name="by"><option value="">${words.any}</option>${writers.map(({ label, choices }) => choices.length > 0 && html`<optgroup label="${label}">${options(choices, by)}</optgroup>`)}</select></label>
<details class="menu"><summary class="button">${words.filters}<span id="active-filters">${active > 0 && `\u00a0(${active})`}</span></summary><div class="more">
${select("action", choicesAmong(words.actions, changeActions), action)}
${date("from", from)}
${date("to", to)}
</div></details>
<noscript><button>${words.show}</button></noscript>
</form>`;
}

/** All possible authors: the users, the keys, and those without an id. */
async function writerChoices({ database }: Deps, { actor, language }: PageRequest): Promise<Writers> {
  const words = historyWords[language];
  const [users, keys] = await Promise.all([usersEver(actor.tenant, database), listApiKeys(actor.tenant, database)]);
  return [
    { label: words.users, choices: users.map(({ id, name }) => ({ value: `user:${id}`, label: name })) },
    { label: words.keys, choices: keys.map(({ id, name }) => ({ value: `key:${id}`, label: name })) },
    {
      label: words.others,
      choices: namelessWriters.map((value) => ({ value, label: writerIn(language, value, null) })),
    },
  ];
}

function older(
  filters: HistoryFilters,
  next: HappenedPosition | null,
  isGivenUp: boolean,
  language: Language,
): Html | null {
  if (next === null) return null;
  const words = historyWords[language];
  // A page that is not full may end where the scan stopped; more entries can follow.
  const at = [next.said, next.changes]
    .flatMap((each) => (each === null ? [] : isoTimestamp(each.at)))
    .toSorted()
    .at(-1);
  const reached = isGivenUp && at !== undefined && words.soFar(moment(language, at, filters.timeZone));
  return html`${reached !== false && html`<p class="muted">${reached}</p>`}
<nav class="pager"><a rel="next" href="?${happenedQuery(filters, next)}">${words.older}</a></nav>`;
}

function isAll(filters: HistoryFilters): boolean {
  const { type, action, by, from, to } = filters;
  return [type, action, by, from, to].every((filter) => filter === null);
}
