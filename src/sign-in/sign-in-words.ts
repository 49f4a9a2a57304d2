import type { InLanguages } from "../web/language.ts";

export const signInWords = {
  en: {
    title: "Sign in",
    workspace: "Workspace",
    workspaceHint: "The short name of your firm, such as acme.",
    email: "E-mail",
    password: "Password",
    submit: "Sign in",
    wrong: "Workspace, e-mail and password do not fit together. Please check each of them and try again.",
    codeTitle: "Second step",
    code: "Code",
    codeHint: "The six digits that your application shows, or one of your recovery codes.",
    wrongCode: "This code does not fit, or was used already. Please wait for the next one and try again.",
    asSomebodyElse: "Sign in as somebody else",
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
    codeTitle: "Al doilea pas",
    code: "Cod",
    codeHint: "Cele șase cifre pe care le arată aplicația sau unul dintre codurile de rezervă.",
    wrongCode: "Codul nu se potrivește sau a fost deja folosit. Așteptați codul următor și încercați din nou.",
    asSomebodyElse: "Intrați ca altcineva",
    again: "A durat prea mult, așa că nu este nimeni autentificat. Autentificați-vă din nou.",
  },
} satisfies InLanguages<object>;
