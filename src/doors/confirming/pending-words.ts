import { html } from "../../kit/web/html.ts";
import { amount, counted, wholeNumber, type InLanguages, type Language } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";
import { nameInQuestion } from "../agents/confirmation.ts";
import { invoiceEffectIn, type ChangedInvoice } from "../agents/invoice-effects.ts";
import type { JsonObject } from "../agents/session.ts";

export const pendingWords = {
  en: {
    title: "Assistants",
    about:
      "Deletions, merges, sendings, payments and batches of assistants wait here for a day, if their key says so. Any user of the workspace may confirm or decline them.",
    none: "Nothing waits for a confirmation.",
    guide: "About assistants",
    more: "More requests wait. They appear when these are decided.",
    request: "Request of an assistant",
    asked: (key: string, at: string, until: string) => `${key} asked for it on ${at}. It waits until ${until}.`,
    confirm: "Confirm",
    decline: "Decline",
    over: "It waits no longer.",
    look: "Look at it",
    items: "Show the items",
    changing: (fields: string) => `Values of the kept company that change: ${fields}.`,
    keeping: (fields: string) => `Values that it keeps, as the assistant chose: ${fields}.`,
    effects: {
      delete_company: ({ name, contacts, addresses }: Texts) =>
        `Delete ${name} with ${counted("en", Number(contacts), { one: "contact", other: "contacts" })} and ${counted("en", Number(addresses), { one: "address", other: "addresses" })}`,
      merge_companies: ({ from_name, name }: Texts) => `Merge ${from_name} into ${name}`,
      send_invoice: ({ number, company, sum }: Texts) =>
        `Send invoice ${number} of ${company} to the warehouse${sum === "" ? "" : ` (${sum})`}`,
      cancel_order: ({ number, company }: Texts) => `Cancel the warehouse’s order of invoice ${number} of ${company}`,
      record_payment: ({ number, company, sum }: Texts) =>
        `Record a payment of ${sum} for invoice ${number} of ${company}`,
    },
    batch: (kind: string, items: string, counts: string) => `Write a batch of ${items} ${kind}: ${counts}`,
    kinds: { companies: "companies", contacts: "contacts", addresses: "addresses", invoices: "invoices" },
    counts: {
      created: "created",
      updated: "changed",
      unchanged: "unchanged",
      deleted: "deleted",
      restored: "restored",
      rejected: "rejected",
    },
    outcomes: {
      done: "It is done. The assistant learns it when it asks again.",
      declined: "Declined: nothing was done. The assistant learns it when it asks again.",
      refused: "It cannot be done any more, so nothing was done. The assistant learns the reason when it asks again.",
    },
    changed: "It was changed since the assistant asked, so nothing was done. The assistant may ask again.",
    before: "Somebody decided before.",
    late: "It waited for a day and is over: nothing was done. The assistant may ask again.",
    key: "The key of this assistant was revoked or expired: nothing was done.",
  },
  ro: {
    title: "Asistenți",
    about:
      "Ștergerile, contopirile, trimiterile, încasările și loturile asistenților așteaptă aici o zi, dacă așa spune cheia lor. Orice utilizator al spațiului de lucru le poate confirma sau respinge.",
    none: "Nimic nu așteaptă confirmare.",
    guide: "Despre asistenți",
    more: "Mai sunt cereri. Apar după ce hotărâți despre acestea.",
    request: "Cererea unui asistent",
    asked: (key: string, at: string, until: string) => `Cerută de ${key}, ${at}. Așteaptă până la ${until}.`,
    confirm: "Confirmă",
    decline: "Respinge",
    over: "Nu mai așteaptă.",
    look: "Vedeți despre ce este vorba",
    items: "Arată rândurile",
    changing: (fields: string) => `Valori care se schimbă la firma care rămâne: ${fields}.`,
    keeping: (fields: string) => `Valori pe care le păstrează, cum a ales asistentul: ${fields}.`,
    effects: {
      delete_company: ({ name, contacts, addresses }: Texts) =>
        `Șterge ${name} cu ${counted("ro", Number(contacts), { one: "persoană de contact", few: "persoane de contact", other: "de persoane de contact" })} și ${counted("ro", Number(addresses), { one: "adresă", few: "adrese", other: "de adrese" })}`,
      merge_companies: ({ from_name, name }: Texts) => `Contopește ${from_name} cu ${name}`,
      send_invoice: ({ number, company, sum }: Texts) =>
        `Trimite la depozit factura ${number} a firmei ${company}${sum === "" ? "" : ` (${sum})`}`,
      cancel_order: ({ number, company }: Texts) =>
        `Anulează comanda din depozit a facturii ${number} a firmei ${company}`,
      record_payment: ({ number, company, sum }: Texts) =>
        `Înregistrează o încasare de ${sum} pentru factura ${number} a firmei ${company}`,
    },
    batch: (kind: string, items: string, counts: string) => `Scrie un lot (${kind}, rânduri: ${items}): ${counts}`,
    kinds: { companies: "firme", contacts: "persoane de contact", addresses: "adrese", invoices: "facturi" },
    counts: {
      created: "adăugate",
      updated: "modificate",
      unchanged: "neschimbate",
      deleted: "șterse",
      restored: "restabilite",
      rejected: "respinse",
    },
    outcomes: {
      done: "S-a făcut. Asistentul află când întreabă din nou.",
      declined: "Respinsă: nu s-a făcut nimic. Asistentul află când întreabă din nou.",
      refused: "Nu se mai poate face, deci nu s-a făcut nimic. Asistentul află motivul când întreabă din nou.",
    },
    changed: "S-a modificat ceva de când a cerut asistentul, deci nu s-a făcut nimic. Asistentul poate cere din nou.",
    before: "Altcineva a hotărât mai devreme.",
    late: "A așteptat o zi și s-a încheiat: nu s-a făcut nimic. Asistentul poate cere din nou.",
    key: "Cheia acestui asistent a fost revocată sau a expirat: nu s-a făcut nimic.",
  },
} satisfies InLanguages<object>;

