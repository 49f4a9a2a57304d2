import { NO_OWNER } from "../companies/live-company-queries.ts";
import type { Deps } from "../deps.ts";
import { following } from "../invoices/shown-state.ts";
import { listOpened, openedPlaces, type Opened } from "../last-opened/last-opened-queries.ts";
import { dayAfter } from "../platform/dates.ts";
import { phoneLink } from "../web/contact-links.ts";
import { html, type Html } from "../web/html.ts";
import { labelledCell } from "../web/labelled-cell.ts";
import { day, weekday } from "../web/language.ts";
import type { Page, PageRequest } from "../web/page.ts";
import { state } from "../web/state.ts";
import { webhooksInNeed } from "../webhooks/pages/in-need.ts";
import { countLinks } from "../wms/confirming/reconfirm-queries.ts";
import { allOf } from "../wms/orders/order-filters.ts";
import { listOrders, type ListedOrder } from "../wms/orders/order-list-queries.ts";
import { ordersTable } from "../wms/pages/orders-table.ts";
import { firstSteps } from "./first-steps.ts";
import { findFirstSteps, listCallBacks, listUnsent, type CallBack } from "./today-queries.ts";
import { todayWords } from "./today-words.ts";

const CALL_BACKS = 25;
const NEEDS = 25;
/** More invoices than these are a number, and a way to all of them. */
const UNSENT = 10;
const UNSENT_COUNTED = 1_000;
const OPENED = 8;

/** The companies that the page is about: mine, everybody's, or those without an owner. */
type Whose = "mine" | "all" | "nobody";

/** GET /today: what waits for me, for anybody (`whose=all`), or for nobody in particular (`whose=nobody`). */
export const todayPage: Page = async (deps, request) => {
  const { query, language } = request;
  const { tenant } = request.actor;
  const words = todayWords[language];
  const asked = query.get("whose");
  const whose: Whose = asked === "all" || asked === "nobody" ? asked : "mine";
  const isAll = whose === "all";
  const userId = request.session.user.id;
  const [found, unowned, steps, opened, webhooks] = await Promise.all([
    find(deps, request, { mine: userId, all: null, nobody: NO_OWNER }[whose]),
    whose === "mine" ? find(deps, request, NO_OWNER) : null,
    findFirstSteps(tenant, deps.database, userId),
    listOpened(tenant, deps.database, userId, OPENED),
    webhooksInNeed(deps, request),
  ]);
  const { callBacks, needs, links, unsent } = found;
  const ofNobody = unowned === null ? 0 : countOf(unowned);
  const isNeeded = needs.length > 0 || links.count > 0 || webhooks.length > 0;
  const isQuiet = countOf(found) === 0 && webhooks.length === 0 && ofNobody === 0;
  const isNew = Object.values(steps).includes(false);
  const isReachable = deps.warehouse !== null;
  const main = html`<header class="heading"><h1>${words.title}</h1><span class="muted">${weekday(language, request.session.workspace.timeZone)}</span>
<nav class="switch" aria-label="${words.whose}"><a href="/today"${whose === "mine" && html` aria-current="page"`}>${words.mine}</a>
<a href="/today?whose=all"${isAll && html` aria-current="page"`}>${words.everybody}</a>
${whose === "nobody" && html`<a href="/today?whose=nobody" aria-current="page">${words.nobodys}</a>`}</nav></header>
${isNew && firstSteps(steps, request)}
<div id="today"${following(needs.map(({ invoice }) => invoice))}>
${ofNobody > 0 && html`<p>${words.unowned(ofNobody, unowned?.isMore === true)} <a href="/today?whose=nobody">${words.toOrders}</a></p>`}
${isQuiet && html`<p class="empty">${isAll ? words.nothingForAll : words.nothing}</p>`}
${callBacks.length > 0 && part(words.callBack, callBackTable(callBacks, found.today, request))}
${isNeeded && part(words.needs, html`${needsOf(found, request, isReachable)}${webhooks}${links.count > 0 && html`<p>${words.links(links.count, links.isMore)} <a href="/warehouse/reconfirm">${words.look}</a></p>`}`)}
${unsent.total > 0 && part(words.notSent, unsentOf(unsent, request, isReachable))}
</div>
${opened.length > 0 && part(words.opened, openedList(opened))}`;
  return { title: words.title, area: "today", main };
};

