import { companyOf, isConnected } from "../../companies/pages/company-of.ts";
import { errors } from "../../errors.ts";
import { invoiceStatuses, parseInvoiceFilters } from "../../invoices/invoice-filters.ts";
import { listInvoices } from "../../invoices/invoice-list-queries.ts";
import { listedInvoiceRow } from "../../invoices/invoice-row.ts";
import { invoiceStatus, invoiceStatusWords } from "../../invoices/invoice-words.ts";
import { sendReasonIn } from "../../invoices/send-reasons.ts";
import { following } from "../../invoices/shown-state.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { isId } from "../../platform/ids.ts";
import { searchField } from "../../web/forms/search-field.ts";
import { choicesAmong, labelledSelect } from "../../web/forms/select.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { wholeNumber, type Language } from "../../web/language.ts";
import { notice } from "../../web/notice.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { pageHref, pager } from "../../web/pager.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import { queueInvoices } from "../sending/sending-queries.ts";
import { invoiceCells, invoiceTick, stateCell } from "./invoice-cells.ts";
import { maySend } from "./orders-table.ts";
import { warehouseWords } from "./warehouse-words.ts";
import { wayWords } from "./way-words.ts";

type Order = Pick<ListedOrder, "invoice" | "isConnected">;

/** GET /companies/{id}/invoices: newest first; those that are selected can be sent. */
export const listInvoicesPage: Page = async (deps, request) => {
  const { database, keyring, warehouse } = deps;
  const { actor, query, language } = request;
  const { tenant } = actor;
  const words = wayWords[language];
  const company = await companyOf(deps, request);
  const page = parsePage(query);
  const filters = parseInvoiceFilters(query);
  const found =
    filters === null ? { rows: [], total: 0 } : await listInvoices(tenant, database, String(company.id), filters, page);
  if (found === null) throw errors.resourceMissing("Company", String(company.id));
  const invoices = found.rows.map((row) => listedInvoiceRow(row, { keyring, tenant }));
  const orders = invoices.map((invoice) => ({ invoice, isConnected: isConnected(company) }));
  const sendable = sendableOf(orders, warehouse !== null);
  const path = `/companies/${company.id}/invoices`;
  const [search, status] = [query.get("search") ?? null, query.get("status") ?? ""];
  const statuses = choicesAmong(invoiceStatusWords[language], invoiceStatuses);
  const main = html`<a class="back" href="/companies/${company.id}">${icon("back")}${company.name}</a>
<header class="heading">
<h1>${words.title} <span class="count" id="total">${wholeNumber(language, found.total)}</span></h1>
<a class="button main" href="/invoices/new?company=${company.id}" aria-keyshortcuts="n i">${icon("add")}${words.new}</a>
</header>
<form class="filters" role="search" action="${path}" data-live="invoices total">
<div class="search">${searchField(words.search, search)}</div>
${labelledSelect(words.status, "status", status, [{ value: "", label: words.any }, ...statuses])}
<noscript><button>${words.filter}</button></noscript>
</form>
<div id="invoices"${following(invoices)}>
${
  invoices.length === 0
    ? html`<p class="empty">${search === null && status === "" ? words.none : words.nothing}</p>`
    : sendable.size === 0
      ? html`${table(orders, null, request, warehouse !== null)}${warehouse !== null && !isConnected(company) && connectFirst(company, language)}`
      : html`<form method="post" action="${path}/send">${table(orders, sendable, request, warehouse !== null)}
<p class="actions"><button class="main">${words.sendSelected}</button></p></form>`
}
${pager(page, { count: invoices.length, total: found.total }, pageHref(query), language)}
</div>`;
  return { title: `${words.title} · ${company.name}`, area: "companies", main };
};

/** POST /companies/{id}/invoices/send: those of the selection that may be sent are queued, and the others counted. */
export const sendInvoicesPage: Page = async (deps, request) => {
  const company = await companyOf(deps, request);
  const chosen = request.form.all("invoices").filter(isId);
  const { database, warehouse } = deps;
  const ids = warehouse === null ? [] : chosen;
  const queued = await queueInvoices(request.actor.tenant, database, ids, String(company.id));
  const skipped = new Set(chosen).size - queued.length;
  const values = { queued: String(queued.length), skipped: String(skipped) };
  return { to: `/companies/${company.id}/invoices`, notice: notice("invoices-queued", values) };
};

/** The ids of the invoices that a selection may have. */
function sendableOf(orders: readonly Order[], isReachable: boolean): Set<string> {
  const open = orders.filter((order) => maySend(order, isReachable));
  return new Set(open.map(({ invoice }) => String(invoice.id)));
}

function connectFirst({ id }: RowByName, language: Language): Html {
  const why = sendReasonIn(language, { code: "disconnected" });
  return html`<p class="muted">${why} <a href="/companies/${id}/warehouse">${warehouseWords[language].connect}</a></p>`;
}

/** @param sendable the ids of those that can be ticked; null: there is nothing to tick */
function table(
  orders: readonly Order[],
  sendable: ReadonlySet<string> | null,
  { query, language, session }: PageRequest,
  isReachable: boolean,
): Html {
  const { timeZone } = session.workspace;
  const words = wayWords[language];
  return html`<table class="list"><thead><tr>
${sendable !== null && html`<th class="check" scope="col"><span class="hidden">${words.send}</span></th>`}<th scope="col">${words.number}</th>
<th scope="col">${words.issued}</th><th scope="col" class="number">${words.total}</th><th scope="col">${words.status}</th>
<th scope="col">${words.warehouse}</th></tr></thead>
<tbody>${orders.map((order) => row(order, { sendable, search: query.get("search") ?? null, language, timeZone, isReachable }))}</tbody></table>`;
}

type Context = {
  sendable: ReadonlySet<string> | null;
  search: string | null;
  language: Language;
  timeZone: string;
  isReachable: boolean;
};

function row(order: Order, { sendable, search, language, timeZone, isReachable }: Context): Html {
  const { invoice } = order;
  const { number, issued, total } = invoiceCells(invoice, search, language);
  return html`<tr>
${sendable !== null && invoiceTick(invoice, sendable.has(String(invoice.id)), language)}
${number}${issued}${total}
<td>${invoiceStatus(invoice.status ?? "", language)}</td>
${stateCell(order, { language, timeZone, isReachable })}
</tr>`;
}
