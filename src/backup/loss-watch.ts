import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { OpenDeps } from "../deps.ts";
import { asOwner } from "../platform/postgres/as-owner.ts";
import {
  holdForLoss,
  readHighWater,
  readIdentity,
  readPlace,
  type HighWater,
  type DatabaseIdentity,
  type ClusterPlace,
} from "../platform/postgres/database-identity.ts";
import { readHold } from "../platform/postgres/held-calls.ts";
import { raiseSequences } from "../platform/postgres/stored-tables.ts";
import { readHighWaterFile, writeHighWaterFile } from "./high-water-file.ts";
import { LOST_AT_MOST } from "./resume.ts";

/** Goes on until it is closed. */
export type LossWatch = { close(): Promise<void> };

/** A server that is killed has not stored the numbers of this time. */
const PERIOD_MS = 10_000;

/**
 * Holds calls where the database is an earlier one, or another copy (docs/operations.md 15). It looks before this
 * process calls or serves anybody, and every ten seconds. While calls are held, a start passes over the ids that may
 * have been given out: clients write before anybody says whether there was a loss.
 */
export async function watchForLoss(deps: Pick<OpenDeps, "config" | "connection" | "logger">): Promise<LossWatch> {
  const { connection, logger } = deps;
  const look = createLook(deps);
  await asOwner(connection, async (client) => {
    await look(client);
    if ((await readHold(client)) !== null) await raiseSequences(client, LOST_AT_MOST);
  });

  const again = async () => {
    await asOwner(connection, async (client) => {
      const why = await look(client);
      if (why === null) return;
      await raiseSequences(client, LOST_AT_MOST);
      logger.error({ why }, "calls to others are held, because the database went back: see `liaison doctor`");
    });
  };
  const closed = new AbortController();
  const looking = (async () => {
    while (!closed.signal.aborted) {
      await pause(PERIOD_MS, undefined, { signal: closed.signal, ref: false }).catch(() => {});
      // A database that is away is looked at when it is back.
      await again().catch(() => {});
    }
  })();
  return {
    // Its end looks once more, and so keeps the last numbers.
    async close() {
      closed.abort();
      await looking;
    },
  };
}

type Look = (client: Parameters<typeof readPlace>[0]) => Promise<string | null>;

/** Compares, and stores the numbers; returns why calls are held from now on, or null. */
function createLook({ config: { dataDir }, logger }: Pick<OpenDeps, "config" | "logger">): Look {
  let isTold = false;
  return async (client) => {
    const place = await readPlace(client);
    const identity = await readIdentity(client, place);
    // Before the database is read: another process may write the file meanwhile, with higher numbers.
    const kept = readHighWaterFile(dataDir, identity);
    const seen = await readHighWater(client);
    const why = differenceOf(identity, place) ?? stepBackOf(kept ?? {}, seen ?? {});
    if (why !== null) return (await holdForLoss(client, identity, why)) ? why : null;
    if (seen === null || isDeepStrictEqual(seen, kept)) return null;
    try {
      writeHighWaterFile(dataDir, identity, seen);
    } catch (error) {
      // It is tried again each time, and said once.
      if (!isTold)
        logger.warn(
          { err: error },
          "what the database has given out cannot be kept in LIAISON_DATA_DIR: nobody may notice that it went back",
        );
      isTold = true;
    }
    return null;
  };
}

/** Words for a database in another place than that of its identity; null where no difference is known. */
function differenceOf(identity: DatabaseIdentity, place: ClusterPlace): string | null {
  const differs = (name: keyof ClusterPlace) =>
    identity[name] !== null && place[name] !== null && identity[name] !== place[name];
  if (differs("system") || differs("database"))
    return "this is another copy of the database: somebody loaded a dump, copied files or changed the server";
  if (!differs("timeline")) return null;
  const [was, is] = [identity, place].map(({ timeline }) => Number.parseInt(timeline ?? "", 16));
  return `PostgreSQL is on timeline ${is}, and was on ${was}: it was recovered to an earlier point, or a standby was promoted`;
}

/** Words for a sequence that has gone back; null where none has. A newer release may have dropped one. */
function stepBackOf(kept: HighWater, seen: HighWater): string | null {
  const back = Object.entries(kept).find(([name, last]) => BigInt(seen[name] ?? last) < BigInt(last));
  if (back === undefined) return null;
  const [name, last] = back;
  return `the database went back: ${name} is at ${seen[name]}, and this machine has seen ${last}`;
}
