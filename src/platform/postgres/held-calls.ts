import type pg from "pg";
import { now, steady } from "../clock.ts";
import { asOwner } from "./as-owner.ts";
import type { Connection } from "./database.ts";
import { deleteSetting, readJsonSetting, writeSetting } from "./settings.ts";

/** The name in `settings` of the mark that stops all outgoing calls until `resume`. */
export const CALLS_HELD = "calls_held";

/** `why` is the end of a sentence. `isLoss`: the database may have lost ids and orders that it returned to clients. */
export type Hold = { since: string; why: string; isLoss: boolean };

/**
 * Whether outgoing calls are held. Every outgoing call checks it, and so does every claim of jobs that make calls. The
 * answer "not held" is also read again: calls may be held at any time, and a worker may outlive its database and find a
 * restored one in its place.
 */
export type AreCallsHeld = () => Promise<boolean>;

const HELD_CHECK_MS = 1_000;
/**
 * `liaison hold` promises five seconds: one more passes before a call that waits for its connection checks again.
 * Dropping, creating and restoring a database takes longer.
 */
const FREE_CHECK_MS = 4_000;

/** The value of the setting. */
export function heldBecause(why: string, isLoss: boolean): string {
  return JSON.stringify({ since: new Date(now()).toISOString(), why, isLoss } satisfies Hold);
}

/** The current hold; null if calls go out. */
export async function readHold(client: pg.Client): Promise<Hold | null> {
  return await readJsonSetting<Hold>(client, CALLS_HELD);
}

/** Holds outgoing calls; returns an existing hold, which remains unchanged. */
export async function holdCalls(client: pg.Client, why: string): Promise<Hold | null> {
  const before = await readHold(client);
  if (before === null) await writeSetting(client, CALLS_HELD, heldBecause(why, false));
  return before;
}

/**
 * Reads whether calls are held once a second while they are, and every four seconds while they are not. Never fails.
 */
export function createHeldCheck(connection: Connection): AreCallsHeld {
  const check = async () => (await asOwner(connection, readHold)) !== null;
  let areHeld = Promise.resolve(true);
  let checkedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const againAfterMs = (await areHeld) ? HELD_CHECK_MS : FREE_CHECK_MS;
    if (steady() - checkedAt >= againAfterMs) {
      checkedAt = steady();
      // If the database cannot be reached, its answer is unknown: then no call goes out.
      areHeld = check().catch(() => true);
    }
    return await areHeld;
  };
}

/** Ends the hold of outgoing calls. */
export async function releaseCalls(client: pg.Client): Promise<void> {
  await deleteSetting(client, CALLS_HELD);
}
