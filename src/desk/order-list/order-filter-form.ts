import type { AnyList, Choices } from "../../kit/tables/list.ts";
import { filterField } from "../../kit/tables/narrowing.ts";
import { searchField } from "../../kit/web/forms/search-field.ts";
import { labelledSelect, type Choice } from "../../kit/web/forms/select.ts";
import { dayIn } from "../../kit/web/forms/typed.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { day, type Language } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { orderStatusWord } from "../../orders/invoices/order-words.ts";
import { shownWords } from "../../orders/invoices/shown-state.ts";
import {
  lateNames,
  MISSING_STREET,
  namedDays,
  orderTabs,
  parseNamedDays,
  type OrderTab,
} from "../../orders/wms/orders/order-filters.ts";
import { orderListWords } from "../../orders/wms/pages/order-list-words.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import type { WarehouseLanes } from "../../orders/wms/sending/warehouse-status.ts";
import { parseDate } from "../../platform/dates.ts";
import type { Query } from "../../platform/http/lists/pagination.ts";
import { isCustomParameter } from "../../platform/reads/custom-values.ts";
import { moneyWords } from "../money/money-words.ts";

/** The tab of a list; null if its state has no tab. */
export function tabOf(query: Query): OrderTab | null {
  return otherState(query) === null ? (orderTabs.find((tab) => tab === query.get("state")) ?? "all") : null;
}

/** The state of a list that is no tab. */
export function otherState(query: Query): string | null {
  const state = query.get("state");
  return state === undefined || orderTabs.some((tab) => tab === state) ? null : state;
}

/** The search and the filters. With JavaScript the list follows them; without, a button does it. */
export function orderFilterForm(
  list: AnyList,
  choices: Choices,
  { lanes }: WarehouseLanes,
  request: PageRequest,
): Html {
  const { query, language } = request;
  const words = orderListWords[language];
  const value = (name: string) => query.get(name) ?? "";
  const [owner, instance] = [value("assigned_to"), value("instance")];
  const hidden = ["sort", "per_page", "company", "currency", "sku", "late"].filter(
    (name) => query.get(name) !== undefined,
  );
  const instances = [...new Set([...lanes.map((lane) => lane.instance), instance])].filter((name) => name !== "");
  return html`<form class="filters" role="search" action="/orders" data-live="orders columns views">
${hidden.map((name) => html`<input type="hidden" name="${name}" value="${value(name)}">`)}<div class="search">${searchField(words.search, query.get("search"), words.searchHint)}</div>
${labelledSelect(words.owner, "assigned_to", owner, choices.assigned_to ?? [])}
${datesMenu(query, language)}
<details class="menu"><summary class="button">${words.filters}</summary><div class="more">
${labelledSelect(words.state, "state", value("state"), choices.state ?? [])}
${labelledSelect(words.instance, "instance", instance, [{ value: "", label: words.any }, ...instances.map((name) => ({ value: name, label: name }))])}
${labelledSelect(words.missing, "missing", value("missing"), [
  { value: "", label: words.nothingMissing },
  { value: MISSING_STREET, label: words.street },
])}
${list.filters.filter(({ name }) => isCustomParameter(name)).map((filter) => filterField(list, filter, choices, request))}
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
    html`<label>${words[name]} <input type="date" name="${name}" value="${isRange && dayIn(query.get(name) ?? "")}"></label>`;
  return html`<details class="menu"><summary class="button">${words.dates}</summary><div class="more">
${choice("", words.anyDay, named === null && !isRange)}${namedDays.map((name) => choice(name, words.named[name], name === named))}
${choice("range", words.range, isRange)}<div class="range">${field("from")}${field("to")}</div></div></details>`;
}

/** The names of the days that narrow the list. */
export function dateChoices(query: Query, language: Language): Choices {
  const words = orderListWords[language];
  const { buckets } = moneyWords[language];
  const named = (name: "from" | "to", told: (day: string) => string): Choice[] => {
    const value = query.get(name);
    const date = value === undefined ? null : parseDate(dayIn(value));
    return value === undefined || date === null ? [] : [{ value, label: told(day(language, date)) }];
  };
  return {
    days: namedDays.map((value) => ({ value, label: words.named[value] })),
    from: named("from", words.since),
    to: named("to", words.until),
    late: lateNames.map((value) => ({ value, label: value === "overdue" ? words.overdue : buckets[value] })),
  };
}

/** The usual statuses of orders; another one is in the list if it was requested. */
const STATUSES = ["new", "picking", "packed", "shipped", "delivered"];

/** The states that have no tab, behind the tab that the list is on. */
export function stateChoices(query: Query, language: Language): Choice[] {
  const tab = tabOf(query) ?? "all";
  const other = otherState(query);
  const states = ["put_off", "overdue", "sold", ...Object.keys(shownWords), ...STATUSES];
  if (other !== null && !states.includes(other)) states.push(other);
  return [
    { value: tab === "all" ? "" : tab, label: orderListWords[language].tabs[tab] },
    ...states.map((state) => ({ value: state, label: stateWord(state, language) })),
  ];
}

export function stateWord(state: string, language: Language): string {
  const words = orderListWords[language];
  if (state === "put_off") return words.putOff;
  const ofMoney = ["overdue", "sold", "owed", "paid_too_much"] as const;
  const word = ofMoney.find((each) => each === state);
  if (word !== undefined) return words[word];
  return Object.hasOwn(shownWords, state)
    ? shownWords[state as keyof typeof shownWords][language]
    : orderStatusWord(state, language);
}
