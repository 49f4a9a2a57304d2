import { contactLabels } from "../../customers/contacts/contact-words.ts";
import type { ListWords } from "../../kit/tables/list.ts";
import type { InLanguages } from "../../kit/web/language.ts";
import { shellWords } from "../../kit/web/shell-words.ts";

/** The words of the list of all people. */
export const allContactsWords = {
  en: {
    none: "No contacts yet. Import a list, or add people on the pages of their companies.",
    importThem: "Import a list",
    toCompanies: "Open the companies",
    noneOfThese: "No contact fits these filters.",
    nothing: (search: string) => `Nobody has “${search}” in the name, e-mail, company or phone.`,
    moreFound: (total: string) => `There may be more: a search finds ${total} contacts at most. Type more of the text.`,
    selectFound: (total: string) => `Select these ${total}`,
    more: (total: string) => `These are the first ${total}. Search to find others.`,
  },
  ro: {
    none: "Încă nu există persoane de contact. Importați o listă sau adăugați persoane în paginile firmelor.",
    importThem: "Importă o listă",
    toCompanies: "Deschide firmele",
    noneOfThese: "Nicio persoană nu se potrivește acestor filtre.",
    nothing: (search: string) => `Nimeni nu are „${search}” în nume, e-mail, firmă sau telefon.`,
    moreFound: (total: string) =>
      `Pot fi mai multe: o căutare găsește cel mult ${total} de persoane. Scrieți mai mult din text.`,
    selectFound: (total: string) => `Cele ${total} găsite`,
    more: (total: string) => `Acestea sunt primele ${total}. Căutați ca să găsiți altele.`,
  },
} satisfies InLanguages<object>;

/** The list's title, columns and orders. */
export const contactListWords: InLanguages<ListWords> = {
  en: {
    title: "Contacts",
    search: "Name, e-mail, company or phone",
    labels: { ...contactLabels.en, name: shellWords.en.name, company: "Company" },
    sorts: { name: "Name", "-last_contacted_at": "Last contact, latest first" },
  },
  ro: {
    title: "Persoane de contact",
    search: "Nume, e-mail, firmă sau telefon",
    labels: { ...contactLabels.ro, name: shellWords.ro.name, company: "Firmă" },
    sorts: { name: "Nume", "-last_contacted_at": "Ultimul contact, cele mai recente întâi" },
  },
};
