import { address } from "../../customers/addresses/address.ts";
import { companyFields } from "../../customers/companies/company.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { bindingOfFactor } from "../../people/users/second-factor-queries.ts";
import type { ColumnName } from "../../platform/encryption/keyring.ts";
import { encryptedFields, type FieldTable } from "../../platform/fields/fields.ts";
import { namesOf } from "../../platform/fields/sql.ts";
import { INSTALLATION, type TenantId } from "../../platform/postgres/tenant-id.ts";

/** `phones` are the columns whose values end with digests (platform/encryption/phone-digest.ts). */
export type EncryptedTable = { name: string; columns: readonly string[]; phones?: readonly string[] };

/** The column name that a tenant's ciphertext is bound to. */
export function bindingOf({ name }: EncryptedTable, column: string): ColumnName {
  return `${name}.${column}`;
}

/** The place of a ciphertext: the tenant and the column name that it is bound to. */
export function placeOf(
  tenant: TenantId,
  table: EncryptedTable,
  column: string,
): { tenant: TenantId | ""; column: ColumnName } {
  const isOfOperators = tenant === INSTALLATION && table.name === "users";
  return isOfOperators ? bindingOfFactor(tenant) : { tenant, column: bindingOf(table, column) };
}

/**
 * The tables with phones, and their other encrypted columns. `wms_api_key` is not a field, because the API never writes
 * it.
 */
export const tablesWithPhones: readonly EncryptedTable[] = [
  tableOf("companies", companyFields, "wms_api_key"),
  ...[contact, address].map(({ table, fields }) => tableOf(table, fields)),
];

/** All encrypted columns of tenants. */
export const encryptedTables: readonly EncryptedTable[] = [
  ...tablesWithPhones,
  { name: "invoices", columns: ["delivered_to"] },
  { name: "workspace_warehouses", columns: ["wms_api_key"] },
  { name: "single_sign_on", columns: ["sso_client_secret"] },
  { name: "users", columns: ["totp_secret"] },
  { name: "import_chunks", columns: ["content"] },
  { name: "import_rows", columns: ["before"] },
  { name: "merges", columns: ["before"] },
  { name: "import_changes", columns: ["content"] },
  { name: "webhooks", columns: ["secret", "previous_secret"] },
  { name: "webhook_deliveries", columns: ["last_answer"] },
  { name: "kept_answers", columns: ["secret"] },
  { name: "pending_requests", columns: ["secret"] },
  { name: "mails", columns: ["details"] },
];

/** The encrypted columns of the installation. */
export const encryptedTablesOfInstallation = encryptedTables.filter(({ name }) =>
  ["users", "kept_answers"].includes(name),
);

function tableOf(name: string, fields: FieldTable, ...others: string[]): EncryptedTable {
  const phones = namesOf(encryptedFields(fields));
  return { name, columns: [...phones, ...others], phones };
}
