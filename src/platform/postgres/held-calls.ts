import type pg from "pg";
import { now } from "../clock.ts";
import { asOwner, type Connection } from "./database.ts";
import { deleteSetting, readSetting } from "./settings.ts";

/** The name in `settings` of the fact that nobody is to be called: of a restored database, until `resume`. */
export const CALLS_HELD = "calls_held";

/**
 * Whether calls to others are held. Every call that leaves asks it, and so does every claim of jobs that call. A database begins to
 * hold calls only while it is restored, before anybody works with it: where they are not held at first they never will be, and no
 * more is asked.
 */
export type AreCallsHeld = () => Promise<boolean>;

const ASKED_AGAIN_MS = 1_000;

export function askWhetherHeld(connection: Connection): AreCallsHeld {
  const ask = async () => await asOwner(connection, async (client) => (await readSetting(client, CALLS_HELD)) !== null);
  let areHeld = Promise.resolve(true);
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if ((await areHeld) && now() - askedAt >= ASKED_AGAIN_MS) {
      askedAt = now();
      // A database that is away says nothing of calls: then none leaves.
      areHeld = ask().catch(() => true);
    }
    return await areHeld;
  };
}

/** Lets calls go out again, once the work before is done; null where they were not held, and nothing was done. */
export async function letCallsGo<T>(
  connection: Connection,
  before: (client: pg.Client) => Promise<T>,
): Promise<T | null> {
  return await asOwner(connection, async (client) => {
    if ((await readSetting(client, CALLS_HELD)) === null) return null;
    const outcome = await before(client);
    await deleteSetting(client, CALLS_HELD);
    return outcome;
  });
}
