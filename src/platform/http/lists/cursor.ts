import type { ColumnName, Secrets } from "../../encryption/keyring.ts";
import { splitOnce } from "../url.ts";

/** The position of a row in its list's order: the values that the order compares, as PostgreSQL's texts. */
export type Position = readonly (string | null)[];

/**
 * A cursor: the position after which the next rows come, encrypted for its tenant and list. So it reveals nothing,
 * cannot be forged, and does not decrypt for another list. It is valid in every process, as long as its encryption key
 * exists.
 * @param of the list, with all its filters and its order
 */
export function cursorOf(position: string, { keyring, tenant }: Secrets, of: readonly unknown[]): string {
  const [key, bytes = ""] = splitOnce(keyring.encrypt(tenant, columnOf(of), position), ":");
  return cursorText(key, Buffer.from(bytes, "base64"));
}

/** The position in a cursor; null for a text that is no cursor of this list. */
export function positionOf(cursor: string, { keyring, tenant }: Secrets, of: readonly unknown[]): Position | null {
  const [, key = "", text = ""] = /^([\w-]{1,32})\.([\w-]+)$/.exec(cursor) ?? [];
  const bytes = Buffer.from(text, "base64url");
  // Several texts decode to the same bytes; only one was issued.
  if (cursorText(key, bytes) !== cursor) return null;
  const position = keyring.clear(tenant, columnOf(of), `${key}:${bytes.toString("base64")}`);
  return position === null ? null : (JSON.parse(position) as Position);
}

function columnOf(of: readonly unknown[]): ColumnName {
  return `cursors.${JSON.stringify(of)}`;
}

function cursorText(key: string, bytes: Buffer): string {
  return `${key}.${bytes.toString("base64url")}`;
}
