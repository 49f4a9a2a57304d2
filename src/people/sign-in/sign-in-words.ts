import { html } from "../../kit/web/html.ts";
import type { InLanguages } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";
import { invitationWords } from "./invitation-words.ts";

export const signInWords = {
  en: {
    title: "Sign in",
    workspace: "Workspace",
    workspaceHint: "The short name of your company, such as acme.",
    email: "E-mail",
    password: "Password",
    submit: "Sign in",
    wrong: "Workspace, e-mail and password do not match. Please check each of them and try again.",
    operators: {
      title: "Operator sign-in",
      about: "For those who run this installation. Everybody else signs in to a workspace.",
      toWorkspaces: "Sign in to a workspace",
      wrong: "E-mail and password do not match. Please check both and try again.",
    },
    codeTitle: "Second step",
    code: "Code",
    codeHint: "The six digits that your app shows, or one of your recovery codes.",
    wrongCode: "This code is not right, or was used already. Please wait for the next one and try again.",
    asSomebodyElse: "Sign in as someone else",
    byPassword: "Sign in with a password",
    forgot: "Forgot the password? Ask an admin of your workspace for a link to choose another one.",
    demo: "Sign in to the demo",
    demoHint: "On this machine, the demo needs no password. You are then Andreea Munteanu, its admin.",
    ended: "Your session has ended, so nothing was saved. Sign in to continue.",
    again: "That took too long, so nobody is signed in. Please sign in again.",
  },
  ro: {
    title: "Autentificare",
    workspace: "Spațiu de lucru",
    workspaceHint: "Numele scurt al firmei dumneavoastră, de exemplu acme.",
    email: "E-mail",
    password: "Parolă",
    submit: "Intră",
    wrong: "Spațiul de lucru, e-mailul și parola nu se potrivesc. Verificați-le și încercați din nou.",
    operators: {
      title: "Autentificarea operatorilor",
      about: "Pentru cei care administrează această instalare. Toți ceilalți intră într-un spațiu de lucru.",
      toWorkspaces: "Intrați într-un spațiu de lucru",
      wrong: "E-mailul și parola nu se potrivesc. Verificați-le pe amândouă și încercați din nou.",
    },
    codeTitle: "Al doilea pas",
    code: "Cod",
    codeHint: "Cele șase cifre pe care le arată aplicația sau unul dintre codurile de rezervă.",
    wrongCode: "Codul nu se potrivește sau a fost deja folosit. Așteptați codul următor și încercați din nou.",
    asSomebodyElse: "Intrați ca altcineva",
    byPassword: "Intră cu parola",
    forgot: "Ați uitat parola? Cereți unui administrator al spațiului de lucru un link pentru a alege alta.",
    demo: "Intră în demonstrație",
    demoHint: "Pe acest calculator, demonstrația nu cere parolă. Veți fi Andreea Munteanu, administratoarea ei.",
    ended: "Sesiunea s-a încheiat, deci nimic nu s-a salvat. Autentificați-vă pentru a continua.",
    again: "A durat prea mult, așa că nu este nimeni autentificat. Autentificați-vă din nou.",
  },
} satisfies InLanguages<object>;

/** The lines about what came before a sign-in. */
export const signInNotices: NoticeWords = {
  "sign-in-again": (_values, language) => ({ meaning: "attention", line: html`${signInWords[language].again}` }),
  "signed-out-meanwhile": (_values, language) => ({ meaning: "attention", line: html`${signInWords[language].ended}` }),
  "account-made": (_values, language) => html`${invitationWords[language].made}`,
  "password-chosen": (_values, language) => html`${invitationWords[language].passwordChosen}`,
  welcome: (_values, language) => html`${invitationWords[language].welcome}`,
};
