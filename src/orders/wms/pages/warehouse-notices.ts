import { html, type Html } from "../../../kit/web/html.ts";
import { day, type Language } from "../../../kit/web/language.ts";
import type { NoticeLine, NoticeWords } from "../../../kit/web/notice.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { isId } from "../../../platform/ids.ts";
import { connectWords } from "./connect-words.ts";
import { orderListWords } from "./order-list-words.ts";
import { reconfirmWords } from "./reconfirm-words.ts";
import { warehouseWords } from "./warehouse-words.ts";
import { wayWords } from "./way-words.ts";

/** The lines about a connection that was just written, tested or removed. */
export const warehouseNotices: NoticeWords = {
  "warehouse-saved": ({ outcome }, language) => {
    const { saved } = warehouseWords[language];
    // Without a test there is no connection.
    if (outcome === undefined || outcome === "unconnected") return html`${saved}`;
    const { meaning, line } = tested(outcome, language);
    return { meaning, line: html`${saved} ${line}` };
  },
  "warehouse-removed": (_values, language) => html`${warehouseWords[language].removed}`,
  "warehouse-moved": (_values, language) => ({ meaning: "attention", line: html`${warehouseWords[language].moved}` }),
  "companies-connected": ({ count, left }, language) => {
    const words = connectWords[language];
    const hasLeft = Number(left) > 0;
    const line = html`${words.connected(Number(count))}${hasLeft && html` ${words.left(Number(left))}`}`;
    return { meaning: hasLeft ? "attention" : "good", line };
  },
  "invoices-queued": ({ queued, skipped }, language) => {
    const words = wayWords[language];
    const refused = Number(skipped);
    const line = html`${words.queued(Number(queued))}${refused > 0 && html` ${words.skipped(refused)}`}`;
    return { meaning: refused > 0 ? "attention" : "good", line };
  },
  "warehouse-tried": ({ name = "", done }, language) =>
    html`${orderListWords[language][done === "1" ? "tried" : "notPaused"](name)}`,
  "order-again": ({ done }, language) => html`${orderListWords[language][done === "1" ? "queuedAgain" : "notQueued"]}`,
  "order-settled": ({ done, id = "" }, language) => {
    const words = orderListWords[language];
    if (done !== "1") return html`${words.notSettled}`;
    const undo = html`<form method="post" action="/invoices/${id}/unsettle"><button class="link">${shellWords[language].undo}</button></form>`;
    return html`${words.settled} ${isId(id) && undo}`;
  },
  "order-unsettled": ({ done }, language) =>
    html`${orderListWords[language][done === "1" ? "unsettled" : "notSettled"]}`,
  "order-cancelling": ({ done }, language) => {
    const words = orderListWords[language];
    if (done === "1") return html`${words.cancellingThere}`;
    return { meaning: "attention", line: html`${words.notCancelledThere}` };
  },
  "order-checked": ({ outcome = "", seconds = "0", until = "" }, language) => {
    const words = orderListWords[language];
    if (outcome === "asked") return html`${words.checks.asked}`;
    const checks: Readonly<Record<string, string>> = words.checks;
    const others = outcome === "later" ? words.askedLater(until) : words.askedLately(seconds);
    return { meaning: "attention", line: html`${checks[outcome] ?? others}` };
  },
  "need-put-off": ({ done, id = "", until = "" }, language) => {
    const words = orderListWords[language];
    if (done !== "1") return { meaning: "attention", line: html`${words.notPutOff}` };
    if (!/^\d{4}-\d{2}-\d{2}$/.test(until)) return html`${words.isShownAgain}`;
    return html`${words.isPutOff(day(language, until))} ${isId(id) && showAgain(id, language)}`;
  },
  "link-renounced": ({ done, number = "" }, language) => {
    const words = orderListWords[language];
    if (done === "1") return html`${words.renounced(number)}`;
    return { meaning: "attention", line: html`${words.notRenounced}` };
  },
  "links-confirmed": ({ confirmed, refused }, language) => {
    const words = reconfirmWords[language];
    const others = Number(refused);
    const line = html`${words.confirmed(Number(confirmed))}${others > 0 && html` ${words.refused(others)}`}`;
    return { meaning: others > 0 ? "attention" : "good", line };
  },
  "warehouse-tested": ({ outcome }, language) => tested(outcome ?? "", language),
};

function tested(outcome: string, language: Language): NoticeLine {
  const words = warehouseWords[language];
  if (outcome === "reached") return { meaning: "good", line: html`${words.reached}` };
  if (outcome === "unconnected") return { meaning: "attention", line: html`${words.unconnected}` };
  const reasons: Readonly<Record<string, string>> = words.reasons;
  return { meaning: "wrong", line: html`${words.failed(reasons[outcome] ?? words.reasons.unknown)}` };
}

/** The button that ends a rest at once. */
function showAgain(id: string, language: Language): Html {
  return html`<form method="post" action="/invoices/${id}/put-off"><button class="link" name="days" value="0">${shellWords[language].undo}</button></form>`;
}
