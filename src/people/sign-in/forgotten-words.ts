import type { InLanguages } from "../../kit/web/language.ts";

export const forgottenWords = {
  en: {
    link: "Forgot the password?",
    title: "Forgot the password?",
    about: "Liaison sends you a link with which you choose a new one.",
    send: "Send the link",
    back: "Back to the sign-in",
    askedTitle: "Check your mailbox",
    asked:
      "If this workspace has a user with this e-mail address, a link is on its way there. It works once, within 30 minutes.",
    notThere:
      "No mail after a few minutes? Check the spam folder, the workspace and the address. Otherwise ask an admin of your workspace.",
  },
  ro: {
    link: "Ați uitat parola?",
    title: "Ați uitat parola?",
    about: "Liaison vă trimite un link prin care vă alegeți alta.",
    send: "Trimite linkul",
    back: "Înapoi la autentificare",
    askedTitle: "Verificați-vă e-mailul",
    asked:
      "Dacă spațiul de lucru are un utilizator cu această adresă de e-mail, linkul se trimite la ea. Este valabil o singură dată, timp de 30 de minute.",
    notThere:
      "Nu a sosit niciun mesaj după câteva minute? Verificați mesajele nedorite, spațiul de lucru și adresa. Altfel întrebați un administrator al spațiului de lucru.",
  },
} satisfies InLanguages<object>;