type Texts = Readonly<Record<string, string>>;

/** The effect of a request, as a sentence. @param data its preview (doors/agents/tools/) */
export function effectIn(language: Language, tool: string, data: JsonObject): string {
  const words = pendingWords[language];
  if (tool === "apply_batch") {
    const { kind, items, counts } = data as { kind: keyof typeof words.kinds; items: number; counts: JsonObject };
    const of = (outcome: string) => (words.counts as Texts)[outcome] ?? outcome;
    const all = Object.entries(counts).filter(([, count]) => count !== 0);
    const parts = all.map(([outcome, count]) => `${wholeNumber(language, Number(count))} ${of(outcome)}`);
    return words.batch(words.kinds[kind], wholeNumber(language, items), parts.join(", "));
  }
  if (tool === "upsert_invoice") return invoiceEffectIn(language, data as ChangedInvoice);
  const named = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, nameInQuestion(value ?? "")]));
  const { amount: paid, total, currency } = data as { amount?: string | number; total?: string; currency?: string };
  const sum = paid ?? total ?? null;
  const texts = {
    ...named,
    sum: nameInQuestion(amount(language, sum === null ? null : String(sum), currency ?? null) ?? ""),
  };
  const effect = (words.effects as Readonly<Record<string, (texts: Texts) => string>>)[tool];
  return effect?.(texts) ?? tool;
}

export const pendingNotices: NoticeWords = {
  "pending-decided": ({ outcome, before, why }, language) => {
    const words = pendingWords[language];
    const known = outcome === "declined" || outcome === "refused" ? outcome : "done";
    const line = known === "refused" && why === "resource_changed" ? words.changed : words.outcomes[known];
    return {
      meaning: known === "refused" ? "attention" : "good",
      line: html`${before === "yes" && `${words.before} `}${line}`,
    };
  },
  "pending-over": ({ why }, language) => ({
    meaning: "attention",
    line: html`${pendingWords[language][why === "late" ? "late" : "key"]}`,
  }),
};
