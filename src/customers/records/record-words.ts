import type { Html } from "../../kit/web/html.ts";
import type { InLanguages, Language } from "../../kit/web/language.ts";
import { openName, openWord, type KnownWords } from "../../kit/web/open-word.ts";
import { state, type Meaning } from "../../kit/web/state.ts";
import type { RecordKind } from "./record.ts";

const english: KnownWords = { canceled: "Cancelled" };

/** In Romanian an offer and a deal are feminine, a ticket and a subscription are not. */
const feminine: KnownWords = {
  new: "Nouă",
  open: "Deschisă",
  draft: "Ciornă",
  pending: "În așteptare",
  "in progress": "În lucru",
  "on hold": "Amânată",
  qualified: "Calificată",
  proposal: "Ofertă făcută",
  negotiation: "În negociere",
  sent: "Trimisă",
  accepted: "Acceptată",
  rejected: "Respinsă",
  expired: "Expirată",
  won: "Câștigată",
  lost: "Pierdută",
  resolved: "Rezolvată",
  closed: "Închisă",
  active: "Activă",
  trial: "De probă",
  paused: "Întreruptă",
  ended: "Încheiată",
  cancelled: "Anulată",
  canceled: "Anulată",
};
const neuter: KnownWords = {
  ...feminine,
  new: "Nou",
  open: "Deschis",
  "on hold": "Amânat",
  sent: "Trimis",
  accepted: "Acceptat",
  rejected: "Respins",
  expired: "Expirat",
  resolved: "Rezolvat",
  closed: "Închis",
  active: "Activ",
  paused: "Întrerupt",
  ended: "Încheiat",
  cancelled: "Anulat",
  canceled: "Anulat",
};

/** The status of a record is free text; these are the usual ones. */
const statuses: Readonly<Record<RecordKind, InLanguages<KnownWords>>> = {
  offers: { en: english, ro: feminine },
  deals: { en: english, ro: feminine },
  tickets: { en: english, ro: neuter },
  subscriptions: { en: english, ro: neuter },
};

const MEANINGS: Readonly<Record<string, Meaning>> = {
  new: "waiting",
  open: "waiting",
  pending: "waiting",
  "in progress": "waiting",
  qualified: "waiting",
  proposal: "waiting",
  negotiation: "waiting",
  sent: "waiting",
  accepted: "good",
  won: "good",
  resolved: "good",
  active: "good",
  rejected: "wrong",
  lost: "wrong",
};

/** A record's status as a page shows it. */
export function recordStatus(kind: RecordKind, status: string, language: Language): Html {
  return state(MEANINGS[openName(status)] ?? "neutral", openWord(status, statuses[kind][language]));
}
