import { createHash } from "node:crypto";
import { networkOf } from "../platform/network.ts";
import { comparable } from "../platform/text.ts";
import { knownTurn, type InTurn } from "../users/password-turns.ts";
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

/** An attempt is counted under all of these. If it is right, `cleared` begin anew, and `lowered` lose this attempt alone. */
export type Counted = { cleared: Subject[]; lowered: Subject[] };

/**
 * An attempt on an account counts for the account and for the network that it comes from; one by a browser that has been
 * in the account before counts for the browser there and for nothing else. Nobody else can use that one up.
 * @param browserId of such a browser; null for any other
 */
export function countedFor(account: string, network: string, browserId: string | null): Counted {
  if (browserId !== null) return { cleared: [subject(FREE_OF_ONE, "browser", browserId, account)], lowered: [] };
  return {
    cleared: [subject(FREE_OF_ONE, "account", account)],
    lowered: [subject(FREE_OF_NETWORK, "network", networkOf(network))],
  };
}

/** Strangers take turns by network. */
export function strangersTurn(door: "users" | "operators", network: string): InTurn {
  return { door, holder: networkOf(network) };
}

/** The same of operators. No workspace is called so. */
export const OPERATORS_TURN = knownTurn("/operator");

/** The account that a sign-in names, whether there is one or not. */
export function accountOf(workspace: string, email: string): string {
  return digest("user", workspace, folded(email));
}

export function operatorAccountOf(email: string): string {
  return digest("operator", folded(email));
}

/** Something that an account is asked for beside its first password: failures there are counted for themselves. */
export function questionOf(account: string, question: "code" | "password"): string {
  return digest(question, account);
}

/**
 * Spellings that any database takes for one address are one, because a guesser who found others would guess anew with each.
 * Addresses that are too long are nobody's, and all of them one.
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

/** Different parts never run together to the same. */
function hashOf(parts: string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
