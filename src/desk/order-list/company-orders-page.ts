import { companyOf, isConnected } from "../../customers/companies/pages/company-of.ts";
import { errors } from "../../kit/errors.ts";
import { shownColumns } from "../../kit/tables/columns.ts";
import { listTable, selectScript } from "../../kit/tables/table.ts";
import { searchField } from "../../kit/web/forms/search-field.ts";
import { choicesAmong, labelledSelect } from "../../kit/web/forms/select.ts";
import { html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { wholeNumber } from "../../kit/web/language.ts";
import type { Page } from "../../kit/web/page.ts";
import { pageHref, pager } from "../../kit/web/pager.ts";
import { invoiceReads, invoiceStatuses } from "../../orders/invoices/invoice-reads.ts";
import { listedInvoiceRow } from "../../orders/invoices/invoice-row.ts";
import { invoiceStatusWords } from "../../orders/invoices/invoice-words.ts";
import { following } from "../../orders/invoices/shown-state.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { sumInvoices } from "./company-sum-queries.ts";
import { companyOrderList, orderRows } from "./order-list.ts";

/** GET /companies/{id}/invoices: the orders of one company, newest first. */
export const listInvoicesPage: Page = async (deps, request) => {
  const { database, keyring } = deps;
  const { actor, query, language } = request;
  const { tenant } = actor;
  const words = wayWords[language];
  const company = await companyOf(deps, request);
  const page = parsePage(query);
  const filters = invoiceReads.parse(query);
  const narrowing = filters && { parent: String(company.id), filters };
  const found =
    narrowing === null ? { rows: [], total: 0 } : await invoiceReads.page(tenant, database, narrowing, page);
  if (found === null) throw errors.resourceMissing("Company", String(company.id));
  const invoices = found.rows.map((row) => listedInvoiceRow(row, { keyring, tenant }));
  const orders = invoices.map((invoice) => ({
    invoice,
    companyName: company.name ?? "",
    isConnected: isConnected(company),
  }));
  const items = await orderRows(deps, tenant, orders);
  const columns = await shownColumns(deps, companyOrderList, request);
  const path = `/companies/${company.id}/invoices`;
  const sums = narrowing === null || items.length === 0 ? [] : await sumInvoices(tenant, database, narrowing);
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
    : listTable(companyOrderList, columns, { items, total: orders.length, isCut: false, page, sums }, {}, request)
}
${pager(page, { count: invoices.length, total: found.total }, pageHref(query), language)}
</div>${selectScript}`;
  return { title: `${words.title} · ${company.name}`, area: "companies", main, look: "list" };
};
