import { copyButton } from "../../../kit/web/copy-button.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { moment } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { orderStatusWord } from "../../invoices/order-words.ts";
import { hasNeed, lastMoved, putOffUntil, shownState, shownStateOf, shownWord } from "../../invoices/shown-state.ts";
import { sendReasonIn } from "../../invoices/wms-error.ts";
import { whyNotSent } from "../may-be-sent.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import type { InvoiceStanding } from "../sending/push-queries.ts";
import { orderListWords } from "./order-list-words.ts";
import { reasonOf } from "./reason.ts";
import { warehouseWords } from "./warehouse-words.ts";
import { wayWords } from "./way-words.ts";

/** A state of an order, and since when. */
export type OrderMoment = { at: string; status: string };

/** The usual way of an order. A warehouse may have others. */
const USUAL = ["new", "picking", "packed", "shipped"];

/** The state of an invoice's order, with the reason, and the steps of its way. @param way the latest state first */
export function orderWay(
  { invoice }: ListedOrder,
  standing: InvoiceStanding | null,
  way: readonly OrderMoment[],
  request: PageRequest,
  isReachable: boolean,
  help: Html | null,
): Html {
  const { language, session } = request;
  const { timeZone } = session.workspace;
  const words = wayWords[language];
  const { wms_order_id: id = null, wms_order_number: number = null, wms_instance: instance = null } = invoice;
  const moved = lastMoved(invoice, language, timeZone);
  const asked = invoice.wms_synced_at ?? null;
  const reason = reasonOf(invoice, language, timeZone);
  const why = standing === null ? null : whyNotSent(standing, isReachable);
  const isInNeed = hasNeed(invoice);
  const steps = stepper(invoice, way, request);
  // The steps have the times at which Liaison saw them, and an imported order has moved before.
  const isMovedShown = moved !== null && (steps === null || (invoice.wms_moved_at ?? null) === null);
  return html`<section class="section" id="way"><header><h2>${words.order}</h2>${shownState(invoice, language)}
${id !== null && html`<span class="muted"><span>${number ?? id}</span>${copyButton(orderListWords[language].orderNumber, language)}${instance !== null && html` · ${instance}`}</span>`}
${isMovedShown && html`<span class="muted">${words.moved} ${moved}</span>`}
${asked !== null && shownStateOf(invoice).is !== "final" && html`<span class="muted">${words.asked} ${moment(language, asked, timeZone)}</span>`}</header>
${
  reason !== null &&
  html`<p class="reason${isInNeed && html` attention`}">${reason}${help !== null && html` ${help}`}${
    putOffUntil(invoice) !== null &&
    html` <button class="link" form="take-up">${orderListWords[language].showAgain}</button><form id="take-up" method="post" action="/invoices/${invoice.id}/put-off" hidden></form>`
  }</p>`
}
${
  why !== null &&
  reason === null &&
  html`<p class="muted">${sendReasonIn(language, why)}${why.code === "disconnected" && html` <a href="/companies/${invoice.company_id}/warehouse">${warehouseWords[language].connect}</a>`}</p>`
}
${steps}</section>`;
}

function stepper(invoice: RowByName, way: readonly OrderMoment[], { language, session }: PageRequest): Html | null {
  const shown = shownStateOf(invoice);
  if (shown.is === "not_sent" || shown.is === "refused") return null;
  const steps = invoice.wms_order_id == null ? [] : stepsBehind(invoice, way);
  // The steps of an imported order are unknown.
  if (shown.is === "final" && steps.length === 1) return null;
  const last = steps.at(-1)?.status ?? "";
  const isMoving = shown.is === "open" || shown.is === "cancelled_here" || steps.length === 0;
  const ahead = isMoving ? USUAL.slice(USUAL.indexOf(last) + 1) : [];
  const isKnown = steps.length === 0 || USUAL.includes(last);
  const time = (at: string | null) =>
    at !== null && html`<small>${moment(language, at, session.workspace.timeZone)}</small>`;
  const begun = steps.map(({ status, at }, index) => {
    const isLast = index === steps.length - 1;
    const isStopped = shown.is === "gone" || shown.is === "cancelled_there";
    const kind =
      isLast && shown.is !== "final" && shown.is !== "shipped_cancelled"
        ? html`class="current${isStopped && " stopped"}" aria-current="step"`
        : html`class="done"`;
    return html`<li ${kind}><span>${orderStatusWord(status, language)}</span>${time(at)}</li>`;
  });
  const waiting =
    steps.length === 0 && html`<li class="current" aria-current="step"><span>${shownWord(shown, language)}</span></li>`;
  return html`<ol class="stepper" aria-label="${wayWords[language].way}">${begun}${waiting}${isKnown && ahead.map((status) => html`<li><span>${orderStatusWord(status, language)}</span></li>`)}</ol>`;
}

type Step = { status: string; at: string | null };

/** The states up to the present one, the earliest first. An order that went back has not come to the later ones. */
function stepsBehind(
  { wms_status: status = null, wms_moved_at: moved = null }: RowByName,
  way: readonly OrderMoment[],
): Step[] {
  const steps: Step[] = [];
  const reach = (step: Step) => {
    const before = steps.findIndex((each) => each.status === step.status);
    if (before >= 0) steps.splice(before);
    steps.push(step);
  };
  for (const { status: each, at } of way.toReversed()) reach({ status: each.toLowerCase(), at });
  const present = (status ?? "").toLowerCase();
  if (present !== "" && steps.at(-1)?.status !== present) reach({ status: present, at: moved });
  return steps;
}
