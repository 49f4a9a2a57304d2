import { randomBytes } from "node:crypto";
import { now } from "../platform/clock.ts";
import type { Keyring } from "../platform/encryption/keyring.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

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
export type Challenge = { value: string; purpose: Purpose; until: number };

/** The context that the cookie's ciphertext is bound to; no table has this column. */
const COLUMN = "passkeys.cookie";
export const CHALLENGE_SECONDS = 5 * 60;
const LONGEST = 3_500;

export function newChallenge(keyring: Keyring, purpose: Purpose): { value: string; sealed: string } {
  const value = randomBytes(32).toString("base64url");
  const challenge: Challenge = { value, purpose, until: now() + CHALLENGE_SECONDS * 1_000 };
  return { value, sealed: keyring.encrypt("", COLUMN, JSON.stringify(challenge)) };
}

/** Null for a cookie of another installation, and for one that is too old. */
export function unsealChallenge(keyring: Keyring, cookie: string | null): Challenge | null {
  if (cookie === null || cookie.length > LONGEST) return null;
  const clear = keyring.clear("", COLUMN, cookie);
  if (clear === null) return null;
  const challenge = JSON.parse(clear) as Challenge;
  return challenge.until > now() ? challenge : null;
}
