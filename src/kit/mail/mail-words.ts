import { counted, moment, type InLanguages, type Language } from "../web/language.ts";
import type { Letter, LetterPart } from "./letter.ts";
import type { DigestGroup, Mail, MailDetails, MailKind } from "./mail-kind.ts";

/** The workspace that a mail is about. */
export type Workspace = { name: string; slug: string; timeZone: string };

type Words = { [Kind in MailKind]: (details: MailDetails[Kind], workspace: Workspace) => Omit<Letter, "footer"> };
type By = MailDetails["second-factor-off"]["by"];

/** A moment, in the workspace's time zone. */
function at(language: Language, milliseconds: number, { timeZone }: Workspace): string {
  return `${moment(language, new Date(milliseconds).toISOString(), timeZone)} (${timeZone})`;
}

const words: InLanguages<Words> = {
  en: {
    invitation: ({ path, invitedBy }, { name, slug }) => ({
      subject: `You are invited to ${name}`,
      parts: [
        invitedBy === null
          ? `You are invited to the workspace ${name} in Liaison.`
          : `${invitedBy} invites you to the workspace ${name} in Liaison.`,
        { label: "Choose a password and get started", path },
        `The link works once, within seven days. Later you sign in with the workspace ${slug} and this e-mail address.`,
        "If you do not expect this invitation, ignore this mail.",
      ],
    }),
    "password-link": ({ path, madeBy }, { name }) => ({
      subject: `A new password for ${name}`,
      parts: [
        `${madeBy} created a link with which you choose a new password for the workspace ${name}.`,
        { label: "Choose a new password", path },
        "The link works once, within 30 minutes of its creation. It ends all your sessions. Until then the present password works.",
      ],
    }),
    "forgotten-password": ({ path = "" }, { name }) => ({
      subject: `A new password for ${name}`,
      parts: [
        `Somebody asked for a new password for your account in the workspace ${name}.`,
        { label: "Choose a new password", path },
        "The link works once, within 30 minutes. It ends all your sessions, and earlier links no longer work.",
        "If it was not you, ignore this mail: your password stays as it is.",
      ],
    }),
    "new-sign-in": ({ at: when, browser, network }, workspace) => ({
      subject: `New sign-in to ${workspace.name}`,
      parts: [
        `Somebody signed in to your account in the workspace ${workspace.name} with a browser that has not been used for it before.`,
        `Time: ${at("en", when, workspace)}`,
        `Browser: ${browser ?? "unknown"}`,
        `Network address: ${network}`,
        "If it was you, there is nothing to do. Otherwise change your password at once and end the other sessions.",
        { label: "Your profile", path: "/profile" },
      ],
    }),
    "second-factor-off": ({ at: when, by }, workspace) => ({
      subject: `Your second factor for ${workspace.name} is off`,
      parts: [
        `${who(by, "You", "An operator of Liaison")} switched off the second factor of your account in the workspace ${workspace.name}. The password alone opens the account now.`,
        `Time: ${at("en", when, workspace)}`,
        "If you do not expect this, change your password, set up a second factor again, and tell an admin.",
        { label: "Set up a second factor", path: "/profile/second-factor" },
      ],
    }),
    "key-created": ({ at: when, name, by }, workspace) => ({
      subject: `New API key in ${workspace.name}`,
      parts: [
        `${who(by, "", "An operator of Liaison")} created the API key “${name}” in the workspace ${workspace.name}.`,
        `Time: ${at("en", when, workspace)}`,
        "If nobody in the workspace needs it, revoke it.",
        { label: "API keys", path: "/keys" },
      ],
    }),
    exported: ({ at: when, file, rows, by }, workspace) => ({
      subject: `${by.name} exported ${counted("en", rows, { one: "row", other: "rows" })} of ${workspace.name}`,
      parts: [
        `${by.name} exported ${counted("en", rows, { one: "row", other: "rows" })} of the workspace ${workspace.name} (${file}).`,
        `Time: ${at("en", when, workspace)}`,
        "If you do not expect this, ask the person. An admin can take the right to export away.",
        { label: "Users", path: "/users" },
      ],
    }),
    "passkey-added": ({ at: when, name }, workspace) => ({
      subject: `New passkey for ${workspace.name}`,
      parts: [
        `The passkey “${name}” was added to your account in the workspace ${workspace.name}.`,
        `Time: ${at("en", when, workspace)}`,
        "If it was you, there is nothing to do. Otherwise remove the passkey at once, change your password and tell an admin.",
        { label: "Your passkeys", path: "/profile#passkeys" },
      ],
    }),
    "passkey-removed": ({ at: when, name, by }, workspace) => ({
      subject: `Passkey removed in ${workspace.name}`,
      parts: [
        `${who(by, "You", "")} removed the passkey “${name}” from your account in the workspace ${workspace.name}.${by === null ? "" : " Your sessions have ended."}`,
        `Time: ${at("en", when, workspace)}`,
        "If you do not expect this, change your password and tell an admin.",
        { label: "Your passkeys", path: "/profile#passkeys" },
      ],
    }),
    "address-changed": ({ at: when, to, by }, workspace) => ({
      subject: `Your e-mail address for ${workspace.name} was changed`,
      parts: [
        `${by.name} changed the e-mail address of your account in the workspace ${workspace.name} to ${to}. You sign in with that address now, and your sessions have ended.`,
        `Time: ${at("en", when, workspace)}`,
        "If you do not expect this, tell an admin.",
      ],
    }),
    "daily-digest": ({ groups = [] }, { name }) => ({
      subject: `Today in ${name}`,
      parts: [...groups.map(groupPart), { label: "Open Liaison", path: "/today" }],
    }),
    reminder: reminderLetter,
    invoice: invoiceLetter,
  },
  ro: {
    invitation: ({ path, invitedBy }, { name, slug }) => ({
      subject: `Invitație în spațiul de lucru ${name}`,
      parts: [
        invitedBy === null
          ? `Ați primit o invitație în spațiul de lucru ${name} din Liaison.`
          : `${invitedBy} vă invită în spațiul de lucru ${name} din Liaison.`,
        { label: "Alege o parolă și începe", path },
        `Linkul este valabil o singură dată, timp de șapte zile. Apoi intrați cu spațiul de lucru ${slug} și cu această adresă de e-mail.`,
        "Dacă nu așteptați invitația, ignorați acest mesaj.",
      ],
    }),
    "password-link": ({ path, madeBy }, { name }) => ({
      subject: `O parolă nouă pentru ${name}`,
      parts: [
        `${madeBy} a făcut un link prin care vă alegeți o parolă nouă pentru spațiul de lucru ${name}.`,
        { label: "Alege o parolă nouă", path },
        "Linkul este valabil o singură dată, în 30 de minute de la creare. Încheie toate sesiunile dumneavoastră. Până atunci rămâne valabilă parola de acum.",
      ],
    }),
    "forgotten-password": ({ path = "" }, { name }) => ({
      subject: `O parolă nouă pentru ${name}`,
      parts: [
        `Cineva a cerut o parolă nouă pentru contul dumneavoastră din spațiul de lucru ${name}.`,
        { label: "Alege o parolă nouă", path },
        "Linkul este valabil o singură dată, timp de 30 de minute. Încheie toate sesiunile dumneavoastră, iar linkurile mai vechi nu mai sunt valabile.",
        "Dacă nu ați fost dumneavoastră, ignorați mesajul: parola rămâne aceeași.",
      ],
    }),
    "new-sign-in": ({ at: when, browser, network }, workspace) => ({
      subject: `Autentificare nouă în ${workspace.name}`,
      parts: [
        `Cineva a intrat în contul dumneavoastră din spațiul de lucru ${workspace.name} cu un browser care nu a mai fost folosit pentru el.`,
        `Ora: ${at("ro", when, workspace)}`,
        `Browser: ${browser ?? "necunoscut"}`,
        `Adresa de rețea: ${network}`,
        "Dacă ați fost dumneavoastră, nu aveți nimic de făcut. Altfel schimbați imediat parola și încheiați celelalte sesiuni.",
        { label: "Profilul dumneavoastră", path: "/profile" },
      ],
    }),
    "second-factor-off": ({ at: when, by }, workspace) => ({
      subject: `Al doilea factor pentru ${workspace.name} este oprit`,
      parts: [
        by === null
          ? `Ați oprit al doilea factor al contului din spațiul de lucru ${workspace.name}. Acum contul se deschide doar cu parola.`
          : `Al doilea factor al contului din spațiul de lucru ${workspace.name} a fost oprit de ${who(by, "", "cei care administrează Liaison")}. Acum contul se deschide doar cu parola.`,
        `Ora: ${at("ro", when, workspace)}`,
        "Dacă nu vă așteptați la aceasta, schimbați parola, configurați din nou al doilea factor și anunțați un administrator.",
        { label: "Configurați al doilea factor", path: "/profile/second-factor" },
      ],
    }),
    "key-created": ({ at: when, name, by }, workspace) => ({
      subject: `Cheie API nouă în ${workspace.name}`,
      parts: [
        `Cheia API „${name}” din spațiul de lucru ${workspace.name} a fost creată de ${who(by, "", "cei care administrează Liaison")}.`,
        `Ora: ${at("ro", when, workspace)}`,
        "Dacă nu îi trebuie nimănui, revocați-o.",
        { label: "Chei API", path: "/keys" },
      ],
    }),
    exported: ({ at: when, file, rows, by }, workspace) => ({
      subject: `${by.name} a exportat ${counted("ro", rows, { one: "rând", few: "rânduri", other: "de rânduri" })} din ${workspace.name}`,
      parts: [
        `${by.name} a exportat ${counted("ro", rows, { one: "rând", few: "rânduri", other: "de rânduri" })} din spațiul de lucru ${workspace.name} (${file}).`,
        `Ora: ${at("ro", when, workspace)}`,
        "Dacă nu vă așteptați la aceasta, întrebați persoana. Un administrator îi poate retrage dreptul de a exporta.",
        { label: "Utilizatori", path: "/users" },
      ],
    }),
    "passkey-added": ({ at: when, name }, workspace) => ({
      subject: `Cheie de acces nouă pentru ${workspace.name}`,
      parts: [
        `La contul dumneavoastră din spațiul de lucru ${workspace.name} a fost adăugată cheia de acces „${name}”.`,
        `Ora: ${at("ro", when, workspace)}`,
        "Dacă ați fost dumneavoastră, nu aveți nimic de făcut. Altfel eliminați imediat cheia, schimbați parola și anunțați un administrator.",
        { label: "Cheile dumneavoastră de acces", path: "/profile#passkeys" },
      ],
    }),
    "passkey-removed": ({ at: when, name, by }, workspace) => ({
      subject: `Cheie de acces eliminată în ${workspace.name}`,
      parts: [
        by === null
          ? `Ați eliminat cheia de acces „${name}” din contul dumneavoastră din spațiul de lucru ${workspace.name}.`
          : `Cheia de acces „${name}” a contului dumneavoastră din spațiul de lucru ${workspace.name} a fost eliminată de ${by.name}. Sesiunile dumneavoastră s-au încheiat.`,
        `Ora: ${at("ro", when, workspace)}`,
        "Dacă nu vă așteptați la aceasta, schimbați parola și anunțați un administrator.",
        { label: "Cheile dumneavoastră de acces", path: "/profile#passkeys" },
      ],
    }),
    "address-changed": ({ at: when, to, by }, workspace) => ({
      subject: `Adresa dumneavoastră de e-mail pentru ${workspace.name} a fost schimbată`,
      parts: [
        `Adresa de e-mail a contului dumneavoastră din spațiul de lucru ${workspace.name} a fost schimbată de ${by.name} în ${to}. De acum intrați cu adresa nouă, iar sesiunile dumneavoastră s-au încheiat.`,
        `Ora: ${at("ro", when, workspace)}`,
        "Dacă nu vă așteptați la aceasta, anunțați un administrator.",
      ],
    }),
    "daily-digest": ({ groups = [] }, { name }) => ({
      subject: `Astăzi în ${name}`,
      parts: [...groups.map(groupPart), { label: "Deschide Liaison", path: "/today" }],
    }),
    reminder: reminderLetter,
    invoice: invoiceLetter,
  },
};

