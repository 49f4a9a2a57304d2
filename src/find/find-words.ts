import type { InLanguages } from "../web/language.ts";

export const findWords = {
  en: {
    title: "Find",
    companies: "Companies",
    contacts: "Contacts",
    invoices: "Invoices and orders",
    phones: "Phones",
    opened: "Recently opened",
    pages: "Pages",
    actions: "Actions",
    newCompany: "New company",
    themes: { dark: "Dark theme", light: "Light theme" },
    nothing: (search: string) => `Nothing found with the name, number or phone “${search}”.`,
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
