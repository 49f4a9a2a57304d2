import { address } from "../../customers/addresses/address.ts";
import { companyBulk } from "../../customers/companies/company-bulk-queries.ts";
import { childBulk } from "../../customers/company-children/child-bulk-queries.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { tableOfNoun } from "../../customers/custom-fields/custom-field.ts";
import { customField, customTableOf } from "../../customers/custom-fields/defined-fields.ts";
import { recordBulk } from "../../customers/records/record-queries.ts";
import { recordKinds } from "../../customers/records/record.ts";
import type { Bulk } from "../../kit/bulk-queries.ts";
import { invoiceBulk, invoiceWrites } from "../../orders/invoices/invoice-bulk-queries.ts";
import { lineBulk } from "../../orders/invoices/line-bulk-queries.ts";
import { paymentBulk, paymentWrites } from "../../orders/payments/payment-bulk-queries.ts";
import { NO_CUSTOM_FIELDS, type CustomTable } from "../../platform/fields/custom.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { Kind } from "./kind.ts";
import type { MadeField } from "./reading/reading.ts";
import { companyWriter } from "./writing/write-company-rows.ts";
import { writeLineRows } from "./writing/write-line-rows.ts";
import { noteEarlierPayments, writePaymentRows } from "./writing/write-payment-rows.ts";
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
      noteEarlier: noteEarlierPayments,
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

/** A kind of rows of a workspace, whose custom fields are behind the others. */
export type OfWorkspace = { kind: string; custom: CustomTable };

/** The kind with these custom fields. */
export function wholeKind({ kind: name, custom: { fields } }: OfWorkspace): Kind {
  const kind = kindOf(name);
  return fields.length === 0 ? kind : { ...kind, bulk: { ...kind.bulk, fields: [...kind.bulk.fields, ...fields] } };
}

/** The custom fields of a kind's rows, with those that an import makes. */
export async function customOfKind(
  tenant: TenantId,
  database: Database,
  name: string,
  made: readonly MadeField[] = [],
): Promise<CustomTable> {
  const { table, hasCustom } = kindOf(name).bulk;
  const defined = hasCustom === true ? await customTableOf(tenant, database, { table, hasCustom }) : NO_CUSTOM_FIELDS;
  const added = made
    .filter(({ noun, key }) => tableOfNoun[noun] === table && !defined.fields.some((field) => field.key === key))
    .map((field) => {
      const options = field.options.map((value, at) => ({ position: at + 1, value, label: value, archived: false }));
      return customField({ ...field, help: null }, () => options);
    });
  return added.length === 0 ? defined : { fields: [...defined.fields, ...added], isUsed: true };
}

/** The same kind whole. */
export async function kindOfTenant(
  tenant: TenantId,
  database: Database,
  name: string,
  made: readonly MadeField[] = [],
): Promise<Kind> {
  return wholeKind({ kind: name, custom: await customOfKind(tenant, database, name, made) });
}

/** Throws Refusal for an unknown one. */
export function kindOf(name: string): Kind {
  const kind = importKinds.get(name);
  if (kind === undefined) throw new Refusal(`There is no kind "${name}": name one of ${kindNames.join(", ")}.`);
  return kind;
}
