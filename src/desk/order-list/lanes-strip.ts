import { html, type Html } from "../../kit/web/html.ts";
import { timeOf, wholeNumber, type Language } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { state } from "../../kit/web/state.ts";
import { orderListWords } from "../../orders/wms/pages/order-list-words.ts";
import { reconfirmWords } from "../../orders/wms/pages/reconfirm-words.ts";
import type { WarehouseLane, WarehouseLanes } from "../../orders/wms/sending/warehouse-status.ts";

/** The most jobs that are counted. A longer queue shows this number and a plus sign. */
export const MOST_JOBS_COUNTED = 10_000;

/** The warehouses with something to send, each with its state, and the links that wait for a confirmation. */
export function lanesStrip(
  { lanes: all }: WarehouseLanes,
  links: { count: number; isMore: boolean },
  { language, session, address }: PageRequest,
): Html | null {
  // The invoices of companies whose connection was removed have a lane without a name until their job ends.
  const lanes = all.filter(({ subdomain }) => subdomain !== "");
  if (lanes.length === 0 && links.count === 0) return null;
  const { timeZone } = session.workspace;
  return html`<ul class="lanes" aria-label="${orderListWords[language].lanes}">${lanes.map((lane) => laneItem(lane, { language, timeZone, address }))}
${links.count > 0 && html`<li><a href="/warehouse/reconfirm">${reconfirmWords[language].link(links.count, links.isMore)}</a></li>`}</ul>`;
}

function laneItem(
  { instance, subdomain, running, waiting, oldestPendingSeconds: oldest, closedUntil }: WarehouseLane,
  { language, timeZone, address }: { language: Language; timeZone: string; address: string },
): Html {
  const words = orderListWords[language];
  const figure = (count: number) => `${wholeNumber(language, count)}${count >= MOST_JOBS_COUNTED ? "+" : ""}`;
  const isOpen = closedUntil === null;
  const condition = isOpen
    ? state("good", words.isOpen)
    : state("attention", words.pausedUntil(timeOf(language, closedUntil, timeZone)));
  return html`<li><a href="/orders?instance=${encodeURIComponent(instance)}" title="${instance}">${subdomain}</a> ${condition}
<span>${words.lane(figure(running), figure(waiting))}${oldest !== null && `, ${words.oldest(age(oldest))}`}</span>${
    !isOpen &&
    html`<form method="post" action="/orders/try"><input type="hidden" name="to" value="${address}"><button class="quiet" name="subdomain" value="${subdomain}">${words.tryNow}<span class="hidden"> ${subdomain}</span></button></form>`
  }</li>`;
}

/** The units are the same in both languages. */
export function age(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
