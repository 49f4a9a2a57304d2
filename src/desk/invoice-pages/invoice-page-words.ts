import { counted, type InLanguages } from "../../kit/web/language.ts";

/** The words of the pages that change an existing invoice. */
export const invoicePageWords = {
  en: {
    saved: "Saved.",
    atWarehouse:
      "The warehouse has this invoice or may have it, so its number, lines, total, currency and delivery address stay as they are.",
    sentMeanwhile:
      "Meanwhile the invoice was sent to the warehouse. Your changes are not saved: only the fields below can still change.",
    manyLines: (count: number, most: number) =>
      `It has ${counted("en", count, { one: "line", other: "lines" })}, and a form has ${most} at most. The API and an import can change them.`,
    linesNow: (sum: string) => `The lines are now ${sum}. Which total is right?`,
    asBefore: (total: string) => `${total}, as before`,
    changedMeanwhile: "The invoice has changed in the meantime. Nothing was changed now.",
    cancelTitle: (number: string) => `Cancel invoice ${number}?`,
    movedMeanwhile: "The invoice’s order has changed in the meantime. Nothing was cancelled yet.",
    keep: "Keep it",
    sendTitle: (number: string) => `Send invoice ${number}?`,
    sendAnyway: "Send anyway",
    notYet: "Not yet",
    otherTotal: (total: string, sum: string) => `The total is ${total}, but the lines are ${sum}.`,
    owesLate: (company: string, sum: string, days: number) =>
      `${company} owes ${sum}, up to ${counted("en", days, { one: "day", other: "days" })} late.`,
    owes: (sum: string) => `It owes ${sum}.`,
    owesPartLate: (sum: string, late: string, days: number) =>
      `It owes ${sum}, ${late} of it up to ${counted("en", days, { one: "day", other: "days" })} late.`,
    exceedsLimit: (owed: string, limit: string) => `With this invoice it owes ${owed}. Its credit limit is ${limit}.`,
    /** The kind of the printed document. */
    paper: "Invoice",
    seller: "Seller",
    buyer: "Buyer",
    taxId: "Fiscal id",
    registration: "Trade registry",
    payWithin: (days: number) =>
      days === 0
        ? "To be paid at once."
        : `To be paid within ${counted("en", days, { one: "day", other: "days" })} of the issue.`,
    payTo: (account: string) => `Account: ${account}`,
    corrects: "Corrects",
    correctedBy: "Corrected by",
    notThere: "The warehouse does not have it.",
    waits: "It waits to be sent to the warehouse. If no order exists yet, none will be created.",
    mayBeThere: "It is not known whether the warehouse has it.",
    hasOrder: (order: string) => `The warehouse has the order ${order}.`,
    cancelThereToo: "Cancelling here does not stop that order: cancel it in the warehouse too.",
    cancelThere: "Cancel the order there too",
    stays: "The invoice stays in the lists with its number, and can be reopened.",
  },
  ro: {
    saved: "Salvat.",
    atWarehouse:
      "Depozitul are sau poate avea această factură, așa că numărul, pozițiile, totalul, moneda și adresa de livrare rămân cum sunt.",
    sentMeanwhile:
      "Între timp factura a fost trimisă la depozit. Modificările dumneavoastră nu sunt salvate: doar câmpurile de mai jos se mai pot modifica.",
    manyLines: (count: number, most: number) =>
      `Are ${counted("ro", count, { one: "poziție", few: "poziții", other: "de poziții" })}, iar un formular are cel mult ${most}. Pozițiile pot fi modificate prin API sau printr-un import.`,
    linesNow: (sum: string) => `Pozițiile însumează acum ${sum}. Care este totalul?`,
    asBefore: (total: string) => `${total}, ca înainte`,
    changedMeanwhile: "Factura s-a schimbat între timp. Acum nu s-a modificat nimic.",
    cancelTitle: (number: string) => `Anulați factura ${number}?`,
    movedMeanwhile: "Comanda facturii s-a schimbat între timp. Încă nu s-a anulat nimic.",
    keep: "Păstrează factura",
    sendTitle: (number: string) => `Trimiteți factura ${number}?`,
    sendAnyway: "Trimite oricum",
    notYet: "Nu încă",
    otherTotal: (total: string, sum: string) => `Totalul este ${total}, dar pozițiile însumează ${sum}.`,
    owesLate: (company: string, sum: string, days: number) =>
      `${company} are restanțe de ${sum}, cu întârziere de până la ${counted("ro", days, { one: "zi", few: "zile", other: "de zile" })}.`,
    owes: (sum: string) => `Are de plată ${sum}.`,
    owesPartLate: (sum: string, late: string, days: number) =>
      `Are de plată ${sum}, din care ${late} cu întârziere de până la ${counted("ro", days, { one: "zi", few: "zile", other: "de zile" })}.`,
    exceedsLimit: (owed: string, limit: string) =>
      `Cu această factură datorează ${owed}. Limita de credit este ${limit}.`,
    paper: "Factură",
    seller: "Furnizor",
    buyer: "Client",
    taxId: "Cod fiscal",
    registration: "Nr. Reg. Com.",
    payWithin: (days: number) =>
      days === 0
        ? "Plata se face imediat."
        : `Termen de plată: ${counted("ro", days, { one: "zi", few: "zile", other: "de zile" })} de la emitere.`,
    payTo: (account: string) => `Cont: ${account}`,
    corrects: "Corectează",
    correctedBy: "Corectată prin",
    notThere: "Depozitul nu o are.",
    waits: "Așteaptă să fie trimisă la depozit. Dacă nu există încă o comandă, nu va fi creată.",
    mayBeThere: "Nu se știe dacă depozitul o are.",
    hasOrder: (order: string) => `Depozitul are comanda ${order}.`,
    cancelThereToo: "Anularea de aici nu oprește comanda: anulați-o și în depozit.",
    cancelThere: "Anulează comanda și la depozit",
    stays: "Factura rămâne în liste cu numărul ei și poate fi redeschisă.",
  },
} satisfies InLanguages<object>;
