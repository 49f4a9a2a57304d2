import type { Deps } from "../../kit/deps.ts";
import { columnMenu, shownColumns } from "../../kit/tables/columns.ts";
import { isNarrowed, type AnyList, type ListedItems } from "../../kit/tables/list.ts";
import { activeFilters } from "../../kit/tables/narrowing.ts";
import { tableWords } from "../../kit/tables/table-words.ts";
import { listTable, selectScript } from "../../kit/tables/table.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { wholeNumber } from "../../kit/web/language.ts";
import { notice } from "../../kit/web/notice.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { pageHref, pager } from "../../kit/web/pager.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { workbookHref } from "../../kit/web/workbook-href.ts";
import { MOST_IN_NEED } from "../../orders/invoices/shown-queries.ts";
import { following } from "../../orders/invoices/shown-state.ts";
import { countLinks } from "../../orders/wms/confirming/reconfirm-queries.ts";
import { daysOfOrders } from "../../orders/wms/orders/order-days-queries.ts";
import { orderTabs, type OrderTab } from "../../orders/wms/orders/order-filters.ts";
import { countTabs } from "../../orders/wms/orders/order-list-queries.ts";
import { MOST_ORDERS_LISTED } from "../../orders/wms/orders/unsent-queries.ts";
import { orderListWords } from "../../orders/wms/pages/order-list-words.ts";
import { unreachable } from "../../orders/wms/pages/unreachable.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import { redrive } from "../../orders/wms/sending/push-invoices.ts";
import { tryWarehouse, warehouseLanes } from "../../orders/wms/sending/warehouse-status.ts";
import { daysStrip } from "./days-strip.ts";
import { lanesStrip, MOST_JOBS_COUNTED } from "./lanes-strip.ts";
import { orderFilterForm, otherState, stateWord, tabOf } from "./order-filter-form.ts";
import { FOR_IMPORT, orderList, type OrderRow } from "./order-list.ts";

/** GET /orders: every invoice of the workspace with its order, by tab, narrowed and sorted (docs/web.md 9). */
export const listOrdersPage: Page = async (deps, request) => {
  const { actor, query, language } = request;
  const words = orderListWords[language];
  // Only the tab that dispatchers use has the picture of days: the list of all is at its limit of bytes.
  const hasDays = query.othersThan("page", "per_page") === "state=under_way";
  const list = (await orderList.ofWorkspace?.(orderList, deps, request)) ?? orderList;
  const columns = await shownColumns(deps, list, request);
  const [found, counts, choices, lanes, links, days] = await Promise.all([
    list.read(deps, request, new Set(columns.map(({ name }) => name))),
    tabCounts(deps, request, list),
    list.choices(deps, request),
    warehouseLanes(deps, actor.tenant, MOST_JOBS_COUNTED),
    countLinks(actor.tenant, deps.database, null),
    hasDays ? daysOfOrders(actor.tenant, deps.database) : null,
  ]);
  const { items, total, isCut, page } = found;
  const invoices = items.map(({ invoice }) => invoice);
  const hasReasons = ["attention", "put_off", "refused"].includes(query.get("state") ?? "");
  const main = html`<header class="heading"><h1>${words.title}</h1>${orderFilterForm(list, choices, lanes, request)}${columnMenu(list, columns, request)}<a class="button main" href="/invoices/new" aria-keyshortcuts="n i">${icon("add")}${wayWords[language].new}</a></header>
${deps.warehouse === null && unreachable(request)}
<div id="orders"${hasReasons && html` class="reasons"`}${following(invoices) ?? (lanes.lanes.length > 0 && html` data-refresh="10"`)}>
${!isEmpty(counts, found, request) && tabs(counts, found, request)}
${activeFilters(list, choices, request)}
${items.length === 0 ? orderList.empty(request, false) : listTable(list, columns, found, choices, request)}
${pager(page, { count: items.length, total }, pageHref(query), language)}
${isCut && html`<p class="foot">${words.more(wholeNumber(language, MOST_ORDERS_LISTED))}</p>`}
${lanesStrip(lanes, links, request)}${days !== null && daysStrip(days, request)}
</div>${selectScript}`;
  const inNeed = Math.min(counts.attention ?? 0, MOST_IN_NEED);
  const ordersInNeed = counts.attention === undefined ? undefined : inNeed;
  return { title: words.title, area: "orders", main, look: "list", ordersInNeed };
};

