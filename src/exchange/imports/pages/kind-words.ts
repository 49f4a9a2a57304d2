import type { InLanguages, Plural } from "../../../kit/web/language.ts";

/** The kinds by name (kinds.ts), as words that follow a number. */
type KindWords = Readonly<Record<string, Plural>>;

export const kindWords: InLanguages<KindWords> = {
  en: {
    companies: { one: "company", other: "companies" },
    contacts: { one: "contact", other: "contacts" },
    addresses: { one: "address", other: "addresses" },
    invoices: { one: "invoice", other: "invoices" },
    invoice_lines: { one: "invoice line", other: "invoice lines" },
    payments: { one: "payment", other: "payments" },
    offers: { one: "offer", other: "offers" },
    deals: { one: "deal", other: "deals" },
    tickets: { one: "ticket", other: "tickets" },
    subscriptions: { one: "subscription", other: "subscriptions" },
  },
  ro: {
    companies: { one: "firmă", few: "firme", other: "de firme" },
    contacts: { one: "persoană de contact", few: "persoane de contact", other: "de persoane de contact" },
    addresses: { one: "adresă", few: "adrese", other: "de adrese" },
    invoices: { one: "factură", few: "facturi", other: "de facturi" },
    invoice_lines: { one: "linie de factură", few: "linii de factură", other: "de linii de factură" },
    payments: { one: "încasare", few: "încasări", other: "de încasări" },
    offers: { one: "ofertă", few: "oferte", other: "de oferte" },
    deals: { one: "oportunitate", few: "oportunități", other: "de oportunități" },
    tickets: { one: "tichet", few: "tichete", other: "de tichete" },
    subscriptions: { one: "abonament", few: "abonamente", other: "de abonamente" },
  },
};

/** The kinds as a title. */
export const kindTitles: InLanguages<Readonly<Record<string, string>>> = {
  en: {
    companies: "Companies",
    contacts: "Contacts",
    addresses: "Addresses",
    invoices: "Invoices",
    invoice_lines: "Invoice lines",
    payments: "Payments",
    offers: "Offers",
    deals: "Deals",
    tickets: "Tickets",
    subscriptions: "Subscriptions",
  },
  ro: {
    companies: "Firme",
    contacts: "Persoane de contact",
    addresses: "Adrese",
    invoices: "Facturi",
    invoice_lines: "Poziții de factură",
    payments: "Încasări",
    offers: "Oferte",
    deals: "Oportunități",
    tickets: "Tichete",
    subscriptions: "Abonamente",
  },
};
