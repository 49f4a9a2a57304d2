import { now } from "../platform/clock.ts";
import type { RowByName } from "../platform/fields/reader.ts";
import { html, type Html } from "../web/html.ts";
import { momentAgo, type InLanguages, type Language } from "../web/language.ts";
import { state, type Meaning } from "../web/state.ts";
import { orderStatusWord } from "./order-words.ts";

type Look = { meaning: Meaning } & InLanguages<string>;

/**
 * The one table of what is shown of an invoice and its order: the word, and what it means, which has a colour and a shape
 * (web/state.ts). Nothing is good that is not final.
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

/** The state that an invoice is shown in: a word of the table, or its order's own status, which is the last one or not. */
export type ShownState = { is: ShownWord } | { is: "open" | "final"; status: string | null };

const OF_ORDERS = { open: "waiting", final: "good" } as const;
/** Of an order whose warehouse has no word for where it stands. */
const SENT: InLanguages<string> = { en: "Sent", ro: "Trimisă" };

/** The state that migrations/0004 makes from both sides (`wms_shown`), of a row with the columns of listedInvoiceMembers. */
export function shownStateOf({ wms_shown: shown, wms_status: status = null }: RowByName): ShownState {
  const [is = ""] = (shown ?? "not_sent").split(":");
  return is === "open" || is === "final" ? { is, status } : { is: is as ShownWord };
}

/** Whether somebody is needed, by now. */
export function needsSomebody({ wms_needs_at: at = null }: RowByName): boolean {
  return at !== null && Date.parse(at) <= now();
}

const SENDING: ReadonlySet<string> = new Set(["waiting", "on_its_way", "being_checked"]);

/**
 * The attribute of a part that shows some invoices, with which the page follows them (assets/progress.js): closely while one is being
 * sent, every ten seconds while an order is not final.
 */
export function following(invoices: readonly RowByName[]): Html | null {
  const states = invoices.map((invoice) => shownStateOf(invoice).is);
  if (states.some((is) => SENDING.has(is))) return html` data-refresh`;
  return states.includes("open") ? html` data-refresh="10"` : null;
}

/** When an invoice's order last moved, as far as anybody knows, and as its need is counted from; null where there is none. */
export function lastMoved(invoice: RowByName, language: Language, timeZone: string): Html | null {
  const { wms_order_id: order = null, wms_moved_at: moved = null, wms_updated_at: updated = null } = invoice;
  const at = moved ?? updated ?? invoice.wms_synced_at ?? null;
  if (order === null || at === null) return null;
  return momentAgo(language, at, timeZone, following([invoice]) !== null);
}

/** The state of an invoice as every page shows it. */
export function shownState(invoice: RowByName, language: Language): Html {
  const shown = shownStateOf(invoice);
  const meaning = "status" in shown ? OF_ORDERS[shown.is] : shownWords[shown.is].meaning;
  return state(meaning, shownWord(shown, language));
}

export function shownWord(shown: ShownState, language: Language): string {
  if (!("status" in shown)) return shownWords[shown.is][language];
  return shown.status === null ? SENT[language] : orderStatusWord(shown.status, language);
}
