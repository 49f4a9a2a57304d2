import type { InLanguages } from "../../kit/web/language.ts";
import type { FieldLabels } from "../../kit/web/messages.ts";
import type { NameOf } from "../../platform/fields/fields.ts";
import type { ChildWords } from "../company-children/pages/noun.ts";
import type { contactFields } from "./contact.ts";

/** The contact's fields as people read them. */
export const contactLabels: InLanguages<FieldLabels<NameOf<typeof contactFields> | "last_contacted_at">> = {
  en: {
    first_name: "First name",
    last_name: "Last name",
    email: "E-mail",
    phone: "Phone",
    mobile: "Mobile",
    position: "Position",
    department: "Department",
    job_title: "Job title",
    is_primary: "Primary contact",
    is_decision_maker: "Decision maker",
    is_accounting: "Accounting: gets payment reminders",
    preferred_language: "Language",
    notes: "Notes",
    birth_date: "Birthday",
    gender: "Gender",
    timezone: "Time zone",
    last_contacted_at: "Last contacted",
  },
  ro: {
    first_name: "Prenume",
    last_name: "Nume",
    email: "E-mail",
    phone: "Telefon",
    mobile: "Mobil",
    position: "Funcție",
    department: "Departament",
    job_title: "Titlu profesional",
    is_primary: "Contact principal",
    is_decision_maker: "Factor de decizie",
    is_accounting: "Contabilitate: primește notificările de plată",
    preferred_language: "Limbă",
    notes: "Observații",
    birth_date: "Zi de naștere",
    gender: "Gen",
    timezone: "Fus orar",
    last_contacted_at: "Ultimul contact",
  },
};

/** The menu of one contact. */
export const menuWords = {
  en: {
    merge: "Merge with another contact",
    export: "Export all data",
    erasing: "For a person who wants to be forgotten. This cannot be undone.",
    erase: "Erase for good…",
  },
  ro: {
    merge: "Contopește cu altă persoană",
    export: "Exportă toate datele",
    erasing: "Pentru cine cere să fie uitat: nu se poate anula.",
    erase: "Șterge definitiv…",
  },
} satisfies InLanguages<object>;

export const contactWords: InLanguages<ChildWords> = {
  en: {
    title: "Contacts",
    search: "Name or e-mail",
    newTitle: (company) => `New contact at ${company}`,
    create: "Create contact",
    empty: "No contacts yet. Add the person you call.",
    nothing: (search) => `No contact has “${search}” in the name or e-mail.`,
    deleting: "The contact disappears from all lists. Its history stays, and you can undo this.",
    delete: "Delete contact",
    created: "Created.",
    saved: "Saved.",
    deleted: (name) => `${name} was deleted.`,
    restored: "Restored.",
  },
  ro: {
    title: "Persoane de contact",
    search: "Nume sau e-mail",
    newTitle: (company) => `Persoană de contact nouă la ${company}`,
    create: "Adaugă persoana",
    empty: "Încă nu există persoane de contact. Adăugați persoana pe care o sunați.",
    nothing: (search) => `Nicio persoană nu are „${search}” în nume sau în e-mail.`,
    deleting: "Persoana dispare din toate listele. Ce s-a întâmplat rămâne în istoric, iar ștergerea poate fi anulată.",
    delete: "Șterge persoana",
    created: "Adăugată.",
    saved: "Salvat.",
    deleted: (name) => `${name} a fost ștearsă din contacte.`,
    restored: "Restaurată.",
  },
};
