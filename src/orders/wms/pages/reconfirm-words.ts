import { counted, type InLanguages } from "../../../kit/web/language.ts";

/** The words of the page about links without an instance. */
export const reconfirmWords = {
  en: {
    title: "Orders to confirm",
    about:
      "These invoices were imported with the id of a warehouse order, but without its warehouse. Until somebody confirms that it is in the company's warehouse, the order is not followed.",
    none: "No orders are waiting to be confirmed.",
    link: (count: number, isMore: boolean) =>
      `${isMore ? "More than " : ""}${counted("en", count, { one: "order is waiting", other: "orders are waiting" })} to be confirmed.`,
    grades: { exact: "Exact", strong: "Probable", ambiguous: "Ambiguous", none: "No match" },
    ours: "In Liaison",
    theirs: "In the warehouse",
    orderId: "Order id",
    pair: "Reference",
    number: "Invoice",
    fiscalId: "Fiscal id",
    total: "Total",
    status: "Status",
    agrees: "matches",
    differs: "differs",
    missing: "The warehouse has no order with this id.",
    held: (number: string) => `The invoice ${number} has this order.`,
    others: (ids: string) => `Other orders that match: ${ids}.`,
    silent: (reason: string) => `The warehouse did not answer: ${reason}`,
    noWarehouse: "The company has no warehouse.",
    connect: "Connect it",
    thenLook: ", then the order can be looked for.",
    searchAgain: "Search again",
    mayExist:
      "The warehouse shows an order that may be this invoice’s. If it is, confirm it instead: if the invoice is sent, it becomes a second order.",
    isUnknown:
      "The warehouse did not answer whether it has the order. If it has one, and the invoice is sent, it becomes a second order.",
    isAbsent: "The warehouse shows no order of this invoice.",
    follows: (number: string) =>
      `${number} becomes an invoice that was not sent. The link is kept in its history. Nothing is sent by itself.`,
    confirm: (number: string) => `Confirm ${number}`,
    confirmSelected: "Confirm selected",
    confirmExact: "Confirm all exact",
    confirmStrong: "Confirm all exact and probable",
    byGrade: "Includes other pages. Skips warehouses that do not answer in a few seconds.",
    confirmed: (count: number) => `${counted("en", count, { one: "order is", other: "orders are" })} confirmed.`,
    refused: (count: number) =>
      `${counted("en", count, { one: "order", other: "orders" })} could not be confirmed: the warehouse did not show it, it has changed, or another invoice has it.`,
  },
  ro: {
    title: "Comenzi de confirmat",
    about:
      "Aceste facturi au venit cu identificatorul unei comenzi, fără să se spună din ce depozit. Până când cineva confirmă că se află în depozitul firmei, comanda nu este urmărită.",
    none: "Nicio comandă nu așteaptă confirmarea.",
    link: (count: number, isMore: boolean) =>
      `${isMore ? "Peste " : ""}${counted("ro", count, { one: "comandă așteaptă", few: "comenzi așteaptă", other: "de comenzi așteaptă" })} confirmarea.`,
    grades: { exact: "Exact", strong: "Probabil", ambiguous: "Ambiguu", none: "Fără corespondență" },
    ours: "La noi",
    theirs: "În depozit",
    orderId: "Id comandă",
    pair: "Referință",
    number: "Factură",
    fiscalId: "Cod fiscal",
    total: "Total",
    status: "Stare",
    agrees: "la fel",
    differs: "diferit",
    missing: "Depozitul nu are nicio comandă cu acest identificator.",
    held: (number: string) => `Factura ${number} are această comandă.`,
    others: (ids: string) => `Alte comenzi care se potrivesc: ${ids}.`,
    silent: (reason: string) => `Depozitul nu a răspuns: ${reason}`,
    noWarehouse: "Firma nu are depozit.",
    connect: "Conectați-o",
    thenLook: ", apoi comanda poate fi căutată.",
    searchAgain: "Caută din nou",
    mayExist:
      "Depozitul arată o comandă care poate fi a acestei facturi. Dacă este, confirmați-o: dacă factura este trimisă, devine a doua comandă.",
    isUnknown:
      "Depozitul nu a răspuns dacă are comanda. Dacă o are și factura este trimisă, aceasta devine a doua comandă.",
    isAbsent: "Depozitul nu arată nicio comandă a acestei facturi.",
    follows: (number: string) =>
      `${number} devine o factură netrimisă. Legătura rămâne în istoricul ei. Nimic nu se trimite automat.`,
    confirm: (number: string) => `Confirmă ${number}`,
    confirmSelected: "Confirmă cele alese",
    confirmExact: "Confirmă toate cele exacte",
    confirmStrong: "Confirmă potrivirile exacte și probabile",
    byGrade: "Toate cele care așteaptă, și de pe alte pagini, dacă depozitele răspund în câteva secunde.",
    confirmed: (count: number) =>
      `${counted("ro", count, { one: "comandă este confirmată", few: "comenzi sunt confirmate", other: "de comenzi sunt confirmate" })}.`,
    refused: (count: number) =>
      `${counted("ro", count, { one: "comandă nu a putut fi confirmată", few: "comenzi nu au putut fi confirmate", other: "de comenzi nu au putut fi confirmate" })}: depozitul nu a arătat-o, s-a schimbat sau o are altă factură.`,
  },
} satisfies InLanguages<object>;
