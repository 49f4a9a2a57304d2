import { randomBytes } from "node:crypto";
import type { Keyring } from "../../platform/encryption/keyring.ts";
import { sealing } from "../../platform/encryption/sealed.ts";

/** A browser, and the accounts that have signed in with it, the latest first. */
type KnownBrowser = { id: string; accounts: string[]; workspace: string | null };

const MOST_ACCOUNTS = 8;
const LONGEST = 800;

const browsers = sealing<KnownBrowser>("browsers.known", LONGEST);

/**
 * The browser's id if it has signed in to the account before, otherwise null. The cookie is encrypted by Liaison: it
 * cannot be forged, needs no table, and reveals nothing to its owner.
 */
export function browserIn(keyring: Keyring, cookie: string | null, account: string): string | null {
  const browser = browsers.open(keyring, cookie);
  return browser?.accounts.includes(account) === true ? browser.id : null;
}

/** The browser's id if it has signed in to any account before, otherwise null. */
export function browserIdIn(keyring: Keyring, cookie: string | null): string | null {
  return browsers.open(keyring, cookie)?.id ?? null;
}

/** The workspace that the browser signed in to last; null for a browser that never did. */
export function workspaceIn(keyring: Keyring, cookie: string | null): string | null {
  return browsers.open(keyring, cookie)?.workspace ?? null;
}

/**
 * The browser's cookie after a sign-in to the account.
 * @param workspace the one to remember; empty: that of the cookie stays
 */
export function rememberedIn(keyring: Keyring, cookie: string | null, account: string, workspace: string): string {
  const known = browsers.open(keyring, cookie);
  const { id, accounts } = known ?? { id: randomBytes(16).toString("base64url"), accounts: [] };
  const latest = [account, ...accounts.filter((other) => other !== account)].slice(0, MOST_ACCOUNTS);
  const last = workspace === "" ? (known?.workspace ?? null) : workspace;
  return browsers.seal(keyring, { id, accounts: latest, workspace: last });
}
