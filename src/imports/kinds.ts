import { address } from "../addresses/address.ts";
import { companyBulk } from "../companies/company-bulk-queries.ts";
import { childBulk } from "../company-children/child-bulk-queries.ts";
import { contact } from "../contacts/contact.ts";
import { invoiceBulk } from "../invoices/invoice-bulk-queries.ts";
import type { Bulk } from "../platform/fields/bulk.ts";
import { Refusal } from "../platform/refusal.ts";
import { recordBulk } from "../records/record-bulk-queries.ts";
import { recordKinds } from "../records/record.ts";

/** Something that is imported and exported. Each kind is named as its table is (docs/operations.md 4). */
export type Kind = {
  bulk: Bulk;
  /** Whether each row names its company, by `company_id` or `company_tax_id`. */
  ofCompany: boolean;
  /** Fields of which a row has at least one. */
  oneOf: readonly string[];
};

const kinds: ReadonlyMap<string, Kind> = new Map([
  ["companies", { bulk: companyBulk, ofCompany: false, oneOf: [] }],
  ["contacts", { bulk: childBulk(contact), ofCompany: true, oneOf: [] }],
  ["addresses", { bulk: childBulk(address), ofCompany: true, oneOf: [] }],
  ["invoices", { bulk: invoiceBulk, ofCompany: true, oneOf: [] }],
  ...recordKinds.map((kind): [string, Kind] => [
    kind,
    { bulk: recordBulk(kind), ofCompany: true, oneOf: ["number", "title"] },
  ]),
]);

/** Throws Refusal for an unknown one. */
export function kindOf(name: string): Kind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Refusal(`There is no kind "${name}": name one of ${[...kinds.keys()].join(", ")}.`);
  return kind;
}
