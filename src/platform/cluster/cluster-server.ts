import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { now, sleep } from "../clock.ts";
import { errorCode } from "../error-code.ts";
import { changeOwner } from "../ownership.ts";
import { ClusterError } from "./cluster-error.ts";
import { CLUSTER_USER, postgresEnvironment, type ClusterFiles } from "./cluster-files.ts";
import { isLocked, tryToLock } from "./directory-lock.ts";
import { lastComplaint } from "./last-complaint.ts";
import { disownLockFiles, hasServer } from "./lock-files.ts";

/** The address of the cluster's server: `host` is the directory of its socket. */
export type ServerAddress = { host: string; port: number; user: string };

/** The state of the cluster's server, as its socket shows it; `silent`: a server has the socket and does not answer. */
type ServerState = "ready" | "starting or stopping" | "silent" | "nobody";

/** A start waits for a recovery from a crash, but not for ever. */
const RECOVERY_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 25;
/** Two processes that try to lock at the same time both give way, for different times. */
const MOST_JITTER_MS = 100;
const CONNECT_TIMEOUT_MS = 2_000;
const PORT = 5432;
const SOCKET_NAME = `.s.PGSQL.${PORT}`;
/** The most bytes of a directory in `sun_path`, with the name of the socket file after it. */
const SOCKET_DIRECTORY_MAX = 103 - `/${SOCKET_NAME}`.length;

/** Another server was first, or its orphaned backend still writes: waiting solves it. */
const PASSING = /lock file|shared memory block|could not bind|in use/;
/** Further attempts would only fill the rest of the disk with error messages. */
const LASTING = /No space left on device|Disk quota exceeded|Read-only file system/;

export type StartOptions = {
  /** PostgreSQL's settings beside our own. */
  settings: Record<string, string>;
  /** The wait for a server that has the files and does not answer, in milliseconds. */
  patience: number;
  signal: AbortSignal;
};

/** Starts the cluster if it is not running, and resolves once it accepts connections. */
export async function ensureRunning(
  files: ClusterFiles,
  { settings, patience, signal }: StartOptions,
): Promise<ServerAddress> {
  const { directory } = files;
  const address = { host: socketDirectoryFor(files), port: PORT, user: CLUSTER_USER };
  const began = now();
  let heard = began;
  let refusal = `The embedded PostgreSQL in ${directory} is in use by a server that does not answer: it is paused, or hangs, or another container has it. Let it go on or end it, then start again.`;
  while (!signal.aborted) {
    const answer = await ask(address);
    if (answer === "ready") return address;
    if (answer === "starting or stopping" && now() - began < RECOVERY_TIMEOUT_MS) heard = now();
    const server = answer === "nobody" ? spawnAlone(files, address.host, settings) : null;
    if (server !== null) {
      if (await comesUp(server, address, signal)) return address;
      refusal = `The embedded PostgreSQL in ${directory} did not start: ${server.whyItEnded()}`;
      if (!PASSING.test(refusal) || LASTING.test(refusal)) break;
    }
    if (now() - heard > patience) break;
    await sleep(POLL_MS + Math.random() * MOST_JITTER_MS);
  }
  throw new ClusterError(refusal);
}

/** Stops waiting, and stops the server, when the signal aborts. */
async function comesUp({ child }: StartedServer, address: ServerAddress, signal: AbortSignal): Promise<boolean> {
  while (isRunningChild(child) && !signal.aborted) {
    if ((await ask(address)) === "ready") return true;
    await sleep(POLL_MS);
  }
  if (signal.aborted) child.kill("SIGINT");
  const deadline = now() + STOP_TIMEOUT_MS;
  while (isRunningChild(child) && now() < deadline) await sleep(POLL_MS);
  return false;
}

