import { counted, type InLanguages } from "../../../kit/web/language.ts";

/** The words of the pages about invoices and their way to the warehouse. */
export const wayWords = {
  en: {
    title: "Invoices",
    new: "New invoice",
    number: "Number",
    search: "Search by number",
    issued: "Issued",
    due: "Due",
    dueByTerms: "Due by the terms",
    total: "Total",
    status: "Status",
    any: "Any",
    filter: "Filter",
    none: "This company has no invoices.",
    nothing: "No invoices match.",
    send: "Send to warehouse",
    again: "Try again",
    otherKey: (admins: readonly string[]) => `${admins.join(" or ") || "An admin"} can enter another one.`,
    nextTry: (time: string) => `Next try at ${time}.`,
    lookUp: "Look it up in the warehouse",
    noneElsewhere: "There is no order there: send",
    lines: "Lines",
    noLines: "No lines.",
    amount: "Amount",
    sum: "Sum",
    vat: "VAT",
    vatOf: (rate: string) => `VAT ${rate} %`,
    withVat: "With VAT",
    otherTotal: "The total differs from the lines",
    way: "The steps of the order",
    copy: "Copy",
    print: "Print",
    pdf: "Download PDF",
    writeMail: "Send by mail",
    dueIn: (days: number) =>
      days === 0
        ? "today"
        : days > 0
          ? `in ${counted("en", days, { one: "day", other: "days" })}`
          : `${counted("en", -days, { one: "day", other: "days" })} late`,
    sku: "SKU",
    description: "Description",
    quantity: "Quantity",
    price: "Price",
    order: "Order",
    moved: "Last update",
    asked: "Last checked",
    queued: (count: number) =>
      count === 0
        ? "No invoice is being sent."
        : `Sending ${counted("en", count, { one: "invoice", other: "invoices" })} to the warehouse.`,
    skipped: (count: number) => `${counted("en", count, { one: "invoice", other: "invoices" })} could not be sent.`,
  },
  ro: {
    title: "Facturi",
    new: "Factură nouă",
    number: "Număr",
    search: "Caută după număr",
    issued: "Emisă",
    due: "Scadentă",
    dueByTerms: "Scadentă după termenul de plată",
    total: "Total",
    status: "Stare",
    any: "Oricare",
    filter: "Filtrează",
    none: "Această firmă nu are nicio factură.",
    nothing: "Nicio factură nu se potrivește.",
    send: "Trimite la depozit",
    again: "Încearcă din nou",
    otherKey: (admins: readonly string[]) => `${admins.join(" sau ") || "Un administrator"} poate introduce alta.`,
    nextTry: (time: string) => `Următoarea încercare la ${time}.`,
    lookUp: "Caută în depozit",
    noneElsewhere: "Acolo nu este nicio comandă: trimite",
    lines: "Poziții",
    amount: "Valoare",
    sum: "Total poziții",
    vat: "TVA",
    vatOf: (rate: string) => `TVA ${rate} %`,
    withVat: "Cu TVA",
    otherTotal: "Totalul diferă de suma pozițiilor",
    way: "Etapele comenzii",
    copy: "Copiază",
    print: "Tipărește",
    pdf: "Descarcă PDF",
    writeMail: "Trimite prin e-mail",
    dueIn: (days: number) => {
      const many = counted("ro", Math.abs(days), { one: "zi", few: "zile", other: "de zile" });
      return days === 0 ? "astăzi" : days > 0 ? `în ${many}` : `întârziere de ${many}`;
    },
    noLines: "Fără poziții.",
    sku: "Cod",
    description: "Descriere",
    quantity: "Cantitate",
    price: "Preț",
    order: "Comandă",
    moved: "Ultima actualizare",
    asked: "Ultima verificare",
    queued: (count: number) =>
      count === 0
        ? "Nu se trimite nicio factură."
        : `Se ${count === 1 ? "trimite" : "trimit"} ${counted("ro", count, { one: "factură", few: "facturi", other: "de facturi" })} la depozit.`,
    skipped: (count: number) =>
      `${counted("ro", count, { one: "factură nu a putut fi trimisă", few: "facturi nu au putut fi trimise", other: "de facturi nu au putut fi trimise" })}.`,
  },
} satisfies InLanguages<object>;
