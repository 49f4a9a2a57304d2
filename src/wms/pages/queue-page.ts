import { countShown } from "../../invoices/shown-queries.ts";
import { shownWords } from "../../invoices/shown-state.ts";
import { html, type Html } from "../../web/html.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { moment, wholeNumber, type Language } from "../../web/language.ts";
import { notice } from "../../web/notice.ts";
import type { Page } from "../../web/page.ts";
import { state } from "../../web/state.ts";
import { countLinks } from "../confirming/reconfirm-queries.ts";
import { allOf } from "../orders/order-filters.ts";
import { listOrders } from "../orders/order-list-queries.ts";
import { redrive } from "../sending/push-invoices.ts";
import { warehouseLanes, type WarehouseLanes } from "../sending/warehouse-status.ts";
import { orderListWords } from "./order-list-words.ts";
import { ordersTable } from "./orders-table.ts";
import { reconfirmWords } from "./reconfirm-words.ts";
import { unreachable } from "./unreachable.ts";
import { wayWords } from "./way-words.ts";

/** Of those that need somebody, the latest that came to it; the list has all. */
const SHOWN = { page: 1, perPage: 25, offset: 0 };
/** The words whose invoices are counted, in their order. */
const COUNTED = [
  "not_sent",
  "waiting",
  "on_its_way",
  "being_checked",
  "refused",
  "to_be_confirmed",
  "cancelled_there",
  "gone",
] as const;
const MOST_COUNTED = 10_000;

type ShownCounts = Awaited<ReturnType<typeof countShown<(typeof COUNTED)[number]>>>;

/** GET /warehouse: the queue at a glance, and everything that waits for its warehouse or for somebody. */
export const queuePage: Page = async (deps, request) => {
  const { actor, session, language } = request;
  const words = wayWords[language];
  const [{ lanes, oldestPendingSeconds }, shown, { orders }, unconfirmed] = await Promise.all([
    warehouseLanes(deps, actor.tenant),
    countShown(actor.tenant, deps.database, COUNTED, MOST_COUNTED),
    listOrders(actor.tenant, deps, allOf({ of: "attention" }), "-issued_on", SHOWN),
    countLinks(actor.tenant, deps.database, null),
  ]);
  const main = html`<header class="heading"><h1>${words.queue}</h1></header>
<p>${words.queueAbout}</p>
${deps.warehouse === null && unreachable(request)}
<div id="queue"${shown.under_way > 0 && html` data-refresh="10"`}>${counts(shown, oldestPendingSeconds, language)}${lanesTable(lanes, language, session.workspace.timeZone)}
${unconfirmed.count > 0 && html`<p><a href="/warehouse/reconfirm">${reconfirmWords[language].link(unconfirmed.count, unconfirmed.isMore)}</a></p>`}
<section class="section"><header><h2>${words.needs}</h2>
${shown.refused > 0 && html`<form method="post" action="/warehouse/redrive"><button>${words.redrive}</button></form>`}</header>
${
  orders.length === 0
    ? html`<p class="empty">${words.quiet}</p>`
    : html`<form method="post"><input type="hidden" name="to" value="/warehouse">${ordersTable(orders, request, deps.warehouse !== null, false)}</form>
<p class="foot"><a href="/orders?state=attention">${orderListWords[language].everything}</a></p>`
}</section></div>`;
  return { title: words.queue, area: "warehouse", main };
};

/** POST /warehouse/redrive: queues everything that failed again; what is open is looked up first. */
export const redrivePage: Page = async (deps, { actor }) => {
  const queued = deps.warehouse === null ? 0 : await redrive(deps, actor.tenant, null);
  return { to: "/warehouse", notice: notice("invoices-queued", { queued: String(queued), skipped: "0" }) };
};

function counts(shown: ShownCounts, oldestPendingSeconds: number | null, language: Language): Html {
  const words = wayWords[language];
  return html`<dl class="counts">${COUNTED.map(
    (word) =>
      html`<div${shown[word] === 0 && html` class="zero"`}><dt>${state(shown[word] === 0 ? "neutral" : shownWords[word].meaning, shownWords[word][language])}</dt><dd class="number"><a href="/orders?state=${word}">${figure(shown[word], language)}</a></dd></div>`,
  )}</dl>
${oldestPendingSeconds !== null && html`<p>${words.oldest(age(oldestPendingSeconds, language))}</p>`}`;
}

/** @param count up to MOST_COUNTED, which stands for all above */
function figure(count: number, language: Language): string {
  return count < MOST_COUNTED ? wholeNumber(language, count) : `${wholeNumber(language, MOST_COUNTED)}+`;
}

function age(seconds: number, language: Language): string {
  const words = wayWords[language];
  if (seconds < 120) return words.seconds(Math.round(seconds));
  return seconds < 7_200 ? words.minutes(Math.round(seconds / 60)) : words.hours(Math.round(seconds / 3_600));
}

function lanesTable(lanes: WarehouseLanes["lanes"], language: Language, timeZone: string): Html | null {
  if (lanes.length === 0) return null;
  const words = wayWords[language];
  return html`<table class="list"><thead><tr><th scope="col">${words.instance}</th><th scope="col" class="number">${words.running}</th>
<th scope="col" class="number">${words.waiting}</th><th scope="col">${words.status}</th></tr></thead><tbody>${lanes.map(
    ({
      instance,
      running,
      waiting,
      closedUntil,
    }) => html`<tr><td class="name"><a href="/orders?instance=${encodeURIComponent(instance)}">${instance}</a></td>
${labelledCell(words.running, wholeNumber(language, running), "number")}${labelledCell(words.waiting, wholeNumber(language, waiting), "number")}
<td>${closedUntil === null ? state("good", words.open) : state("attention", words.closed(moment(language, closedUntil, timeZone)))}</td></tr>`,
  )}</tbody></table>`;
}