/** POST /orders/redrive: queues all failed invoices again; open attempts are looked up first. */
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

type TabCounts = Partial<Record<OrderTab, number>>;

/**
 * The numbers of the other tabs. The list itself has that of its own tab. Filters narrow only the list, so there are no
 * numbers beside them.
 */
async function tabCounts({ database }: Deps, { actor, query }: PageRequest, list: AnyList): Promise<TabCounts> {
  if (query.get("search") !== undefined || isNarrowed(list, query)) return {};
  const here = tabOf(query);
  return await countTabs(
    actor.tenant,
    database,
    orderTabs.filter((tab) => tab !== here),
  );
}

/** Whether the workspace has no invoice. A narrowed list has no counts, so it cannot say so. */
function isEmpty(counts: TabCounts, { total }: ListedItems<OrderRow>, { query }: PageRequest): boolean {
  const isCounted = Object.keys(counts).length > 0;
  return isCounted && (tabOf(query) === "all" ? total : counts.all) === 0;
}

function tabs(
  counts: TabCounts,
  { total, isCut, items }: ListedItems<OrderRow>,
  { query, language, address, session }: PageRequest,
): Html {
  const words = orderListWords[language];
  const [here, other, others] = [tabOf(query), otherState(query), query.othersThan("page", "state")];
  const figure = (count: number, isMore: boolean) =>
    html` <span class="count">${wholeNumber(language, count)}${isMore && "+"}</span>`;
  const link = (tab: OrderTab) => {
    const count = counts[tab];
    const asked = [tab === "all" ? "" : `state=${tab}`, others].filter((part) => part !== "").join("&");
    return html`<li><a href="/orders${asked !== "" && `?${asked}`}"${tab === here && html` aria-current="page"`}>${words.tabs[tab]}${
      tab === here ? figure(total, isCut) : count !== undefined && figure(count, count >= MOST_ORDERS_LISTED)
    }</a></li>`;
  };
  const filters = query.othersThan("page", "per_page");
  const href = `/orders/export${filters === "" ? "" : `?${filters}`}`;
  const hasRefused = items.some(({ invoice }) => invoice.wms_shown === "refused");
  const redrivable =
    hasRefused &&
    ["attention", "refused"].includes(query.get("state") ?? "") &&
    html`<form method="post" action="/orders/redrive"><input type="hidden" name="to" value="${address}"><button class="quiet">${words.redrive}</button></form>`;
  const exported =
    total > 0 &&
    session.user.mayExport &&
    html`<a class="export" href="${href}" download>${isCut && filters !== "" ? words.exportNewest(wholeNumber(language, MOST_ORDERS_LISTED)) : words.export}</a><a class="export" href="${workbookHref(href)}" download>${tableWords[language].asWorkbook}</a><a class="export" href="/orders/export?as=${FOR_IMPORT}${filters !== "" && `&${filters}`}" download>${words.forImport}</a>`;
  return html`<div class="order-tabs"><nav aria-label="${words.state}"><ul>${orderTabs.map(link)}${other !== null && html`<li><a href="${address}" aria-current="page">${stateWord(other, language)}${figure(total, isCut)}</a></li>`}${here === "unpaid" && html`<li><a href="/orders?state=overdue${others !== "" && `&${others}`}">${words.overdue}</a></li>`}</ul></nav>
${(redrivable || exported) && html`<button type="button" class="quiet" popovertarget="of-list">${icon("more")}<span class="hidden">${shellWords[language].more}</span></button><div id="of-list" popover>${redrivable}${exported}</div>`}</div>`;
}
