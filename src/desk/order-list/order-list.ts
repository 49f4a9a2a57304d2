import { nameOfCompany } from "../../customers/companies/company-name-queries.ts";
import { NO_OWNER } from "../../customers/companies/live-company-queries.ts";
import { keptCompany } from "../../customers/companies/merged-queries.ts";
import { ownerChoices } from "../../customers/companies/pages/choices.ts";
import { askedValues, withFields } from "../../customers/custom-fields/custom-lists.ts";
import { exportFile } from "../../exchange/exports/page-export.ts";
import type { Deps } from "../../kit/deps.ts";
import type { ListColumn, ListOf } from "../../kit/tables/list.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { html, type Content } from "../../kit/web/html.ts";
import { amount, day, listedDay, wholeNumber } from "../../kit/web/language.ts";
import { contains, marked } from "../../kit/web/mark.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { daysLate, dueDayOf } from "../../orders/invoices/due-day.ts";
import { chosenInvoices } from "../../orders/invoices/invoice-bulk-queries.ts";
import { invoiceStatusWords } from "../../orders/invoices/invoice-words.ts";
import { idsWithOtherTotal } from "../../orders/invoices/other-total-queries.ts";
import { restOfRow } from "../../orders/invoices/paid.ts";
import { hasNeed, lastMoved, shownState, shownStateOf } from "../../orders/invoices/shown-state.ts";
import {
  isOfRests,
  MISSING_STREET,
  orderSorts,
  orderTabs,
  parseOrderFilters,
  parseOrderSort,
  parseState,
  type OrderFilters,
} from "../../orders/wms/orders/order-filters.ts";
import { listOrderIds, listOrders, type ListedOrder } from "../../orders/wms/orders/order-list-queries.ts";
import { compactActions } from "../../orders/wms/pages/order-actions.ts";
import { orderListWords } from "../../orders/wms/pages/order-list-words.ts";
import { notOfferedIn, reasonOf } from "../../orders/wms/pages/reason.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import { usersEver } from "../../people/users/user-queries.ts";
import { userWords } from "../../people/users/user-words.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { parsePage, type Query } from "../../platform/http/lists/pagination.ts";
import { isId } from "../../platform/ids.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { changeField } from "../changing/change-selected.ts";
import { selectionFields, sendMany } from "../invoice-pages/ask-to-send-many.ts";
import { inParts, markPaid } from "./mark-paid.ts";
import { orderFile } from "./order-file.ts";
import { dateChoices, stateChoices } from "./order-filter-form.ts";
import { orderTableWords } from "./order-table-words.ts";

/** An invoice of a page. */
export type OrderRow = ListedOrder & { isReachable: boolean; hasOtherTotal: boolean };

/** Orders with what a list shows beside them. */
export async function orderRows(
  { database, warehouse }: Deps,
  tenant: TenantId,
  orders: readonly ListedOrder[],
): Promise<OrderRow[]> {
  const ids = orders.map(({ invoice }) => String(invoice.id));
  const marked = ids.length === 0 ? null : await idsWithOtherTotal(tenant, database, ids);
  return orders.map((order) => ({
    ...order,
    isReachable: warehouse !== null,
    hasOtherTotal: marked?.has(String(order.invoice.id)) === true,
  }));
}

const dateColumn = (name: "issued_on" | "due_on", of: (invoice: RowByName) => string | null): ListColumn<OrderRow> => ({
  name,
  kind: "date",
  cell: ({ invoice }, { language, session }) => listedDay(language, of(invoice), session.workspace.timeZone),
});

/** The columns of a company's orders. */
const ofInvoice: readonly ListColumn<OrderRow>[] = [
  { ...dateColumn("issued_on", (invoice) => invoice.issued_on ?? null), sorts: ["-issued_on", "issued_on"] },
  {
    name: "total",
    kind: "number",
    sorts: ["-total", "total"],
    cell({ invoice, hasOtherTotal }, { language }) {
      const shown = amount(language, invoice.total ?? null, invoice.currency ?? null);
      const words = wayWords[language].otherTotal;
      if (!hasOtherTotal) return shown;
      return html`<span class="late" title="${words}"><span aria-hidden="true">≠</span><span class="hidden">${words}:</span></span> ${shown}`;
    },
  },
  { name: "paid", kind: "short", sorts: ["due_on", "-due_on"], cell: payment, hint: dueDay },
  { name: "order", kind: "why", cell: stateAndReason, hint: ({ invoice }) => orderNumbers(invoice) },
  { ...dateColumn("due_on", dueDayOf), sorts: ["due_on", "-due_on"], isOptional: true },
  { name: "wms_order_number", kind: "code", isOptional: true, cell: ({ invoice }) => orderNumber(invoice) },
  { name: "wms_instance", kind: "code", isOptional: true, cell: ({ invoice }) => invoice.wms_instance ?? null },
  {
    name: "synced_at",
    kind: "date",
    sorts: ["-synced_at"],
    cell: ({ invoice }, { language, session }) => lastMoved(invoice, language, session.workspace.timeZone),
  },
];

