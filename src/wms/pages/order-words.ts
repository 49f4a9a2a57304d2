import type { Html } from "../../web/html.ts";
import type { InLanguages, Language } from "../../web/language.ts";
import { openName, openWord, type KnownWords } from "../../web/open-word.ts";
import { state, type Meaning } from "../../web/state.ts";

/** The status of an order is whatever its warehouse calls it; these are the usual ones. */
const statuses: InLanguages<KnownWords> = {
  en: { canceled: "Cancelled" },
  ro: {
    new: "Nouă",
    picking: "Se pregătește",
    packed: "Ambalată",
    shipped: "Expediată",
    delivered: "Livrată",
    completed: "Finalizată",
    closed: "Închisă",
    cancelled: "Anulată",
    canceled: "Anulată",
  },
};

const MEANINGS: Readonly<Record<string, Meaning>> = {
  new: "waiting",
  picking: "waiting",
  packed: "waiting",
  shipped: "good",
  delivered: "good",
  completed: "good",
};

/** The status of a warehouse's order in words. */
export function orderStatusWord(status: string, language: Language): string {
  return openWord(status, statuses[language]);
}

/** The status of a warehouse's order as a page shows it. */
export function orderStatus(status: string, language: Language): Html {
  return state(MEANINGS[openName(status)] ?? "neutral", orderStatusWord(status, language));
}
