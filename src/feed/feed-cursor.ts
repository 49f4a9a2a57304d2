import { createHash } from "node:crypto";
import { errors } from "../errors.ts";
import type { Secrets } from "../platform/encryption/keyring.ts";
import { cursorOf, placeOf } from "../platform/http/lists/cursor.ts";
import type { Position } from "./feed-queries.ts";

const CURSORS_OF = ["changes"];
/** So short that it lengthens no cursor by much, and so long that nothing else ends with it. */
const MARK_LENGTH = 8;

/**
 * The cursor of a place in a tenant's feed. It ends with a mark that anybody can check: so one of another tenant or installation, which
 * nobody here can read, is told from a text that is none.
 */
export function feedCursor({ position, at }: Position, secrets: Secrets): string {
  const cursor = cursorOf(JSON.stringify([position, at]), secrets, CURSORS_OF);
  return `${cursor}.${markOf(cursor)}`;
}

/**
 * The place of a cursor. Throws cursorInvalid of a text that is none, and cursorTooOld of another feed's: a tenant that has moved has left its
 * own behind.
 */
export function placeOfFeedCursor(text: string, secrets: Secrets): Position {
  const end = text.lastIndexOf(".");
  const cursor = text.slice(0, Math.max(0, end));
  if (text.slice(end + 1) !== markOf(cursor)) throw errors.cursorInvalid();
  const [position, at] = placeOf(cursor, secrets, CURSORS_OF) ?? [];
  if (typeof position !== "string" || typeof at !== "string") throw errors.cursorTooOld();
  return { position, at };
}

function markOf(cursor: string): string {
  return createHash("sha256").update(`${CURSORS_OF.join()} ${cursor}`).digest("base64url").slice(0, MARK_LENGTH);
}
