import type { Deps } from "../../deps.ts";
import { MOST_IN_NEED } from "../../invoices/shown-queries.ts";
import { following } from "../../invoices/shown-state.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { isId } from "../../platform/ids.ts";
import { usersToChoose } from "../../users/user-queries.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { wholeNumber } from "../../web/language.ts";
import { notice } from "../../web/notice.ts";
import { ownPath } from "../../web/own-path.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { pageHref, pager } from "../../web/pager.ts";
import { countLinks } from "../confirming/reconfirm-queries.ts";
import { orderTabs, parseOrderFilters, parseOrderSort, type OrderTab } from "../orders/order-filters.ts";
import { countTabs, listOrders, MOST_ORDERS_LISTED, type ListedOrder } from "../orders/order-list-queries.ts";
import { redrive } from "../sending/push-invoices.ts";
import { queueInvoices } from "../sending/sending-queries.ts";
import { tryWarehouse, warehouseLanes } from "../sending/warehouse-status.ts";
import { lanesStrip, MOST_JOBS_COUNTED } from "./lanes-strip.ts";
import { filterChips, orderFilterForm, isOrderListNarrowed, tabOf } from "./order-filter-form.ts";
import { orderListWords } from "./order-list-words.ts";
import { ordersForm } from "./orders-table.ts";
import { unreachable } from "./unreachable.ts";
import { wayWords } from "./way-words.ts";

/** GET /orders: every invoice of the workspace with its order, by tab, narrowed and sorted (docs/web.md 9). */
export const listOrdersPage: Page = async (deps, request) => {
  const { actor, query, language, session } = request;
  const words = orderListWords[language];
  const filters = parseOrderFilters(query, session.workspace.timeZone);
  const [sort, asked] = [parseOrderSort(query), parsePage(query)];
  const [found, counts, users, lanes, links] = await Promise.all([
    filters === null
      ? { orders: [], total: 0, isCut: false, page: { ...asked, page: 1, offset: 0 } }
      : listOrders(actor.tenant, deps, filters, sort, asked),
    tabCounts(deps, request),
    usersToChoose(actor.tenant, deps.database),
    warehouseLanes(deps, actor.tenant, MOST_JOBS_COUNTED),
    countLinks(actor.tenant, deps.database, null),
  ]);
  const { orders, total, isCut, page } = found;
  const main = html`<header class="heading"><h1>${words.title}</h1>${orderFilterForm(users, lanes, request)}<a class="button main" href="/invoices/new" aria-keyshortcuts="n i">${icon("add")}${wayWords[language].new}</a></header>
${deps.warehouse === null && unreachable(request)}
<div id="orders"${following(orders.map(({ invoice }) => invoice)) ?? (lanes.lanes.length > 0 && html` data-refresh="10"`)}>
${tabs(counts, found, request)}
${filterChips(users, request)}
${orders.length === 0 ? empty(request) : ordersForm(orders, request, { isReachable: deps.warehouse !== null, sort })}
${pager(page, { count: orders.length, total }, pageHref(query), language)}
${isCut && html`<p class="foot">${words.more(wholeNumber(language, MOST_ORDERS_LISTED))}</p>`}
${lanesStrip(lanes, links, request)}
</div>`;
  return { title: words.title, area: "orders", main, ordersInNeed: counts.attention };
};

/** POST /orders/send: those of the selection (`invoices`, repeated) that may be sent are queued, and the others counted. */
export const sendOrdersPage: Page = async (deps, { actor, form }) => {
  const chosen = new Set(form.all("invoices").filter(isId));
  const queued = deps.warehouse === null ? [] : await queueInvoices(actor.tenant, deps.database, [...chosen]);
  const values = { queued: String(queued.length), skipped: String(chosen.size - queued.length) };
  return { to: ownPath(form.get("to")) ?? "/orders", notice: notice("invoices-queued", values) };
};

/** POST /orders/redrive: queues everything that failed again; what is open is looked up first. */
export const redrivePage: Page = async (deps, { actor, form }) => {
  const queued = deps.warehouse === null ? 0 : await redrive(deps, actor.tenant, null);
  const to = ownPath(form.get("to")) ?? "/orders";
  return { to, notice: notice("invoices-queued", { queued: String(queued), skipped: "0" }) };
};

/** POST /orders/try: calls the paused warehouse of `subdomain` before the end of its pause. */
export const tryWarehousePage: Page = async (deps, { actor, form }) => {
  const name = form.get("subdomain") ?? "";
  const isTried = await tryWarehouse(deps, actor.tenant, name);
  return {
    to: ownPath(form.get("to")) ?? "/orders",
    notice: notice("warehouse-tried", { name: name.slice(0, 63), done: isTried ? "1" : "0" }),
  };
};

/** GET /warehouse: the former page of the queue. Its address leads to the orders, with its query. */
export const formerQueuePage: Page = async (_deps, { query }) => {
  const asked = query.othersThan("page");
  return { to: `/orders${asked === "" ? "" : `?${asked}`}` };
};

type TabCounts = Partial<Record<OrderTab, number>>;

/**
 * The numbers of the other tabs. The list itself has that of its own tab. Filters narrow only the list, so there are no
 * numbers beside them.
 */
async function tabCounts({ database }: Deps, { actor, query }: PageRequest): Promise<TabCounts> {
  if (isOrderListNarrowed(query)) return {};
  const here = tabOf(query);
  return await countTabs(
    actor.tenant,
    database,
    orderTabs.filter((tab) => tab !== here),
  );
}

function tabs(
  counts: TabCounts,
  { total, isCut, orders }: { total: number; isCut: boolean; orders: readonly ListedOrder[] },
  { query, language, address }: PageRequest,
): Html {
  const words = orderListWords[language];
  const [here, others] = [tabOf(query), query.othersThan("page", "state")];
  const figure = (count: number, isMore: boolean) =>
    html` <span class="count">${wholeNumber(language, count)}${isMore && "+"}</span>`;
  const link = (tab: OrderTab) => {
    const count = counts[tab];
    const asked = [tab === "all" ? "" : `state=${tab}`, others].filter((part) => part !== "").join("&");
    return html`<li><a href="/orders${asked !== "" && `?${asked}`}"${tab === here && html` aria-current="page"`}>${words.tabs[tab]}${
      tab === here ? figure(total, isCut) : count !== undefined && figure(count, count >= MOST_IN_NEED)
    }</a></li>`;
  };
  const filters = query.othersThan("page", "per_page");
  const hasRefused = orders.some(({ invoice }) => invoice.wms_shown === "refused");
  return html`<div class="order-tabs"><nav aria-label="${words.state}"><ul>${orderTabs.map(link)}</ul></nav>
${
  hasRefused &&
  ["attention", "refused"].includes(query.get("state") ?? "") &&
  html`<form method="post" action="/orders/redrive"><input type="hidden" name="to" value="${address}"><button class="quiet">${words.redrive}</button></form>`
}
${total > 0 && html`<a class="export" href="/orders/export${filters !== "" && `?${filters}`}" download>${isCut && filters !== "" ? words.exportNewest(wholeNumber(language, MOST_ORDERS_LISTED)) : words.export}</a>`}</div>`;
}

function empty({ query, language }: PageRequest): Html {
  const words = orderListWords[language];
  const others = query.othersThanPage;
  if (others === "") return html`<p class="empty">${words.none}</p>`;
  const quiet: Readonly<Record<string, string>> = { "state=attention": words.quiet, "state=put_off": words.noneOff };
  return html`<div class="empty"><p>${quiet[others] ?? words.nothing}</p>
<p><a class="button" href="/orders">${words.everything}</a></p></div>`;
}
