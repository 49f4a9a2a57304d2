import type { Keyring } from "../../platform/encryption/keyring.ts";
import { sealing } from "../../platform/encryption/sealed.ts";
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

/** Seconds for the person to sign in at the provider. */
export const RUNNING_SECONDS = 15 * 60;
/** A browser refuses a cookie of more than 4096 bytes. */
const LONGEST = 3_500;
const PATH_MAX = 1_000;

const sealed = sealing<RunningSignIn>("sign_ins.running", LONGEST, RUNNING_SECONDS);

export function sealSignIn(keyring: Keyring, running: RunningSignIn): string {
  const to = running.to === null || running.to.length > PATH_MAX ? null : running.to;
  return sealed.seal(keyring, { ...running, to });
}

export const unsealSignIn = sealed.open;
