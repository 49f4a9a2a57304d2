import { html } from "../web/html.ts";
import type { InLanguages } from "../web/language.ts";
import type { NoticeWords } from "../web/notice.ts";

export const profileWords = {
  en: {
    title: "Profile",
    email: "E-mail",
    name: "Name",
    language: "Language",
    browsersLanguage: "Same as browser",
    theme: "Theme",
    themes: { system: "Same as device", light: "Light", dark: "Dark" },
    saved: "Saved.",
    passwordTitle: "Password",
    current: "Current password",
    password: "New password",
    passwordHint:
      "At least 12 characters that few people would think of. Your other sessions end with the old password.",
    changePassword: "Change the password",
    passwordChanged: "The password is changed. Your other sessions have ended.",
    wrongPassword: "This is not your current password.",
    sessionsTitle: "Where you are signed in",
    browser: "Browser",
    unknownBrowser: "Unknown",
    from: "From",
    began: "Since",
    lastSeen: "Last used",
    thisOne: "this one",
    end: "End",
    endOf: (browser: string, address: string) => `End the session of ${browser} from ${address}`,
    ended: "The session has ended.",
    endOthers: "End all others",
    othersEnded: "All your other sessions have ended.",
  },
  ro: {
    title: "Profil",
    email: "E-mail",
    name: "Nume",
    language: "Limbă",
    browsersLanguage: "Cum cere browserul",
    theme: "Culori",
    themes: { system: "Ca dispozitivul", light: "Deschise", dark: "Închise" },
    saved: "Salvat.",
    passwordTitle: "Parolă",
    current: "Parola actuală",
    password: "Parola nouă",
    passwordHint:
      "Cel puțin 12 caractere, la care puțini s-ar gândi. Celelalte sesiuni ale dumneavoastră se încheie odată cu parola veche.",
    changePassword: "Schimbă parola",
    passwordChanged: "Parola este schimbată. Celelalte sesiuni ale dumneavoastră s-au încheiat.",
    wrongPassword: "Aceasta nu este parola dumneavoastră actuală.",
    sessionsTitle: "Unde sunteți autentificat",
    browser: "Browser",
    unknownBrowser: "Necunoscut",
    from: "De la",
    began: "Din",
    lastSeen: "Folosită ultima dată",
    thisOne: "aceasta",
    end: "Încheie",
    endOf: (browser: string, address: string) => `Încheie sesiunea din ${browser} de la ${address}`,
    ended: "Sesiunea s-a încheiat.",
    endOthers: "Încheie-le pe celelalte",
    othersEnded: "Toate celelalte sesiuni ale dumneavoastră s-au încheiat.",
  },
} satisfies InLanguages<object>;

/** The lines that the profile shows after something of it was changed. */
export const profileNotices: NoticeWords = {
  "profile-saved": (_values, language) => html`${profileWords[language].saved}`,
  "password-changed": (_values, language) => html`${profileWords[language].passwordChanged}`,
  "session-ended": (_values, language) => html`${profileWords[language].ended}`,
  "other-sessions-ended": (_values, language) => html`${profileWords[language].othersEnded}`,
};