/** A name of these characters is not cut at 1,440 px. */
const SHORT_COMPANY = 20;

/** The value of `as` for a file in the columns of an import. */
export const FOR_IMPORT = "import";

/** GET /orders: every invoice of the workspace with its order (docs/web.md 9). Its page is list-page.ts. */
export const orderList: ListOf<OrderRow> = {
  name: "orders",
  words: orderTableWords,
  columns: [
    {
      name: "company",
      kind: "wide",
      sorts: ["company", "-company"],
      cell: ({ invoice, companyName }, { query }) =>
        html`<a href="/companies/${invoice.company_id}"${companyName.length > SHORT_COMPANY && html` title="${companyName}"`}>${marked(companyName, query.get("search") ?? null)}</a>`,
    },
    { name: "assigned_to", isOptional: true, cell: ({ owner }) => owner ?? null },
    ...ofInvoice,
  ],
  filters: [
    { name: "state", shownElsewhere: orderTabs },
    { name: "assigned_to" },
    { name: "company" },
    { name: "currency" },
    { name: "sku" },
    { name: "days", shownElsewhere: ["range"] },
    { name: "from" },
    { name: "to" },
    { name: "late" },
    { name: "instance" },
    { name: "missing" },
  ],
  sorts: orderSorts,
  nameSorts: ["number", "-number"],
  isMeaningful: (query) => parseOrderFilters(query, "UTC") !== null,
  async choices({ database }, { actor, query, language }) {
    const company = query.get("company") ?? "";
    const [users, companyName] = await Promise.all([
      usersEver(actor.tenant, database),
      isId(company) ? nameOfCompany(actor.tenant, database, await keptCompany(actor.tenant, database, company)) : null,
    ]);
    return {
      state: stateChoices(query, language),
      assigned_to: ownerChoices(
        [{ id: NO_OWNER, name: orderListWords[language].nobodys, hasLeft: false }, ...users],
        orderListWords[language].anybody,
        userWords[language].left,
      ),
      ...(companyName !== null && { company: [{ value: company, label: companyName }] }),
      ...dateChoices(query, language),
      missing: [{ value: MISSING_STREET, label: orderListWords[language].street }],
    };
  },
  ofWorkspace: withFields("invoice", ({ invoice }) => String(invoice.id)),
  async read(deps, request) {
    const { actor, query } = request;
    const filters = await filtersIn(deps, request, query);
    const asked = pageOf(query);
    if (filters === null) return { items: [], total: 0, isCut: false, page: { ...asked, page: 1, offset: 0 } };
    const { orders, ...found } = await listOrders(actor.tenant, deps, filters, parseOrderSort(query), asked);
    return { ...found, items: await orderRows(deps, actor.tenant, orders) };
  },
  title({ invoice }, { query }) {
    const [id, number] = [String(invoice.id), invoice.number ?? ""];
    return { id, name: number, href: `/invoices/${id}`, shown: marked(number, query.get("search") ?? null) };
  },
  empty({ query, language }) {
    const words = orderListWords[language];
    const others = query.othersThanPage;
    if (others === "")
      return emptyState("orders", words.none, [{ href: "/invoices/new", label: wayWords[language].new }]);
    const quiet: Readonly<Record<string, string>> = { "state=attention": words.quiet, "state=put_off": words.noneOff };
    return emptyState("orders", quiet[others] ?? words.nothing, [{ href: "/orders", label: words.everything }]);
  },
  reached: ({ language }, total) => orderListWords[language].selectNewest(wholeNumber(language, total)),
  rowAction: {
    label: ({ language }) => orderListWords[language].send,
    control: (order, { language }) => html`${compactActions(order, language, order.isReachable)}`,
  },
  sum({ invoice }, { query }) {
    const isLeft = isOfRests(parseState(query.get("state"))) || query.get("status") === "issued";
    const sum = isLeft ? restOfRow(invoice) : (invoice.total ?? null);
    return sum === null ? null : { amount: sum, currency: invoice.currency ?? "" };
  },
  file(deps, request, selection) {
    const { query } = request;
    // The link below the list has every invoice there is, and a selection only those of the list.
    const isWhole =
      "query" in selection &&
      selection.query === query &&
      query.othersThan("page", "per_page", "sort", "as", "format") === "";
    const ids = async () => (isWhole ? null : await selected(deps, request, selection));
    if (query.get("as") !== FOR_IMPORT) return orderFile(deps, request, ids);
    return exportFile(deps, request, "invoices", async () => {
      const some = await ids();
      return some === null ? undefined : chosenInvoices(some);
    });
  },
  actions: [
    {
      path: "send",
      label: (language) => orderListWords[language].sendSelected,
      async act(deps, request, selection) {
        return await sendMany(deps, request, await selected(deps, request, selection), {
          area: "orders",
          action: "/orders/send",
          back: ownPath(request.form.get("to")) ?? "/orders",
          fields: selectionFields(request),
        });
      },
    },
    markPaid(selected),
    changeField({
      noun: "invoice",
      kind: "invoices",
      area: "orders",
      async *matching(deps, request, query) {
        yield* inParts(await selected(deps, request, { query }));
      },
    }),
  ],
};