function isRunningChild({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/**
 * Resolves when the server and all its processes have ended. Open transactions are rolled back; committed data is
 * written to disk. The server sends the signal to itself, because its process id means nothing here if it runs in
 * another container.
 */
export async function stopServer({ directory }: ClusterFiles, client: pg.Client): Promise<void> {
  // A stopping server also signals its child processes and the programs that they run.
  const stop = `trap "" TERM; read -r pid < postmaster.pid && kill -INT "$pid"`;
  try {
    await client.query(`copy (select where false) to program '${stop}'`);
  } catch (error) {
    if (!isGoingAway(error)) throw error;
  }
  await client.end().catch(() => {});
  const deadline = now() + STOP_TIMEOUT_MS;
  while (isLocked(directory) && now() < deadline) await sleep(POLL_MS);
}

/** No connection, a broken one, or a server that is starting or stopping. */
export function isGoingAway(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.code?.startsWith("57P") === true;
}

/** The embedded PostgreSQL's cache is an eighth of the memory that this process may use, within these bounds. */
const SHARE_OF_MEMORY = 8;
const LEAST_CACHE_MIB = 256;
const LARGEST_CACHE_MIB = 1_024;

/** In MiB. The pages that do not fit are read from the files again, and written out in between. */
function cacheSize(): number {
  // Without a limit on the process, the constraint is larger than any machine, or 0.
  const memory = Math.min(os.totalmem(), process.constrainedMemory() || Infinity);
  const share = Math.floor(memory / SHARE_OF_MEMORY / 1024 ** 2);
  return Math.min(Math.max(share, LEAST_CACHE_MIB), LARGEST_CACHE_MIB);
}

const SETTINGS = {
  // Only the socket of this directory, which no other account can reach: no port, no password.
  listen_addresses: "",
  port: String(PORT),
  shared_buffers: `${cacheSize()}MB`,
  random_page_cost: "1.1",
  max_wal_size: "4GB",
  // The error of a statement contains its values, which are personal data. So PostgreSQL's log has only starts, stops
  // and crashes; the program's own log has the rest that an operator needs.
  log_min_messages: "log",
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
};

type StartedServer = { child: ChildProcess; whyItEnded: () => string };

/** Starts the server as the only one of its directory; null if another process has the lock. */
function spawnAlone(files: ClusterFiles, socketDirectory: string, extra: Record<string, string>): StartedServer | null {
  const { directory, account } = files;
  const lock = tryToLock(directory, account);
  if (lock === null) return null;
  try {
    if (hasServer(directory)) return null;
    disownLockFiles(directory, path.join(socketDirectory, SOCKET_NAME));
    return spawnServer(files, { ...SETTINGS, unix_socket_directories: socketDirectory, ...extra }, lock);
  } finally {
    fs.closeSync(lock);
  }
}

/** All processes of the server inherit the lock, which lasts until the last of them has ended. */
function spawnServer(
  { postgres, directory, account }: ClusterFiles,
  settings: Record<string, string>,
  lock: number,
): StartedServer {
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const logFile = path.join(directory, "server.log");
  const log = fs.openSync(logFile, "a+", 0o600);
  if (account !== null) changeOwner(log, account);
  const { size } = fs.fstatSync(log);
  const child = spawn(postgres, ["-D", directory, ...flags], {
    ...account,
    cwd: "/",
    env: postgresEnvironment(),
    // It outlives us, and must not receive a Ctrl+C in our terminal.
    detached: true,
    stdio: ["ignore", log, log, lock],
  });
  fs.closeSync(log);
  let failure: Error | null = null;
  child.on("error", (error) => (failure = error));
  child.unref();
  return { child, whyItEnded: () => failure?.message ?? lastComplaint(logFile, size) };
}

/**
 * The cluster's own directory. If that path is too long for a socket's address, a private directory for temporary
 * files, which is the same for every process, whatever its TMPDIR.
 */
function socketDirectoryFor({ directory, account }: ClusterFiles): string {
  // PostgreSQL reads the setting as a comma-separated list.
  if (Buffer.byteLength(directory) <= SOCKET_DIRECTORY_MAX && !/[",]/.test(directory)) return directory;
  const digest = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const temporary = `/tmp/liaison-${digest}`;
  if (!fs.existsSync(temporary)) {
    const unfinished = fs.mkdtempSync(`${temporary}.`);
    if (account !== null) fs.chownSync(unfinished, account.uid, account.gid);
    try {
      fs.renameSync(unfinished, temporary);
    } catch {
      // Another process was first.
      fs.rmdirSync(unfinished);
    }
  }
  const found = fs.lstatSync(temporary);
  const uid = account?.uid ?? process.getuid?.();
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new ClusterError(
      `${temporary} belongs to somebody else: remove it, or set LIAISON_DATA_DIR to a shorter path.`,
    );
  }
  return temporary;
}

async function ask(address: ServerAddress): Promise<ServerState> {
  const client = new pg.Client({ ...address, database: "postgres", connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    return "ready";
  } catch (error) {
    // A server that refuses, for example because of too many connections, is running.
    if (error instanceof pg.DatabaseError) return isGoingAway(error) ? "starting or stopping" : "ready";
    return /^(?:ENOENT|ECONNREFUSED)$/.test(errorCode(error)) ? "nobody" : "silent";
  } finally {
    await client.end().catch(() => {});
  }
}
