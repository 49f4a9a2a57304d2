import type { CountedKind } from "../../exchange/merging/mergeable-noun.ts";
import { html } from "../../kit/web/html.ts";
import { counted, listOf, type InLanguages, type Language, type Plural } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";
import { isId } from "../../platform/ids.ts";

/** The kinds of rows that a merge moves, in the order in which they are named, and values. */
type KindWords = Record<CountedKind | "fields", Plural>;

export const mergeWords = {
  en: {
    of: {
      company: {
        pickTitle: (company: string) => `Merge ${company} with another company`,
        pick: "Search for the other company",
        pickHint: "Name, fiscal id, city or e-mail",
        found: "Companies found",
        none: (search: string) =>
          search === "" ? "Search for the company that is the same." : `No company matches “${search}”.`,
        moves: (what: string) => `To the kept company: ${what}.`,
        movesNothing: "Nothing belongs to the other company.",
        filled: (fields: string) => `Taken from the other company, because it is empty here: ${fields}.`,
        refused: "The companies could not be merged. Check the choices.",
        isMerged: "This company was merged into the one below.",
      },
      contact: {
        pickTitle: (contact: string) => `Merge ${contact} with another contact`,
        pick: "Search for the other contact",
        pickHint: "Name or e-mail",
        found: "Contacts of the company",
        none: (search: string) =>
          search === "" ? "The company has no other contact." : `No other contact of the company matches “${search}”.`,
        moves: (what: string) => `To the kept contact: ${what}.`,
        movesNothing: "Nothing belongs to the other contact.",
        filled: (fields: string) => `Taken from the other contact, because it is empty here: ${fields}.`,
        refused: "The contacts could not be merged. Check the choices.",
        isMerged: "This contact was merged into the one below.",
      },
    },
    find: "Search",
    title: (from: string, kept: string) => `Merge ${from} into ${kept}?`,
    swap: (from: string) => `Keep ${from} instead`,
    orders: (count: number) =>
      `${counted("en", count, { one: "order stays as it is", other: "orders stay as they are" })} in the warehouse.`,
    notes: "The notes of both are kept.",
    undoable: "The merge can be undone for 30 days.",
    differ: "Where both have a value",
    newer: "newer",
    submit: "Merge",
    merged: (from: string, what: string) =>
      what === "" ? `Merged with ${from}.` : `Merged with ${from}: ${what} moved.`,
    mergedIn: (from: string, day: string) => `${from} was merged in on ${day}.`,
    undo: "Undo",
    undoTitle: (from: string) => `Undo the merge of ${from}?`,
    returns: (from: string, what: string) => (what === "" ? `${from} returns.` : `${from} returns, with ${what}.`),
    values: (count: number) =>
      `${counted("en", count, { one: "value goes", other: "values go" })} back to what they were.`,
    left: (what: string) => `Changed since, and left as it is: ${what}.`,
    undoIt: "Undo the merge",
    undone: "The merge was undone.",
    reasons: {
      "already-undone": "This merge was undone already.",
      "too-late": "A merge can be undone for 30 days only.",
      "kept-deleted": "What was kept is deleted. Restore it first.",
      "merged-later": "What was kept was merged later. Undo that merge first.",
      "tax-id-taken": "Another company has the fiscal id by now.",
    },
    toThat: "To that merge",
    back: "Back",
    kinds: {
      invoices: { one: "invoice", other: "invoices" },
      payments: { one: "payment", other: "payments" },
      contacts: { one: "contact", other: "contacts" },
      addresses: { one: "address", other: "addresses" },
      activities: { one: "activity", other: "activities" },
      planned_calls: { one: "call to come", other: "calls to come" },
      offers: { one: "offer", other: "offers" },
      deals: { one: "deal", other: "deals" },
      tickets: { one: "ticket", other: "tickets" },
      subscriptions: { one: "subscription", other: "subscriptions" },
      fields: { one: "value", other: "values" },
    } satisfies KindWords,
  },
  ro: {
    of: {
      company: {
        pickTitle: (company: string) => `Contopește ${company} cu altă firmă`,
        pick: "Caută cealaltă firmă",
        pickHint: "Denumire, cod fiscal, localitate sau e-mail",
        found: "Firme găsite",
        none: (search: string) =>
          search === "" ? "Caută firma care este aceeași." : `Nicio firmă nu se potrivește cu „${search}”.`,
        moves: (what: string) => `Trec la firma care rămâne: ${what}.`,
        movesNothing: "Cealaltă firmă nu are nimic de mutat.",
        filled: (fields: string) => `Se preiau de la cealaltă firmă, pentru că aici lipsesc: ${fields}.`,
        refused: "Firmele nu au putut fi contopite. Verifică alegerile.",
        isMerged: "Firma a fost contopită cu cea de mai jos.",
      },
      contact: {
        pickTitle: (contact: string) => `Contopește ${contact} cu altă persoană de contact`,
        pick: "Caută cealaltă persoană de contact",
        pickHint: "Nume sau e-mail",
        found: "Persoanele de contact ale firmei",
        none: (search: string) =>
          search === ""
            ? "Firma nu are altă persoană de contact."
            : `Nicio altă persoană de contact a firmei nu se potrivește cu „${search}”.`,
        moves: (what: string) => `Trec la persoana care rămâne: ${what}.`,
        movesNothing: "Cealaltă persoană nu are nimic de mutat.",
        filled: (fields: string) => `Se preiau de la cealaltă persoană, pentru că aici lipsesc: ${fields}.`,
        refused: "Persoanele de contact nu au putut fi contopite. Verifică alegerile.",
        isMerged: "Persoana a fost contopită cu cea de mai jos.",
      },
    },
    find: "Caută",
    title: (from: string, kept: string) => `Contopești ${from} cu ${kept}?`,
    swap: (from: string) => `Să rămână ${from}`,
    orders: (count: number) =>
      `${counted("ro", count, { one: "comandă rămâne neschimbată", few: "comenzi rămân neschimbate", other: "de comenzi rămân neschimbate" })} în depozit.`,
    notes: "Se păstrează observațiile amândurora.",
    undoable: "Contopirea se poate anula timp de 30 de zile.",
    differ: "Unde amândouă au o valoare",
    newer: "mai nouă",
    submit: "Contopește",
    merged: (from: string, what: string) =>
      what === "" ? `Contopită cu ${from}.` : `Contopită cu ${from}: s-au mutat ${what}.`,
    mergedIn: (from: string, day: string) => `${from} a fost contopită aici pe ${day}.`,
    undo: "Anulează",
    undoTitle: (from: string) => `Anulezi contopirea cu ${from}?`,
    returns: (from: string, what: string) => (what === "" ? `${from} revine.` : `${from} revine, cu ${what}.`),
    values: (count: number) =>
      `${counted("ro", count, { one: "valoare revine", few: "valori revin", other: "de valori revin" })} la ce a fost înainte.`,
    left: (what: string) => `Modificate între timp, rămân așa: ${what}.`,
    undoIt: "Anulează contopirea",
    undone: "Contopirea a fost anulată.",
    reasons: {
      "already-undone": "Contopirea a fost deja anulată.",
      "too-late": "O contopire se poate anula doar 30 de zile.",
      "kept-deleted": "Fișa care a rămas este ștearsă. Restabilește-o mai întâi.",
      "merged-later": "Fișa care a rămas a fost contopită mai târziu. Anulează mai întâi acea contopire.",
      "tax-id-taken": "Între timp, altă firmă are codul fiscal.",
    },
    toThat: "La acea contopire",
    back: "Înapoi",
    kinds: {
      invoices: { one: "factură", few: "facturi", other: "de facturi" },
      payments: { one: "încasare", few: "încasări", other: "de încasări" },
      contacts: { one: "persoană de contact", few: "persoane de contact", other: "de persoane de contact" },
      addresses: { one: "adresă", few: "adrese", other: "de adrese" },
      activities: { one: "activitate", few: "activități", other: "de activități" },
      planned_calls: { one: "apel programat", few: "apeluri programate", other: "de apeluri programate" },
      offers: { one: "ofertă", few: "oferte", other: "de oferte" },
      deals: { one: "oportunitate", few: "oportunități", other: "de oportunități" },
      tickets: { one: "tichet", few: "tichete", other: "de tichete" },
      subscriptions: { one: "abonament", few: "abonamente", other: "de abonamente" },
      fields: { one: "valoare", few: "valori", other: "de valori" },
    } satisfies KindWords,
  },
} satisfies InLanguages<object>;

