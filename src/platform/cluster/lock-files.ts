import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { now } from "../clock.ts";
import { errorCode } from "../error-code.ts";

/** PostgreSQL writes its number into a lock file in the instant that it creates it. */
const UNWRITTEN_LOCK_MS = 2_000;

/**
 * Whether a server that we did not start runs in this directory: we hold no lock for it. Servers that we started, or
 * that run in another container, are detected by the lock (docs/decisions/0018-one-postmaster.md).
 */
export function hasServer(directory: string): boolean {
  const pid = numberIn(path.join(directory, "postmaster.pid"));
  return pid !== null && isPostmaster(pid, directory);
}

/**
 * PostgreSQL does not start if a crash left a lock file and another process now has the number in it. That number is
 * replaced by one that no process has. The rest stays: PostgreSQL uses it to check that no orphaned backend still
 * writes to the files. A file without a number (the power failed between its creation and its content) is removed: its
 * server never had a backend. The caller must have the directory's lock.
 */
export function disownLockFiles(directory: string, socketFile: string): void {
  for (const file of [path.join(directory, "postmaster.pid"), `${socketFile}.lock`]) disown(file);
}

function disown(file: string): void {
  try {
    const pid = numberIn(file);
    if (pid === null) {
      if (fs.statSync(file).mtimeMs < now() - UNWRITTEN_LOCK_MS) fs.rmSync(file);
      return;
    }
    if (pid <= 0 || !isRunning(pid)) return;
    let free = 4_194_303;
    while (isRunning(free)) free--;
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(/^\d+/, String(free)));
  } catch {
    // It is gone, which is as good.
  }
}

/** The number in the file; null without a number or a file. */
function numberIn(lockFile: string): number | null {
  try {
    const [first = ""] = fs.readFileSync(lockFile, "utf8").split("\n");
    return /^-?[1-9]\d*$/.test(first) ? Number(first) : null;
  } catch {
    return null;
  }
}

/** Whether the process is the server of this cluster, and not another process with the same number. */
function isPostmaster(pid: number, directory: string): boolean {
  if (process.platform === "linux") {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`\0-D\0${directory}\0`);
    } catch {
      return false;
    }
  }
  const { stdout } = spawnSync("ps", ["-ww", "-p", String(pid), "-o", "command="], { encoding: "utf8" });
  return stdout?.includes(`-D ${directory} `) ?? false;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
