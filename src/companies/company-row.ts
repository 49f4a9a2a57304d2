import type { Secrets } from "../platform/encryption/keyring.ts";
import { membersReader, type RowByName } from "../platform/fields/reader.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { companyMembers } from "./company-json.ts";

const readMembers = membersReader(companyMembers);

/** A company's row by the names of its members, for pages; `owner` is the name of the user whom `assigned_to` names. */
export function companyRow(row: Row, secrets: Secrets): RowByName {
  return { ...readMembers(row, secrets), owner: row[companyMembers.length] ?? null };
}
