import { randomBytes } from "node:crypto";
import { now } from "../platform/clock.ts";
import type { Keyring } from "../platform/encryption/keyring.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** The accounts that a challenge is for. A session of each may have the same id. */
export type AccountKind = "users" | "operators";

/** The one use of an answer to a challenge. */
export type Purpose =
  /** `tenant`: that of a named account. */
  | { for: "sign-in"; tenant: TenantId | null }
  /** The second step of this session. */
  | { for: "code"; session: string }
  /** A new passkey of this session's owner, who has just proven the password. */
  | { for: "add"; session: string; name: string; handle: string };

/**
 * A challenge that a browser is to answer. The browser carries it, encrypted by Liaison: any process can check the
 * answer, no other browser can give it, and a stranger's page needs no memory here.
 */
export type Challenge = { value: string; door: AccountKind; purpose: Purpose; until: number };

/** The context that the cookie's ciphertext is bound to; no table has this column. */
const COLUMN = "passkeys.cookie";
export const CHALLENGE_SECONDS = 5 * 60;
const LONGEST = 3_500;

export function newChallenge(keyring: Keyring, door: AccountKind, purpose: Purpose): { value: string; sealed: string } {
  const value = randomBytes(32).toString("base64url");
  const challenge: Challenge = { value, door, purpose, until: now() + CHALLENGE_SECONDS * 1_000 };
  return { value, sealed: keyring.encrypt("", COLUMN, JSON.stringify(challenge)) };
}

/** Null for a cookie of another installation or of the other door, and for one that is too old. */
export function unsealChallenge(keyring: Keyring, door: AccountKind, cookie: string | null): Challenge | null {
  if (cookie === null || cookie.length > LONGEST) return null;
  const clear = keyring.clear("", COLUMN, cookie);
  if (clear === null) return null;
  const challenge = JSON.parse(clear) as Challenge;
  return challenge.door === door && challenge.until > now() ? challenge : null;
}
