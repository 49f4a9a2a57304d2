import type { InLanguages } from "../web/language.ts";

export const invitationWords = {
  en: {
    title: "Welcome to Liaison",
    invited: (workspace: string, role: string) => `You are invited to the workspace ${workspace}, as: ${role}.`,
    email: (email: string) => `You will sign in with ${email}.`,
    name: "Your name",
    password: "Password",
    passwordHint: "Choose one of at least 12 characters that few people would think of. Some words make a good one.",
    accept: "Get started",
    welcome: "Welcome.",
    made: "Your account is ready. Please sign in.",
    busy: "Many people are signing in at this moment. Nothing was changed; please try again shortly.",
    goneTitle: "This link no longer works",
    gone: "An invitation works once, for seven days, and can be revoked or replaced by a newer one. If you have accepted it before, sign in. Otherwise ask an admin of your workspace to invite you again.",
    taken:
      "There is a user with this e-mail address already, so nothing was changed. Sign in; if you do not know the password, those who run this installation can give you another one.",
    signIn: "Sign in",
  },
  ro: {
    title: "Bun venit la Liaison",
    invited: (workspace: string, role: string) => `Sunteți invitat în spațiul de lucru ${workspace}, ca: ${role}.`,
    email: (email: string) => `Veți intra cu ${email}.`,
    name: "Numele dumneavoastră",
    password: "Parolă",
    passwordHint: "Alegeți una de cel puțin 12 caractere, la care puțini s-ar gândi. Câteva cuvinte fac o parolă bună.",
    accept: "Începeți",
    welcome: "Bun venit.",
    made: "Contul este făcut. Autentificați-vă.",
    busy: "Se autentifică mulți oameni în acest moment. Nimic nu s-a schimbat; încercați din nou imediat.",
    goneTitle: "Acest link nu mai merge",
    gone: "O invitație merge o singură dată, timp de șapte zile, și poate fi revocată sau înlocuită cu una mai nouă. Dacă ați acceptat-o deja, autentificați-vă. Altfel cereți unui administrator al spațiului de lucru să vă invite din nou.",
    taken:
      "Există deja un utilizator cu această adresă de e-mail, așa că nimic nu s-a schimbat. Autentificați-vă; dacă nu știți parola, cei care administrează această instalare vă pot da alta.",
    signIn: "Autentificare",
  },
} satisfies InLanguages<object>;
