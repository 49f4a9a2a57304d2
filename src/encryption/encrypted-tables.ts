import { address } from "../addresses/address.ts";
import { keptCompany } from "../companies/company-columns.ts";
import { companyFields } from "../companies/company.ts";
import { keptChild } from "../company-children/child-queries.ts";
import { contact } from "../contacts/contact.ts";
import type { ColumnName } from "../platform/encryption/keyring.ts";
import { encryptedFields, type FieldTable } from "../platform/fields/fields.ts";
import { KEPT_CIPHERTEXTS } from "../platform/fields/keeping.ts";
import { namesOf } from "../platform/fields/sql.ts";

/**
 * `phones` are those of the columns whose values have digests behind them (platform/encryption/phone-digest.ts). `copiedFrom`: a row with a
 * `kind` has copies of another table's values, which are bound to that one.
 */
export type EncryptedTable = {
  name: string;
  columns: readonly string[];
  phones?: readonly string[];
  copiedFrom?: ReadonlyMap<string, string>;
};

/** The place that a value is bound to. @param kind of its row, where the table has copies of other tables' values */
export function bindingOf({ name, copiedFrom }: EncryptedTable, kind: string | null, column: string): ColumnName {
  return `${kind === null ? name : copiedFrom?.get(kind)}.${column}`;
}

/** The tables with phones, and what else they have encrypted. `wms_api_key` is no field: the API never writes it. */
export const tablesWithPhones: readonly EncryptedTable[] = [
  tableOf("companies", companyFields, "wms_api_key"),
  ...[contact, address].map(({ table, fields }) => tableOf(table, fields)),
];

/** Every column of tenants that is stored encrypted. */
export const encryptedTables: readonly EncryptedTable[] = [
  ...tablesWithPhones,
  { name: "users", columns: ["totp_secret"] },
  { name: "import_chunks", columns: ["content"] },
  { name: "import_rows", columns: ["before"] },
  { name: "import_changes", columns: ["content"] },
  { name: "webhooks", columns: ["secret", "previous_secret"] },
  {
    name: "kept_answers",
    columns: ["secret", ...KEPT_CIPHERTEXTS],
    phones: KEPT_CIPHERTEXTS,
    copiedFrom: new Map([
      [keptCompany.kind, "companies"],
      ...[contact, address].map((child) => [keptChild(child).kind, child.table] as const),
    ]),
  },
];

/** Those of the installation itself, whose values are bound to no tenant. */
export const encryptedTablesOfNobody: readonly EncryptedTable[] = [{ name: "operators", columns: ["totp_secret"] }];

function tableOf(name: string, fields: FieldTable, ...others: string[]): EncryptedTable {
  const phones = namesOf(encryptedFields(fields));
  return { name, columns: [...phones, ...others], phones };
}
