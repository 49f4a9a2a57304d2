import fs from "node:fs";
import path from "node:path";

type Owner = { uid: number; gid: number };

/** Makes a directory and its parents. One that root makes belongs to the owner of its parent directory. */
export function createDirectory(directory: string): void {
  const absolute = path.resolve(directory);
  const first = makeAll(absolute);
  if (first === undefined || process.getuid?.() !== 0) return;
  const { uid, gid } = fs.statSync(path.dirname(first));
  for (let made = absolute; made.startsWith(first); made = path.dirname(made)) {
    fs.chownSync(made, uid, gid);
  }
}

/** Makes a directory and its parents; returns the first that was missing. */
function makeAll(directory: string): string | undefined {
  try {
    return fs.mkdirSync(directory, { recursive: true });
  } catch (error) {
    // Node.js reports a read-only disk as a missing directory.
    let parent = path.dirname(directory);
    while (!fs.existsSync(parent)) parent = path.dirname(parent);
    fs.accessSync(parent, fs.constants.W_OK);
    throw error;
  }
}

/** Changes the owner of an open file; only root may do that for another account. Throws if that fails. */
export function changeOwner(descriptor: number, { uid, gid }: Owner): void {
  const found = fs.fstatSync(descriptor);
  if (found.uid !== uid || found.gid !== gid) fs.fchownSync(descriptor, uid, gid);
}
