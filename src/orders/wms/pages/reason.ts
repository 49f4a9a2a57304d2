import { html, type Html } from "../../../kit/web/html.ts";
import { counted, dayOf, type InLanguages, type Language } from "../../../kit/web/language.ts";
import { state } from "../../../kit/web/state.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { invoiceStatusWords } from "../../invoices/invoice-words.ts";
import { isLongPaid } from "../../invoices/long-paid.ts";
import { daysUnmoved, hasNeed, putOffUntil, shownStateOf } from "../../invoices/shown-state.ts";
import { sendReasonIn, sendReasonOf } from "../../invoices/wms-error.ts";
import { whyNotSent } from "../may-be-sent.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";

/** Activities of a warehouse with an order, by the order's status. */
const doing: InLanguages<Readonly<Record<string, string>>> = {
  en: { picking: "is still picking", packed: "has already packed" },
  ro: { picking: "încă pregătește", packed: "a ambalat deja" },
};

const words = {
  en: {
    gone: "The warehouse no longer has this order.",
    cancelled_there: "The warehouse cancelled the order, but the invoice is not cancelled.",
    cancelled_here: (order: string, status: string) =>
      `The invoice is cancelled. The warehouse ${doing.en[status] ?? "still has"} ${order}: stop it there.`,
    shipped_cancelled: (order: string) => `The warehouse shipped ${order} although the invoice is cancelled.`,
    to_be_confirmed: "It was imported without its warehouse. Somebody has to confirm where the order is.",
    being_checked: "We lost the connection while sending. Asking the warehouse before sending again.",
    open: (days: number) => `Not moved for ${counted("en", days, { one: "day", other: "days" })}.`,
    asking: "The warehouse is being asked to cancel it.",
    asked: "The warehouse has accepted the cancellation.",
    notCancelled: "It was not cancelled there.",
    credentials: "The warehouse refused our key.",
    down: (status: number) => `The warehouse is not working at the moment (${status}).`,
    putOff: (day: string) => `Put off until ${day}.`,
  },
  ro: {
    gone: "Depozitul nu mai are această comandă.",
    cancelled_there: "Depozitul a anulat comanda, dar factura nu este anulată.",
    cancelled_here: (order: string, status: string) =>
      `Factura este anulată. Depozitul ${doing.ro[status] ?? "încă are"} ${order}: opriți-o acolo.`,
    shipped_cancelled: (order: string) => `Depozitul a expediat ${order}, deși factura este anulată.`,
    to_be_confirmed: "A fost importată fără depozitul ei. Cineva trebuie să confirme unde este comanda.",
    being_checked: "S-a întrerupt conexiunea în timpul trimiterii. Întrebăm depozitul înainte de a trimite din nou.",
    open: (days: number) => `Neschimbată de ${counted("ro", days, { one: "zi", few: "zile", other: "de zile" })}.`,
    asking: "Depozitului i se cere să o anuleze.",
    asked: "Depozitul a acceptat anularea.",
    notCancelled: "Nu a fost anulată acolo.",
    credentials: "Depozitul a refuzat cheia noastră.",
    down: (status: number) => `Depozitul nu funcționează momentan (${status}).`,
    putOff: (day: string) => `Amânată până pe ${day}.`,
  },
} satisfies InLanguages<object>;

/**
 * Why an invoice is in its displayed state or needs attention, and until when it is put off. Null if there is no
 * reason.
 */
export function reasonOf(invoice: RowByName, language: Language, timeZone: string): string | null {
  const until = putOffUntil(invoice);
  const sentences = [why(invoice, language), until && words[language].putOff(dayOf(language, until, timeZone))];
  return sentences.filter(Boolean).join(" ") || null;
}

function why(invoice: RowByName, language: Language): string | null {
  const { is } = shownStateOf(invoice);
  const own = words[language];
  if (is === "gone" || is === "cancelled_there" || is === "to_be_confirmed") return own[is];
  const { wms_order_number: number, wms_order_id: id, wms_status: status } = invoice;
  if (is === "cancelled_here" || is === "shipped_cancelled")
    return [own[is](number ?? id ?? "", (status ?? "").toLowerCase()), cancelling(invoice, language)]
      .filter(Boolean)
      .join(" ");
  if (is === "open" && hasNeed(invoice)) return own.open(daysUnmoved(invoice));
  const stored = invoice.wms_error ?? null;
  const reason = stored === null ? null : sendReasonOf(stored);
  if (is === "being_checked" && (hasNeed(invoice) || reason === null || reason.code === "unknown"))
    return own.being_checked;
  if (reason?.code === "credentials") return own.credentials;
  if (reason?.code === "unanswered" && reason.status !== undefined) return own.down(reason.status);
  return reason && sendReasonIn(language, reason);
}

/** How far the cancellation in the warehouse is; null if nobody asked for it. */
function cancelling({ wms_cancel: state = null, wms_cancel_error: error = null }: RowByName, language: Language) {
  const own = words[language];
  const reason = error === null ? null : sendReasonIn(language, sendReasonOf(error));
  if (state === "queued" || state === "unknown") return own.asking;
  if (state === "asked") return own.asked;
  if (state === "unsupported") return reason;
  return state === null ? null : [own.notCancelled, reason].filter(Boolean).join(" ");
}

const notOffered = {
  en: { disconnected: "No warehouse", longPaid: "Paid more than 90 days ago" },
  ro: { disconnected: "Fără depozit", longPaid: "Încasată de peste 90 de zile" },
} satisfies InLanguages<object>;

/**
 * The state of an invoice that a list does not offer to send, in the place of "Not sent", and the reason. Both are null
 * for others.
 */
export function notOfferedIn(
  { invoice, isConnected }: Pick<ListedOrder, "invoice" | "isConnected">,
  language: Language,
  isReachable: boolean,
): { state: Html | null; reason: string | null } {
  const { status = null, company_id: company } = invoice;
  const none = { state: null, reason: null };
  if (shownStateOf(invoice).is !== "not_sent") return none;
  const { disconnected, longPaid } = notOffered[language];
  const why = whyNotSent({ state: invoice.wms_state ?? "", status: status ?? "", isConnected }, isReachable);
  if (why?.code === "status")
    return { ...none, state: state("neutral", invoiceStatusWords[language][why.status] ?? why.status) };
  if (why?.code === "disconnected") {
    const link = html`<a class="inline" href="/companies/${company}/warehouse">${state("neutral", disconnected)}</a>`;
    return { ...none, state: link };
  }
  return why === null && isLongPaid(invoice) ? { ...none, reason: longPaid } : none;
}
