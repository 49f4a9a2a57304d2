import { address } from "../addresses/address.ts";
import { companyFields } from "../companies/company.ts";
import { contact } from "../contacts/contact.ts";
import { encryptedFields } from "../platform/fields/fields.ts";
import { namesOf } from "../platform/fields/sql.ts";

export type EncryptedTable = { name: string; columns: readonly string[] };

/** Every column of tenants that is stored encrypted. `wms_api_key` and `totp_secret` are no fields: the API never writes them. */
export const encryptedTables: readonly EncryptedTable[] = [
  { name: "companies", columns: [...namesOf(encryptedFields(companyFields)), "wms_api_key"] },
  ...[contact, address].map(({ table, fields }) => ({ name: table, columns: namesOf(encryptedFields(fields)) })),
  { name: "users", columns: ["totp_secret"] },
  { name: "import_chunks", columns: ["content"] },
  { name: "import_rows", columns: ["before"] },
];

/** Those of the installation itself, whose values are bound to no tenant. */
export const encryptedTablesOfNobody: readonly EncryptedTable[] = [{ name: "operators", columns: ["totp_secret"] }];
