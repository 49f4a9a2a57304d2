import { randomBytes } from "node:crypto";
import { now } from "../../platform/clock.ts";
import type { Keyring } from "../../platform/encryption/keyring.ts";
import { sealing } from "../../platform/encryption/sealed.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

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

export const CHALLENGE_SECONDS = 5 * 60;
const LONGEST = 3_500;

const sealed = sealing<Challenge>("passkeys.challenge", LONGEST);

export function newChallenge(keyring: Keyring, purpose: Purpose): { value: string; sealed: string } {
  const value = randomBytes(32).toString("base64url");
  return { value, sealed: sealed.seal(keyring, { value, purpose, until: now() + CHALLENGE_SECONDS * 1_000 }) };
}

/** Null for a cookie of another installation, and for one that is too old. */
export function unsealChallenge(keyring: Keyring, cookie: string | null): Challenge | null {
  const challenge = sealed.open(keyring, cookie);
  return challenge !== null && challenge.until > now() ? challenge : null;
}
