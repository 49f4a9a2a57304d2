import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { errorCode } from "../error-code.ts";
import type { SystemAccount } from "./cluster-account.ts";
import { isFlag, tryToLock } from "./directory-lock.ts";

/** `<name>.liaison-unfinished-<random>` contains an unfinished directory and the lock of the process that makes it. */
const UNFINISHED = /\.liaison-unfinished-[0-9a-f]{12}$/;
const CONTENT = "content";

/**
 * Makes a directory beside its target and moves it there once it is complete: an interrupted start leaves no partial
 * directory, and of two simultaneous ones the first wins.
 * @param make fills the directory, which does not exist yet; programs that it starts inherit the lock, so that the
 *   directory is not removed while they run
 */
export function makeWhole(
  target: string,
  account: SystemAccount,
  make: (directory: string, lock: number) => void,
): void {
  removeAbandoned(path.dirname(target));
  const unfinished = `${target}.liaison-unfinished-${randomBytes(6).toString("hex")}`;
  fs.mkdirSync(unfinished, { mode: 0o700 });
  if (account !== null) fs.chownSync(unfinished, account.uid, account.gid);
  const lock = lockNew(unfinished, account);
  const content = path.join(unfinished, CONTENT);
  try {
    make(content, lock);
    moveTo(target, content);
  } finally {
    fs.rmSync(unfinished, { recursive: true });
    fs.closeSync(lock);
  }
}

function lockNew(directory: string, account: SystemAccount): number {
  try {
    const lock = tryToLock(directory, account);
    if (lock !== null) return lock;
  } catch (error) {
    fs.rmSync(directory, { recursive: true });
    throw error;
  }
  throw new Error(`${directory} was locked by another process`);
}

export function isUnfinished(name: string): boolean {
  return UNFINISHED.test(name);
}

/** Moves the content to its target, replacing an empty directory; a non-empty one wins. */
function moveTo(target: string, content: string): void {
  try {
    fs.renameSync(content, target);
  } catch (error) {
    const wasSecond = ["ENOTEMPTY", "EEXIST"].includes(errorCode(error));
    if (!wasSecond) throw error;
  }
}

/** Removes the leftovers of killed starts: only directories with our name and our mark, without a lock. */
function removeAbandoned(parent: string): void {
  for (const name of fs.readdirSync(parent).filter(isUnfinished)) {
    const directory = path.join(parent, name);
    try {
      const found = fs.readdirSync(directory);
      const isMarked = found.some((entry) => isFlag(directory, entry));
      const isOurs = isMarked && found.every((entry) => entry === CONTENT || isFlag(directory, entry));
      const lock = isOurs ? tryToLock(directory, null) : null;
      if (lock === null) continue;
      fs.rmSync(directory, { recursive: true });
      fs.closeSync(lock);
    } catch {
      // No directory, not readable, or already removed: not ours to remove.
    }
  }
}
