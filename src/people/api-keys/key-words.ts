import { html } from "../../kit/web/html.ts";
import { wholeNumber, type InLanguages, type Language } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";
import type { Capability, CapabilityArea } from "./capability.ts";

/** Each capability as a person reads it. */
export const capabilityWords: InLanguages<Readonly<Record<Capability, string>>> = {
  en: {
    "companies:read": "See companies and their history",
    "companies:write": "Create, change and delete companies",
    "contacts:read": "See contacts",
    "contacts:write": "Create, change and delete contacts",
    "contacts:erase": "Erase people's data for good",
    "addresses:read": "See addresses",
    "addresses:write": "Create, change and delete addresses",
    "invoices:read": "See invoices",
    "invoices:write": "Create and change invoices",
    "payments:read": "See payments of invoices",
    "payments:write": "Record and delete payments",
    "reports:read": "See sums of all invoices: who owes how much",
    "wms-orders:read": "See the warehouse orders of invoices",
    "wms-orders:write": "Send invoices to the warehouse",
    "changes:read": "Follow all changes, with what they changed",
    "webhooks:read": "See webhooks and what was sent to them",
    "webhooks:write": "Create, change and delete webhooks",
    "custom-fields:read": "See the workspace’s own fields",
    "custom-fields:write": "Define, change and delete the workspace’s own fields",
  },
  ro: {
    "companies:read": "Vede firmele și istoricul lor",
    "companies:write": "Adaugă, modifică și șterge firme",
    "contacts:read": "Vede persoanele de contact",
    "contacts:write": "Adaugă, modifică și șterge persoane de contact",
    "contacts:erase": "Șterge definitiv datele persoanelor",
    "addresses:read": "Vede adresele",
    "addresses:write": "Adaugă, modifică și șterge adrese",
    "invoices:read": "Vede facturile",
    "invoices:write": "Adaugă și modifică facturi",
    "payments:read": "Vede încasările facturilor",
    "payments:write": "Înregistrează și șterge încasări",
    "reports:read": "Vede sumele tuturor facturilor: cine cât are de plată",
    "wms-orders:read": "Vede ce comenzi în depozit au devenit facturile",
    "wms-orders:write": "Trimite facturi la depozit",
    "changes:read": "Urmărește toate modificările, cu tot ce au schimbat",
    "webhooks:read": "Vede webhookurile și ce li s-a trimis",
    "webhooks:write": "Adaugă, modifică și șterge webhookuri",
    "custom-fields:read": "Vede câmpurile proprii ale spațiului de lucru",
    "custom-fields:write": "Adaugă, modifică și șterge câmpuri proprii",
  },
};

/** The areas of capabilities. */
export const areaWords: InLanguages<Readonly<Record<CapabilityArea, string>>> = {
  en: {
    companies: "Companies",
    contacts: "Contacts",
    addresses: "Addresses",
    invoices: "Invoices",
    payments: "Payments",
    reports: "Reports",
    "wms-orders": "Orders",
    changes: "Changes",
    webhooks: "Webhooks",
    "custom-fields": "Fields",
  },
  ro: {
    companies: "Firme",
    contacts: "Persoane",
    addresses: "Adrese",
    invoices: "Facturi",
    payments: "Încasări",
    reports: "Rapoarte",
    "wms-orders": "Comenzi",
    changes: "Modificări",
    webhooks: "Webhookuri",
    "custom-fields": "Câmpuri",
  },
};

const verbs: InLanguages<Record<string, string>> = {
  en: { read: "See", write: "Change", erase: "Erase", "wms-orders:write": "Send", "changes:read": "Follow" },
  ro: {
    read: "Vede",
    write: "Modifică",
    erase: "Șterge definitiv",
    "wms-orders:write": "Trimite",
    "changes:read": "Urmărește",
  },
};

/** The verb of a capability, beside its area. */
export function verbIn(language: Language, capability: Capability): string {
  const words = verbs[language];
  return words[capability] ?? words[capability.slice(capability.indexOf(":") + 1)] ?? capability;
}

