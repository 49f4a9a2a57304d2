import { listApiKeys } from "../../api-keys/api-key-queries.ts";
import { writerIn } from "../../changes/change-words.ts";
import { changeActions, historyTypes } from "../../changes/change.ts";
import type { Deps } from "../../deps.ts";
import { errors } from "../../errors.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import { momentBefore, momentText, type Moment } from "../../platform/http/lists/moment-cursor.ts";
import { usersEver } from "../../users/user-queries.ts";
import { eventList } from "../../web/event-list.ts";
import { choicesAmong, labelledSelect, options, type Choice } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { moment, type Language } from "../../web/language.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { historyFiltersText, namelessWriters, parseHistoryFilters } from "../history-filters.ts";
import { historyEvent } from "../history-lines.ts";
import { findCompanyEver, readHistory, type HistoryFilters, type Named } from "../history-queries.ts";
import { historyWords } from "../history-words.ts";
import { allTellings } from "../tellings.ts";

const SHOWN = 50;

/** GET /history: all that was written, newest first; with `company` that of a company and of what belongs to it (docs/web.md 12). */
export const historyPage: Page = async (deps, request) => {
  const { actor, query, language, session } = request;
  const { timeZone } = session.workspace;
  const words = historyWords[language];
  const filters = parseHistoryFilters(query, timeZone);
  const { companyId } = filters;
  const company = companyId === null ? null : await findCompanyEver(actor.tenant, deps.database, companyId);
  if (companyId !== null && company === null) throw errors.resourceMissing("Company", companyId);
  const [{ changes, next }, tellings, writers] = await Promise.all([
    readHistory(actor.tenant, deps.database, filters, momentBefore(query.get("before")), SHOWN),
    allTellings(deps, request),
    writerChoices(deps, request),
  ]);
  const title = company === null ? words.title : words.titleOf(company.name ?? "");
  const main = html`${company !== null && back(company)}
<header class="heading"><h1>${title}</h1></header>
${filterForm(filters, writers, language)}
<div id="changes">
${changes.length === 0 && html`<p class="empty">${isAll(filters) && next === null ? words.empty : words.nothing}</p>`}
${eventList(
  changes.map((change) => historyEvent(change, tellings(change.type), companyId)),
  request,
)}
${older(filters, next, changes.length, language)}
</div>`;
  return { title, area: "history", main };
};

function back({ id, name, isLive }: Named): Html | null {
  return isLive ? html`<a class="back" href="/companies/${id}">${icon("back")}${name}</a>` : null;
}

function filterForm(filters: HistoryFilters, writers: Html, language: Language): Html {
  const words = historyWords[language];
  const { companyId, type, action, from, to } = filters;
  const select = (name: "type" | "action", choices: readonly Choice[], chosen: string | null) =>
    labelledSelect(words[name], name, chosen, [{ value: "", label: words.any }, ...choices]);
  const date = (name: "from" | "to", value: string | null) =>
    html`<label>${words[name]} <input type="date" name="${name}" value="${value}"></label>`;
  return html`<form class="filters" action="/history" data-live="changes">
${companyId !== null && html`<input type="hidden" name="company" value="${companyId}">`}
${select("type", choicesAmong(words.types, historyTypes), type)}
${select("action", choicesAmong(words.actions, changeActions), action)}
<label>${words.by} <select name="by"><option value="">${words.any}</option>${writers}</select></label>
<span>${date("from", from)} ${date("to", to)}</span>
<noscript><button>${words.show}</button></noscript>
</form>`;
}

/** All who may have written: the users, the keys, and those that have no name. */
async function writerChoices({ database }: Deps, { actor, query, language }: PageRequest): Promise<Html> {
  const words = historyWords[language];
  const [users, keys] = await Promise.all([usersEver(actor.tenant, database), listApiKeys(actor.tenant, database)]);
  const chosen = query.get("by") ?? null;
  const group = (label: string, choices: readonly Choice[]) =>
    choices.length > 0 && html`<optgroup label="${label}">${options(choices, chosen)}</optgroup>`;
  return html`${group(
    words.users,
    users.map(({ id, name }) => ({ value: `user:${id}`, label: name })),
  )}
${group(
  words.keys,
  keys.map(({ id, name }) => ({ value: `key:${id}`, label: name })),
)}
${group(
  words.others,
  namelessWriters.map((value) => ({ value, label: writerIn(language, value, null) })),
)}`;
}

function older(filters: HistoryFilters, next: Moment | null, count: number, language: Language): Html | null {
  if (next === null) return null;
  const words = historyWords[language];
  const query = historyFiltersText(filters);
  query.set("before", momentText(next));
  // A page that is not full ends where the search was given up, and not where there is no more.
  const reached = count < SHOWN && words.soFar(moment(language, isoTimestamp(next.at), filters.timeZone));
  return html`${reached !== false && html`<p class="muted">${reached}</p>`}
<nav class="pager"><a rel="next" href="?${query.toString()}">${words.older}</a></nav>`;
}

function isAll(filters: HistoryFilters): boolean {
  const { type, action, by, from, to } = filters;
  return [type, action, by, from, to].every((filter) => filter === null);
}
