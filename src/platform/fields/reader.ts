import { isoTimestamp } from "../dates.ts";
import type { Secrets } from "../encryption/keyring.ts";
import type { Row } from "../postgres/statement.ts";
import type { Member } from "./json.ts";

/**
 * A row by the names of its members, as decrypted texts; null for a missing value. For pages; the API writes JSON
 * instead.
 */
export type RowByName = Readonly<Record<string, string | null>>;

/** Reads rows that begin with the columns of the members. */
export function membersReader(members: readonly Member[]): (row: Row, secrets: Secrets) => RowByName {
  return (row, secrets) =>
    Object.fromEntries(
      members.map(({ name, kind }, index) => {
        const text = row[index] ?? null;
        return [name, text === null ? null : textOf(kind, text, secrets)];
      }),
    );
}

function textOf(kind: Member["kind"], text: string, { keyring, tenant }: Secrets): string | null {
  switch (kind) {
    case "string":
    case "number":
    case "json":
    case "custom":
    case "list":
      return text;
    case "boolean":
      return text === "t" ? "true" : "false";
    case "timestamp":
      return isoTimestamp(text);
    default:
      return keyring.reveal(tenant, kind, text);
  }
}
