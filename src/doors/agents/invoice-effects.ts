import { amount, type InLanguages, type Language } from "../../kit/web/language.ts";
import { textOrNull } from "../../platform/fields/validation.ts";
import { nameInQuestion } from "./confirmation.ts";

/** The effects of upsert_invoice that a person confirms. */
export type InvoiceEffect = "sent" | "issued" | "paid" | "paid_and_sent" | "unpaid" | "cancelled" | "changed";

/** An invoice as it is, and the members that a call changes as `new_number` and the like. */
export type ChangedInvoice = { becomes: InvoiceEffect } & InvoiceTexts;

export type InvoiceTexts = Readonly<Record<string, string | number | null | undefined>>;

const words = {
  en: {
    invoice: (number: string, company: string) => `invoice ${number} of ${company}`,
    renumbered: (number: string) => `new number: ${number}`,
    noTotal: "no total",
    paid: (sum: string) => `paid so far: ${sum}`,
    effects: {
      sent: (what: string) => `Issue ${what}, and send it to the warehouse`,
      issued: (what: string) => `Issue ${what}`,
      paid: (what: string) => `Mark ${what} as paid`,
      paid_and_sent: (what: string) => `Mark ${what} as paid, and send it to the warehouse`,
      unpaid: (what: string) => `Mark ${what} as unpaid, and delete payments of it`,
      cancelled: (what: string) => `Cancel ${what}`,
      changed: (what: string) => `Change ${what}`,
    } satisfies Sentences,
  },
  ro: {
    invoice: (number: string, company: string) => `factura ${number} a firmei ${company}`,
    renumbered: (number: string) => `număr nou: ${number}`,
    noTotal: "fără total",
    paid: (sum: string) => `încasat până acum: ${sum}`,
    effects: {
      sent: (what: string) => `Emite ${what} și o trimite la depozit`,
      issued: (what: string) => `Emite ${what}`,
      paid: (what: string) => `Marchează ca plătită ${what}`,
      paid_and_sent: (what: string) => `Marchează ca plătită ${what} și o trimite la depozit`,
      unpaid: (what: string) => `Marchează ca neplătită ${what} și șterge încasări ale ei`,
      cancelled: (what: string) => `Anulează ${what}`,
      changed: (what: string) => `Modifică ${what}`,
    } satisfies Sentences,
  },
} satisfies InLanguages<object>;

type Sentences = Readonly<Record<InvoiceEffect, (what: string) => string>>;

/** The effect of a call of upsert_invoice, as a sentence without its end. */
export function invoiceEffectIn(language: Language, data: ChangedInvoice): string {
  const { invoice, renumbered, noTotal, paid, effects } = words[language];
  const now = { ...data, ...changesIn(data) };
  const sum = (of: InvoiceTexts, name: "total" | "paid") => sumIn(language, of[name], of.currency);
  const [before, after] = [sum(data, "total") ?? noTotal, sum(now, "total") ?? noTotal];
  const received = sum(data, "paid");
  const details = [
    ...(now.number === data.number ? [] : [renumbered(nameInQuestion(now.number))]),
    ...(before === after ? [sum(now, "total") ?? []].flat() : [`${before} → ${after}`]),
    ...(received === null ? [] : [paid(received)]),
  ];
  const what = invoice(nameInQuestion(data.number), nameInQuestion(data.company));
  const effect = effects[data.becomes](what);
  return details.length === 0 ? effect : `${effect} (${details.join("; ")})`;
}

function changesIn(data: InvoiceTexts): InvoiceTexts {
  const names = ["number", "total", "currency"].filter((name) => Object.hasOwn(data, `new_${name}`));
  return Object.fromEntries(names.map((name) => [name, data[`new_${name}`]]));
}

function sumIn(language: Language, sum: InvoiceTexts[string], currency: InvoiceTexts[string]): string | null {
  const text = amount(language, textOrNull(sum), textOrNull(currency));
  return text === null ? null : nameInQuestion(text);
}
