import { html } from "../../kit/web/html.ts";
import { counted, type InLanguages } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";

export const secondFactorWords = {
  en: {
    title: "Second factor",
    about:
      "With a second factor, signing in needs your password and a code from an app on your phone. The app shows a new code every 30 seconds.",
    off: "It is off.",
    set: "Set it up",
    since: (day: string) => `It has been on since ${day}.`,
    codesLeft: (count: number) =>
      `${counted("en", count, { one: "recovery code is", other: "recovery codes are" })} left.`,
    change: "Switch it off",
    scan: "1. Scan this picture with the app, or type the secret into it.",
    picture: "QR code with the secret",
    secret: "Secret",
    confirm: "2. Enter the code that it shows.",
    code: "Code",
    turnOn: "Switch it on",
    again: "Use another secret",
    wrongCode: "This code is not right. Please enter the one that the app shows now.",
    notBegun: "There was nothing to confirm. Please start again.",
    isOn: "The second factor is on",
    once: "These are your recovery codes. Each signs you in once when you do not have your phone. They are shown only once: keep them in a safe place.",
    kept: "I have kept them",
    endText: "The password alone will open your account again.",
    prove: "Prove that it is you with a code or with your password.",
    endCode: "Code or recovery code",
    endPassword: "Or your password",
    wrongProof: "Neither the code nor the password is right.",
    mustStay:
      "It stays on: you alone can come in when the identity provider is down, with your password and this factor. Allow passwords again first, under Single sign-on.",
    ended: "The second factor is off.",
  },
  ro: {
    title: "Al doilea factor",
    about:
      "Cu un al doilea factor, parola singură nu deschide nimic: la autentificare se cere și un cod pe care îl arată o aplicație de pe telefon, altul la fiecare 30 de secunde.",
    off: "Este oprit.",
    set: "Configurează",
    since: (day: string) => `Este pornit din ${day}.`,
    codesLeft: (count: number) =>
      `Au rămas ${counted("ro", count, { one: "cod de rezervă", few: "coduri de rezervă", other: "de coduri de rezervă" })}.`,
    change: "Oprește",
    scan: "1. Citiți imaginea cu aplicația sau scrieți secretul în ea.",
    picture: "Cod QR cu secretul",
    secret: "Secret",
    confirm: "2. Scrieți codul pe care îl arată acum.",
    code: "Cod",
    turnOn: "Pornește",
    again: "Alt secret",
    wrongCode: "Codul nu se potrivește. Scrieți-l pe cel pe care îl arată aplicația acum.",
    notBegun: "Nu era nimic de confirmat. Începeți din nou.",
    isOn: "Al doilea factor este pornit",
    once: "Acestea sunt codurile de rezervă. Cu fiecare intrați o dată atunci când nu aveți telefonul. Se arată doar acum: păstrați-le unde nu se uită altcineva.",
    kept: "Le-am păstrat",
    endText: "Parola singură va deschide din nou contul.",
    prove: "Dovediți că sunteți dumneavoastră printr-un cod sau prin parolă.",
    endCode: "Cod sau cod de rezervă",
    endPassword: "Sau parola",
    wrongProof: "Nici codul, nici parola nu este corectă.",
    mustStay:
      "Rămâne pornit: doar dumneavoastră puteți intra când furnizorul de identitate nu răspunde, cu parola și cu acest factor. Permiteți mai întâi din nou parolele, la Autentificare unică.",
    ended: "Al doilea factor este oprit.",
  },
} satisfies InLanguages<object>;

/** The lines that the next page shows about the second factor. */
export const secondFactorNotices: NoticeWords = {
  "second-factor-off": (_values, language) => html`${secondFactorWords[language].ended}`,
  "second-factor-not-begun": (_values, language) => ({
    meaning: "attention",
    line: html`${secondFactorWords[language].notBegun}`,
  }),
};