export const keyWords = {
  en: {
    title: "API keys",
    about: "A key lets a program use your data through the API, with the permissions that you give it.",
    reference: "API reference",
    new: "New key",
    empty: "No keys yet. Create one for each program, so that you can revoke each on its own.",
    name: "Name",
    nameHint: "The program that will use it, such as “Shop” or “ERP”.",
    key: "Key",
    state: "Status",
    active: "Active",
    expired: "Expired",
    revoked: "Revoked",
    replaced: "Replaced",
    worksUntil: (time: string) => `works until ${time}`,
    until: (day: string) => `until ${day}`,
    lastUsed: "Last used",
    never: "Never",
    usedAt: (time: string, address: string) => `${time} from ${address}`,
    created: "Created",
    capabilities: "Permissions",
    writesImply: "Permission to change something includes permission to see it.",
    expires: "Expires on",
    expiresHint: "Leave empty for a key that never expires.",
    noEnd: "Never",
    networks: "Only from these networks",
    networksHint: "Such as 192.0.2.10 or 10.0.0.0/8, separated by commas. Leave empty to allow any.",
    anywhere: "Anywhere",
    rate: "Requests per minute",
    rateHint: "Leave empty for the default of the installation; 0 means no limit.",
    usualRate: "Default of the installation",
    noLimit: "No limit",
    create: "Create key",
    once: "This key is shown only once. Copy it now to where it will be used.",
    token: "The key",
    tryIt: "Try it",
    done: "I have copied it",
    used: (used: string, granted: string) => `Used in the last 30 days: ${used} of ${granted}`,
    unused: "not used",
    revoke: "Revoke key",
    revokeTitle: (name: string) => `Revoke the key “${name}”?`,
    requests: "Requests in 30 days",
    recentUses: (used: number, all: number) =>
      used === 0
        ? "No program used it in the last 30 days."
        : `In the last 30 days programs used ${wholeNumber("en", used)} of its ${wholeNumber("en", all)} permissions.`,
    revokeText: "From then on, programs with this key are refused. This cannot be undone.",
    reroll: "Rotate key",
    rerollText:
      "Rotating creates a new key with the same permissions. The old key works for another day, so that you can give the new one to its program.",
    revokedNotice: "The key is revoked.",
    rename: "Save the name",
    renamed: "The name is saved.",
    needsName: "Please give the key a name of at most 255 characters.",
    needsCapability: "Please choose at least one permission.",
    needsFuture: "Please choose a day in the future, or none.",
    needsNetworks: "Please enter networks such as 192.0.2.10 or 10.0.0.0/8, separated by commas.",
    needsRate: "Please enter a whole number, or leave it empty.",
  },
  ro: {
    title: "Chei API",
    about: "O cheie permite unui program să lucreze cu datele dumneavoastră prin API, atât cât îi permiteți.",
    reference: "Referința API",
    new: "Cheie nouă",
    empty:
      "Nu există încă nicio cheie. Creați câte una pentru fiecare program, ca să o puteți opri pe fiecare separat.",
    name: "Nume",
    nameHint: "Programul care o va folosi, de exemplu „Magazin” sau „ERP”.",
    key: "Cheie",
    state: "Stare",
    active: "Activă",
    expired: "Expirată",
    revoked: "Revocată",
    replaced: "Înlocuită",
    worksUntil: (time: string) => `valabilă până la ${time}`,
    until: (day: string) => `până la ${day}`,
    lastUsed: "Ultima utilizare",
    never: "Niciodată",
    usedAt: (time: string, address: string) => `${time} de la ${address}`,
    created: "Creată",
    capabilities: "Permisiuni",
    writesImply: "Cine poate modifica ceva poate să și vadă.",
    expires: "Expiră la",
    expiresHint: "Lăsați gol pentru o cheie fără termen.",
    noEnd: "Niciodată",
    networks: "Doar din aceste rețele",
    networksHint: "De exemplu 192.0.2.10 sau 10.0.0.0/8, cu virgule între ele. Lăsați gol pentru acces de oriunde.",
    anywhere: "De oriunde",
    rate: "Cereri pe minut",
    rateHint: "Lăsați gol pentru limita instalării. 0: fără limită.",
    usualRate: "Cât permite instalarea",
    noLimit: "Fără limită",
    create: "Creează cheia",
    once: "Cheia se arată doar acum. Copiați-o acolo unde va fi folosită.",
    token: "Cheia",
    tryIt: "Încearcă cheia",
    done: "Am copiat-o",
    used: (used: string, granted: string) => `Folosite în ultimele 30 de zile: ${used} din ${granted}`,
    unused: "nefolosit",
    revoke: "Revocă cheia",
    revokeTitle: (name: string) => `Revocați cheia „${name}”?`,
    requests: "Cereri în 30 de zile",
    recentUses: (used: number, all: number) =>
      used === 0
        ? "Niciun program nu a folosit-o în ultimele 30 de zile."
        : `În ultimele 30 de zile programele au folosit ${wholeNumber("ro", used)} din cele ${wholeNumber("ro", all)} permisiuni ale ei.`,
    revokeText: "Revocarea refuză imediat și definitiv programele cu această cheie.",
    reroll: "Înlocuiește cheia",
    rerollText:
      "Înlocuirea face o cheie nouă cu aceleași drepturi. Cheia veche mai este valabilă o zi, ca să o puteți da pe cea nouă programului ei.",
    revokedNotice: "Cheia este revocată.",
    rename: "Salvează numele",
    renamed: "Numele este salvat.",
    needsName: "Dați cheii un nume de cel mult 255 de caractere.",
    needsCapability: "Alegeți cel puțin o permisiune.",
    needsFuture: "Alegeți o zi din viitor sau niciuna.",
    needsNetworks: "Scrieți rețele precum 192.0.2.10 sau 10.0.0.0/8, cu virgule între ele.",
    needsRate: "Scrieți un număr întreg sau nimic.",
  },
} satisfies InLanguages<object>;

/** The line that the next page shows after a key was revoked. */
export const keyNotices: NoticeWords = {
  "key-renamed": (_values, language) => html`${keyWords[language].renamed}`,
  "key-revoked": (_values, language) => html`${keyWords[language].revokedNotice}`,
};
