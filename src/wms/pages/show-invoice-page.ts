import { changeOf, listChanges } from "../../changes/change-queries.ts";
import { differencesIn } from "../../changes/differences.ts";
import type { Deps } from "../../deps.ts";
import { found } from "../../endpoint.ts";
import { findInvoice } from "../../invoices/invoice-queries.ts";
import { invoiceRow } from "../../invoices/invoice-row.ts";
import { invoiceStatus } from "../../invoices/invoice-words.ts";
import { storedLines } from "../../invoices/invoice.ts";
import { orderStatusWord } from "../../invoices/order-words.ts";
import { sendReasonIn, sendReasonOf } from "../../invoices/send-reasons.ts";
import { following, lastMoved, shownState } from "../../invoices/shown-state.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { lineAmount, sumOf } from "../../web/assets/numbers.js";
import { eventList, type Event } from "../../web/event-list.ts";
import { html, type Content, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { amount, dayOrNone, decimal, moment, quantityIn, type Language } from "../../web/language.ts";
import { notice } from "../../web/notice.ts";
import { ownPath } from "../../web/own-path.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import { findStanding, type InvoiceStanding } from "../sending/push-queries.ts";
import { queueInvoice } from "../sending/sending-queries.ts";
import { isOnItsWay, whyNotSent } from "../sending/why-not.ts";
import { orderActions } from "./orders-table.ts";
import { reasonOf } from "./reason.ts";
import { wayWords } from "./way-words.ts";

/** GET /invoices/{id}: the invoice with its lines, and its way to the warehouse. */
export const showInvoicePage: Page = async (deps, request) => {
  const { language, session, actor } = request;
  const { timeZone } = session.workspace;
  const { invoice, companyName } = await invoiceOf(deps, request);
  const words = wayWords[language];
  const standing = await findStanding(actor.tenant, deps.database, String(invoice.id));
  const way = await wayOf(deps, request, String(invoice.id));
  const title = invoice.number ?? "";
  const main = html`<a class="back" href="/companies/${invoice.company_id}">${icon("back")}${companyName}</a>
<div id="invoice"${following([invoice])}><header class="heading"><h1>${title}</h1>${invoiceStatus(invoice.status ?? "", language)}</header>
<div class="record-page"><div>
<section class="section"><header><h2>${words.lines}</h2></header>${lines(invoice.lines ?? null, invoice.currency ?? null, language)}</section>
${way.length > 0 && html`<section class="section"><header><h2>${words.way}</h2></header>${eventList(way, request, "h3")}</section>`}
</div><div>
<div id="way"><dl class="facts">${facts(
    [words.total, amount(language, invoice.total ?? null, invoice.currency ?? null)],
    [words.issued, dayOrNone(language, invoice.issued_on)],
    [words.due, dayOrNone(language, invoice.due_on)],
    [words.warehouse, shownState(invoice, language)],
    [words.why, reasonOf(invoice, language)],
    [words.order, order(invoice)],
    [words.moved, lastMoved(invoice, language, timeZone)],
    [words.asked, invoice.wms_synced_at && moment(language, invoice.wms_synced_at, timeZone)],
  )}</dl>
${sending({ invoice, companyName, isConnected: standing?.isConnected ?? false }, standing, request, deps.warehouse !== null)}</div>
</div></div></div>`;
  return { title, area: "companies", main };
};

/** POST /invoices/{id}/send: once, however often it is pressed. */
export const sendInvoicePage: Page = async (deps, request) => {
  const { invoice } = await invoiceOf(deps, request);
  const id = String(invoice.id);
  const queued = deps.warehouse === null ? null : await queueInvoice(request.actor.tenant, deps.database, id);
  const counts = queued === null && !isOnItsWay(invoice.wms_state ?? "") ? ["0", "1"] : ["1", "0"];
  return {
    to: ownPath(request.form.get("to")) ?? `/invoices/${id}`,
    notice: notice("invoices-queued", { queued: counts[0] ?? "", skipped: counts[1] ?? "" }),
  };
};

/** The invoice that the path names. Throws resourceMissing. */
export async function invoiceOf(
  { database, keyring }: Deps,
  request: PageRequest,
): Promise<{ invoice: RowByName; companyName: string }> {
  const { tenant } = request.actor;
  const row = await found("Invoice", request, async (id) => await findInvoice(tenant, database, id));
  return { invoice: invoiceRow(row, { keyring, tenant }), companyName: String(row.at(-1)) };
}

function facts(...pairs: [label: string, value: Content][]): Html[] {
  return pairs.flatMap(([label, value]) =>
    value === null || value === undefined || value === "" ? [] : [html`<dt>${label}</dt><dd>${value}</dd>`],
  );
}

function order({
  wms_order_id: id = null,
  wms_order_number: number = null,
  wms_instance: instance = null,
}: RowByName): string | null {
  if (id === null) return null;
  return `${number ?? id}${instance === null ? "" : ` · ${instance}`}`;
}

/** More moments than an order has. */
const MOMENTS = 50;

/** The order's way: what its status became, and when, the latest first. */
async function wayOf({ database }: Deps, { actor, language }: PageRequest, id: string): Promise<Event[]> {
  const { rows } = await listChanges(actor.tenant, database, "invoice", id, { page: 1, perPage: MOMENTS, offset: 0 });
  return rows.map(changeOf).flatMap(({ at, changed }) => {
    const status = differencesIn(changed).find(({ field }) => field === "wms_status")?.to;
    return typeof status === "string" ? [{ at: String(at), content: html`${orderStatusWord(status, language)}` }] : [];
  });
}

function lines(stored: string | null, currency: string | null, language: Language): Html {
  const words = wayWords[language];
  const parsed = storedLines(stored);
  if (parsed.length === 0) return html`<p class="empty">${words.noLines}</p>`;
  const of = (value: string) => amount(language, value, currency);
  return html`<table class="list"><thead><tr><th scope="col">${words.description}</th><th scope="col">${words.sku}</th>
<th scope="col" class="number">${words.quantity}</th><th scope="col" class="number">${words.price}</th><th scope="col" class="number">${words.amount}</th></tr></thead>
<tbody>${parsed.map(
    ({
      sku,
      description,
      quantity,
      unit_price: price,
    }) => html`<tr><td class="wide" title="${description}">${description}</td><td class="code">${sku}</td>
${labelledCell(words.quantity, quantityIn(language, quantity), "number")}${labelledCell(words.price, decimal(language, price), "number")}${labelledCell(words.amount, of(lineAmount(quantity, price) ?? "0"), "number")}</tr>`,
  )}</tbody></table>
<p class="sum"><strong>${words.sum} ${of(sumOf(parsed))}</strong></p>`;
}

function sending(
  order: ListedOrder,
  standing: InvoiceStanding | null,
  { language }: PageRequest,
  isReachable: boolean,
): Html | null {
  const { id, wms_error: error = null } = order.invoice;
  const words = wayWords[language];
  const why = standing === null ? null : whyNotSent(standing, isReachable);
  const canLookUp = standing?.isOpen === true && why === null && !isOnItsWay(standing.state);
  const actions =
    orderActions(order, language, isReachable) ??
    (canLookUp ? html`<button formaction="/invoices/${id}/send">${words.lookUp}</button>` : null);
  const none =
    error !== null &&
    sendReasonOf(error).code === "lostElsewhere" &&
    html`<button formaction="/invoices/${id}/none-elsewhere">${words.noneElsewhere}</button>`;
  if (actions !== null) return html`<form method="post" class="actions">${actions}${none}</form>`;
  return why === null ? null : html`<p class="muted">${sendReasonIn(language, why)}</p>`;
}
