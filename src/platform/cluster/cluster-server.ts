import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { now, sleep } from "../clock.ts";
import { ClusterError } from "./cluster-error.ts";
import { CLUSTER_USER, isRunning, postgresEnvironment, type ClusterFiles } from "./cluster-files.ts";

/** How the cluster's server is reached: `host` is the directory of its socket. */
export type ServerAddress = { host: string; port: number; user: string };

/** A start waits for a recovery from a crash, but not for ever. */
const RECOVERY_TIMEOUT_MS = 300_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 25;
/** PostgreSQL writes its number into a lock file in the instant that it creates it. */
const UNWRITTEN_LOCK_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
const PORT = 5432;
/** What `sun_path` holds, less the file's own name. */
const MAX_SOCKET_DIRECTORY = 103 - `/.s.PGSQL.${PORT}`.length;

/** Another process's server was first, or an orphaned backend still writes: nothing that time does not solve. */
const PASSING = /lock file|shared memory block|could not bind|in use/;

/** Resolves once the cluster accepts connections, having started it where it was not running. */
export async function ensureRunning(
  files: ClusterFiles,
  extraSettings: Record<string, string>,
  signal: AbortSignal,
): Promise<ServerAddress> {
  const { directory } = files;
  const address = { host: socketDirectoryFor(files), port: PORT, user: CLUSTER_USER };
  const deadline = now() + RECOVERY_TIMEOUT_MS;
  let reason = "it does not answer";
  while (now() < deadline && !signal.aborted) {
    const running = readPidFile(directory);
    if (running?.address != null && (await accepts(running.address))) return running.address;
    if (running !== null && isPostmaster(running.pid, directory)) {
      // Starting, recovering from a crash, or on its way down.
      await sleep(POLL_MS);
      continue;
    }
    for (const lock of lockFilesOf(directory, address)) disownLockFile(lock, directory);
    const { server, whyItEnded } = spawnServer(files, { unix_socket_directories: address.host, ...extraSettings });
    while (isRunningChild(server) && !signal.aborted) {
      if (await accepts(address)) return address;
      await sleep(POLL_MS);
    }
    if (signal.aborted) {
      await stopStarting(server);
      break;
    }
    reason = whyItEnded();
    if (!PASSING.test(reason)) break;
    await sleep(4 * POLL_MS);
  }
  throw new ClusterError(`The embedded PostgreSQL in ${directory} did not start: ${reason}`);
}

async function stopStarting(server: ChildProcess): Promise<void> {
  server.kill("SIGINT");
  const deadline = now() + STOP_TIMEOUT_MS;
  while (isRunningChild(server) && now() < deadline) await sleep(POLL_MS);
}

