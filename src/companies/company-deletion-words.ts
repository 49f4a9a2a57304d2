import type { InLanguages, Plural } from "../web/language.ts";
import type { Blocker } from "./company-queries.ts";

type Words = {
  title: (name: string) => string;
  blocked: string;
  blockers: readonly (readonly [Blocker, Plural])[];
  contacts: Plural;
  addresses: Plural;
  and: string;
  hides: (what: string) => string;
  hidesNothing: string;
  undoable: string;
  delete: string;
  back: string;
  instead: string;
  inactivate: string;
  deleted: (name: string) => string;
  restored: string;
  notRestored: string;
  takenSince: (taxId: string) => string;
  freeIt: string;
  toDeleted: string;
};

/** The words of deleting a company and bringing it back. */
export const deletionWords: InLanguages<Words> = {
  en: {
    title: (name) => `Delete ${name}?`,
    blocked: "It cannot be deleted, because it has:",
    blockers: [
      ["invoices", { one: "invoice", other: "invoices" }],
      ["offers", { one: "offer", other: "offers" }],
      ["deals", { one: "deal", other: "deals" }],
      ["tickets", { one: "ticket", other: "tickets" }],
      ["subscriptions", { one: "subscription", other: "subscriptions" }],
    ],
    contacts: { one: "contact", other: "contacts" },
    addresses: { one: "address", other: "addresses" },
    and: " and ",
    hides: (what) => `This hides ${what}.`,
    hidesNothing: "It has no contacts and no addresses.",
    instead:
      "You can make it inactive instead: it stays with all that it has, and nobody takes it for a customer of today.",
    inactivate: "Make it inactive",
    undoable: "Its fiscal id is free again. It can be restored.",
    delete: "Delete company",
    back: "Back to the company",
    deleted: (name) => `Deleted ${name}.`,
    restored: "Restored.",
    notRestored: "It cannot be restored",
    takenSince: (taxId) => `Its fiscal id, ${taxId}, has been given since to:`,
    freeIt: "Nothing was changed. Change the fiscal id there, then restore this company again.",
    toDeleted: "Deleted companies",
  },
  ro: {
    title: (name) => `Ștergeți ${name}?`,
    blocked: "Nu poate fi ștearsă, pentru că are:",
    blockers: [
      ["invoices", { one: "factură", few: "facturi", other: "de facturi" }],
      ["offers", { one: "ofertă", few: "oferte", other: "de oferte" }],
      ["deals", { one: "oportunitate", few: "oportunități", other: "de oportunități" }],
      ["tickets", { one: "tichet", few: "tichete", other: "de tichete" }],
      ["subscriptions", { one: "abonament", few: "abonamente", other: "de abonamente" }],
    ],
    contacts: { one: "persoană de contact", few: "persoane de contact", other: "de persoane de contact" },
    addresses: { one: "adresă", few: "adrese", other: "de adrese" },
    and: " și ",
    hides: (what) => `Se ascund odată cu ea: ${what}.`,
    hidesNothing: "Nu are persoane de contact sau adrese.",
    instead: "O puteți trece în schimb la inactive: rămâne cu tot ce are, și nimeni nu o mai ia drept client actual.",
    inactivate: "Treceți-o la inactive",
    undoable: "Codul ei fiscal devine liber. Firma poate fi restaurată.",
    delete: "Șterge firma",
    back: "Înapoi la firmă",
    deleted: (name) => `${name} a fost ștearsă.`,
    restored: "Restaurată.",
    notRestored: "Nu poate fi restaurată",
    takenSince: (taxId) => `Codul ei fiscal, ${taxId}, a fost dat între timp firmei:`,
    freeIt: "Nimic nu s-a schimbat. Modificați codul fiscal acolo, apoi restaurați din nou această firmă.",
    toDeleted: "Firme șterse",
  },
};
