import type { ChangeAction, ChangeType } from "../../kit/changes/change.ts";
import { html } from "../../kit/web/html.ts";
import { counted, type InLanguages, type Language } from "../../kit/web/language.ts";
import type { FieldLabels } from "../../kit/web/messages.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";
import type { NameOf } from "../../platform/fields/fields.ts";
import { isOrderEvent, type OrderEvent } from "./order-events.ts";
import { EVERY_TYPE, TEST_TYPE, typesOf, type SwitchedOff, type webhookFields } from "./webhook.ts";

type Labels = FieldLabels<NameOf<typeof webhookFields>>;
type Nouns = Record<ChangeType, string>;
type Actions = Record<ChangeAction | "hidden" | "shown", string>;
type Orders = Record<OrderEvent, string>;

/** The texts of the webhook pages. */
export const webhookWords = {
  en: {
    title: "Webhooks",
    about: "A webhook sends each change to your program a moment later.",
    new: "New webhook",
    empty: "No webhooks yet. Create one for each program that needs the changes.",
    guide: "How to receive them",
    labels: {
      url: "Address",
      types: "Events",
      active: "Active",
      description: "Description",
      body: "Message",
      children: "Also contacts and addresses that are hidden or shown with their company",
    } satisfies Labels,
    urlHint: "Where your program listens, such as https://erp.example.com/hooks.",
    bodies: { change: "The change", full: "The change and the whole record" },
    every: "Everything that changes",
    active: "Active",
    deleted: "Deleted",
    previousUntil: "The old secret works until",
    state: "Status",
    isActive: "Active",
    isFailing: (since: string) => `Failing since ${since}`,
    isOff: "Switched off",
    offBecause: {
      gone: "Switched off: the receiver answered that it is gone (410).",
      failing: "Switched off: nothing arrived for five days.",
    } satisfies Record<SwitchedOff, string>,
    backOn: "Once the receiver works again, switch it on. What was not delivered can be sent again one by one.",
    create: "Create webhook",
    once: "This secret is shown only once. Copy it now to where your program verifies what it receives.",
    secret: "The secret",
    verify: "Verify what you receive",
    done: "I have copied it",
    sendTest: "Send a test",
    testSent: "A test is being sent.",
    rotate: "New secret",
    rotateText:
      "Creates another secret. Deliveries are signed with both for one day, so that you can give the new one to your program.",
    tooManySecrets:
      "No new secret: ten replaced secrets are still valid. Try again later, or create another webhook and delete this one.",
    deleteTitle: (url: string) => `Delete the webhook ${url}?`,
    delete: "Delete webhook",
    deleteHint: "Deleting stops all deliveries to this address.",
    deleteText: (count: number) =>
      `Deleting stops all deliveries to this address, and deletes those of the last 30 days (${counted("en", count, { one: "delivery", other: "deliveries" })}).`,
    deletedNotice: "The webhook is deleted.",
    savedNotice: "Saved.",
    changedMeanwhile: (url: string, state: string) =>
      `Somebody else has changed this webhook meanwhile. Stored now: ${url}, ${state}. Save again to replace that.`,
    deliveries: "Sent in the last 30 days",
    none: "Nothing was sent yet.",
    event: "Event",
    when: "When",
    tries: "Tries",
    answer: "Answer",
    took: "Time",
    ms: (count: string) => `${count} ms`,
    delivered: "Delivered",
    waiting: "In the queue",
    /** Before the time of the next attempt. */
    again: "again",
    givenUp: "Given up",
    request: "What is sent",
    receiverAnswer: "What the receiver answered",
    sendAgain: "Send again",
    sentAgain: "It is being sent again.",
    offNotice: "The webhook is switched off, so nothing is sent.",
    inNeed: (url: string, isOff: boolean) =>
      isOff ? `The webhook ${url} was switched off.` : `The webhook ${url} does not arrive.`,
    look: "Look",
    test: "Test",
    nouns: {
      company: "Company",
      contact: "Contact",
      address: "Address",
      invoice: "Invoice",
      payment: "Payment",
      custom_field: "Field",
    } satisfies Nouns,
    actions: {
      created: "created",
      updated: "changed",
      deleted: "deleted",
      merged: "merged into another",
      restored: "restored",
      erased: "erased",
      hidden: "hidden with its company",
      shown: "shown with its company",
    } satisfies Actions,
    order: "Order",
    orders: {
      "invoice.order_created": "created",
      "invoice.order_moved": "moved",
      "invoice.order_final": "finished",
      "invoice.order_cancelled": "cancelled by the warehouse",
      "invoice.order_lost": "missing in the warehouse",
    } satisfies Orders,
  },
  ro: {
    title: "Webhookuri",
    about: "Un webhook îi spune unui program al dumneavoastră ce s-a modificat, la o clipă după aceea.",
    new: "Webhook nou",
    empty: "Nu există încă niciun webhook. Creați câte unul pentru fiecare program care vrea să afle ce se modifică.",
    guide: "Cum se primesc",
    labels: {
      url: "Adresă",
      types: "Evenimente",
      active: "Activ",
      description: "Descriere",
      body: "Mesaj",
      children: "Și persoanele și adresele ascunse sau afișate odată cu firma",
    } satisfies Labels,
    urlHint: "Unde ascultă programul, de exemplu https://erp.example.com/hooks.",
    bodies: { change: "Modificarea", full: "Modificarea și toată fișa" },
    every: "Tot ce se modifică",
    active: "Activ",
    deleted: "Șters",
    previousUntil: "Secretul vechi este valabil până la",
    state: "Stare",
    isActive: "Activ",
    isFailing: (since: string) => `Nu reușește din ${since}`,
    isOff: "Oprit",
    offBecause: {
      gone: "Oprit: destinatarul a răspuns că nu mai există (410).",
      failing: "Oprit: timp de cinci zile nu a ajuns nimic.",
    },
    backOn: "Când destinatarul funcționează din nou, porniți-l. Ce nu a ajuns se poate trimite din nou, pe rând.",
    create: "Creează webhookul",
    once: "Secretul se arată doar acum. Copiați-l acolo unde programul verifică ce primește.",
    secret: "Secretul",
    verify: "Verifică ce primești",
    done: "L-am copiat",
    sendTest: "Trimite un test",
    testSent: "Se trimite un test.",
    rotate: "Secret nou",
    rotateText: "Face alt secret. Livrările sunt semnate o zi cu amândouă, ca să îl puteți da pe cel nou programului.",
    tooManySecrets:
      "Nu s-a făcut un secret nou: zece din ultima zi semnează deja. Încercați mai târziu sau creați alt webhook și ștergeți-l pe acesta.",
    deleteTitle: (url: string) => `Ștergeți webhookul ${url}?`,
    delete: "Șterge webhookul",
    deleteHint: "Ștergerea oprește toate livrările la această adresă.",
    deleteText: (count: number) =>
      `Ștergerea oprește toate livrările la această adresă și le elimină pe cele din ultimele 30 de zile (${counted("ro", count, { one: "livrare", few: "livrări", other: "de livrări" })}).`,
    deletedNotice: "Webhookul este șters.",
    savedNotice: "Salvat.",
    changedMeanwhile: (url: string, state: string) =>
      `Altcineva a modificat între timp acest webhook. Salvat este acum: ${url}, ${state}. Salvați din nou pentru a înlocui.`,
    deliveries: "Trimise în ultimele 30 de zile",
    none: "Încă nu s-a trimis nimic.",
    event: "Eveniment",
    when: "Când",
    tries: "Încercări",
    answer: "Răspuns",
    took: "Durată",
    ms: (count: string) => `${count} ms`,
    delivered: "Livrat",
    waiting: "În așteptare",
    again: "din nou",
    givenUp: "Abandonat",
    request: "Ce se trimite",
    receiverAnswer: "Ce a răspuns destinatarul",
    sendAgain: "Trimite din nou",
    sentAgain: "Se trimite din nou.",
    offNotice: "Webhookul este oprit, deci nu se trimite nimic.",
    inNeed: (url: string, isOff: boolean) => (isOff ? `Webhookul ${url} a fost oprit.` : `Webhookul ${url} nu ajunge.`),
    look: "Vezi",
    test: "Test",
    nouns: {
      company: "Firmă",
      contact: "Persoană de contact",
      address: "Adresă",
      invoice: "Factură",
      payment: "Încasare",
      custom_field: "Câmp",
    },
    actions: {
      created: "adăugată",
      updated: "modificată",
      deleted: "ștearsă",
      merged: "contopită cu alta",
      restored: "restabilită",
      erased: "eliminată definitiv",
      hidden: "ascunsă odată cu firma",
      shown: "afișată odată cu firma",
    },
    order: "Comandă",
    orders: {
      "invoice.order_created": "creată",
      "invoice.order_moved": "cu stare nouă",
      "invoice.order_final": "încheiată",
      "invoice.order_cancelled": "anulată de depozit",
      "invoice.order_lost": "lipsă la depozit",
    } satisfies Orders,
  },
} satisfies InLanguages<object>;

