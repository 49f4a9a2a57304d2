import { userChoices, type Users } from "../../companies/pages/choices.ts";
import { orderStatusWord } from "../../invoices/order-words.ts";
import { shownWords } from "../../invoices/shown-state.ts";
import { parseDate } from "../../platform/dates.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import { searchField } from "../../web/forms/search-field.ts";
import { labelledSelect, type Choice } from "../../web/forms/select.ts";
import { dayIn } from "../../web/forms/typed.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { day, type Language } from "../../web/language.ts";
import type { PageRequest } from "../../web/page.ts";
import { namedDays, orderTabs, parseNamedDays, type OrderTab } from "../orders/order-filters.ts";
import type { WarehouseLanes } from "../sending/warehouse-status.ts";
import { orderListWords } from "./order-list-words.ts";
import { wayWords } from "./way-words.ts";

/** The tab of a list; that of all orders if its state has no tab. */
export function tabOf(query: Query): OrderTab {
  return orderTabs.find((tab) => tab === query.get("state")) ?? "all";
}

/** The state of a list that is no tab. */
function otherState(query: Query): string | null {
  const state = query.get("state");
  return state === undefined || orderTabs.some((tab) => tab === state) ? null : state;
}

/** Whether the list has a filter beside its tab. */
export function isOrderListNarrowed(query: Query): boolean {
  const names = ["search", "assigned_to", "instance", "from", "to"];
  const isAsked = names.some((name) => query.get(name) !== undefined);
  return isAsked || otherState(query) !== null || parseNamedDays(query) !== null;
}

/** The search and the filters. With JavaScript the list follows them; without, a button does it. */
export function orderFilterForm(users: Users, { lanes }: WarehouseLanes, { query, language }: PageRequest): Html {
  const words = orderListWords[language];
  const value = (name: string) => query.get(name) ?? "";
  const [owner, instance] = [value("assigned_to"), value("instance")];
  const hidden = ["sort", "per_page"].filter((name) => query.get(name) !== undefined);
  const instances = [...new Set([...lanes.map((lane) => lane.instance), instance])].filter((name) => name !== "");
  return html`<form class="filters" role="search" action="/orders" data-live="orders">
${hidden.map((name) => html`<input type="hidden" name="${name}" value="${value(name)}">`)}<div class="search">${searchField(words.search, query.get("search"), words.searchHint)}</div>
${labelledSelect(words.owner, "assigned_to", owner, userChoices(users, owner, words.anybody))}
${datesMenu(query, language)}
<details class="menu"><summary class="button quiet">${words.filters}</summary><div class="more">
${labelledSelect(words.state, "state", value("state"), stateChoices(query, language))}
${labelledSelect(words.instance, "instance", instance, [{ value: "", label: words.any }, ...instances.map((name) => ({ value: name, label: name }))])}
</div></details>
<noscript><button>${wayWords[language].filter}</button></noscript>
</form>`;
}

/** One menu for the days of issue: ranges with a name, or two fields. */
function datesMenu(query: Query, language: Language): Html {
  const words = orderListWords[language];
  const named = parseNamedDays(query);
  const isRange = named === null && (query.get("from") !== undefined || query.get("to") !== undefined);
  const choice = (value: string, label: string, isChosen: boolean) =>
    html`<label class="choice"><input type="radio" name="days" value="${value}"${isChosen && html` checked`}> ${label}</label>`;
  const field = (name: "from" | "to") =>
    html`<label>${words[name]} <input type="date" name="${name}" value="${isRange && query.get(name)}"></label>`;
  return html`<details class="menu"><summary class="button quiet">${words.dates}</summary><div class="more">
${choice("", words.anyDay, named === null && !isRange)}${namedDays.map((name) => choice(name, words.named[name], name === named))}
${choice("range", words.range, isRange)}<div class="range">${field("from")}${field("to")}</div></div></details>`;
}

/** The filters of the list that are not seen in its form, each with a link that removes it. */
export function filterChips(users: Users, { query, language }: PageRequest): Html | null {
  const words = orderListWords[language];
  const [state, owner, instance] = [otherState(query), query.get("assigned_to"), query.get("instance")];
  const dates = daysWord(query, language);
  const chips: { names: string[]; text: string }[] = [
    ...(state === null ? [] : [{ names: ["state"], text: `${words.state}: ${stateWord(state, language)}` }]),
    ...(owner === undefined
      ? []
      : [{ names: ["assigned_to"], text: `${words.owner}: ${labelOf(userChoices(users, owner, ""), owner)}` }]),
    ...(dates === null ? [] : [{ names: ["days", "from", "to"], text: `${wayWords[language].issued}: ${dates}` }]),
    ...(instance === undefined ? [] : [{ names: ["instance"], text: `${words.instance}: ${instance}` }]),
  ];
  if (chips.length === 0) return null;
  return html`<ul class="chips narrowed" aria-label="${words.filtered}">${chips.map(({ names, text }) => {
    const others = query.othersThan("page", ...names);
    return html`<li><a class="chip" href="/orders${others !== "" && `?${others}`}"><span class="hidden">${words.removeFilter} </span>${text}${icon("close")}</a></li>`;
  })}</ul>`;
}

function daysWord(query: Query, language: Language): string | null {
  const words = orderListWords[language];
  const named = parseNamedDays(query);
  if (named !== null) return words.named[named];
  const [from, to] = ["from", "to"].map((name) => {
    const text = query.get(name);
    const date = text === undefined ? null : parseDate(dayIn(text));
    return text === undefined ? null : date === null ? text : day(language, date);
  });
  if (from && to) return `${from} – ${to}`;
  return from ? words.since(from) : to ? words.until(to) : null;
}

/** The usual statuses of orders; another one stays in the list where it was asked for. */
const STATUSES = ["new", "picking", "packed", "shipped", "delivered"];

/** The states that have no tab, behind the tab that the list is on. */
function stateChoices(query: Query, language: Language): Choice[] {
  const tab = tabOf(query);
  const other = otherState(query);
  const states = ["put_off", "overdue", ...Object.keys(shownWords), ...STATUSES];
  if (other !== null && !states.includes(other)) states.push(other);
  return [
    { value: tab === "all" ? "" : tab, label: orderListWords[language].tabs[tab] },
    ...states.map((state) => ({ value: state, label: stateWord(state, language) })),
  ];
}

function stateWord(state: string, language: Language): string {
  const words = orderListWords[language];
  if (state === "put_off") return words.putOff;
  if (state === "overdue") return words.overdue;
  return Object.hasOwn(shownWords, state)
    ? shownWords[state as keyof typeof shownWords][language]
    : orderStatusWord(state, language);
}

function labelOf(choices: readonly Choice[], value: string): string {
  return choices.find((choice) => choice.value === value)?.label ?? value;
}