const footers = {
  en: {
    sender: (workspace: string) => `Sent by Liaison for the workspace ${workspace}. Nobody reads replies to this mail.`,
    unsubscribe: "End this daily mail",
  },
  ro: {
    sender: (workspace: string) =>
      `Trimis de Liaison pentru spațiul de lucru ${workspace}. Nimeni nu citește răspunsurile la acest mesaj.`,
    unsubscribe: "Nu mai trimiteți acest mesaj zilnic",
  },
} satisfies InLanguages<object>;

/** The letter of a mail, in the language of its recipient. */
export function letterOf({ kind, details }: Mail, workspace: Workspace, language: Language): Letter {
  // A kind and its details belong together, which the type of the table says and TypeScript cannot follow.
  const write = words[language][kind] as (details: Mail["details"], workspace: Workspace) => Omit<Letter, "footer">;
  // A customer reads it, who knows nothing of Liaison.
  if (kind === "reminder") return { ...reminderLetter(details), footer: [] };
  if (kind === "invoice") return { ...invoiceLetter(details), footer: [] };
  const { sender, unsubscribe } = footers[language];
  const path = "unsubscribe" in details ? details.unsubscribe : undefined;
  const way: LetterPart[] = path === undefined ? [] : [{ label: unsubscribe, path }];
  return { ...write(details, workspace), footer: [sender(workspace.name), ...way] };
}

/** The text of the person, with the invoices in its middle. */
function reminderLetter({ subject, opening, closing, rows = [] }: MailDetails["reminder"]): Omit<Letter, "footer"> {
  return { subject, parts: [...paragraphsOf(opening), { rows }, ...paragraphsOf(closing)] };
}

function invoiceLetter({ subject, text }: MailDetails["invoice"]): Omit<Letter, "footer"> {
  return { subject, parts: paragraphsOf(text) };
}

function paragraphsOf(text: string): string[] {
  return text.split(/\n+/).filter((line) => line.trim() !== "");
}

function groupPart({ title, total, things }: DigestGroup): LetterPart {
  return { title: `${title} (${total})`, things };
}

function who(by: By, oneself: string, operators: string): string {
  return by === null ? oneself : by === "command" ? operators : by.name;
}

/** The language of a workspace, for people who have chosen none. */
export function languageOfCountry(country: string): Language {
  return country === "Romania" ? "ro" : "en";
}
