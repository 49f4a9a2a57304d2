import { argon2Sync, type Argon2Parameters } from "node:crypto";
import os from "node:os";
import { parentPort } from "node:worker_threads";

// A thread of its own that computes hashes of passwords, one after the other (password-hash.ts).

/** A nice value: if processor time is short, a tenth of that of the thread that answers requests. */
const NICENESS = 10;

// On other systems the priority belongs to the process, not to the thread.
if (process.platform === "linux") os.setPriority(Math.max(os.getPriority(), NICENESS));

parentPort?.on("message", (parameters: Argon2Parameters) => {
  parentPort?.postMessage(argon2Sync("argon2id", parameters));
});
