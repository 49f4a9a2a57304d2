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
    throttled: (seconds: string) => `After several wrong tries there is a pause. Please try again in ${seconds} s.`,
    busy: "Many people are signing in at this moment. Please try again shortly.",
  },
  ro: {
    title: "Autentificare",
    workspace: "Spațiu de lucru",
    workspaceHint: "Numele scurt al firmei dumneavoastră, de exemplu acme.",
    email: "E-mail",
    password: "Parolă",
    submit: "Intră",
    wrong: "Spațiul de lucru, e-mailul și parola nu se potrivesc. Verificați-le și încercați din nou.",
    throttled: (seconds: string) =>
      `După mai multe încercări greșite urmează o pauză. Încercați din nou peste ${seconds} s.`,
    busy: "Se autentifică mulți oameni în acest moment. Încercați din nou imediat.",
  },
} satisfies InLanguages<object>;
