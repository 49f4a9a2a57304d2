import { html } from "../../kit/web/html.ts";
import type { InLanguages } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";

export const digestWords = {
  en: {
    title: "Daily mail",
    about: (timeZone: string) =>
      `At 7 in the morning (${timeZone}): the calls that are due and the orders that need attention, of your companies. On a day without any there is no mail.`,
    start: "Send me the daily mail",
    stop: "End the daily mail",
    started: "You get the daily mail from the next morning on.",
    stopped: "You get no daily mail any more.",
    calls: "To call",
    orders: "Orders that need attention",
    due: (company: string, contact: string | null, day: string) =>
      `${company}${contact === null ? "" : `, ${contact}`}: ${day}`,
    askTitle: "End the daily mail?",
    ask: "Liaison sends no further daily mail to this address. You can switch it on again in your profile.",
    goneTitle: "This link no longer works",
    gone: "Sign in, and end the daily mail in your profile.",
    signIn: "Sign in",
  },
  ro: {
    title: "E-mail zilnic",
    about: (timeZone: string) =>
      `La 7 dimineața (${timeZone}): apelurile scadente și comenzile care cer atenție, ale firmelor dumneavoastră. În zilele fără niciuna nu vine niciun mesaj.`,
    start: "Vreau e-mailul zilnic",
    stop: "Oprește e-mailul zilnic",
    started: "Primiți e-mailul zilnic începând cu dimineața următoare.",
    stopped: "Nu mai primiți e-mailul zilnic.",
    calls: "De sunat",
    orders: "Comenzi care cer atenție",
    due: (company: string, contact: string | null, day: string) =>
      `${company}${contact === null ? "" : `, ${contact}`}: ${day}`,
    askTitle: "Opriți e-mailul zilnic?",
    ask: "Liaison nu mai trimite e-mailul zilnic la această adresă. Îl puteți porni din nou în profil.",
    goneTitle: "Acest link nu mai este valabil",
    gone: "Autentificați-vă și opriți e-mailul zilnic din profil.",
    signIn: "Autentificare",
  },
} satisfies InLanguages<object>;

/** The lines that the profile shows after the daily mail was switched on or off. */
export const digestNotices: NoticeWords = {
  "digest-started": (_values, language) => html`${digestWords[language].started}`,
  "digest-stopped": (_values, language) => html`${digestWords[language].stopped}`,
};
