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
    const line = html`${words.queued(Number(queued))}${refused > 0 && html` ${words.skipped(refused)}`}`;
    return { meaning: refused > 0 ? "attention" : "good", line };
  },
  "order-again": ({ done }, language) => html`${orderListWords[language][done === "1" ? "queuedAgain" : "notQueued"]}`,
  "order-settled": ({ done }, language) => html`${orderListWords[language][done === "1" ? "settled" : "notSettled"]}`,
  "links-confirmed": ({ confirmed, refused }, language) => {
    const words = reconfirmWords[language];
    const others = Number(refused);
    const line = html`${words.confirmed(Number(confirmed))}${others > 0 && html` ${words.refused(others)}`}`;
    return { meaning: others > 0 ? "attention" : "good", line };
  },
  "warehouse-tested": ({ outcome }, language) => {
    const words = warehouseWords[language];
    if (outcome === "reached") return html`${words.reached}`;
    if (outcome === "unconnected") return { meaning: "attention", line: html`${words.unconnected}` };
    const reasons: Readonly<Record<string, string>> = words.reasons;
    return { meaning: "wrong", line: html`${words.failed(reasons[outcome ?? ""] ?? words.reasons.unknown)}` };
  },
};
