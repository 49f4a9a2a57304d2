import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { OpenDeps } from "../../kit/deps.ts";
import { asOwner } from "../../platform/postgres/as-owner.ts";
import {
  holdForLoss,
  readHighWater,
  readIdentity,
  readClusterState,
  type HighWater,
  type DatabaseIdentity,
  type ClusterState,
} from "../../platform/postgres/database-identity.ts";
import { readHold } from "../../platform/postgres/held-calls.ts";
import { raiseSequences } from "../../platform/postgres/stored-tables.ts";
import { readHighWaterFile, writeHighWaterFile } from "./high-water-file.ts";
import { LOST_AT_MOST } from "./resume-after-loss.ts";

/** Runs until it is closed. */
export type LossWatch = { close(): Promise<void> };

/** Interval of the check. A killed server has not stored the numbers of the last interval. */
const PERIOD_MS = 10_000;

/**
 * Holds outgoing calls if the database is in an earlier state, or is another copy (docs/operations.md 15). It checks
 * before this process calls or serves anything, and every ten seconds. While calls are held, each start skips the ids
 * that may have been given out, because clients write before the operator decides about the loss.
 */
export async function watchForLoss(deps: Pick<OpenDeps, "config" | "connection" | "logger">): Promise<LossWatch> {
  const { connection, logger } = deps;
  const look = createLook(deps);
  /** The hold of a loss after whose beginning this process has skipped ids. */
  let skippedSince: string | null = null;
  const check = async (isStart: boolean) => {
    await asOwner(connection, async (client) => {
      const why = await look(client);
      const hold = await readHold(client);
      if (why !== null && !isStart)
        logger.error({ why }, "calls to others are held, because the database went back: see `liaison doctor`");
      // Retried at the next interval if it fails. The process that began the hold may have ended before it skipped ids.
      if (hold === null || hold.since === skippedSince || !(isStart || hold.isLoss)) return;
      await raiseSequences(client, LOST_AT_MOST);
      skippedSince = hold.since;
    });
  };
  await check(true);
  const closed = new AbortController();
  const looking = (async () => {
    while (!closed.signal.aborted) {
      await pause(PERIOD_MS, undefined, { signal: closed.signal, ref: false }).catch(() => {});
      // A database that is unavailable is checked at the next interval.
      await check(false).catch(() => {});
    }
  })();
  return {
    // The last check stores the latest numbers.
    async close() {
      closed.abort();
      await looking;
    },
  };
}

type Look = (client: Parameters<typeof readClusterState>[0]) => Promise<string | null>;

/** Compares and stores the numbers; returns the reason to hold calls, or null. */
function createLook({ config: { dataDir }, logger }: Pick<OpenDeps, "config" | "logger">): Look {
  let isReported = false;
  return async (client) => {
    const state = await readClusterState(client);
    const identity = await readIdentity(client, state);
    // The file is read first: another process may meanwhile write higher numbers to it.
    const kept = readHighWaterFile(dataDir, identity);
    const seen = await readHighWater(client);
    const why = differenceOf(identity, state) ?? stepBackOf(kept ?? {}, seen ?? {});
    if (why !== null) return (await holdForLoss(client, identity, why)) ? why : null;
    if (seen === null || isDeepStrictEqual(seen, kept)) return null;
    try {
      writeHighWaterFile(dataDir, identity, seen);
    } catch (error) {
      // Each failure is retried, but logged once.
      if (!isReported)
        logger.warn(
          { err: error },
          "what the database has given out cannot be kept in LIAISON_DATA_DIR: nobody may notice that it went back",
        );
      isReported = true;
    }
    return null;
  };
}

/** Describes a database in another place than its identity says; null if no difference is known. */
function differenceOf(identity: DatabaseIdentity, state: ClusterState): string | null {
  const differs = (name: keyof ClusterState) =>
    identity[name] !== null && state[name] !== null && identity[name] !== state[name];
  if (differs("system") || differs("database"))
    return "this is another copy of the database: somebody loaded a dump, copied files or changed the server";
  if (!differs("timeline")) return null;
  const [was, is] = [identity, state].map(({ timeline }) => Number.parseInt(timeline ?? "", 16));
  return `PostgreSQL is on timeline ${is}, and was on ${was}: it was recovered to an earlier point, or a standby was promoted`;
}

/** Describes a sequence that went back; null if there is none. A newer release may have dropped a sequence. */
function stepBackOf(kept: HighWater, seen: HighWater): string | null {
  const back = Object.entries(kept).find(([name, last]) => BigInt(seen[name] ?? last) < BigInt(last));
  if (back === undefined) return null;
  const [name, last] = back;
  return `the database went back: ${name} is at ${seen[name]}, and this machine has seen ${last}`;
}
