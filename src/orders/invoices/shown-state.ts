import { html, type Html } from "../../kit/web/html.ts";
import { momentAgo, type InLanguages, type Language } from "../../kit/web/language.ts";
import { state, type Meaning } from "../../kit/web/state.ts";
import { now } from "../../platform/clock.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { orderStatusWord } from "./order-words.ts";

type Look = { meaning: Meaning } & InLanguages<string>;

/**
 * The displayed states of an invoice and its order: the words, and the meaning, which sets colour and shape
 * (web/state.ts). Only final states are good.
 */
export const shownWords = {
  not_sent: { meaning: "neutral", en: "Not sent", ro: "Netrimisă" },
  waiting: { meaning: "waiting", en: "In the queue", ro: "În așteptare" },
  on_its_way: { meaning: "waiting", en: "Sending", ro: "Se trimite" },
  being_checked: { meaning: "waiting", en: "Checking", ro: "Se verifică" },
  refused: { meaning: "wrong", en: "Refused", ro: "Refuzată" },
  to_be_confirmed: { meaning: "attention", en: "To be confirmed", ro: "De confirmat" },
  gone: { meaning: "wrong", en: "Missing in the warehouse", ro: "Lipsește din depozit" },
  cancelled_there: { meaning: "attention", en: "Cancelled by the warehouse", ro: "Anulată de depozit" },
  cancelled_here: { meaning: "attention", en: "Cancelled, still in the warehouse", ro: "Anulată, încă în depozit" },
  shipped_cancelled: { meaning: "wrong", en: "Shipped although cancelled", ro: "Expediată deși este anulată" },
  cancelled: { meaning: "neutral", en: "Cancelled", ro: "Anulată" },
} as const satisfies Record<string, Look>;

export type ShownWord = keyof typeof shownWords;

/** A displayed state: a word of the table, or the order's own status, which may be final. */
export type ShownState = { is: ShownWord } | { is: "open" | "final"; status: string | null };

const OF_ORDERS = { open: "waiting", final: "good" } as const;
/** The word for an order without a status of the warehouse. */
const SENT: InLanguages<string> = { en: "Sent", ro: "Trimisă" };

/**
 * Reads the state that show_order computes from both sides (`wms_shown`), from a row with listedInvoiceMembers.
 */
export function shownStateOf({ wms_shown: shown, wms_status: status = null }: RowByName): ShownState {
  const [is = ""] = (shown ?? "not_sent").split(":");
  return is === "open" || is === "final" ? { is, status } : { is: is as ShownWord };
}

/** Whether the invoice has a need by now, put off or not. */
export function hasNeed({ wms_needs_at: at = null, wms_settled_at: settled = null }: RowByName): boolean {
  return at !== null && Date.parse(at) <= now() && settled === null;
}

/** Until when the invoice's need is put off; null if it is not. */
export function putOffUntil(invoice: RowByName): string | null {
  const until = invoice.wms_put_off_until ?? null;
  return until !== null && Date.parse(until) > now() && hasNeed(invoice) ? until : null;
}

/** A person may have the warehouse asked about an order once in this time. */
export const CHECK_MS = 60_000;

/** How far a person's check of the order is; null if there was none within CHECK_MS. */
export function checkOf({ wms_checked_at: at = null, wms_synced_at: answered = null }: RowByName) {
  if (at === null || now() - Date.parse(at) >= CHECK_MS) return null;
  return answered !== null && Date.parse(answered) >= Date.parse(at) ? "answered" : "asked";
}

const SENDING: ReadonlySet<string> = new Set(["waiting", "on_its_way", "being_checked"]);

/**
 * The attribute with which a page updates a part with invoices (assets/progress.js): at short intervals during sending,
 * every ten seconds while an order is not final.
 */
export function following(invoices: readonly RowByName[]): Html | null {
  const states = invoices.map((invoice) => shownStateOf(invoice).is);
  if (states.some((is) => SENDING.has(is)) || invoices.some((invoice) => checkOf(invoice) === "asked"))
    return html` data-refresh`;
  if (invoices.some(({ wms_cancel: cancel }) => cancel === "queued" || cancel === "unknown"))
    return html` data-refresh`;
  return states.some((is) => is === "open" || is === "cancelled_here") ? html` data-refresh="10"` : null;
}

/** The days since an invoice's order last moved. */
export function daysUnmoved(invoice: RowByName): number {
  const at = movedAt(invoice) ?? invoice.created_at ?? null;
  return at === null ? 0 : Math.floor((now() - Date.parse(at)) / 86_400_000);
}

/** The time from which the need of an order is counted. */
function movedAt(invoice: RowByName): string | null {
  return invoice.wms_moved_at ?? invoice.wms_updated_at ?? invoice.wms_synced_at ?? null;
}

/** The last known progress of an invoice's order; null without an order. */
export function lastMoved(invoice: RowByName, language: Language, timeZone: string): Html | null {
  const at = movedAt(invoice);
  if ((invoice.wms_order_id ?? null) === null || at === null) return null;
  return momentAgo(language, at, timeZone, following([invoice]) !== null);
}

/** The state of an invoice, as all pages show it. */
export function shownState(invoice: RowByName, language: Language): Html {
  const shown = shownStateOf(invoice);
  return state(meaningOf(shown), shownWord(shown, language));
}

export function meaningOf(shown: ShownState): Meaning {
  return "status" in shown ? OF_ORDERS[shown.is] : shownWords[shown.is].meaning;
}

export function shownWord(shown: ShownState, language: Language): string {
  if (!("status" in shown)) return shownWords[shown.is][language];
  return shown.status === null ? SENT[language] : orderStatusWord(shown.status, language);
}
