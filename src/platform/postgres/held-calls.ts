import type pg from "pg";
import { steady } from "../clock.ts";
import { asOwner } from "./as-owner.ts";
import type { Connection } from "./database.ts";
import { deleteSetting, readSetting } from "./settings.ts";

/** The name in `settings` of the fact that nobody is to be called: of a restored database, until `resume`. */
export const CALLS_HELD = "calls_held";

/**
 * Whether calls to others are held. Every call that leaves asks it, and so does every claim of jobs that call. The database is asked again
 * where they are not, too: a worker may outlive it, and find a restored one in its place.
 */
export type AreCallsHeld = () => Promise<boolean>;

const HELD_ASKED_AGAIN_MS = 1_000;
/** No database is dropped, made anew and restored so quickly that nobody would ask meanwhile. */
const FREE_ASKED_AGAIN_MS = 5_000;

/** Whether calls are held at this moment. */
export async function holdsCalls(client: pg.Client): Promise<boolean> {
  return (await readSetting(client, CALLS_HELD)) !== null;
}

export function askWhetherHeld(connection: Connection): AreCallsHeld {
  const ask = async () => await asOwner(connection, holdsCalls);
  let areHeld = Promise.resolve(true);
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const againAfterMs = (await areHeld) ? HELD_ASKED_AGAIN_MS : FREE_ASKED_AGAIN_MS;
    if (steady() - askedAt >= againAfterMs) {
      askedAt = steady();
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
    if (!(await holdsCalls(client))) return null;
    const outcome = await before(client);
    await deleteSetting(client, CALLS_HELD);
    return outcome;
  });
}
