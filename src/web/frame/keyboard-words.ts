import type { InLanguages } from "../language.ts";

type KeyboardWords = {
  find: string;
  findHint: string;
  title: string;
  close: string;
  /** Keys, apart by blanks, and what they do; assets/keys.js does it. */
  keys: readonly [string, string][];
};

export const keyboardWords: InLanguages<KeyboardWords> = {
  en: {
    find: "Find",
    findHint: "Company, contact, page or action",
    title: "Keyboard shortcuts",
    close: "Close",
    keys: [
      ["Ctrl K", "Find a company, a contact, a page or an action"],
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
    findHint: "Firmă, persoană, pagină sau acțiune",
    title: "Taste rapide",
    close: "Închide",
    keys: [
      ["Ctrl K", "Caută o firmă, o persoană, o pagină sau o acțiune"],
      ["/", "Caută în listă"],
      ["j k", "Rândul următor, rândul precedent"],
      ["Enter", "Deschide rândul"],
      ["n", "Adaugă"],
      ["e", "Modifică"],
      ["Esc", "Golește căutarea sau iese din ea"],
      ["?", "Acest ajutor"],
    ],
  },
};
