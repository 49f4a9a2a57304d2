import { html } from "../../web/html.ts";
import type { NoticeWords } from "../../web/notice.ts";
import { orderListWords } from "./order-list-words.ts";
import { reconfirmWords } from "./reconfirm-words.ts";
import { warehouseWords } from "./warehouse-words.ts";
import { wayWords } from "./way-words.ts";

/** The lines about a connection that was just written, tested or removed. */
export const warehouseNotices: NoticeWords = {
  "warehouse-saved": (_values, language) => html`${warehouseWords[language].saved}`,
  "warehouse-removed": (_values, language) => html`${warehouseWords[language].removed}`,
  "invoices-queued": ({ queued, skipped }, language) => {
    const words = wayWords[language];
    const refused = Number(skipped);
    return html`${words.queued(Number(queued))}${refused > 0 && html` ${words.skipped(refused)}`}`;
  },
  "order-again": ({ done }, language) => html`${orderListWords[language][done === "1" ? "queuedAgain" : "notQueued"]}`,
  "order-settled": ({ done }, language) => html`${orderListWords[language][done === "1" ? "settled" : "notSettled"]}`,
  "links-confirmed": ({ confirmed, refused }, language) => {
    const words = reconfirmWords[language];
    const others = Number(refused);
    return html`${words.confirmed(Number(confirmed))}${others > 0 && html` ${words.refused(others)}`}`;
  },
  "warehouse-tested": ({ outcome }, language) => {
    const words = warehouseWords[language];
    if (outcome === "reached") return html`${words.reached}`;
    if (outcome === "unconnected") return html`${words.unconnected}`;
    const reasons: Readonly<Record<string, string>> = words.reasons;
    return html`${words.failed(reasons[outcome ?? ""] ?? words.reasons.unknown)}`;
  },
};
