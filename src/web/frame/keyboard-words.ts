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
      ["d", "Do the row’s first action"],
      ["n", "New"],
      ["i", "New invoice"],
      ["l", "Log a note or a call"],
      ["b", "Log a call, and call back on the next working day"],
      ["e", "Edit"],
      ["Ctrl Enter", "Save the form"],
      ["Ctrl Shift Enter", "Create the invoice and send it"],
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
      ["d", "Face prima acțiune a rândului"],
      ["n", "Adaugă"],
      ["i", "Factură nouă"],
      ["l", "Notează o discuție"],
      ["b", "Notează un apel și sună din nou în următoarea zi lucrătoare"],
      ["e", "Modifică"],
      ["Ctrl Enter", "Salvează formularul"],
      ["Ctrl Shift Enter", "Creează factura și o trimite"],
      ["Esc", "Golește căutarea sau iese din ea"],
      ["?", "Acest ajutor"],
    ],
  },
} satisfies InLanguages<{ keys: readonly [string, string][] } & Record<string, unknown>>;
