import type { InLanguages } from "../web/language.ts";

export const findWords = {
  en: {
    title: "Find",
    companies: "Companies",
    contacts: "Contacts",
    invoices: "Invoices and orders",
    phones: "Phones",
    opened: "Opened last",
    pages: "Pages",
    actions: "Actions",
    newCompany: "New company",
    themes: { dark: "Dark colours", light: "Light colours" },
    nothing: (search: string) => `Nothing here is called “${search}”, or has it as its number or phone.`,
    found: { one: "result", other: "results" },
  },
  ro: {
    title: "Caută",
    companies: "Firme",
    contacts: "Persoane de contact",
    invoices: "Facturi și comenzi",
    phones: "Telefoane",
    opened: "Deschise ultima dată",
    pages: "Pagini",
    actions: "Acțiuni",
    newCompany: "Firmă nouă",
    themes: { dark: "Culori închise", light: "Culori deschise" },
    nothing: (search: string) => `Nimic de aici nu se numește „${search}” și nu are acest număr sau telefon.`,
    found: { one: "rezultat", few: "rezultate", other: "de rezultate" },
  },
} satisfies InLanguages<object>;
