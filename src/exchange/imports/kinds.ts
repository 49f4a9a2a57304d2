import { address } from "../../customers/addresses/address.ts";
import { companyBulk } from "../../customers/companies/company-bulk-queries.ts";
import { childBulk } from "../../customers/company-children/child-bulk-queries.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { recordBulk } from "../../customers/records/record-queries.ts";
import { recordKinds } from "../../customers/records/record.ts";
import { invoiceBulk, invoiceWrites } from "../../orders/invoices/invoice-bulk-queries.ts";
import { lineBulk } from "../../orders/invoices/line-bulk-queries.ts";
import { paymentBulk, paymentWrites } from "../../orders/payments/payment-bulk-queries.ts";
import type { Bulk } from "../../platform/fields/bulk.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Kind } from "./kind.ts";
import { companyWriter } from "./writing/write-company-rows.ts";
import { writeLineRows } from "./writing/write-line-rows.ts";
import { writePaymentRows } from "./writing/write-payment-rows.ts";
import { rowsWriter } from "./writing/write-rows.ts";

const companies = kindOfRows(companyBulk, { ofCompany: false });
const contacts = kindOfRows(childBulk(contact));

/** The kinds by name. A kind is named after its table, except for lines, which are part of their invoices' rows. */
const importKinds: ReadonlyMap<string, Kind> = new Map([
  ["companies", { ...companies, write: companyWriter(companies, contacts) }],
  ["contacts", contacts],
  ["addresses", kindOfRows(childBulk(address))],
  ["invoices", kindOfRows(invoiceBulk)],
  [
    "invoice_lines",
    {
      bulk: lineBulk,
      write: writeLineRows,
      writes: invoiceWrites,
      namedBy: ["invoice_number", "position"],
      ofCompany: false,
      oneOf: [],
      idColumn: "invoice_id",
    },
  ],
  [
    "payments",
    {
      bulk: paymentBulk,
      write: writePaymentRows,
      writes: paymentWrites,
      namedBy: [],
      ofCompany: false,
      oneOf: [],
      idColumn: "payment_id",
    },
  ],
  ...recordKinds.map((kind): [string, Kind] => [kind, kindOfRows(recordBulk(kind), { oneOf: ["number", "title"] })]),
]);

/** Makes the kind of a table's rows. */
export function kindOfRows(
  bulk: Bulk,
  { ofCompany = true, oneOf = [] }: Partial<Pick<Kind, "ofCompany" | "oneOf">> = {},
): Kind {
  const namedBy = bulk.identity === null ? [] : [bulk.identity.field];
  return {
    bulk,
    write: rowsWriter(bulk),
    writes: bulk,
    namedBy,
    ofCompany,
    oneOf,
    idColumn: "id",
  };
}

export const kindNames: readonly string[] = [...importKinds.keys()];

/** The kinds that are stored in a table. */
export function kindsOf(table: string): readonly string[] {
  return kindNames.filter((name) => kindOf(name).bulk.table === table);
}

/** Throws Refusal for an unknown one. */
export function kindOf(name: string): Kind {
  const kind = importKinds.get(name);
  if (kind === undefined) throw new Refusal(`There is no kind "${name}": name one of ${kindNames.join(", ")}.`);
  return kind;
}
