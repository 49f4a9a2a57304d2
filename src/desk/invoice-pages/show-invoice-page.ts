import { callsAboutInvoice } from "../../customers/calls/planned-call-queries.ts";
import { companyOf } from "../../customers/companies/pages/company-of.ts";
import { customFacts } from "../../customers/custom-fields/custom-inputs.ts";
import { writerIn } from "../../kit/changes/change-words.ts";
import { differencesIn, type Difference } from "../../kit/changes/differences.ts";
import type { Deps } from "../../kit/deps.ts";
import { phoneLink } from "../../kit/web/contact-links.ts";
import { copyButton } from "../../kit/web/copy-button.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { amount, day, dayOf, timeOf, type Language } from "../../kit/web/language.ts";
import { notice, type Notice } from "../../kit/web/notice.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { openDueDayOf } from "../../orders/invoices/due-day.ts";
import { listRelated, type RelatedInvoice } from "../../orders/invoices/invoice-queries.ts";
import { invoiceStatus } from "../../orders/invoices/invoice-words.ts";
import { storedLines } from "../../orders/invoices/invoice.ts";
import { hasOtherTotal } from "../../orders/invoices/other-total.ts";
import { deliveryOf, deliveryRemarks, placeLine, skuRemark } from "../../orders/invoices/pages/delivery.ts";
import { invoiceOf } from "../../orders/invoices/pages/invoice-of.ts";
import { withoutSku } from "../../orders/invoices/pages/line-table.ts";
import { following, hasNeed } from "../../orders/invoices/shown-state.ts";
import { sendReasonOf } from "../../orders/invoices/wms-error.ts";
import { paymentRow } from "../../orders/payments/payment-json.ts";
import { paymentsOfInvoice } from "../../orders/payments/payment-queries.ts";
import { recipientOf } from "../../orders/reminders/letters.ts";
import { findContactOfCompany } from "../../orders/wms/connection/warehouse-contact-queries.ts";
import { isOnItsWay } from "../../orders/wms/may-be-sent.ts";
import type { ListedOrder } from "../../orders/wms/orders/order-list-queries.ts";
import { invoiceActions } from "../../orders/wms/pages/invoice-actions.ts";
import { orderListWords } from "../../orders/wms/pages/order-list-words.ts";
import { orderWay, type OrderMoment } from "../../orders/wms/pages/order-way.ts";
import { warehouseWords } from "../../orders/wms/pages/warehouse-words.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import { findStanding, type InvoiceStanding } from "../../orders/wms/sending/push-queries.ts";
import { queueInvoice } from "../../orders/wms/sending/sending-queries.ts";
import { warehouseLanes } from "../../orders/wms/sending/warehouse-status.ts";
import { findDetails, lettersLanguage } from "../../people/tenants/workspace-details-queries.ts";
import { adminNames } from "../../people/users/user-queries.ts";
import { daysUntil } from "../../platform/dates.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { callList } from "../calls/call-list.ts";
import { latestChanges, type HistoryChange } from "../history/history-queries.ts";
import { invoiceHistory } from "../history/of-invoice.ts";
import { paymentSection, restLine } from "../money/payment-section.ts";
import { mailAddressOf } from "./invoice-mail.ts";
import { datesOf, parties, paymentTerms, placeOfGoods, relationWord } from "./invoice-paper.ts";
import { lineList } from "./line-list.ts";
import { isMailable } from "./mail-invoice.ts";

