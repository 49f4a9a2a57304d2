import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { getSystemErrorMessage } from "node:util";
import { errorCode } from "../error-code.ts";
import { createDirectory } from "../ownership.ts";
import { accountForPostgres, type SystemAccount } from "./cluster-account.ts";
import { binariesIn, canReach, makeRootHome, packagedBinaries, packagedMajor, ROOT_HOME } from "./cluster-binaries.ts";
import { ClusterError } from "./cluster-error.ts";
import { isUnfinished, makeWhole } from "./unfinished.ts";

/** The places of the embedded PostgreSQL's program and data, and the account that may use them. */
export type ClusterFiles = {
  initdb: string;
  postgres: string;
  /** PostgreSQL's own data directory; absolute, without symbolic links. */
  directory: string;
  account: SystemAccount;
  /** One line for the operator if a new cluster was made although another one may have been meant. */
  remark: string | null;
};

/** The superuser of the cluster. */
export const CLUSTER_USER = "liaison";

/**
 * Finds the cluster's files in a data directory, and sets up a cluster if there is none. If something else is in its
 * place, throws ClusterError and changes nothing.
 * @param programs the folder of the operator's own PostgreSQL; null: the packaged one
 */
export function prepareClusterFiles(dataDir: string, programs: string | null = null): ClusterFiles {
  createDataDirectory(dataDir);
  const parent = fs.realpathSync(dataDir);
  const place = path.join(parent, "postgres");
  const exists = isCluster(place);
  const account = accountForPostgres(parent, place);
  const major = programs === null ? packagedMajor() : binariesIn(programs).major;
  if (exists) checkVersion(place, major);
  const { initdb, postgres } = programs === null ? packagedBinaries(parent, account) : binariesIn(programs);
  const remark = exists ? null : remarkOn(place);
  if (!exists) create(place, { initdb, major }, account);
  return { initdb, postgres, directory: reachable(place, account), account, remark };
}

function createDataDirectory(dataDir: string): void {
  try {
    createDirectory(dataDir);
    if (!fs.existsSync(path.join(dataDir, "postgres"))) fs.accessSync(dataDir, fs.constants.W_OK);
  } catch (error) {
    const reason = getSystemErrorMessage((error as NodeJS.ErrnoException).errno ?? 0);
    throw new ClusterError(
      `LIAISON_DATA_DIR ${dataDir} is not usable: ${reason}. Name a directory that this user can write.`,
    );
  }
}

/**
 * False if a cluster can be made there: nothing exists, or an empty directory. Throws ClusterError for anything else.
 */
export function isCluster(place: string): boolean {
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const target = fs.statSync(place, { throwIfNoEntry: false });
  if (target === undefined) {
    throw new ClusterError(
      `${place} is a link to ${fs.readlinkSync(place)}, where nothing is: bring the database back there, or remove the link for a new one.`,
    );
  }
  if (!target.isDirectory()) {
    throw new ClusterError(
      `${place} is not a directory: bring the database back there, or move it away for a new one.`,
    );
  }
  // Another user's directory may be closed to us; accountForPostgres refuses it.
  if (target.uid !== process.getuid?.() && process.getuid?.() !== 0) return true;
  const names = fs.readdirSync(place);
  if (names.length > 0 && !names.includes("PG_VERSION")) {
    throw new ClusterError(
      `${place} is not empty and has no PG_VERSION, so it is no database or a part of one: restore it from a backup, or move it away for a new one.`,
    );
  }
  return names.length > 0;
}

function checkVersion(place: string, ours: string): void {
  const found = fs.readFileSync(path.join(place, "PG_VERSION"), "utf8").trim();
  if (found === ours) return;
  throw new ClusterError(
    `${place} is a database of PostgreSQL ${found}, and this release brings ${ours}: start the release that made it, back it up there (liaison backup), and restore that with this one into a new data directory (docs/operations.md 7.3); or move it away for a new one.`,
  );
}

/** Explains an empty database to an operator who moved it away, or restored it under another name. */
function remarkOn(place: string): string | null {
  const beside = fs
    .readdirSync(path.dirname(place))
    .filter((name) => name.includes("postgres") && name !== "postgres" && !isUnfinished(name));
  if (beside.length === 0) return null;
  return `A new, empty database was made in ${place}; what lies beside it was left alone: ${beside.join(", ")}.`;
}

type Initdb = { initdb: string; major: string };

/**
 * Makes the cluster at its path. If the account cannot reach that (root's home is 0700), makes it under
 * /var/lib/liaison, with a link at its path.
 */
function create(place: string, initdb: Initdb, account: SystemAccount): void {
  const isInUse = fs.existsSync(place);
  if (isInUse || canReach(path.dirname(place), account)) {
    initialize(isInUse ? reachable(place, account) : place, initdb, account);
    return;
  }
  makeRootHome();
  const elsewhere = path.join(ROOT_HOME, `data-${randomBytes(6).toString("hex")}`);
  initialize(elsewhere, initdb, account);
  try {
    fs.symlinkSync(elsewhere, place);
  } catch (error) {
    // Another process was first.
    fs.rmSync(elsewhere, { recursive: true });
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

function reachable(place: string, account: SystemAccount): string {
  const directory = fs.realpathSync(place);
  if (canReach(directory, account)) return directory;
  throw new ClusterError(
    `${directory} is out of reach for PostgreSQL, which does not run as root: chmod a+x the directories above, or move the data directory and set LIAISON_DATA_DIR.`,
  );
}

function initialize(directory: string, { initdb, major }: Initdb, account: SystemAccount): void {
  // PostgreSQL has its own locales from version 17 on.
  const locale =
    Number(major) < 17 ? ["--locale=C.UTF-8"] : ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const options = ["--encoding=UTF8", ...locale];
  makeWhole(directory, account, (unfinished, lock) => {
    const run = spawnSync(
      initdb,
      ["-D", unfinished, `--username=${CLUSTER_USER}`, "--auth=trust", "--no-instructions", ...options],
      {
        ...account,
        cwd: "/",
        env: postgresEnvironment(),
        encoding: "utf8",
        stdio: ["ignore", "ignore", "pipe", lock],
      },
    );
    if (run.status === 0) return;
    const reason = run.error?.message ?? run.stderr.trim().split("\n").at(-1);
    throw new ClusterError(`The embedded PostgreSQL could not be set up in ${directory}: ${reason}`);
  });
}

/** An environment without ours: PGDATA, PGOPTIONS and the locale of our own user are not the cluster's. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}
