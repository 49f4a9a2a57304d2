import type { Html } from "../../kit/web/html.ts";
import type { InLanguages, Language } from "../../kit/web/language.ts";
import { state, type Meaning } from "../../kit/web/state.ts";

type StateWords = Readonly<Record<string, string>>;

export const invoiceStatusWords: InLanguages<StateWords> = {
  en: { draft: "Draft", issued: "Issued", paid: "Paid", cancelled: "Cancelled" },
  ro: { draft: "Ciornă", issued: "Emisă", paid: "Încasată", cancelled: "Anulată" },
};

/** The sending states of an invoice, as the history shows them. */
export const wmsStateWords: InLanguages<StateWords> = {
  en: {
    not_sent: "Not sent",
    queued: "In the queue",
    sending: "Sending",
    unknown: "Checking",
    sent: "At the warehouse",
    failed: "Refused",
  },
  ro: {
    not_sent: "Netrimisă",
    queued: "În așteptare",
    sending: "Se trimite",
    unknown: "Se verifică",
    sent: "La depozit",
    failed: "Refuzată",
  },
};

const STATUS_MEANINGS: Readonly<Record<string, Meaning>> = { paid: "good", issued: "waiting" };
/** An invoice's status for display. */
export function invoiceStatus(status: string, language: Language): Html {
  return state(STATUS_MEANINGS[status] ?? "neutral", invoiceStatusWords[language][status] ?? status);
}
