import { createHash } from "node:crypto";
import { networkOf } from "../../platform/network.ts";
import { comparable } from "../../platform/text.ts";
import { INSTALLATION_SLUG } from "../tenants/tenant.ts";
import type { InTurn } from "../users/password-turns.ts";
import { EMAIL_MAX } from "../users/user.ts";
import type { Subject } from "./throttle-queries.ts";

const FREE_OF_ONE = 5;
const FREE_OF_NETWORK = 50;

/** An attempt's origin: its address, and its browser (known-browser.ts). */
export type AttemptOrigin = {
  /** The caller's address. */
  network: string;
  /** The cookie of a browser that signed in before, or null. */
  browser: string | null;
};

/**
 * The subjects that an attempt is counted under. After a success, `cleared` start again at zero, and `lowered` only
 * subtract this attempt.
 */
export type Counted = { cleared: Subject[]; lowered: Subject[] };

/**
 * An attempt counts for the account and for the caller's network. If the browser has signed in to the account before,
 * the attempt counts only for that browser, so that other callers cannot use up its limit.
 * @param browserId of such a browser; null for any other
 */
export function countedFor(account: string, network: string, browserId: string | null): Counted {
  if (browserId !== null) return { cleared: [subject(FREE_OF_ONE, "browser", browserId, account)], lowered: [] };
  return {
    cleared: [subject(FREE_OF_ONE, "account", account)],
    lowered: [subject(FREE_OF_NETWORK, "network", networkOf(network))],
  };
}

/** A request for a link by mail counts for the caller's network, apart from its passwords. Nothing takes it back. */
export function countedForMail(network: string): Counted {
  return { cleared: [], lowered: [subject(FREE_OF_NETWORK, "mail", networkOf(network))] };
}

/** A sign-in at a provider counts for the network alone: only its end names an account. */
export function countedForProvider(network: string): Counted {
  return { cleared: [], lowered: [subject(FREE_OF_NETWORK, "provider", networkOf(network))] };
}

/**
 * A sign-in by a passkey names no account. It counts for the browser if that has signed in before, otherwise for the
 * network, apart from its passwords.
 */
export function countedForPasskey(network: string, browserId: string | null): Counted {
  if (browserId !== null) return { cleared: [subject(FREE_OF_ONE, "browser", browserId, "passkey")], lowered: [] };
  return { cleared: [], lowered: [subject(FREE_OF_NETWORK, "passkey", networkOf(network))] };
}

/** Sign-ins at providers take turns by workspace, apart from passwords: they wait for the provider. */
export function providerTurn(workspace: string): InTurn {
  return { door: "provider", holder: workspace };
}

/** Unknown browsers take turns by network. Those that sign in as operators wait behind no user. */
export function strangersTurn(network: string, workspace: string | null = null): InTurn {
  return { door: workspace === INSTALLATION_SLUG ? "operators" : "users", holder: networkOf(network) };
}

/** The digest of the account that a sign-in names; the account need not exist. */
export function accountOf(workspace: string, email: string): string {
  return digest("user", workspace, folded(email));
}

/** A second question to an account, after its first password. Its failures are counted separately. */
export function questionOf(account: string, question: "code" | "password"): string {
  return digest(question, account);
}

/**
 * Maps all spellings that a database may treat as the same address to one; otherwise each spelling would allow new
 * guesses. All addresses that are too long count as one, because no account has them.
 */
function folded(email: string): string {
  return comparable(email, EMAIL_MAX) ?? "";
}

function subject(free: number, ...parts: string[]): Subject {
  return { free, hash: hashOf(parts) };
}

function digest(...parts: string[]): string {
  return hashOf(parts).subarray(0, 16).toString("base64url");
}

/** JSON keeps different parts from giving the same text. */
function hashOf(parts: string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
