import { now } from "../platform/clock.ts";
import type { RowByName } from "../platform/fields/reader.ts";
import { html, type Html } from "../web/html.ts";
import { momentAgo, type InLanguages, type Language } from "../web/language.ts";
import { state, type Meaning } from "../web/state.ts";
import { orderStatusWord } from "./order-words.ts";

type Look = { meaning: Meaning } & InLanguages<string>;

/**
 * The displayed states of an invoice and its order: the words, and the meaning, which sets colour and shape
 * (web/state.ts). Only final states are good.
 */
export const shownWords = {
  not_sent: { meaning: "neutral", en: "Not sent", ro: "Netrimisă" },
  waiting: { meaning: "waiting", en: "Waiting", ro: "Așteaptă" },
  on_its_way: { meaning: "waiting", en: "On its way", ro: "Pe drum" },
  being_checked: { meaning: "waiting", en: "Being checked", ro: "Se verifică" },
  refused: { meaning: "wrong", en: "Refused", ro: "Refuzată" },
  to_be_confirmed: { meaning: "attention", en: "To be confirmed", ro: "De confirmat" },
  gone: { meaning: "wrong", en: "Gone", ro: "Dispărută" },
  cancelled_there: { meaning: "attention", en: "Cancelled there", ro: "Anulată acolo" },
  cancelled: { meaning: "neutral", en: "Cancelled", ro: "Anulată" },
} as const satisfies Record<string, Look>;

export type ShownWord = keyof typeof shownWords;

/** A displayed state: a word of the table, or the order's own status, which may be final. */
export type ShownState = { is: ShownWord } | { is: "open" | "final"; status: string | null };

const OF_ORDERS = { open: "waiting", final: "good" } as const;
/** The word for an order without a status of the warehouse. */
const SENT: InLanguages<string> = { en: "Sent", ro: "Trimisă" };

/**
 * Reads the state that migrations/0004 computes from both sides (`wms_shown`), from a row with listedInvoiceMembers.
 */
export function shownStateOf({ wms_shown: shown, wms_status: status = null }: RowByName): ShownState {
  const [is = ""] = (shown ?? "not_sent").split(":");
  return is === "open" || is === "final" ? { is, status } : { is: is as ShownWord };
}

/** Whether the invoice needs attention now. */
export function needsSomebody({ wms_needs_at: at = null }: RowByName): boolean {
  return at !== null && Date.parse(at) <= now();
}

const SENDING: ReadonlySet<string> = new Set(["waiting", "on_its_way", "being_checked"]);

/**
 * The attribute with which a page updates a part with invoices (assets/progress.js): at short intervals during sending,
 * every ten seconds while an order is not final.
 */
export function following(invoices: readonly RowByName[]): Html | null {
  const states = invoices.map((invoice) => shownStateOf(invoice).is);
  if (states.some((is) => SENDING.has(is))) return html` data-refresh`;
  return states.includes("open") ? html` data-refresh="10"` : null;
}

/** The last known progress of an invoice's order, from which its need is counted; null without an order. */
export function lastMoved(invoice: RowByName, language: Language, timeZone: string): Html | null {
  const { wms_order_id: order = null, wms_moved_at: moved = null, wms_updated_at: updated = null } = invoice;
  const at = moved ?? updated ?? invoice.wms_synced_at ?? null;
  if (order === null || at === null) return null;
  return momentAgo(language, at, timeZone, following([invoice]) !== null);
}

/** The state of an invoice, as all pages show it. */
export function shownState(invoice: RowByName, language: Language): Html {
  const shown = shownStateOf(invoice);
  const meaning = "status" in shown ? OF_ORDERS[shown.is] : shownWords[shown.is].meaning;
  return state(meaning, shownWord(shown, language));
}

export function shownWord(shown: ShownState, language: Language): string {
  if (!("status" in shown)) return shownWords[shown.is][language];
  return shown.status === null ? SENT[language] : orderStatusWord(shown.status, language);
}
