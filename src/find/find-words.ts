import type { InLanguages } from "../web/language.ts";

export const findWords = {
  en: {
    title: "Find",
    companies: "Companies",
    contacts: "Contacts",
    pages: "Pages",
    actions: "Actions",
    newCompany: "New company",
    themes: { dark: "Dark colours", light: "Light colours" },
    nothing: (search: string) => `No company, contact, page or action has “${search}” in its name.`,
    found: { one: "result", other: "results" },
  },
  ro: {
    title: "Caută",
    companies: "Firme",
    contacts: "Persoane de contact",
    pages: "Pagini",
    actions: "Acțiuni",
    newCompany: "Firmă nouă",
    themes: { dark: "Culori închise", light: "Culori deschise" },
    nothing: (search: string) => `Nicio firmă, persoană de contact, pagină sau acțiune nu are „${search}” în nume.`,
    found: { one: "rezultat", few: "rezultate", other: "de rezultate" },
  },
} satisfies InLanguages<object>;
