import { userChoices, type Users } from "../../companies/pages/choices.ts";
import { orderStatusWord } from "../../invoices/order-words.ts";
import { following, shownWords, type ShownWord } from "../../invoices/shown-state.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { isId } from "../../platform/ids.ts";
import { usersToChoose } from "../../users/user-queries.ts";
import { searchField } from "../../web/forms/search-field.ts";
import { labelledSelect, type Choice } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { wholeNumber, type Language } from "../../web/language.ts";
import { notice } from "../../web/notice.ts";
import { ownPath } from "../../web/own-path.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { pageHref, pager } from "../../web/pager.ts";
import { orderSorts, parseOrderFilters, parseOrderSort } from "../orders/order-filters.ts";
import { listOrders, MOST_ORDERS_LISTED, type ListedOrder } from "../orders/order-list-queries.ts";
import { queueInvoices } from "../sending/sending-queries.ts";
import { orderListWords } from "./order-list-words.ts";
import { ordersTable } from "./orders-table.ts";
import { unreachable } from "./unreachable.ts";
import { wayWords } from "./way-words.ts";

/** GET /orders: every invoice of the workspace with its order, narrowed and sorted (docs/web.md 9). */
export const listOrdersPage: Page = async (deps, request) => {
  const { actor, query, language } = request;
  const words = orderListWords[language];
  const filters = parseOrderFilters(query);
  const asked = parsePage(query);
  const [found, users] = await Promise.all([
    filters === null
      ? { orders: [], total: 0, isCut: false, page: { ...asked, page: 1, offset: 0 } }
      : listOrders(actor.tenant, deps, filters, parseOrderSort(query), asked),
    usersToChoose(actor.tenant, deps.database),
  ]);
  const { orders, total, isCut, page } = found;
  const main = html`<header class="heading"><h1>${words.title} <span class="count" id="total">${wholeNumber(language, total)}${isCut && "+"}</span></h1><a class="button main" href="/invoices/new" aria-keyshortcuts="n i">${icon("add")}${wayWords[language].new}</a></header>
${deps.warehouse === null && unreachable(request)}
${filterForm(users, request)}
<div id="orders"${following(orders.map(({ invoice }) => invoice))}>
${orders.length === 0 ? empty(request) : table(orders, request, deps.warehouse !== null)}
${pager(page, { count: orders.length, total }, pageHref(query), language)}
${isCut && html`<p class="foot">${words.more(wholeNumber(language, MOST_ORDERS_LISTED))}</p>`}
</div>`;
  return { title: words.title, area: "orders", main };
};

/** POST /orders/send: those of the selection (`invoices`, repeated) that may be sent are queued, and the others counted. */
export const sendOrdersPage: Page = async (deps, { actor, form }) => {
  const chosen = new Set(form.all("invoices").filter(isId));
  const queued = deps.warehouse === null ? [] : await queueInvoices(actor.tenant, deps.database, [...chosen]);
  const values = { queued: String(queued.length), skipped: String(chosen.size - queued.length) };
  return { to: ownPath(form.get("to")) ?? "/orders", notice: notice("invoices-queued", values) };
};

function table(orders: readonly ListedOrder[], request: PageRequest, isReachable: boolean): Html {
  const words = orderListWords[request.language];
  return html`<form method="post" action="/orders/send" data-select>
<input type="hidden" name="to" value="${request.address}">
${ordersTable(orders, request, isReachable)}
<fieldset class="bulk"><legend class="hidden">${words.sendSelected}</legend>
<span>${words.selected} <span data-selected></span></span><button class="main">${words.sendSelected}</button></fieldset></form>`;
}

function empty({ query, language }: PageRequest): Html {
  const words = orderListWords[language];
  const others = query.othersThanPage;
  if (others === "") return html`<p class="empty">${words.none}</p>`;
  const quiet: Readonly<Record<string, string>> = { "state=attention": words.quiet, "state=put_off": words.noneOff };
  return html`<div class="empty"><p>${quiet[others] ?? words.nothing}</p>
<p><a class="button" href="/orders">${words.everything}</a></p></div>`;
}

function filterForm(users: Users, { query, language }: PageRequest): Html {
  const words = orderListWords[language];
  const value = (name: string) => query.get(name) ?? "";
  const [state, owner, instance] = [value("state"), value("assigned_to"), value("instance")];
  const sort = parseOrderSort(query);
  return html`<form class="filters" role="search" action="/orders" data-live="orders total">
<div class="search">${searchField(words.search, query.get("search"), words.searchHint)}</div>
${labelledSelect(words.state, "state", state, stateChoices(state, language))}
${labelledSelect(words.owner, "assigned_to", owner, userChoices(users, owner, words.anybody))}
${
  instance !== "" &&
  labelledSelect(words.instance, "instance", instance, [
    { value: "", label: words.any },
    { value: instance, label: instance },
  ])
}
<span><label>${words.from} <input type="date" name="from" value="${value("from")}"></label>
<label>${words.to} <input type="date" name="to" value="${value("to")}"></label></span>
${labelledSelect(
  words.sort,
  "sort",
  sort === orderSorts[0] ? "" : sort,
  orderSorts.map((name, index) => ({ value: index === 0 ? "" : name, label: words.sorts[name] })),
)}
<noscript><button>${wayWords[language].filter}</button></noscript>
</form>`;
}

/** The usual statuses of orders; another one stays in the list where it was asked for. */
const STATUSES = ["new", "picking", "packed", "shipped", "delivered"];

function stateChoices(chosen: string, language: Language): Choice[] {
  const words = orderListWords[language];
  const known: Choice[] = [
    { value: "", label: words.any },
    { value: "attention", label: words.attention },
    { value: "put_off", label: words.putOff },
    { value: "under_way", label: words.underWay },
    { value: "overdue", label: words.overdue },
    ...(Object.keys(shownWords) as ShownWord[]).map((word) => ({ value: word, label: shownWords[word][language] })),
    ...STATUSES.map((status) => ({ value: status, label: orderStatusWord(status, language) })),
  ];
  if (known.some(({ value }) => value === chosen)) return known;
  return [...known, { value: chosen, label: orderStatusWord(chosen, language) }];
}
