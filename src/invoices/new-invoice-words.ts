import type { NameOf } from "../platform/fields/fields.ts";
import type { InLanguages } from "../web/language.ts";
import type { FieldLabels } from "../web/messages.ts";
import type { lineFields, ownFields } from "./invoice.ts";

export const newInvoiceLabels: InLanguages<FieldLabels<NameOf<typeof ownFields> | NameOf<typeof lineFields>>> = {
  en: {
    number: "Number",
    issued_on: "Issued on",
    due_on: "Due on",
    total: "Total",
    currency: "Currency",
    status: "Status",
    sku: "SKU",
    description: "Description",
    quantity: "Quantity",
    unit_price: "Unit price",
  },
  ro: {
    number: "Număr",
    issued_on: "Emisă pe",
    due_on: "Scadentă pe",
    total: "Total",
    currency: "Monedă",
    status: "Stare",
    sku: "Cod produs",
    description: "Descriere",
    quantity: "Cantitate",
    unit_price: "Preț unitar",
  },
};

export const newInvoiceWords = {
  en: {
    title: (company: string) => `New invoice for ${company}`,
    create: "Create invoice",
    lines: "Lines",
    lineLabel: (line: number, label: string) => `Line ${line}: ${label}`,
    amount: "Amount",
    sum: "Sum",
    addUp: "Add up, and more lines",
    totalHint: "Left empty, it is the sum of the lines.",
    taken: (number: string) => `There is an invoice ${number} already:`,
    show: "show it",
    created: "Created.",
  },
  ro: {
    title: (company: string) => `Factură nouă pentru ${company}`,
    create: "Adaugă factura",
    lines: "Linii",
    lineLabel: (line: number, label: string) => `Linia ${line}: ${label}`,
    amount: "Valoare",
    sum: "Sumă",
    addUp: "Adună, și mai multe linii",
    totalHint: "Dacă rămâne gol, este suma liniilor.",
    taken: (number: string) => `Există deja o factură ${number}:`,
    show: "deschideți-o",
    created: "Adăugată.",
  },
} satisfies InLanguages<object>;
