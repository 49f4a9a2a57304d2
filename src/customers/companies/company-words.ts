import type { InLanguages } from "../../kit/web/language.ts";
import type { FieldLabels } from "../../kit/web/messages.ts";
import type { NameOf } from "../../platform/fields/fields.ts";
import type { companyFields } from "./company.ts";

/** The company's fields as people read them. */
export const companyLabels: InLanguages<FieldLabels<NameOf<typeof companyFields>>> = {
  en: {
    name: "Name",
    tax_id: "Fiscal id",
    registration_number: "Trade registry",
    industry: "Industry",
    website: "Website",
    phone: "Phone",
    email: "E-mail",
    address: "Address",
    city: "City",
    county: "County",
    country: "Country",
    postal_code: "Postal code",
    status: "Status",
    status_code: "Status code",
    assigned_to: "Owner",
    notes: "Notes",
    managing_company: "Managing company",
    employee_count: "Employees",
    activity_domain: "Activity",
    fiscal_address: "Fiscal address",
    delivery_notes: "Delivery notes",
    callback_date: "Call back",
    payment_days: "Payment term, days",
    credit_limit: "Credit limit",
  },
  ro: {
    name: "Denumire",
    tax_id: "Cod fiscal",
    registration_number: "Nr. Reg. Com.",
    industry: "Industrie",
    website: "Site web",
    phone: "Telefon",
    email: "E-mail",
    address: "Adresă",
    city: "Localitate",
    county: "Județ",
    country: "Țară",
    postal_code: "Cod poștal",
    status: "Stare",
    status_code: "Cod de stare",
    assigned_to: "Responsabil",
    notes: "Observații",
    managing_company: "Firmă-mamă",
    employee_count: "Angajați",
    activity_domain: "Domeniu de activitate",
    fiscal_address: "Domiciliu fiscal",
    delivery_notes: "Note de livrare",
    callback_date: "De sunat",
    payment_days: "Termen de plată, zile",
    credit_limit: "Limită de credit",
  },
};

export const companyStatuses: InLanguages<Readonly<Record<string, string>>> = {
  en: { active: "Active", inactive: "Inactive", prospect: "Prospect", churned: "Lost" },
  ro: { active: "Activă", inactive: "Inactivă", prospect: "Potențială", churned: "Pierdută" },
};

export const companyWords = {
  en: {
    newTitle: "New company",
    create: "Create company",
    nobody: "Nobody",
    taken: "Another company has this fiscal id:",
    takenHere: "Another company has this fiscal id.",
    oddTaxId: "This fiscal id does not look right. Please compare it with a document of the company.",
    alikeBy: {
      name: (company: string) => `Looks like ${company}.`,
      tax_id: (company: string) => `The fiscal id of ${company}.`,
      phone: (company: string) => `Also the phone of ${company}.`,
      email: (company: string) => `Also the e-mail domain of ${company}.`,
    },
    createdAlike: "Company created. Another one looks the same.",
    open: "Open it",
    created: "Created.",
    saved: "Saved.",
  },
  ro: {
    newTitle: "Firmă nouă",
    create: "Adaugă firma",
    nobody: "Nimeni",
    taken: "Altă firmă are acest cod fiscal:",
    takenHere: "Altă firmă are acest cod fiscal.",
    oddTaxId: "Codul fiscal nu pare corect. Verificați-l într-un document al firmei.",
    alikeBy: {
      name: (company: string) => `Seamănă cu ${company}.`,
      tax_id: (company: string) => `Codul fiscal este al firmei ${company}.`,
      phone: (company: string) => `Este și telefonul firmei ${company}.`,
      email: (company: string) => `Este și domeniul de e-mail al firmei ${company}.`,
    },
    createdAlike: "Firma a fost creată. Alta seamănă cu ea.",
    open: "Deschide",
    created: "Adăugată.",
    saved: "Salvat.",
  },
} satisfies InLanguages<object>;

/** The words of a company's facts. */
export const factWords = {
  en: {
    title: "Details",
    groups: {
      contact: "Contact",
      address: "Address",
      registration: "Registration",
      relationship: "Relationship",
    },
    add: "Add a field",
    addTaxId: "Add fiscal id",
    noOwner: "No owner",
  },
  ro: {
    title: "Detalii",
    groups: {
      contact: "Contact",
      address: "Adresă",
      registration: "Înregistrare",
      relationship: "Relație",
    },
    add: "Adaugă un câmp",
    addTaxId: "Adaugă codul fiscal",
    noOwner: "Fără responsabil",
  },
} satisfies InLanguages<object>;
