import type { InLanguages } from "../../kit/web/language.ts";

/** Words before a company, or before the end of an invoice's number. Both languages are understood everywhere. */
export const verbs = {
  log: /^(?:log|noteaz[aă])\s+(\S.*)/i,
  send: /^(?:send|trimite)\s+(\S.*)/i,
  invoice: /^(?:(?:new )?invoice(?: for)?|factur[aă](?: nou[aă])?(?: pentru)?)\s+(\S.*)/i,
} as const;
export type VerbName = keyof typeof verbs;

export const findWords = {
  en: {
    verbs: { log: "Log", send: "Send", invoice: "New invoice" } satisfies Record<VerbName, string>,
    title: "Find",
    companies: "Companies",
    contacts: "Contacts",
    invoices: "Invoices and orders",
    phones: "Phones",
    values: "Custom fields",
    notes: "Notes and conversations",
    opened: "Recently opened",
    forAdmins: (page: string | null, names: string) =>
      `${page === null ? "This page" : `“${page}”`} is for admins: ${names}.`,
    mayNotExport: (names: string) => `You may not export. An admin can allow it: ${names}.`,
    pages: "Pages",
    actions: "Actions",
    newCompany: "New company",
    newInvoice: "New invoice",
    themes: { dark: "Dark theme", light: "Light theme" },
    nothing: (search: string) => `Nothing found with the name, number, phone or words “${search}”.`,
    found: { one: "result", other: "results" },
  },
  ro: {
    verbs: { log: "Notează", send: "Trimite", invoice: "Factură nouă" } satisfies Record<VerbName, string>,
    title: "Caută",
    companies: "Firme",
    contacts: "Persoane de contact",
    invoices: "Facturi și comenzi",
    phones: "Telefoane",
    values: "Câmpuri proprii",
    notes: "Note și discuții",
    opened: "Deschise recent",
    forAdmins: (page: string | null, names: string) =>
      `${page === null ? "Această pagină" : `Pagina „${page}”`} este pentru administratori: ${names}.`,
    mayNotExport: (names: string) => `Nu aveți dreptul de a exporta. Un administrator vi-l poate acorda: ${names}.`,
    pages: "Pagini",
    actions: "Acțiuni",
    newCompany: "Firmă nouă",
    newInvoice: "Factură nouă",
    themes: { dark: "Temă întunecată", light: "Temă luminoasă" },
    nothing: (search: string) => `Nimic nu se numește „${search}” și nu are acest număr, telefon sau aceste cuvinte.`,
    found: { one: "rezultat", few: "rezultate", other: "de rezultate" },
  },
} satisfies InLanguages<object>;
