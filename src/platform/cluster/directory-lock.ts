import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { errorCode } from "../error-code.ts";
import type { SystemAccount } from "./cluster-account.ts";
import { ClusterError } from "./cluster-error.ts";

/** A flag is a named pipe; until it is open it has another name, which does not match. */
const FLAG = /^liaison\.lock\.[0-9a-f]{12}$/;

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

/**
 * Locks a directory against every process of this kernel, in any namespace (docs/decisions/0018-one-postmaster.md). The
 * returned descriptor is the lock: it lasts until the last process that has or inherited it has ended. Null if another
 * process has the lock, or tries to get it at the same moment.
 * @param account the owner of the directory
 */
export function tryToLock(directory: string, account: SystemAccount): number | null {
  if (isLocked(directory)) return null;
  const flag = raiseFlag(directory, account);
  const others = flagsIn(directory).filter((other) => other !== flag.file);
  if (others.some(isOpen)) {
    fs.rmSync(flag.file, { force: true });
    fs.closeSync(flag.descriptor);
    return null;
  }
  // A flag that no process has open stays closed: a flag is never opened for reading a second time.
  for (const other of others) fs.rmSync(other, { force: true });
  return flag.descriptor;
}

export function isLocked(directory: string): boolean {
  return flagsIn(directory).some(isOpen);
}

function flagsIn(directory: string): string[] {
  const names = fs.readdirSync(directory).filter((name) => FLAG.test(name));
  return names.map((name) => path.join(directory, name));
}

/** Whether a file in a directory is left from a lock of the directory. */
export function isFlag(directory: string, name: string): boolean {
  return FLAG.test(name) && fs.lstatSync(path.join(directory, name)).isFIFO();
}

/** Makes a flag. The pipe is opened before it gets its name, so that a flag is never seen down before it was up. */
function raiseFlag(directory: string, account: SystemAccount): { file: string; descriptor: number } {
  const random = randomBytes(6).toString("hex");
  const file = path.join(directory, `liaison.lock.${random}`);
  const unraised = path.join(directory, `liaison.lock-unraised.${random}`);
  const made = spawnSync("mkfifo", ["-m", "600", unraised], { ...account, cwd: "/", encoding: "utf8" });
  if (made.error !== undefined) {
    throw new ClusterError(`${directory} cannot be locked without mkfifo, which is part of coreutils: install it.`);
  }
  if (made.status !== 0) {
    throw new ClusterError(`${directory} cannot be locked: ${made.stderr.trim().split("\n").at(-1)}.`);
  }
  const descriptor = fs.openSync(unraised, O_RDONLY | O_NONBLOCK);
  fs.renameSync(unraised, file);
  return { file, descriptor };
}

/** Whether any process has it open for reading; otherwise the kernel returns ENXIO. */
function isOpen(flag: string): boolean {
  try {
    fs.closeSync(fs.openSync(flag, O_WRONLY | O_NONBLOCK));
    return true;
  } catch (error) {
    // A process without permission to check must assume that it is open.
    return !["ENXIO", "ENOENT"].includes(errorCode(error));
  }
}