/** The same rows of one company. They have one order. */
export const companyOrderList: ListOf<OrderRow> = {
  ...orderList,
  columns: ofInvoice,
  sorts: ["-issued_on"],
};

/** Rows of orders that need attention have reasons and menus, so a page has fewer of them. */
const IN_NEED_PER_PAGE = 25;

function pageOf(query: Query) {
  const asked = parsePage(query);
  if (query.get("state") !== "attention" || query.get("per_page") !== undefined) return asked;
  return { ...asked, perPage: IN_NEED_PER_PAGE, offset: (asked.page - 1) * IN_NEED_PER_PAGE };
}

/** The filters in a query, those by custom fields too; null if one of them can match nothing. */
async function filtersIn(deps: Deps, request: PageRequest, query: Query): Promise<OrderFilters | null> {
  const filters = parseOrderFilters(query, request.session.workspace.timeZone);
  const custom = await askedValues(deps, request, "invoice", query);
  if (filters === null || custom === undefined) return null;
  const { company } = filters;
  const kept = company === null ? null : await keptCompany(request.actor.tenant, deps.database, company);
  return { ...filters, company: kept, custom };
}

async function selected(
  deps: Deps,
  request: PageRequest,
  selection: { ids: string[] } | { query: Query },
): Promise<string[]> {
  if ("ids" in selection) return selection.ids;
  const { query } = selection;
  const filters = await filtersIn(deps, request, query);
  return filters === null
    ? []
    : await listOrderIds(request.actor.tenant, deps.database, filters, parseOrderSort(query));
}

/** Whether the invoice is paid, and how late its payment is. */
function payment({ invoice }: OrderRow, { language, session }: PageRequest): Content {
  const words = orderListWords[language];
  const { status = null } = invoice;
  // The next column has the status of an invoice that was never sent.
  if ((status === "draft" || status === "cancelled") && shownStateOf(invoice).is === "not_sent") return "–";
  if (status !== "issued") return invoiceStatusWords[language][status ?? ""] ?? status;
  const late = daysLate(invoice, session.workspace.timeZone);
  return late > 0 ? html`<span class="late">${words.late(late)}</span>` : words.unpaid;
}

function dueDay({ invoice }: OrderRow, { language }: PageRequest): string | null {
  const due = dueDayOf(invoice);
  return invoice.status === "issued" && due !== null ? orderListWords[language].dueOn(day(language, due)) : null;
}

function orderNumber({ wms_order_id: id, wms_order_number: number }: RowByName): string | null {
  return number ?? id ?? null;
}

/** The order's number and warehouse. */
function orderNumbers(invoice: RowByName): string | null {
  return [orderNumber(invoice), invoice.wms_instance ?? null].filter((part) => part !== null).join(" · ") || null;
}

/**
 * An invoice's state, and the reason for it or why the list does not offer to send it. A number that was searched for
 * is before the reason, which is never cut if somebody has to act.
 */
function stateAndReason({ isReachable, ...order }: OrderRow, { language, query, session }: PageRequest): Content {
  const { invoice } = order;
  const [number, search] = [orderNumber(invoice), query.get("search") ?? null];
  const found = number !== null && search !== null && contains(number, search) && marked(number, search);
  const told = reasonOf(invoice, language, session.workspace.timeZone);
  const notOffered = notOfferedIn(order, language, isReachable);
  const parts: Content[] = [found, told ?? notOffered.reason].filter(Boolean);
  const uncut = hasNeed(invoice) ? html` class="point"` : told !== null && html` title="${told}"`;
  return html`${notOffered.state ?? shownState(invoice, language)}${
    parts.length > 0 && html`<small${uncut}>${parts.length === 2 ? html`${parts[0]} · ${parts[1]}` : parts[0]}</small>`
  }`;
}
