import type { Html } from "../web/html.ts";
import type { InLanguages, Language } from "../web/language.ts";
import { state, type Meaning } from "../web/state.ts";

type Words = Readonly<Record<string, string>>;

export const invoiceStatuses: InLanguages<Words> = {
  en: { draft: "Draft", issued: "Issued", paid: "Paid", cancelled: "Cancelled" },
  ro: { draft: "Ciornă", issued: "Emisă", paid: "Plătită", cancelled: "Anulată" },
};

/** How far an invoice is on its way to the warehouse. */
export const wmsStateWords: InLanguages<Words> = {
  en: {
    not_sent: "Not sent",
    queued: "Waiting to be sent",
    sending: "On its way",
    unknown: "Being checked",
    sent: "At the warehouse",
    failed: "Refused",
  },
  ro: {
    not_sent: "Netrimisă",
    queued: "Așteaptă trimiterea",
    sending: "Pe drum",
    unknown: "Se verifică",
    sent: "La depozit",
    failed: "Refuzată",
  },
};

const STATUS_MEANINGS: Readonly<Record<string, Meaning>> = { paid: "good", issued: "waiting" };
const STATE_MEANINGS: Readonly<Record<string, Meaning>> = {
  queued: "waiting",
  sending: "waiting",
  unknown: "attention",
  sent: "good",
  failed: "wrong",
};

/** An invoice's status as a page shows it. */
export function invoiceStatus(status: string, language: Language): Html {
  return state(STATUS_MEANINGS[status] ?? "neutral", invoiceStatuses[language][status] ?? status);
}

/** An invoice's state on its way to the warehouse as a page shows it. */
export function wmsState(wms: string, language: Language): Html {
  return state(STATE_MEANINGS[wms] ?? "neutral", wmsStateWords[language][wms] ?? wms);
}
