import { invoiceStatusWords } from "../../invoices/invoice-words.ts";
import { isLongPaid } from "../../invoices/long-paid.ts";
import { sendReasonIn, sendReasonOf } from "../../invoices/send-reasons.ts";
import { needsSomebody, shownStateOf } from "../../invoices/shown-state.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { html, type Content } from "../../web/html.ts";
import type { InLanguages, Language } from "../../web/language.ts";
import type { ListedOrder } from "../orders/order-list-queries.ts";
import { whyNotSent } from "../sending/why-not.ts";

const words: InLanguages<
  Readonly<Record<"gone" | "cancelled_there" | "to_be_confirmed" | "being_checked" | "open", string>>
> = {
  en: {
    gone: "The warehouse no longer has this order.",
    cancelled_there: "The warehouse cancelled the order, but the invoice is not cancelled.",
    to_be_confirmed: "It was imported without its warehouse. Somebody has to confirm where the order is.",
    being_checked: "Nobody has known for over an hour whether the warehouse has it.",
    open: "The order has not moved for three days.",
  },
  ro: {
    gone: "Depozitul nu mai are această comandă.",
    cancelled_there: "Depozitul a anulat comanda, dar factura nu este anulată.",
    to_be_confirmed: "A fost importată fără depozitul ei. Cineva trebuie să confirme unde este comanda.",
    being_checked: "De peste o oră nu se știe dacă a ajuns la depozit.",
    open: "Comanda nu s-a mișcat de trei zile.",
  },
};

/** Why an invoice stands as it is shown, or needs somebody, as a sentence; null where there is nothing to say. */
export function reasonOf(invoice: RowByName, language: Language): string | null {
  const { is } = shownStateOf(invoice);
  const own = words[language];
  if (is === "gone" || is === "cancelled_there" || is === "to_be_confirmed") return own[is];
  if ((is === "being_checked" || is === "open") && needsSomebody(invoice)) return own[is];
  const error = invoice.wms_error ?? null;
  return error === null ? null : sendReasonIn(language, sendReasonOf(error));
}

const notOffered = {
  en: { disconnected: "No warehouse", longPaid: "Paid more than 90 days ago" },
  ro: { disconnected: "Fără depozit", longPaid: "Plătită de peste 90 de zile" },
} satisfies InLanguages<object>;

/** Why a list does not offer to send an invoice that is not sent, in a few words; null if it does. */
export function whyNotOffered(
  { invoice, isConnected }: Pick<ListedOrder, "invoice" | "isConnected">,
  language: Language,
  isReachable: boolean,
): Content {
  const { status = null, company_id: company } = invoice;
  if (shownStateOf(invoice).is !== "not_sent") return null;
  const why = whyNotSent({ state: invoice.wms_state ?? "", status: status ?? "", isConnected }, isReachable);
  if (why?.code === "status") return invoiceStatusWords[language][why.status] ?? why.status;
  if (why?.code === "disconnected") {
    return html`<a class="inline" href="/companies/${company}/warehouse">${notOffered[language].disconnected}</a>`;
  }
  return why === null && isLongPaid(invoice) ? notOffered[language].longPaid : null;
}