/** @param assignedTo a user's id, NO_OWNER, or null for all companies */
async function find(deps: Deps, { actor, session }: PageRequest, assignedTo: string | null) {
  const { tenant } = actor;
  const { database } = deps;
  const today = dayAfter(0, session.workspace.timeZone);
  // Links are confirmed together, on a page of their own.
  const inNeed = { ...allOf({ of: "needs" }), assignedTo };
  const [callBacks, { orders: needs, total: needed }, links, unsent] = await Promise.all([
    listCallBacks(tenant, deps, { today, assignedTo, most: CALL_BACKS }),
    listOrders(tenant, deps, inNeed, "-issued_on", { page: 1, perPage: NEEDS, offset: 0 }),
    countLinks(tenant, database, assignedTo),
    listUnsent(tenant, deps, { assignedTo, most: UNSENT, limit: UNSENT_COUNTED + 1 }),
  ]);
  const isMore = callBacks.length === CALL_BACKS || links.isMore || unsent.total > UNSENT_COUNTED;
  return { today, callBacks, needs, needed, links, unsent, isMore };
}

type Found = Awaited<ReturnType<typeof find>>;

/** The number of things that wait. */
function countOf({ callBacks, needed, links, unsent }: Found): number {
  return callBacks.length + needed + links.count + Math.min(unsent.total, UNSENT_COUNTED);
}

function part(title: string, content: Html): Html {
  return html`<section class="section"><header><h2>${title}</h2></header>
${content}</section>`;
}

function callBackTable(callBacks: readonly CallBack[], today: string, { address, language }: PageRequest): Html {
  const words = todayWords[language];
  return html`<table class="list"><thead><tr><th scope="col">${words.company}</th><th scope="col">${words.date}</th>
<th scope="col">${words.contact}</th><th scope="col">${words.phone}</th><th scope="col"><span class="hidden">${words.done}</span></th></tr></thead>
<tbody>${callBacks.map(
    ({
      id,
      name,
      date,
      contact,
      phone,
    }) => html`<tr><td class="name"><a href="/companies/${id}" title="${name}">${name}</a></td>
<td>${date < today ? state("wrong", words.overdue) : state("attention", words.due)} <time class="muted" datetime="${date}">${day(language, date)}</time></td>
<td>${contact !== null && html`<a href="/contacts/${contact.id}">${contact.name}</a>`}</td>
${labelledCell(words.phone, phoneLink(phone))}
<td class="action"><form method="post" action="/companies/${id}/call-back"><input type="hidden" name="to" value="${address}">
<button name="when" value="done">${words.done}<span class="hidden"> ${name}</span></button>
<button name="when" value="week">${words.inAWeek}<span class="hidden"> ${name}</span></button></form></td></tr>`,
  )}</tbody></table>`;
}

/** The buttons of the rows say where they go. */
function inForm(orders: readonly ListedOrder[], request: PageRequest, isReachable: boolean): Html {
  return html`<form method="post" action="/orders/send"><input type="hidden" name="to" value="${request.address}">
${ordersTable(orders, request, isReachable, false)}</form>`;
}

function needsOf({ needs, needed }: Found, request: PageRequest, isReachable: boolean): Html | null {
  if (needs.length === 0) return null;
  const all =
    needed > needs.length &&
    html`<p class="foot"><a href="/orders?state=attention">${todayWords[request.language].allNeeds}</a></p>`;
  return html`${inForm(needs, request, isReachable)}${all}`;
}

function unsentOf(
  { orders, total }: { orders: readonly ListedOrder[]; total: number },
  request: PageRequest,
  isReachable: boolean,
): Html {
  if (total <= UNSENT) return inForm(orders, request, isReachable);
  const words = todayWords[request.language];
  const count = Math.min(total, UNSENT_COUNTED);
  return html`<p>${words.unsent(count, total > count)} <a href="/orders?state=not_sent">${words.toOrders}</a></p>`;
}

function openedList(opened: readonly Opened[]): Html {
  return html`<ul class="opened">${opened.map(
    ({ kind, id, name, company }) =>
      html`<li><a href="/${openedPlaces[kind]}/${id}">${name}</a>${company !== null && html` <span class="muted">${company}</span>`}</li>`,
  )}</ul>`;
}
