import { html } from "../../kit/web/html.ts";
import { counted, type InLanguages, type Language, wholeNumber } from "../../kit/web/language.ts";
import type { FieldLabels } from "../../kit/web/messages.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";
import type { Role } from "../../kit/web/session.ts";

export const roleWords: InLanguages<Readonly<Record<Role, string>>> = {
  en: { admin: "Admin", member: "Member" },
  ro: { admin: "Administrator", member: "Membru" },
};

export const userWords = {
  en: {
    title: "Users",
    invite: "Invite",
    inviteTitle: "Invite people",
    inviteHint: (most: number) => `One address a line, at most ${most}.`,
    tooMany: (most: number) => `Please enter at most ${most} addresses at once.`,
    invitedSome: (count: number) =>
      `${counted("en", count, { one: "invitation was", other: "invitations were" })} made`,
    mailedSome: "The links are on their way by mail. They are shown here only once, to copy.",
    onceSome: "These links are shown only once. Liaison sends no mail here: copy them now and send them yourself.",
    name: "Name",
    email: "E-mail",
    role: "Role",
    mayExport: "May export",
    exportHint: "An export of more than 1,000 rows is in the history, and admins get a mail. Admins may always export.",
    roleHint: "Admins also manage keys, users and the workspace.",
    state: "Status",
    active: "Active",
    deactivated: "Deactivated",
    secondFactor: "Second factor",
    on: "On",
    off: "Off",
    lastSeen: "Last seen",
    notKnown: "Unknown",
    since: "User since",
    makeLinks: "Create links",
    sendLinks: "Send invitations",
    link: "Link",
    once: "This link is shown only once. Liaison sends no mail here: copy it now and send it yourself.",
    mailed: (email: string) => `The link is on its way to ${email} by mail. It is shown here only once, to copy.`,
    back: "Back to the users",
    byMail: "The person, by mail",
    givenUp: "Mail that could not be sent",
    givenUpAbout:
      "Liaison no longer tries to send these. The server's log has the reasons. They disappear from here after seven days.",
    givenUpKinds: {
      invitation: "Invitation",
      "password-link": "Link for a new password",
      "forgotten-password": "Forgotten password",
      "daily-digest": "Daily mail",
      reminder: "Payment reminder",
      invoice: "Invoice",
      "new-sign-in": "New sign-in",
      "second-factor-off": "Second factor off",
      "key-created": "New API key",
      exported: "Export",
      "passkey-added": "New passkey",
      "passkey-removed": "Passkey removed",
      "address-changed": "E-mail address changed",
    },
    kind: "Kind",
    reason: "Reason",
    givenUpReasons: {
      recipient: "Address refused",
      address: "Not an address",
      cancelled: "The invoice is no longer issued",
      other: "Not accepted for a day",
    },
    when: "When",
    linkFor: (email: string) => `The link for ${email}`,
    linkValid:
      "It works once, within seven days, and only while you are an admin. Inviting the same address again creates a new link and ends this one.",
    linkValidSome:
      "Each link works once, within seven days, and only while you are an admin. Inviting the same address again creates a new link and ends the earlier one.",
    done: "I have copied it",
    passwordLink: "Create a link for a new password",
    passwordLinkTitle: "New password",
    passwordLinkText:
      "For somebody who forgot the password. The link lets this person choose a new one, and the present one works until then. A second factor is still asked for.",
    passwordLinkValid:
      "It works once, within 30 minutes, and only while you are an admin. It ends all sessions of this person. A new link ends this one.",
    forPassword: "New password",
    taken:
      "There is a user with this e-mail address already. On the user's page you can create a link for a new password, or reactivate.",
    invitations: "Open invitations",
    invitedBy: "Invited by",
    byOperator: "Those who run Liaison",
    validUntil: "Valid until",
    expired: "Expired",
    revoke: "Revoke",
    revokeOf: (email: string) => `Revoke the invitation of ${email}`,
    revoked: "The invitation was revoked. Its link no longer works.",
    saveRole: "Save",
    roleSaved: "Saved.",
    changeAddress: "Change the address",
    addressTitle: (name: string) => `Change the e-mail address of ${name}?`,
    addressText: (email: string) =>
      `This person signs in with ${email} from now on. Links for a new password that were sent before stop working.`,
    deactivate: "Deactivate",
    deactivateTitle: (name: string) => `Deactivate ${name}?`,
    sessionsEnd: (count: number) => `${counted("en", count, { one: "session", other: "sessions" })} will end.`,
    giveCompanies: (count: number) => `Give ${counted("en", count, { one: "company", other: "companies" })} to`,
    keepCompanies: (name: string) => `nobody: ${name} stays the owner`,
    left: (name: string) => `${name} (left)`,
    codesEnd: (count: number) =>
      `${counted("en", count, { one: "recovery code stops", other: "recovery codes stop" })} working.`,
    resetTitle: (name: string) => `Switch off the second factor of ${name}?`,
    deactivateText:
      "Deactivating signs this person out everywhere at once, and lets nobody in with this account. Companies that stay assigned to it count as without an owner.",
    deactivateDone: "Deactivated. All sessions of this person have ended.",
    invitationsEnd: (count: number) =>
      `Open invitations that this person made end with it: ${wholeNumber("en", count)}.`,
    keysStay: (count: number) =>
      `${counted("en", count, { one: "API key that this person made stays", other: "API keys that this person made stay" })} valid. Revoke what nobody else needs:`,
    invitationsEnded: (count: number) => `Open invitations of this person have ended too: ${wholeNumber("en", count)}.`,
    reactivate: "Reactivate",
    reactivateText: "Reactivating lets this person sign in again, with the same password. Earlier sessions stay ended.",
    reactivateDone: "Reactivated. This person can sign in again.",
    reset: "Switch the second factor off",
    resetText:
      "For somebody who has lost the phone and the recovery codes. Signs this person out everywhere at once; the password alone opens the account then, until a new second factor is set up.",
    resetBy: (time: string, name: string) => `(switched off ${time} by ${name})`,
    resetDone: "The second factor is off, and all sessions of this person have ended.",
    wasOff: "The second factor was off already.",
    isBreakGlass:
      "Nothing was changed: this admin alone can come in when the identity provider is down. Allow passwords again first, under Single sign-on.",
    passkeys: "Passkeys",
    passkeyCount: (count: number) => counted("en", count, { one: "passkey", other: "passkeys" }),
    singleSignOn: "Single sign-on",
    linked: (day: string) => `Linked ${day}`,
    forget: "Forget the account at the provider",
    forgetText:
      "For somebody who has another account at the identity provider now. The next sign-in with the e-mail address of this user is linked.",
    lastAdmin:
      "Nothing was changed: this is the last active admin, and without one nobody could manage the workspace. Make somebody else an admin first.",
  },
  ro: {
    title: "Utilizatori",
    invite: "Invită",
    inviteTitle: "Invită persoane",
    inviteHint: (most: number) => `Câte o adresă pe rând, cel mult ${most}.`,
    tooMany: (most: number) => `Introduceți cel mult ${most} de adrese odată.`,
    invitedSome: (count: number) =>
      counted("ro", count, {
        one: "invitație a fost făcută",
        few: "invitații au fost făcute",
        other: "de invitații au fost făcute",
      }),
    mailedSome: "Linkurile se trimit prin e-mail. Aici se arată doar acum, ca să le puteți copia.",
    onceSome:
      "Aceste linkuri se arată doar acum. Liaison nu trimite e-mailuri aici: copiați-le și trimiteți-le dumneavoastră.",
    name: "Nume",
    email: "E-mail",
    role: "Rol",
    mayExport: "Poate exporta",
    exportHint:
      "Un export cu mai mult de 1.000 de rânduri apare în istoric, iar administratorii primesc un e-mail. Administratorii pot exporta oricând.",
    roleHint: "Administratorii se ocupă și de chei, de utilizatori și de spațiul de lucru.",
    state: "Stare",
    active: "Activ",
    deactivated: "Dezactivat",
    secondFactor: "Al doilea factor",
    on: "Pornit",
    off: "Oprit",
    lastSeen: "Ultima activitate",
    notKnown: "Nu se știe",
    since: "Utilizator din",
    makeLinks: "Creează linkurile",
    sendLinks: "Trimite invitațiile",
    link: "Link",
    once: "Linkul se arată doar acum. Liaison nu trimite e-mailuri aici: copiați-l și trimiteți-l dumneavoastră.",
    mailed: (email: string) =>
      `Linkul se trimite prin e-mail la ${email}. Aici se arată doar acum, ca să îl puteți copia.`,
    back: "Înapoi la utilizatori",
    byMail: "Persoana, prin e-mail",
    givenUp: "E-mailuri care nu au putut fi trimise",
    givenUpAbout:
      "Liaison nu mai încearcă să le trimită. Motivele sunt în jurnalul serverului. Dispar de aici după șapte zile.",
    givenUpKinds: {
      invitation: "Invitație",
      "password-link": "Link pentru o parolă nouă",
      "forgotten-password": "Parolă uitată",
      "daily-digest": "E-mail zilnic",
      reminder: "Notificare de plată",
      invoice: "Factură",
      "new-sign-in": "Autentificare nouă",
      "second-factor-off": "Al doilea factor oprit",
      "key-created": "Cheie API nouă",
      exported: "Export",
      "passkey-added": "Cheie de acces nouă",
      "passkey-removed": "Cheie de acces eliminată",
      "address-changed": "Adresă de e-mail schimbată",
    },
    kind: "Tip",
    reason: "Motiv",
    givenUpReasons: {
      recipient: "Adresă refuzată",
      address: "Adresă nevalidă",
      cancelled: "Factura nu mai este emisă",
      other: "Nepreluat timp de o zi",
    },
    when: "Când",
    linkFor: (email: string) => `Linkul pentru ${email}`,
    linkValid:
      "Este valabil o singură dată, timp de șapte zile și nu mai mult decât sunteți administrator. O nouă invitație pentru aceeași adresă face alt link și îl oprește pe acesta.",
    linkValidSome:
      "Fiecare link este valabil o singură dată, timp de șapte zile și nu mai mult decât sunteți administrator. O nouă invitație pentru aceeași adresă face alt link și îl oprește pe cel dinainte.",
    done: "L-am copiat",
    passwordLink: "Creează un link pentru o parolă nouă",
    passwordLinkTitle: "Parolă nouă",
    passwordLinkText:
      "Pentru cine și-a uitat parola. Prin link, persoana își alege alta, iar cea de acum rămâne valabilă până atunci. Al doilea factor se cere în continuare.",
    passwordLinkValid:
      "Este valabil o singură dată, timp de 30 de minute și nu mai mult decât sunteți administrator. Încheie toate sesiunile persoanei. Un link nou îl oprește pe acesta.",
    forPassword: "Parolă nouă",
    taken:
      "Există deja un utilizator cu această adresă de e-mail. Pe pagina lui puteți face un link pentru o parolă nouă sau îl puteți reactiva.",
    invitations: "Invitații deschise",
    invitedBy: "Invitat de",
    byOperator: "Cei care administrează Liaison",
    validUntil: "Valabilă până la",
    expired: "Expirată",
    revoke: "Revocă",
    revokeOf: (email: string) => `Revocă invitația pentru ${email}`,
    revoked: "Invitația este revocată. Linkul ei nu mai este valabil.",
    saveRole: "Salvează",
    roleSaved: "Salvat.",
    changeAddress: "Schimbă adresa",
    addressTitle: (name: string) => `Schimbați adresa de e-mail pentru ${name}?`,
    addressText: (email: string) =>
      `De acum, această persoană se autentifică cu ${email}. Linkurile pentru o parolă nouă trimise înainte nu mai sunt valabile.`,
    deactivate: "Dezactivează",
    deactivateTitle: (name: string) => `Dezactivați contul ${name}?`,
    sessionsEnd: (count: number) =>
      `${counted("ro", count, { one: "sesiune se încheie", few: "sesiuni se încheie", other: "de sesiuni se încheie" })}.`,
    giveCompanies: (count: number) =>
      `${counted("ro", count, { one: "firmă trece", few: "firme trec", other: "de firme trec" })} la`,
    keepCompanies: (name: string) => `nimeni: rămân la ${name}`,
    left: (name: string) => `${name} (cont închis)`,
    codesEnd: (count: number) =>
      `${counted("ro", count, { one: "cod de rezervă nu mai este valabil", few: "coduri de rezervă nu mai sunt valabile", other: "de coduri de rezervă nu mai sunt valabile" })}.`,
    resetTitle: (name: string) => `Opriți al doilea factor pentru ${name}?`,
    deactivateText:
      "Prin dezactivare, persoana este deconectată imediat de pe toate dispozitivele, iar cu acest cont nu mai intră nimeni. Firmele care îi rămân atribuite se socotesc fără responsabil.",
    deactivateDone: "Dezactivat. Toate sesiunile acestei persoane s-au încheiat.",
    invitationsEnd: (count: number) =>
      `Odată cu aceasta se încheie invitațiile deschise făcute de această persoană: ${wholeNumber("ro", count)}.`,
    keysStay: (count: number) =>
      `${counted("ro", count, { one: "cheie API făcută de această persoană rămâne valabilă", few: "chei API făcute de această persoană rămân valabile", other: "de chei API făcute de această persoană rămân valabile" })}. Revocați ce nu îi mai trebuie nimănui:`,
    invitationsEnded: (count: number) =>
      `S-au încheiat și invitațiile deschise ale acestei persoane: ${wholeNumber("ro", count)}.`,
    reactivate: "Reactivează",
    reactivateText:
      "Reactivarea lasă persoana să intre din nou, cu aceeași parolă. Sesiunile dinainte rămân încheiate.",
    reactivateDone: "Reactivat. Această persoană poate intra din nou.",
    reset: "Oprește al doilea factor",
    resetText:
      "Pentru cine și-a pierdut telefonul și codurile de rezervă. Deconectează imediat această persoană de pe toate dispozitivele; apoi parola singură deschide contul, până când se configurează un nou factor.",
    resetBy: (time: string, name: string) => `(oprit ${time} de ${name})`,
    resetDone: "Al doilea factor este oprit, iar toate sesiunile acestei persoane s-au încheiat.",
    wasOff: "Al doilea factor era deja oprit.",
    isBreakGlass:
      "Nimic nu s-a schimbat: doar acest administrator poate intra când furnizorul de identitate nu răspunde. Permiteți mai întâi din nou parolele, la Autentificare unică.",
    passkeys: "Chei de acces",
    passkeyCount: (count: number) =>
      counted("ro", count, { one: "cheie de acces", few: "chei de acces", other: "de chei de acces" }),
    singleSignOn: "Autentificare unică",
    linked: (day: string) => `Legată ${day}`,
    forget: "Dezleagă contul de la furnizor",
    forgetText:
      "Pentru cine are acum alt cont la furnizorul de identitate. Următoarea intrare cu adresa de e-mail a acestui utilizator va fi legată.",
    lastAdmin:
      "Nimic nu s-a schimbat: acesta este ultimul administrator activ, iar fără unul nimeni nu s-ar putea ocupa de spațiul de lucru. Faceți mai întâi pe altcineva administrator.",
  },
} satisfies InLanguages<object>;

