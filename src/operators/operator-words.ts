import { html } from "../web/html.ts";
import type { InLanguages } from "../web/language.ts";
import type { NoticeWords } from "../web/notice.ts";

export const operatorWords = {
  en: {
    signIn: {
      title: "Operator sign-in",
      about: "For those who run this installation. Everybody else signs in to a workspace.",
      toWorkspaces: "Sign in to a workspace",
      wrong: "E-mail and password do not match. Please check both and try again.",
    },
    tenants: "Tenants",
    none: "No tenants yet. Create one on the command line: liaison tenant create.",
    name: "Name",
    slug: "Short name",
    state: "Status",
    active: "Active",
    suspended: "Suspended",
    deleting: "Being deleted",
    deletingText: "Somebody deletes this tenant with all that it has. It cannot be resumed.",
    companies: "Companies",
    users: "Users",
    keys: "Keys",
    lastUsed: "Last used (UTC)",
    never: "Never",
    country: "Default country",
    since: "Since",
    suspendedSince: "Suspended since",
    suspend: "Suspend",
    suspendTitle: (name: string) => `Suspend ${name}?`,
    suspendText: (users: string, keys: string) =>
      `Signs out everybody of this tenant at once (active users: ${users}) and refuses its keys (${keys}). Nobody gets in until it is resumed, and what is on its way to the warehouses waits. Nothing is deleted.`,
    suspendedNotice: "The tenant is suspended. Its sessions have ended, its keys are refused, and its jobs wait.",
    resume: "Resume",
    resumeText: "People can sign in again, and the keys work again. Earlier sessions stay ended.",
    resumedNotice: "The tenant is resumed.",
  },
  ro: {
    signIn: {
      title: "Autentificarea operatorilor",
      about: "Pentru cei care administrează această instalare. Toți ceilalți intră într-un spațiu de lucru.",
      toWorkspaces: "Intrați într-un spațiu de lucru",
      wrong: "E-mailul și parola nu se potrivesc. Verificați-le pe amândouă și încercați din nou.",
    },
    tenants: "Spații de lucru",
    none: "Nu există încă niciun spațiu de lucru. Creați unul din linia de comandă: liaison tenant create.",
    name: "Denumire",
    slug: "Nume scurt",
    state: "Stare",
    active: "Activ",
    suspended: "Suspendat",
    deleting: "Se șterge",
    deletingText: "Cineva șterge acest spațiu de lucru cu tot ce are. Nu mai poate fi reluat.",
    companies: "Firme",
    users: "Utilizatori",
    keys: "Chei",
    lastUsed: "Folosit ultima dată (UTC)",
    never: "Niciodată",
    country: "Țara implicită",
    since: "Din",
    suspendedSince: "Suspendat din",
    suspend: "Suspendă",
    suspendTitle: (name: string) => `Suspendați spațiul de lucru ${name}?`,
    suspendText: (users: string, keys: string) =>
      `Îi scoate imediat pe toți din acest spațiu de lucru (utilizatori activi: ${users}) și îi refuză cheile (${keys}). Nimeni nu intră până la reluare, iar ce este în drum spre depozite așteaptă. Nimic nu se șterge.`,
    suspendedNotice:
      "Spațiul de lucru este suspendat. Sesiunile lui s-au încheiat, cheile sunt refuzate, iar lucrările lui așteaptă.",
    resume: "Reia",
    resumeText: "Oamenii se autentifică din nou, iar cheile merg iarăși. Sesiunile dinainte rămân încheiate.",
    resumedNotice: "Spațiul de lucru este reluat.",
  },
} satisfies InLanguages<object>;

/** Notices after a tenant was suspended or resumed. */
export const operatorNotices: NoticeWords = {
  "tenant-suspended": (_values, language) => html`${operatorWords[language].suspendedNotice}`,
  "tenant-resumed": (_values, language) => html`${operatorWords[language].resumedNotice}`,
};