/** An event in words: `Company created`. Events that pages never show keep their name. */
export function eventWords(language: Language, event: string): string {
  if (event === TEST_TYPE) return webhookWords[language].test;
  const { noun, verb } = eventParts(language, event);
  return noun === "" ? event : `${noun} ${verb}`;
}

/** The two words of an event, such as `Company` and `created`; without a noun if pages never show it. */
export function eventParts(language: Language, event: string): { noun: string; verb: string } {
  const words: { nouns: EventWords; actions: EventWords; order: string; orders: Orders } = webhookWords[language];
  if (isOrderEvent(event)) return { noun: words.order, verb: words.orders[event] };
  const [type = "", action = ""] = event.split(".");
  const [noun, verb] = [words.nouns[type], words.actions[action]];
  return noun === undefined || verb === undefined ? { noun: "", verb: event } : { noun, verb };
}

type EventWords = Readonly<Record<string, string>>;

/** A webhook's stored events in words. */
export function typesIn(language: Language, stored: string): string {
  const types = typesOf(stored);
  return types.includes(EVERY_TYPE)
    ? webhookWords[language].every
    : types.map((type) => eventWords(language, type)).join(", ");
}

/** Notices on the next page after an action on a webhook. */
export const webhookNotices: NoticeWords = {
  "webhook-saved": (_values, language) => html`${webhookWords[language].savedNotice}`,
  "webhook-deleted": (_values, language) => html`${webhookWords[language].deletedNotice}`,
  "webhook-tested": (_values, language) => html`${webhookWords[language].testSent}`,
  "webhook-sent-again": (_values, language) => html`${webhookWords[language].sentAgain}`,
  "webhook-secrets": (_values, language) => ({
    meaning: "attention",
    line: html`${webhookWords[language].tooManySecrets}`,
  }),
  "webhook-off": (_values, language) => ({ meaning: "attention", line: html`${webhookWords[language].offNotice}` }),
};