function isRunningChild({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** Resolves when the server is gone. Open transactions are rolled back, what is committed is written out. */
export async function stopServer({ directory }: ClusterFiles): Promise<void> {
  const running = readPidFile(directory);
  if (running === null || !isPostmaster(running.pid, directory)) return;
  // SIGINT is PostgreSQL's fast shutdown.
  process.kill(running.pid, "SIGINT");
  const deadline = now() + STOP_TIMEOUT_MS;
  while (isPostmaster(running.pid, directory) && now() < deadline) await sleep(POLL_MS);
}

const SETTINGS = {
  // Only this directory's socket, which nobody else can reach: no port, no password.
  listen_addresses: "",
  port: String(PORT),
  shared_buffers: "256MB",
  random_page_cost: "1.1",
  max_wal_size: "4GB",
  // What went wrong in a statement names its values, which are personal data: PostgreSQL's log has starts, stops and
  // crashes; the program's own log has the rest that an operator needs.
  log_min_messages: "log",
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
};

function spawnServer(
  { postgres, directory, account }: ClusterFiles,
  extraSettings: Record<string, string>,
): { server: ChildProcess; whyItEnded: () => string } {
  const flags = Object.entries({ ...SETTINGS, ...extraSettings }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const logFile = path.join(directory, "server.log");
  const log = fs.openSync(logFile, "a+", 0o600);
  const { size } = fs.fstatSync(log);
  const server = spawn(postgres, ["-D", directory, ...flags], {
    ...account,
    cwd: "/",
    env: postgresEnvironment(),
    // It outlives us, and a Ctrl+C in our terminal is not for it.
    detached: true,
    stdio: ["ignore", log, log],
  });
  fs.closeSync(log);
  let failure: Error | null = null;
  server.on("error", (error) => (failure = error));
  server.unref();
  return { server, whyItEnded: () => failure?.message ?? lastComplaint(logFile, size) };
}

/** The last complaint in the log after an offset, without time and process. */
function lastComplaint(logFile: string, offset: number): string {
  const lines = fs.readFileSync(logFile).subarray(offset).toString().trim().split("\n");
  const line = lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? lines.at(-1);
  return line?.replace(/^.*?(?:FATAL|PANIC|ERROR): +/, "") || `see ${logFile}`;
}

/**
 * The cluster's own directory, or, where its path does not fit a socket's address, a private one for temporary files.
 * The same for every process, whatever its TMPDIR.
 */
function socketDirectoryFor({ directory, account }: ClusterFiles): string {
  // PostgreSQL reads the setting as a comma-separated list.
  if (Buffer.byteLength(directory) <= MAX_SOCKET_DIRECTORY && !/[",]/.test(directory)) return directory;
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

/** What `postmaster.pid` says; the address is null while the server is only starting. Null where there is no file. */
function readPidFile(directory: string): { pid: number; address: ServerAddress | null } | null {
  let lines: string[];
  try {
    lines = fs.readFileSync(path.join(directory, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return null;
  }
  const [pid, , , port, host] = lines;
  if (!/^[1-9]\d*$/.test(pid ?? "")) return null;
  // The last line that we read must be complete.
  const isComplete = lines.length > 5 && host !== "";
  return {
    pid: Number(pid),
    address: isComplete ? { host: String(host), port: Number(port), user: CLUSTER_USER } : null,
  };
}

async function accepts(address: ServerAddress): Promise<boolean> {
  const client = new pg.Client({ ...address, database: "postgres", connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const TOO_MANY_CONNECTIONS = "53300";
    return error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether the process is the server of this very cluster, and not whoever has its number now. */
function isPostmaster(pid: number, directory: string): boolean {
  if (process.platform === "linux") {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(directory);
    } catch {
      return false;
    }
  }
  const { stdout } = spawnSync("ps", ["-ww", "-p", String(pid), "-o", "command="], { encoding: "utf8" });
  return stdout?.includes(`-D ${directory} `) ?? false;
}

function lockFilesOf(directory: string, { host, port }: ServerAddress): string[] {
  return [path.join(directory, "postmaster.pid"), path.join(host, `.s.PGSQL.${port}.lock`)];
}

/**
 * A lock file left by a crash whose number another process now has keeps PostgreSQL from starting. Its number is
 * replaced by one that no process has; the rest stays, because PostgreSQL checks by it that no orphaned backend still
 * writes to the files. One without a number (a power cut came between its creation and its content) is removed: its
 * server never had a backend.
 */
function disownLockFile(file: string, directory: string): void {
  try {
    const lines = fs.readFileSync(file, "utf8").split("\n");
    if (!/^-?[1-9]\d*$/.test(String(lines[0]))) {
      if (fs.statSync(file).mtimeMs < now() - UNWRITTEN_LOCK_MS) fs.rmSync(file);
      return;
    }
    const pid = Number(lines[0]);
    if (pid <= 0 || !isRunning(pid) || isPostmaster(pid, directory)) return;
    let free = 4_194_303;
    while (isRunning(free)) free--;
    fs.writeFileSync(file, [String(free), ...lines.slice(1)].join("\n"));
  } catch {
    // It is gone, which is as good.
  }
}
