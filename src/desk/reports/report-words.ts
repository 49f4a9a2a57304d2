import type { InLanguages } from "../../kit/web/language.ts";

/** The words that the pages of all reports share. */
export const reportWords = {
  en: {
    owner: "Owner",
    anybody: "Everyone’s",
    nobodys: "Nobody’s",
    currency: "Currency",
    every: "All currencies",
    show: "Show",
    print: "Print",
    export: "Export",
    nothing: "Nothing matches the filters.",
  },
  ro: {
    owner: "Responsabil",
    anybody: "Ale tuturor",
    nobodys: "Fără responsabil",
    currency: "Moneda",
    every: "Toate monedele",
    show: "Arată",
    print: "Tipărește",
    export: "Exportă",
    nothing: "Nu s-a găsit nimic potrivit.",
  },
} satisfies InLanguages<object>;
