import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { sleep } from "../clock.ts";
import { advisoryLocks, tryLock } from "../postgres/advisory-locks.ts";
import { ClusterError } from "./cluster-error.ts";
import { isCluster, prepareClusterFiles, type ClusterFiles } from "./cluster-files.ts";
import { ensureRunning, isGoingAway, stopServer, type ServerAddress, type StartOptions } from "./cluster-server.ts";

/**
 * The embedded PostgreSQL: one cluster per data directory, shared by every process that uses the directory. The first
 * process starts it, and the last one stops it. It is a daemon: it survives the death of the process that started it,
 * and the next process adopts it.
 */
export type Cluster = {
  connection: pg.ClientConfig;
  /** The directory of the cluster's files, when they are not inside the data directory (cluster-files.ts). */
  relocatedTo: string | null;
  /** One line for the operator if a new cluster was made although another one may have been meant. */
  remark: string | null;
  /** Stops the cluster unless another process uses it. */
  release(): Promise<void>;
};

const DATABASE = "liaison";
const REGAIN_MS = 500;
const RETRY_MS = 25;
const MOST_TRIES = 100;
/** The wait. With a last attempt of two seconds it ends before the promised 30 s. */
const PATIENCE_MS = 27_000;

export type ClusterOptions = {
  /** The folder of the operator's own PostgreSQL; null or left out: the packaged one. */
  programs?: string | null;
  /** PostgreSQL's settings in addition to ours; they apply only if the cluster was not running. */
  settings?: Record<string, string>;
  /** Called if a server that died could not be started again; further attempts follow. */
  onTrouble?: (error: unknown) => void;
  /** The wait in milliseconds for a server that has the files and does not answer; tests of the refusal shorten it. */
  patience?: number;
  /** Gives up waiting for the cluster. */
  stop?: AbortSignal;
};

/** Whether a data directory has a cluster. Creates nothing. Throws ClusterError if something else is in its place. */
export function hasCluster(dataDir: string): boolean {
  return isCluster(path.join(dataDir, "postgres"));
}

/**
 * Throws ClusterError if the cluster cannot be run. If its server dies later, it is started again; until then the
 * database is unavailable.
 */
export async function useCluster(
  dataDir: string,
  { programs = null, settings = {}, onTrouble = () => {}, patience = PATIENCE_MS, stop }: ClusterOptions = {},
): Promise<Cluster> {
  if (process.platform === "win32") {
    throw new ClusterError(
      "The embedded PostgreSQL does not run on Windows: set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  const files = prepareClusterFiles(dataDir, programs);
  const released = new AbortController();
  const signal = AbortSignal.any([released.signal, ...(stop === undefined ? [] : [stop])]);
  let regaining: Promise<void> | null = null;
  let { client, address } = await beginUse();

  async function beginUse(): Promise<ClusterUse> {
    const use = await joinCluster(files, { settings, patience, signal });
    use.client.on("end", () => {
      if (!signal.aborted) regaining = regain();
    });
    return use;
  }

  async function regain(): Promise<void> {
    while (!signal.aborted) {
      try {
        ({ client } = await beginUse());
        return;
      } catch (error) {
        if (signal.aborted) return;
        onTrouble(error);
        await sleep(REGAIN_MS);
      }
    }
  }

  return {
    connection: { ...address, database: DATABASE },
    relocatedTo: files.directory.startsWith(fs.realpathSync(dataDir)) ? null : files.directory,
    remark: files.remark,
    async release() {
      released.abort();
      await regaining;
      if (await isLastOut(client)) await stopServer(files, client);
      else await client.end();
    },
  };
}

type ClusterUse = { client: pg.Client; address: ServerAddress };

/** Starts the cluster if it is not running, and keeps it running with a connection of its own. */
async function joinCluster(files: ClusterFiles, options: StartOptions): Promise<ClusterUse> {
  for (let tries = 1; ; tries++) {
    const address = await ensureRunning(files, options);
    const client = new pg.Client({ ...address, database: "postgres", application_name: "liaison holds the cluster" });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query("select pg_advisory_lock_shared($1)", [advisoryLocks.clusterUse]);
      await createDatabase(client);
      return { client, address };
    } catch (error) {
      await client.end().catch(() => {});
      // The last process to leave may have stopped it just before we connected.
      if (tries === MOST_TRIES || !isGoingAway(error)) {
        throw new ClusterError(`The embedded PostgreSQL in ${files.directory} refused: ${(error as Error).message}`);
      }
      await sleep(RETRY_MS);
    }
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
  if (rows.length > 0) return;
  try {
    await client.query(`create database ${DATABASE}`);
  } catch (error) {
    // Another process was first: a duplicate, seen by the check or only by the index.
    if (!(error instanceof pg.DatabaseError) || (error.code !== "42P04" && error.code !== "23505")) throw error;
  }
}

/** Whether no other process uses the cluster. If so, none can begin to use it before it is stopped. */
async function isLastOut(client: pg.Client): Promise<boolean> {
  try {
    await client.query("select pg_advisory_unlock_shared($1)", [advisoryLocks.clusterUse]);
    return await tryLock(client, advisoryLocks.clusterUse);
  } catch {
    // It is down already.
    return false;
  }
}