/** GET /invoices/{id}: the invoice with its lines, its order's way, and what can be done with it. */
export const showInvoicePage: Page = async (deps, request) => {
  const { language, actor, session } = request;
  const { invoice, companyName, custom } = await invoiceOf(deps, request);
  const id = String(invoice.id);
  const chosen = invoice.delivery_address_id ?? null;
  const [standing, payments, changes, company, details, related, calls, toAsk] = await Promise.all([
    findStanding(actor.tenant, deps.database, id),
    paymentsOfInvoice(actor.tenant, deps.database, id, PAYMENTS),
    latestChanges(actor.tenant, deps.database, "invoice", id, CHANGES),
    companyOf(deps, { actor, params: { id: String(invoice.company_id) } }),
    findDetails(actor.tenant, deps.database),
    listRelated(actor.tenant, deps.database, id, invoice.corrects_id ?? null),
    callsAboutInvoice(actor.tenant, deps.database, id),
    findContactOfCompany(actor.tenant, deps.database, String(invoice.company_id)),
  ]);
  const { phone, email } = company;
  const spoken = lettersLanguage(details, session.workspace.country);
  const to = await recipientOf(actor.tenant, deps.database, String(company.id), spoken);
  const mail = deps.config.mail === null ? to && mailAddressOf(invoice, to, details, session) : `/invoices/${id}/mail`;
  const delivery = await deliveryOf(deps, actor.tenant, company, chosen);
  const place = placeOfGoods(invoice, companyName, delivery);
  const source = { invoice, company, workspace: session.workspace, details, related, place };
  const isReachable = deps.warehouse !== null;
  const noSku = withoutSku(storedLines(invoice.lines ?? null));
  const { isConnected = false, isKeyRefused = false } = standing ?? {};
  const order = { invoice, companyName, isConnected, isKeyRefused };
  const help = (await helpFor(deps, request, invoice, standing)) ?? whomToAsk(invoice, toAsk, language);
  const title = invoice.number ?? "";
  const secrets = { keyring: deps.keyring, tenant: actor.tenant };
  const facts = customFacts(custom, invoice, language);
  const main = html`<a class="back" href="/orders">${icon("back")}${orderListWords[language].title}</a>
<div id="invoice"${following([invoice])}><header class="heading"><h1>${title}</h1>${copyButton(wayWords[language].number, language)}${invoiceStatus(invoice.status ?? "", language)}
<strong class="amount">${amount(language, invoice.total ?? null, invoice.currency ?? null)}</strong>${hasOtherTotal(invoice) && html`<span class="muted unprinted">${wayWords[language].otherTotal}</span>`}${restLine(invoice, language)}
${invoiceActions(order, standing, language, isReachable, { phone, email, mail: isMailable(invoice.status ?? null) ? mail : null })}</header>
${parties(source, language)}
${dates(order, related, request)}
${place !== null && placeLine(place, language)}
${isReachable && isConnected && isUnsent(invoice) && html`${deliveryRemarks(delivery, chosen, language)}${noSku > 0 && skuRemark(noSku, language)}`}
${orderWay(order, standing, wayIn(changes), request, isReachable, help)}
${accepted(invoice, changes, request)}
<section class="section"><header><h2>${wayWords[language].lines}</h2></header>${lineList(invoice, language)}</section>
${facts.length > 0 && html`<section class="section unprinted"><header><h2>${shellWords[language].more}</h2></header><dl class="facts">${facts}</dl></section>`}
${paymentTerms(source, language)}
${paymentSection(
  invoice,
  payments.map((row) => paymentRow(row, secrets)),
  language,
)}
${callList(calls, `/companies/${invoice.company_id}/calls/new?invoice=${id}`, request)}
${await invoiceHistory(deps, changes, request)}</div>`;
  return { title, area: "orders", main, look: "record" };
};

/** Whether the invoice may still be sent for the first time. */
function isUnsent({ wms_state: state, status }: RowByName): boolean {
  return (state === "not_sent" || state === "failed") && status !== "cancelled";
}

