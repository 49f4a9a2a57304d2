import type { InLanguages } from "../language.ts";

export const keyboardWords = {
  en: {
    find: "Find",
    findHint: "Company, contact, invoice, order, phone, page",
    title: "Keyboard shortcuts",
    close: "Close",
    /** Keys, separated by blanks, and their action in assets/keys.js. */
    keys: [
      ["Ctrl K", "Find anything: a company, an invoice, an order, a phone, a page"],
      ["/", "Search the list"],
      ["j k", "Next and previous row"],
      ["Enter", "Open the row"],
      ["n", "New"],
      ["e", "Edit"],
      ["Esc", "Clear the search, or leave it"],
      ["?", "This help"],
    ],
  },
  ro: {
    find: "Caută",
    findHint: "Firmă, persoană, factură, comandă, telefon, pagină",
    title: "Taste rapide",
    close: "Închide",
    keys: [
      ["Ctrl K", "Caută orice: o firmă, o factură, o comandă, un telefon, o pagină"],
      ["/", "Caută în listă"],
      ["j k", "Rândul următor, rândul precedent"],
      ["Enter", "Deschide rândul"],
      ["n", "Adaugă"],
      ["e", "Modifică"],
      ["Esc", "Golește căutarea sau iese din ea"],
      ["?", "Acest ajutor"],
    ],
  },
} satisfies InLanguages<{ keys: readonly [string, string][] } & Record<string, unknown>>;