/** "2 invoices, 1 contact"; empty if all are 0. */
export function countsIn(numbers: Readonly<Partial<Record<string, number>>>, language: Language): string {
  const { kinds } = mergeWords[language];
  const parts = Object.entries(kinds).flatMap(([kind, forms]) => {
    const count = numbers[kind] ?? 0;
    return count === 0 ? [] : counted(language, count, forms);
  });
  return listOf(language, parts, parts.length);
}

function countsOfNotice(numbers: Readonly<Record<string, string>>, language: Language): string {
  const counts = Object.entries(numbers).map(([kind, count]) => [kind, Number(count) || 0] as const);
  return countsIn(Object.fromEntries(counts), language);
}

export const mergeNotices: NoticeWords = {
  merged: ({ id = "", from = "", ...numbers }, language) => {
    const words = mergeWords[language];
    return html`${words.merged(from, countsOfNotice(numbers, language))} ${isId(id) && html`<form method="post" action="/merges/${id}/undo"><button class="link">${words.undo}</button></form>`}`;
  },
  "merge-undone": (numbers, language) => {
    const words = mergeWords[language];
    const what = countsOfNotice(numbers, language);
    return html`${words.undone} ${what !== "" && words.left(what)}`;
  },
  "company-is-merged": (_values, language) => html`${mergeWords[language].of.company.isMerged}`,
  "contact-is-merged": (_values, language) => html`${mergeWords[language].of.contact.isMerged}`,
};