/** How a failed call of the warehouse is mended: by another key, or by the next try. Null if none failed. */
async function helpFor(
  deps: Deps,
  { actor, language, session }: PageRequest,
  invoice: RowByName,
  standing: InvoiceStanding | null,
): Promise<Html | null> {
  const { code } = sendReasonOf(invoice.wms_error ?? "");
  const words = wayWords[language];
  if (code === "credentials" && standing?.isKeyRefused === true) {
    const admins = await adminNames(actor.tenant, deps.database);
    return html`${words.otherKey(admins)} <a href="/companies/${invoice.company_id}/warehouse">${orderListWords[language].instance}</a>`;
  }
  if (code !== "unanswered" && code !== "unsent") return null;
  const { lanes } = await warehouseLanes(deps, actor.tenant, 1);
  const lane = lanes.find(({ subdomain }) => subdomain === standing?.subdomain?.toLowerCase());
  if (lane?.closedUntil == null) return null;
  const next = words.nextTry(timeOf(language, lane.closedUntil, session.workspace.timeZone));
  return html`${next} <button class="link" form="try-now">${orderListWords[language].tryNow}</button><form id="try-now" method="post" action="/orders/try" hidden><input type="hidden" name="to" value="/invoices/${invoice.id}"><input type="hidden" name="subdomain" value="${lane.subdomain}"></form>`;
}

/** The person at the workspace's warehouse, beside an order that needs attention; null if nobody is named. */
function whomToAsk(invoice: RowByName, contact: string | null, language: Language): Html | null {
  if (!hasNeed(invoice) || contact === null) return null;
  return warehouseWords[language].askThere(phoneLink(contact));
}

/** Queues an invoice; the notice also counts one that is on its way already. */
export async function sendFromPage(deps: Deps, { actor }: PageRequest, invoice: RowByName): Promise<Notice> {
  const queued = deps.warehouse === null ? null : await queueInvoice(actor.tenant, deps.database, String(invoice.id));
  const isSent = queued !== null || isOnItsWay(invoice.wms_state ?? "");
  return notice("invoices-queued", { queued: isSent ? "1" : "0", skipped: isSent ? "0" : "1" });
}

/** The company, and the dates; the due date of an unpaid invoice says how far it is. */
function dates(
  { invoice, companyName }: ListedOrder,
  related: readonly RelatedInvoice[],
  { language, session }: PageRequest,
): Html {
  const due = openDueDayOf(invoice);
  const days = due === null ? null : daysUntil(due, session.workspace.timeZone);
  const left =
    days !== null &&
    html` <span class="unprinted ${days < 0 ? "late" : "muted"}">(${wayWords[language].dueIn(days)})</span>`;
  return html`<p class="dates"><a class="inline unprinted" href="/companies/${invoice.company_id}">${companyName}</a>${datesOf(
    invoice,
    language,
  ).map(
    ({ label, on, isDue }) =>
      html`<span>${label} <time datetime="${on}">${day(language, on)}</time>${isDue && left}</span>`,
  )}${related.map(
    (one) =>
      html`<span>${relationWord(one, language)} <a class="inline" href="/invoices/${one.id}">${one.number}</a></span>`,
  )}</p>`;
}

/** The most payments that are shown, the newest. */
const PAYMENTS = 200;

/** The changes of an invoice that are shown, more than an order has moments. */
const CHANGES = 50;

/** The states that the order has had, the latest first. */
function wayIn(changes: readonly HistoryChange[]): OrderMoment[] {
  return changes.flatMap(({ at, changed }) => {
    const status = differencesIn(changed).find(({ field }) => field === "wms_status")?.to;
    return typeof status === "string" ? [{ at, status }] : [];
  });
}

/** The acceptance of the order as it is: by whom, when, and the button that undoes it; null without one. */
function accepted(
  { id, wms_settled_at: at = null }: RowByName,
  changes: readonly HistoryChange[],
  { language, session }: PageRequest,
): Html | null {
  if (at === null) return null;
  const words = orderListWords[language];
  const isAcceptance = ({ field, to }: Difference) => field === "wms_settled_at" && typeof to === "string";
  const change = changes.find(({ changed }) => differencesIn(changed).some(isAcceptance));
  const who = change === undefined ? null : writerIn(language, change.changedBy, change.writerName);
  const line = who !== null && html`${words.acceptedBy(who, dayOf(language, at, session.workspace.timeZone))} `;
  return html`<form method="post" action="/invoices/${id}/unsettle"><p class="muted">${line}<button class="link">${words.unsettle}</button></p></form>`;
}
