import type { Argon2Parameters } from "node:crypto";
import { Worker } from "node:worker_threads";

type Computing = { resolve: (tag: Buffer) => void; reject: (error: Error) => void };

let worker: Worker | null = null;
/** In the order of the requests, which is that of the answers. */
const computing: Computing[] = [];

/**
 * The argon2id tag of a message, computed on a separate thread with lower priority than requests: each takes a fifth of
 * a second of a processor and 64 MiB (docs/decisions/0038-passwords-beside-requests.md).
 */
export async function argon2id(parameters: Argon2Parameters): Promise<Buffer> {
  const thread = (worker ??= startWorker());
  // The process stays alive while a caller waits for a tag, but not for an idle thread.
  thread.ref();
  return await new Promise((resolve, reject) => {
    computing.push({ resolve, reject });
    thread.postMessage(parameters);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL("argon2-worker.ts", import.meta.url));
  started.on("message", (tag: Uint8Array) => {
    computing.shift()?.resolve(Buffer.from(tag));
    if (computing.length === 0) started.unref();
  });
  started.on("error", (cause) => {
    worker = null;
    for (const { reject } of computing.splice(0)) reject(new Error("a password's hash was not computed", { cause }));
  });
  return started;
}
