import { wholeNumber, type InLanguages } from "../web/language.ts";

/** The words of the list of all people. */
export const allContactsWords = {
  en: {
    title: "Contacts",
    company: "Company",
    search: "Name, e-mail, company or phone",
    none: "No contacts yet. Add people on the pages of their companies.",
    nothing: (search: string) => `Nobody has “${search}” in the name, e-mail, company or phone.`,
    first: (most: number) => `These are the first ${wholeNumber("en", most)}. Search to find others.`,
  },
  ro: {
    title: "Persoane de contact",
    company: "Firmă",
    search: "Nume, e-mail, firmă sau telefon",
    none: "Încă nu cunoaștem pe nimeni. Persoanele se adaugă la firmele lor.",
    nothing: (search: string) => `Nimeni nu are „${search}” în nume, e-mail, firmă sau telefon.`,
    first: (most: number) => `Acestea sunt primele ${wholeNumber("ro", most)}. Căutați ca să găsiți altele.`,
  },
} satisfies InLanguages<object>;
