import { now } from "../platform/clock.ts";
import type { Keyring } from "../platform/encryption/keyring.ts";
import type { SignInChecks } from "./provider-calls.ts";

/**
 * A sign-in between its begin and the provider's answer. The browser carries it, encrypted by Liaison, so that any
 * process can finish it and no other browser can. A finished one is noted until it would have expired (isFirstEnd).
 */
export type RunningSignIn = {
  workspace: string;
  checks: SignInChecks;
  /** The own path to go to afterwards. */
  to: string | null;
  /** The session of the admin who tries the settings; null: a sign-in. */
  trialOf: string | null;
};

/** The context that the cookie's ciphertext is bound to; no table has this column. */
const COLUMN = "sign_ins.cookie";
/** Seconds for the person to sign in at the provider. */
export const RUNNING_SECONDS = 15 * 60;
/** A browser refuses a cookie of more than 4096 bytes. */
const LONGEST = 3_500;
const PATH_MAX = 1_000;

export function sealSignIn(keyring: Keyring, running: RunningSignIn): string {
  const to = running.to === null || running.to.length > PATH_MAX ? null : running.to;
  return keyring.encrypt("", COLUMN, JSON.stringify({ ...running, to, until: now() + RUNNING_SECONDS * 1_000 }));
}

/** Null for a cookie of another installation, and for one that is too old. */
export function unsealSignIn(keyring: Keyring, cookie: string | null): RunningSignIn | null {
  if (cookie === null || cookie.length > LONGEST) return null;
  const clear = keyring.clear("", COLUMN, cookie);
  if (clear === null) return null;
  const { until, ...running } = JSON.parse(clear) as RunningSignIn & { until: number };
  return until > now() ? running : null;
}
