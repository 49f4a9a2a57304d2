import type { InLanguages, Language } from "../../kit/web/language.ts";
import { openWord, type KnownWords } from "../../kit/web/open-word.ts";

/** A warehouse chooses the status of its orders; these are the usual ones. */
const statuses: InLanguages<KnownWords> = {
  en: {
    new: "New",
    picking: "Picking",
    packed: "Packed",
    shipped: "Shipped",
    delivered: "Delivered",
    completed: "Completed",
    closed: "Closed",
    cancelled: "Cancelled",
    canceled: "Cancelled",
  },
  ro: {
    new: "Nouă",
    picking: "În pregătire",
    packed: "Ambalată",
    shipped: "Expediată",
    delivered: "Livrată",
    completed: "Finalizată",
    closed: "Închisă",
    cancelled: "Anulată",
    canceled: "Anulată",
  },
};

/** The status of a warehouse's order in words. */
export function orderStatusWord(status: string, language: Language): string {
  return openWord(status, statuses[language]);
}
