import { addressLabels, addressValues } from "../../../customers/addresses/address-words.ts";
import { companyLabels, companyStatuses } from "../../../customers/companies/company-words.ts";
import { contactLabels } from "../../../customers/contacts/contact-words.ts";
import { customLabels } from "../../../customers/custom-fields/custom-inputs.ts";
import { isLanguage, languages, type InLanguages, type Language } from "../../../kit/web/language.ts";
import type { FieldLabels } from "../../../kit/web/messages.ts";
import { invoiceStatusWords } from "../../../orders/invoices/invoice-words.ts";
import { newInvoiceLabels } from "../../../orders/invoices/pages/new-invoice-words.ts";
import { meansWords, paymentLabels } from "../../../orders/payments/payment-words.ts";
import { isCustom, type CustomTable } from "../../../platform/fields/custom.ts";
import type { Field } from "../../../platform/fields/fields.ts";

/** The fields that no form has: of companies of rows, of orders in a warehouse, and of records. */
const otherLabels: InLanguages<FieldLabels> = {
  en: {
    id: "Id",
    full_name: "First and last name",
    contact_person: "Contact person",
    series: "Series",
    company_name: "Company",
    company_id: "Number of the company",
    company_tax_id: "Fiscal id of the company",
    invoice_number: "Invoice number",
    position: "Line",
    wms_instance: "Warehouse",
    wms_order_id: "Order id",
    wms_order_number: "Order number",
    wms_status: "Order status",
    wms_synced_at: "Order checked",
    title: "Title",
    amount: "Amount",
    text: "Text of the transfer",
    debit: "Amount paid out",
    starts_on: "Starts on",
    ends_on: "Ends on",
  },
  ro: {
    id: "Id",
    full_name: "Prenume și nume",
    contact_person: "Persoana de contact",
    series: "Serie",
    company_name: "Firma",
    company_id: "Numărul firmei",
    company_tax_id: "Codul fiscal al firmei",
    invoice_number: "Numărul facturii",
    position: "Linie",
    wms_instance: "Depozit",
    wms_order_id: "Id comandă",
    wms_order_number: "Număr comandă",
    wms_status: "Starea comenzii",
    wms_synced_at: "Comandă verificată",
    title: "Titlu",
    amount: "Sumă",
    text: "Detaliile plății",
    debit: "Suma debitată",
    starts_on: "Începe pe",
    ends_on: "Se încheie pe",
  },
};

const ofKinds: Readonly<Record<string, InLanguages<FieldLabels>>> = {
  companies: companyLabels,
  contacts: contactLabels,
  addresses: addressLabels,
  payments: paymentLabels,
};

/** The fields of a kind's file as the pages call them. */
export function columnLabels(kind: string, language: Language): FieldLabels {
  return { ...newInvoiceLabels[language], ...otherLabels[language], ...ofKinds[kind]?.[language] };
}

/** The same with those of custom fields. */
export function labelsOfKind({ kind, custom }: { kind: string; custom: CustomTable }, language: Language): FieldLabels {
  return { ...columnLabels(kind, language), ...customLabels(custom) };
}

/** The label of a field; its name if the pages have none. */
export function columnLabel(of: { kind: string; custom: CustomTable }, language: Language, field: string): string {
  return columnLabeller(of, language)(field);
}

/** The same of many fields. */
export function columnLabeller(
  of: { kind: string; custom: CustomTable },
  language: Language,
): (field: string) => string {
  const labels = labelsOfKind(of, language);
  return (field) => (Object.hasOwn(labels, field) ? String(labels[field]) : field);
}

/** The labels of an enumerated field's values, by table and field. */
const values: Readonly<Record<string, InLanguages<Readonly<Record<string, string>>>>> = {
  "companies.status": companyStatuses,
  "addresses.type": { en: addressValues.en.type ?? {}, ro: addressValues.ro.type ?? {} },
  "invoices.status": invoiceStatusWords,
  "payments.means": meansWords,
};

export function valueLabels(
  table: string,
  field: Field | undefined,
  language: Language,
): Readonly<Record<string, string>> {
  if (field !== undefined && isCustom(field)) {
    return Object.fromEntries(field.options.map(({ value, label }) => [value, label]));
  }
  return values[`${table}.${field?.name}`]?.[language] ?? {};
}

/** The label of an enumerated field's value; the value if it has none. */
export function valueLabel(table: string, field: Field, language: Language, value: string): string {
  const label = isCustom(field)
    ? field.options.find((option) => option.value === value)?.label
    : valueLabels(table, field, language)[value];
  return label ?? value;
}

/** The labels of an enumerated field's values in every language. */
export function everyLabel(table: string, field: Field): readonly Readonly<Record<string, string>>[] {
  return isCustom(field)
    ? [valueLabels(table, field, "en")]
    : Object.keys(languages)
        .filter(isLanguage)
        .map((language) => valueLabels(table, field, language));
}
