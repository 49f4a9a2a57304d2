import type { InLanguages } from "../web/language.ts";

export const findWords = {
  en: {
    title: "Find",
    companies: "Companies",
    contacts: "Contacts",
    invoices: "Invoices and orders",
    phones: "Phones",
    notes: "Notes and conversations",
    opened: "Recently opened",
    pages: "Pages",
    actions: "Actions",
    newCompany: "New company",
    themes: { dark: "Dark theme", light: "Light theme" },
    nothing: (search: string) => `Nothing found with the name, number, phone or words “${search}”.`,
    found: { one: "result", other: "results" },
  },
  ro: {
    title: "Caută",
    companies: "Firme",
    contacts: "Persoane de contact",
    invoices: "Facturi și comenzi",
    phones: "Telefoane",
    notes: "Note și discuții",
    opened: "Deschise ultima dată",
    pages: "Pagini",
    actions: "Acțiuni",
    newCompany: "Firmă nouă",
    themes: { dark: "Culori închise", light: "Culori deschise" },
    nothing: (search: string) => `Nimic nu se numește „${search}” și nu are acest număr, telefon sau aceste cuvinte.`,
    found: { one: "rezultat", few: "rezultate", other: "de rezultate" },
  },
} satisfies InLanguages<object>;
