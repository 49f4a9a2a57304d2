import { html } from "../../kit/web/html.ts";
import { counted, type InLanguages } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";
import type { Reason } from "./single-sign-on.ts";
import type { SettingsProblem } from "./write-settings.ts";

export const singleSignOnWords = {
  en: {
    link: "Sign in by single sign-on",
    chooseTitle: "Single sign-on",
    chooseText: "Sign in with the account of your company, where your company uses one.",
    workspace: "Workspace",
    workspaceHint: "The short name of your company, such as acme.",
    next: "Next",
    goTo: (workspace: string) => `Go to the sign-in of ${workspace}`,
    password: "Sign in with a password",
    failedTitle: "You are not signed in",
    tryAgain: "Begin again",
    onlyText: "This workspace signs in by single sign-on. Only its break-glass admin has a password.",
    title: "Single sign-on",
    about:
      "People sign in with their account at your identity provider, such as Microsoft Entra ID, Google or Keycloak. Register Liaison there as a web application (OpenID Connect, authorization code).",
    states: { none: "Not set up", off: "Off", on: "On", only: "Single sign-on only" },
    redirect: "Redirect URI",
    logout: "Back-channel logout URI",
    atProvider: "To register at your provider",
    labels: {
      issuer: "Issuer",
      client_id: "Client ID",
      domains: "Domains of e-mail addresses",
      trusts_addresses: "Addresses of these domains are verified",
      admits_domains: "New people of these domains become members",
      admin_group: "Group of admins",
      groups_claim: "Claim with the groups",
      scopes: "More scopes",
    },
    issuerHint: "The address that your provider calls issuer or authority. It begins with https.",
    issuerFixed: "To use another provider or client, switch single sign-on off first.",
    secret: "Client secret",
    secretHint: "It is stored encrypted, and never shown again.",
    secretUnchanged: "Leave it empty to keep the stored one.",
    secretStored: (end: string, day: string) => `stored ${end === "" ? "" : `…${end} `}${day}`,
    provider: "Provider",
    roles: "Roles",
    people: "Who may come in",
    peopleText:
      "Users of this workspace, and people with an open invitation, if their e-mail address at the provider is the same and verified. Afterwards the provider's account counts, not the address.",
    domainsHint: "Your company's own, with blanks between them: example.com example.ro",
    trustsHint: "For a provider that does not say whether an address is verified, such as Microsoft Entra ID.",
    admitsHint: "Without it, people need an invitation.",
    adminGroupHint:
      "At every sign-in, people in this group become admins, and all others members. Empty: roles are set in Liaison. The last admin stays one.",
    groupsClaimHint: "Usually groups.",
    scopesHint:
      "Some providers send groups only for a scope such as groups. Liaison requests openid, email and profile.",
    groupsUnknown: (moment: string) =>
      `The provider last sent no complete list of groups ${moment}, and the role stayed as it was. Check the claim and the scopes, and how the provider limits the groups.`,
    noGroups: "The provider sent no groups, or not all: roles stay as they are. Check the claim and the scopes.",
    notAdminGroup: (group: string) => `None of these groups is the group of admins, ${group}.`,
    save: "Save",
    saved: "Saved.",
    tryTitle: "Try it, then switch it on",
    tryText: "A second window opens, where you sign in at the provider. Nobody else is affected.",
    tryLink: "Try it",
    tried: (moment: string) => `Last tried with success ${moment}.`,
    notTried: "Not tried with these settings yet.",
    switchOn: "Switch on",
    switchedOn: "Single sign-on is on.",
    notSwitchedOn: "Nothing was changed: try it with success first.",
    switchOff: "Switch off",
    switchOffTitle: "Switch single sign-on off?",
    switchOffText:
      "Everybody then signs in with a password, also where single sign-on was the only way. Open sessions stay.",
    withoutPassword: (count: number) =>
      `${counted("en", count, { one: "person has", other: "people have" })} no password and will need a link for one.`,
    switchedOff: "Single sign-on is off, and passwords work.",
    only: "Only by single sign-on",
    onlyTitle: "Sign in only by single sign-on?",
    onlyAbout: "People then sign in at the provider, and passwords stop working, except for one admin.",
    onlyEffects:
      "Passwords and links for new passwords stop working. API keys and open sessions stay. Only the break-glass admin can use a password, with the second factor.",
    never: (count: number) =>
      `${counted("en", count, { one: "person has", other: "people have" })} never signed in by single sign-on.`,
    breakGlass: "Break-glass admin",
    breakGlassHint: "An admin with a second factor, who can come in when the provider is down.",
    noBreakGlass: "No admin has a password and a second factor. Set up a second factor under Profile first.",
    setUp: "Set it up",
    choose: "Choose an admin with a second factor.",
    refusePasswords: "Stop passwords",
    passwordsRefused: "Passwords no longer work, except for the break-glass admin.",
    isOnly: (name: string) => `Passwords do not work, except for ${name}.`,
    allowPasswords: "Allow passwords again",
    passwordsAllowed: "Passwords work again.",
    triedTitle: "It works",
    triedText: "Close this window, and switch single sign-on on in the other one.",
    triedFailed: "It does not work yet",
    triedFacts: {
      email: "E-mail",
      verified: "Verified by the provider",
      groups: "Groups",
      role: "Role after a sign-in",
    },
    unlinked: "The account at the provider was forgotten. The next sign-in with the user's address is linked.",
    wasUnlinked: "This user had no account at the provider.",
    notSetUp: "Save the settings of your provider first.",
    reasons: {
      off: "This workspace does not use single sign-on, or there is no such workspace. Check its short name, or sign in with a password.",
      "not-begun":
        "This sign-in did not begin in this browser, or it took too long. Begin again here; a sign-in cannot begin at the provider.",
      down: "The identity provider does not answer. Try again in a few minutes, and tell an admin of your workspace if it still does not.",
      private:
        "The identity provider has an address in a private network, which this server may not call. Its operator can allow the network by LIAISON_OIDC_PRIVATE_NETWORKS.",
      misconfigured:
        "The identity provider does not answer as OpenID Connect requires. An admin of your workspace has to check the issuer.",
      "client-refused":
        "The identity provider does not know this workspace any more. An admin has to check the client ID and the client secret.",
      denied:
        "The identity provider did not let you in. Begin again, and ask an admin of your workspace whether you may use Liaison.",
      "code-refused":
        "The identity provider refused this sign-in, because it was used before or is too old. Begin again.",
      "token-refused":
        "The answer of the identity provider is not valid for this sign-in. Begin again, and tell an admin if it happens again.",
      "no-address": "The identity provider gave no e-mail address. An admin has to let Liaison see it.",
      unverified:
        "The identity provider does not say that your e-mail address is verified. Verify it there, or ask an admin of your workspace.",
      "unknown-person":
        "No user of this workspace has your e-mail address. Ask an admin of your workspace for an invitation.",
      deactivated: "Your account in this workspace is deactivated. Ask an admin of your workspace.",
      "other-account":
        "Your e-mail address belongs to a user with another account at the identity provider. Ask an admin of your workspace to forget that account.",
      "somebody-else": "You signed in at the provider as another person. Use the account with your own e-mail address.",
      throttled: "Too many sign-ins from your network have failed. Try again later.",
      busy: "Many people are signing in at this moment. Try again shortly.",
    } satisfies Record<Reason, string>,
    problems: {
      "not-https": "The issuer must be an address that begins with https, without a query.",
      "no-secret": "Enter the client secret.",
      "long-secret": "A client secret has at most 1,000 characters.",
      "wrong-domain": "Write domains such as example.com, with blanks between them.",
      "no-domain": "Enter at least one domain.",
      "wrong-scope": "Write scopes such as groups, with blanks between them.",
      "in-use": "Single sign-on is on with another provider or client. Switch it off first.",
    } satisfies Record<SettingsProblem, string>,
  },
  ro: {
    link: "Intră prin autentificare unică",
    chooseTitle: "Autentificare unică",
    chooseText: "Intrați cu contul firmei dumneavoastră, dacă firma folosește unul.",
    workspace: "Spațiu de lucru",
    workspaceHint: "Numele scurt al firmei dumneavoastră, de exemplu acme.",
    next: "Continuă",
    goTo: (workspace: string) => `Mergi la autentificarea ${workspace}`,
    password: "Intră cu parolă",
    failedTitle: "Nu sunteți autentificat",
    tryAgain: "Începe din nou",
    onlyText: "În acest spațiu de lucru se intră prin autentificare unică. Doar administratorul de urgență are parolă.",
    title: "Autentificare unică (SSO)",
    about:
      "Oamenii intră cu contul lor de la furnizorul de identitate al firmei, de exemplu Microsoft Entra ID, Google sau Keycloak. Înregistrați acolo Liaison ca aplicație web (OpenID Connect, authorization code).",
    states: { none: "Nu este configurată", off: "Oprită", on: "Pornită", only: "Doar autentificare unică" },
    redirect: "Adresa de întoarcere (redirect URI)",
    logout: "Adresa pentru deconectare (back-channel logout URI)",
    atProvider: "De înregistrat la furnizor",
    labels: {
      issuer: "Emitent (issuer)",
      client_id: "ID-ul clientului",
      domains: "Domeniile adreselor de e-mail",
      trusts_addresses: "Adresele din aceste domenii sunt verificate",
      admits_domains: "Oamenii noi din aceste domenii devin membri",
      admin_group: "Grupul administratorilor",
      groups_claim: "Atributul (claim) cu grupurile",
      scopes: "Alte domenii de acces (scopes)",
    },
    issuerHint: "Adresa pe care furnizorul o numește issuer sau authority. Începe cu https.",
    issuerFixed: "Pentru alt furnizor sau alt client, opriți mai întâi autentificarea unică.",
    secret: "Secretul clientului",
    secretHint: "Se păstrează criptat și nu se mai arată.",
    secretUnchanged: "Lăsați gol pentru a-l păstra pe cel salvat.",
    secretStored: (end: string, day: string) => `salvat ${end === "" ? "" : `…${end} `}${day}`,
    provider: "Furnizor",
    roles: "Roluri",
    people: "Cine poate intra",
    peopleText:
      "Utilizatorii acestui spațiu de lucru și cei cu o invitație deschisă, dacă adresa de e-mail de la furnizor este aceeași și verificată. După aceea contează contul de la furnizor, nu adresa.",
    domainsHint: "Cele ale firmei, cu spații între ele: example.com example.ro",
    trustsHint: "Pentru un furnizor care nu spune dacă o adresă este verificată, cum este Microsoft Entra ID.",
    admitsHint: "Altfel oamenii au nevoie de o invitație.",
    adminGroupHint:
      "Cei din acest grup sunt administratori, ceilalți sunt membri, la fiecare intrare. Dacă rămâne gol, rolurile se dau aici. Ultimul administrator rămâne administrator.",
    groupsClaimHint: "De obicei groups.",
    scopesHint:
      "Unii furnizori trimit grupurile doar pentru un scope precum groups. Liaison cere openid, email și profile.",
    groupsUnknown: (moment: string) =>
      `Furnizorul nu a trimis lista completă a grupurilor ultima dată ${moment}, iar rolul a rămas neschimbat. Verificați atributul, scope-urile și limita de grupuri a furnizorului.`,
    noGroups:
      "Furnizorul nu a trimis grupurile sau nu pe toate: rolurile rămân neschimbate. Verificați atributul și scope-urile.",
    notAdminGroup: (group: string) => `Niciunul dintre aceste grupuri nu este cel al administratorilor, ${group}.`,
    save: "Salvează",
    saved: "Salvat.",
    tryTitle: "Încercați, apoi porniți",
    tryText: "Se deschide o a doua fereastră, în care intrați la furnizor. Nimeni altcineva nu observă nimic.",
    tryLink: "Încearcă",
    tried: (moment: string) => `Ultima încercare reușită: ${moment}.`,
    notTried: "Încă nu a fost încercată cu aceste setări.",
    switchOn: "Pornește",
    switchedOn: "Autentificarea unică este pornită.",
    notSwitchedOn: "Nimic nu s-a schimbat: încercați mai întâi cu succes.",
    switchOff: "Oprește",
    switchOffTitle: "Opriți autentificarea unică?",
    switchOffText:
      "Apoi toți intră cu parolă, chiar dacă autentificarea unică era singura cale. Sesiunile deschise rămân.",
    withoutPassword: (count: number) =>
      `${counted("ro", count, { one: "persoană nu are", few: "persoane nu au", other: "de persoane nu au" })} parolă și va fi nevoie de un link pentru una.`,
    switchedOff: "Autentificarea unică este oprită, iar parolele funcționează.",
    only: "Doar prin autentificare unică",
    onlyTitle: "Intrare doar prin autentificare unică?",
    onlyAbout: "Apoi oamenii intră doar la furnizor, iar parolele nu mai funcționează, cu excepția unui administrator.",
    onlyEffects:
      "Parolele și linkurile pentru parole noi nu mai funcționează. Cheile API și sesiunile deschise rămân. Doar administratorul de urgență poate folosi o parolă, cu al doilea factor.",
    never: (count: number) =>
      `${counted("ro", count, { one: "persoană nu a intrat", few: "persoane nu au intrat", other: "de persoane nu au intrat" })} niciodată prin autentificare unică.`,
    breakGlass: "Administratorul de urgență",
    breakGlassHint: "Un administrator cu al doilea factor, care poate intra când furnizorul nu răspunde.",
    noBreakGlass:
      "Niciun administrator nu are parolă și al doilea factor. Configurați mai întâi un al doilea factor la Profil.",
    setUp: "Configurează",
    choose: "Alegeți un administrator cu al doilea factor.",
    refusePasswords: "Oprește parolele",
    passwordsRefused: "Parolele nu mai funcționează, cu excepția administratorului de urgență.",
    isOnly: (name: string) => `Parolele nu funcționează, cu excepția lui ${name}.`,
    allowPasswords: "Permite din nou parole",
    passwordsAllowed: "Parolele funcționează din nou.",
    triedTitle: "Merge",
    triedText: "Închideți această fereastră și porniți autentificarea unică în cealaltă.",
    triedFailed: "Încă nu funcționează",
    triedFacts: { email: "E-mail", verified: "Verificat de furnizor", groups: "Grupuri", role: "Rolul după intrare" },
    unlinked: "Contul de la furnizor a fost uitat. Următoarea intrare cu adresa utilizatorului va fi legată.",
    wasUnlinked: "Acest utilizator nu avea niciun cont la furnizor.",
    notSetUp: "Salvați mai întâi setările furnizorului.",
    reasons: {
      off: "Acest spațiu de lucru nu folosește autentificarea unică sau nu există. Verificați numele scurt sau intrați cu parolă.",
      "not-begun":
        "Această autentificare nu a început în acest browser sau a durat prea mult. Începeți din nou aici; autentificarea nu poate începe la furnizor.",
      down: "Furnizorul de identitate nu răspunde. Încercați din nou peste câteva minute; dacă nu se schimbă, spuneți-i unui administrator al spațiului de lucru.",
      private:
        "Furnizorul de identitate are o adresă dintr-o rețea privată, pe care acest server nu are voie să o apeleze. Operatorul o poate permite prin LIAISON_OIDC_PRIVATE_NETWORKS.",
      misconfigured:
        "Furnizorul de identitate nu răspunde cum cere OpenID Connect. Un administrator al spațiului de lucru trebuie să verifice emitentul.",
      "client-refused":
        "Furnizorul de identitate nu mai cunoaște acest spațiu de lucru. Un administrator trebuie să verifice ID-ul și secretul clientului.",
      denied:
        "Furnizorul de identitate nu v-a lăsat să intrați. Începeți din nou și întrebați un administrator al spațiului de lucru dacă puteți folosi Liaison.",
      "code-refused":
        "Furnizorul de identitate a refuzat această autentificare, pentru că a mai fost folosită sau este prea veche. Începeți din nou.",
      "token-refused":
        "Răspunsul furnizorului de identitate nu este valabil pentru această autentificare. Începeți din nou; dacă nu se schimbă, spuneți-i unui administrator.",
      "no-address":
        "Furnizorul de identitate nu a dat nicio adresă de e-mail. Un administrator trebuie să lase Liaison să o vadă.",
      unverified:
        "Furnizorul de identitate nu spune că adresa dumneavoastră de e-mail este verificată. Verificați-o acolo sau întrebați un administrator al spațiului de lucru.",
      "unknown-person":
        "Niciun utilizator al acestui spațiu de lucru nu are adresa dumneavoastră de e-mail. Cereți o invitație unui administrator al spațiului de lucru.",
      deactivated:
        "Contul dumneavoastră din acest spațiu de lucru este dezactivat. Întrebați un administrator al spațiului de lucru.",
      "other-account":
        "Adresa dumneavoastră de e-mail este a unui utilizator cu alt cont la furnizorul de identitate. Cereți unui administrator al spațiului de lucru să uite acel cont.",
      "somebody-else": "La furnizor ați intrat ca altă persoană. Folosiți contul cu adresa dumneavoastră de e-mail.",
      throttled: "Prea multe autentificări din rețeaua dumneavoastră au eșuat. Încercați mai târziu.",
      busy: "Se autentifică mulți oameni în acest moment. Încercați din nou imediat.",
    } satisfies Record<Reason, string>,
    problems: {
      "not-https": "Emitentul trebuie să fie o adresă care începe cu https, fără parametri.",
      "no-secret": "Scrieți secretul clientului.",
      "long-secret": "Un secret are cel mult 1.000 de caractere.",
      "wrong-domain": "Scrieți domenii cum este example.com, cu spații între ele.",
      "no-domain": "Scrieți domeniile despre care este vorba.",
      "wrong-scope": "Scrieți scope-uri precum groups, cu spații între ele.",
      "in-use": "Autentificarea unică este pornită cu alt furnizor sau client. Opriți-o mai întâi.",
    } satisfies Record<SettingsProblem, string>,
  },
} satisfies InLanguages<object>;

/** The lines that the next page shows after the sign-in of the workspace was changed. */
export const singleSignOnNotices: NoticeWords = {
  "sso-saved": (_values, language) => html`${singleSignOnWords[language].saved}`,
  "sso-on": (_values, language) => html`${singleSignOnWords[language].switchedOn}`,
  "sso-not-tried": (_values, language) => ({
    meaning: "attention",
    line: html`${singleSignOnWords[language].notSwitchedOn}`,
  }),
  "sso-not-set-up": (_values, language) => ({
    meaning: "attention",
    line: html`${singleSignOnWords[language].notSetUp}`,
  }),
  "sso-off": (_values, language) => html`${singleSignOnWords[language].switchedOff}`,
  "sso-only": (_values, language) => html`${singleSignOnWords[language].passwordsRefused}`,
  "sso-passwords": (_values, language) => html`${singleSignOnWords[language].passwordsAllowed}`,
  "sso-unlinked": (_values, language) => html`${singleSignOnWords[language].unlinked}`,
  "sso-was-unlinked": (_values, language) => ({
    meaning: "attention",
    line: html`${singleSignOnWords[language].wasUnlinked}`,
  }),
};
