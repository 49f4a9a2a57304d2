import type { Logger } from "../logger.ts";
import { NOBODY } from "../sharing/caller.ts";
import { createOneForMany } from "../sharing/one-for-many.ts";
import { createSharing, type Sharing } from "../sharing/sharing.ts";
import { CallerDatabase, type Connection, type Database, type Connections } from "./database.ts";
import { createNews } from "./news.ts";
import { freeConnectionsStatement } from "./ready.ts";
import { connectAsApp } from "./request-settings.ts";
import { createTally } from "./tally.ts";
import { ConnectionBudget } from "./transactions/connection-budget.ts";
import { READS, WRITES } from "./transactions/lane-policies.ts";
import { Lanes } from "./transactions/lanes.ts";
import { createOnLanes } from "./transactions/on-lanes.ts";
import { Pool } from "./transactions/pool.ts";
import { LOCK_TIMEOUT_MS, runTransaction } from "./transactions/transaction.ts";
import { createUncommittedWrites } from "./transactions/uncommitted-writes.ts";

export type DatabaseOptions = {
  connection: Connection;
  /** The same database as the role of requests (request-role.ts). */
  requests: Connection;
  logger: Logger;
  /** The sharing of this process, if it has other users of the database. */
  sharing?: Sharing;
  /** The time for the work in flight once `close` is called; then the connections are cut. */
  closePatienceMs?: number;
};

/**
 * The server's limit for a statement on a lane. This process cancels its transaction earlier, unless it is too busy to
 * do so.
 */
const QUICK_TIMEOUT_MS = 1_000;
const SLOW_TIMEOUT_MS = 30_000;

/** Opens the pools and lanes of this process. They connect at their first use; `close` ends them. */
export function openDatabase({
  connection,
  requests,
  logger,
  sharing: { presence, time, places, slowWork } = createSharing(),
  closePatienceMs = 1_000,
}: DatabaseOptions): Database {
  const quick = connectAsApp(requests, QUICK_TIMEOUT_MS);
  const slow = connectAsApp(requests, SLOW_TIMEOUT_MS);
  const patienceMs = SLOW_TIMEOUT_MS + LOCK_TIMEOUT_MS;
  const budget = new ConnectionBudget();
  const searching = new Pool(slow, places.longReads, patienceMs, logger, budget);
  const waiting = new Pool(slow, places.waitingWrites, patienceMs, logger, budget);
  const reads = new Lanes(quick, places.quickReads, logger, budget);
  const writes = new Lanes(quick, places.writes, logger, budget);
  const sharedReads = createOnLanes(READS, reads, searching, slowWork);
  const sharedWrites = createOnLanes(WRITES, writes, waiting, slowWork);
  const uncommittedWrites = createUncommittedWrites(waiting, slowWork);

  const news = createNews(
    async (call) => await writes.use(NOBODY.holder, (client) => runTransaction(client, "begin", [call])),
  );
  const beside = { tally: createTally(), news, oneForMany: createOneForMany() };
  const pools = {
    connection,
    requests: quick,
    presence,
    time,
    reads,
    searching,
    waiting,
    sharedReads,
    sharedWrites,
    uncommittedWrites,
    ...beside,
  };
  const all = [reads, writes, searching, waiting];
  const freeConnections = async () => Number((await unattended.readShared(freeConnectionsStatement))[0]?.[0]);
  const leaveRoom = () => budget.watch(freeConnections);
  const close = async () => {
    budget.stop();
    let timer: NodeJS.Timeout | undefined;
    const impatience = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        for (const each of all) each.cut();
        resolve();
      }, closePatienceMs);
    });
    const drained = async () => {
      await news.close();
      await Promise.all([sharedReads, sharedWrites, uncommittedWrites, ...all].map((each) => each.drained()));
    };
    await Promise.race([impatience, drained()]);
    await Promise.all(all.map((each) => each.close()));
    clearTimeout(timer);
  };
  const connections: Connections = { ...pools, close, leaveRoom, unattended: () => unattended };
  const unattended = new CallerDatabase(connections, NOBODY);
  return unattended;
}
