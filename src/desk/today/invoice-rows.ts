import { phoneLink } from "../../kit/web/contact-links.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { amount, day } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { dueDayOf } from "../../orders/invoices/due-day.ts";
import { meaningOf, shownStateOf, shownWord, type ShownState } from "../../orders/invoices/shown-state.ts";
import { stepWords } from "../../orders/invoices/status-steps.ts";
import { orderActions } from "../../orders/wms/pages/order-actions.ts";
import { reasonOf } from "../../orders/wms/pages/reason.ts";
import { daysBetween } from "../../platform/dates.ts";
import type { CurrencySum } from "./counted-queries.ts";
import { groupFoot, type Group, type TodayItem } from "./today-items.ts";
import { MOST_SENT, type TodayOrder } from "./today-queries.ts";
import { todayWords } from "./today-words.ts";

type Shown = {
  request: PageRequest;
  /** The names of owners by their companies' ids; empty if they are not shown. */
  owners: ReadonlyMap<string, string>;
  isReachable: boolean;
  /** As the page's query has it. */
  whose: string;
  /** The owner whose companies the page is about, for the links to lists; null for all. */
  assignedTo: string | null;
};

type Listed = { orders: readonly TodayOrder[]; total: number; isCut: boolean; sums: readonly CurrencySum[] };
/** The orders in need, with the links that are confirmed on a page of their own: `total` has both. */
export type Needs = Listed & { ofNobody: number; links: { count: number; isMore: boolean } };

/** The orders that need attention. */
export function orderGroup(listed: Needs, shown: Shown): Group {
  const { links } = listed;
  const { request } = shown;
  const { language, session } = request;
  const words = todayWords[language];
  const { timeZone } = session.workspace;
  const items = listed.orders.map((order): TodayItem => {
    const { invoice } = order;
    const state = shownStateOf(invoice);
    const word = shownWord(state, language);
    const reason = reasonOf(invoice, language, timeZone);
    return {
      ...invoiceOf(order, shown, `need-${invoice.id}`, signOf(state)),
      why: html`<strong>${word}</strong>${reason !== null && html` · ${reason}`}`,
      whyText: reason === null ? word : `${word} · ${reason}`,
      actions: orderActions(order, language, shown.isReachable),
    };
  });
  const hasLinks = links.count > 0;
  const group = groupWith("needs", words.orders, listed, items, shown);
  const all = footOf({ ...listed, total: listed.total - links.count }, "attention", shown);
  if (!hasLinks) return { ...group, foot: all };
  const foot = html`<p>${words.links(links.count, links.isMore)} <a href="/warehouse/reconfirm">${words.look}</a></p>${all}`;
  return { ...group, isMore: group.isMore || links.isMore, foot };
}

/** The invoices of connected companies that may be sent, with a button that sends all. */
export function unsentGroup(listed: Listed & { newest: string | null }, shown: Shown): Group {
  const { request, isReachable, whose } = shown;
  const { language, address } = request;
  const words = todayWords[language];
  const items = listed.orders.map((order): TodayItem => {
    const issued = order.invoice.issued_on ?? null;
    const why = issued === null ? words.notIssued : words.issuedOn(day(language, issued));
    return {
      ...invoiceOf(order, shown, `unsent-${order.invoice.id}`, signOf(shownStateOf(order.invoice))),
      why,
      whyText: why,
      actions: orderActions(order, language, isReachable),
    };
  });
  const action =
    isReachable &&
    listed.total > 1 &&
    listed.total <= MOST_SENT &&
    html`<form method="post" action="/today/send-all"><input type="hidden" name="to" value="${address}">
<input type="hidden" name="whose" value="${whose}"><input type="hidden" name="through" value="${listed.newest}">
<button>${words.sendAll(listed.total)}</button></form>`;
  const group = groupWith("unsent", words.toSend, listed, items, shown);
  return { ...group, action, foot: footOf(listed, "to_send", shown) };
}

/** The issued invoices whose day of payment has passed. */
export function overdueGroup(listed: Listed, shown: Shown & { today: string }): Group {
  const { request, today } = shown;
  const { language } = request;
  const words = todayWords[language];
  const items = listed.orders.map((order): TodayItem => {
    const { invoice, phone } = order;
    const due = dueDayOf(invoice) ?? today;
    const sign = html`<span class="state attention" aria-hidden="true"></span>`;
    const shared = invoiceOf(order, shown, `overdue-${invoice.id}`, sign);
    return {
      ...shared,
      whom: html`${shared.whom}${phone !== null && html` ${phoneLink(phone)}`}`,
      why: html`<span class="late">${words.late(daysBetween(due, today))}</span>`,
      whyText: words.dueOn(day(language, due)),
      actions: html`<button formaction="/invoices/${invoice.id}/status" name="step" value="pay">${stepWords[language].pay.act}<span class="hidden"> ${invoice.number}</span></button><a class="button" href="/money/reminders?companies=${invoice.company_id}">${words.remind}<span class="hidden"> ${order.companyName}</span></a>`,
    };
  });
  return { ...groupWith("overdue", words.overdue, listed, items, shown), foot: footOf(listed, "overdue", shown) };
}

function groupWith(
  id: string,
  title: string,
  { total, isCut, sums }: Listed,
  items: readonly TodayItem[],
  { request }: Shown,
): Group {
  return { id, title, total, isMore: isCut, sums, items, action: null, foot: null, formBackTo: request.address };
}

/** The part of an address that narrows a list to an owner. */
export function ofOwner(assignedTo: string | null): string {
  return assignedTo === null ? "" : `&assigned_to=${assignedTo}`;
}

/** The link to all orders of a state, if the group does not show them all, and how many were counted. */
function footOf({ orders, total, isCut }: Listed, state: string, { request, assignedTo }: Shown): Html | null {
  const path = `/orders?state=${state}${ofOwner(assignedTo)}`;
  return groupFoot(total > orders.length ? path : null, isCut, request.language);
}

function invoiceOf({ invoice, companyName }: TodayOrder, { request, owners }: Shown, id: string, sign: Html) {
  const { number, total = null, currency = null, company_id: company } = invoice;
  return {
    id,
    sign,
    what: html`<a href="/invoices/${invoice.id}" title="${number}">${number}</a>`,
    whom: html`<a href="/companies/${company}" title="${companyName}">${companyName}</a>`,
    amount: amount(request.language, total, currency),
    owner: owners.get(String(company)) ?? null,
  };
}

/** The shape of a state; its word is beside it. */
function signOf(state: ShownState): Html {
  return html`<span class="state ${meaningOf(state)}" aria-hidden="true"></span>`;
}