/** The names of a user's fields. */
export function userLabels(language: Language): FieldLabels {
  const { name, email, role, mayExport } = userWords[language];
  return { name, email, role, may_export: mayExport };
}

/** The lines that the next page shows after a user or an invitation was changed. */
export const userNotices: NoticeWords = {
  "invitation-revoked": (_values, language) => html`${userWords[language].revoked}`,
  "role-saved": (values, language) => html`${userWords[language].roleSaved}${invitationsEnded(values, language)}`,
  "user-deactivated": (values, language) =>
    html`${userWords[language].deactivateDone}${invitationsEnded(values, language)}`,
  "second-factor-reset": (_values, language) => html`${userWords[language].resetDone}`,
  "second-factor-of-break-glass": (_values, language) => ({
    meaning: "attention",
    line: html`${userWords[language].isBreakGlass}`,
  }),
  "second-factor-was-off": (_values, language) => ({ meaning: "attention", line: html`${userWords[language].wasOff}` }),
  "user-reactivated": (_values, language) => html`${userWords[language].reactivateDone}`,
};

function invitationsEnded({ invitations }: Readonly<Record<string, string>>, language: Language): string | null {
  const count = Number(invitations);
  return count > 0 ? ` ${userWords[language].invitationsEnded(count)}` : null;
}
