import type { Worker } from "node:cluster";
import type { SendHandle } from "node:child_process";

/** A connection as node's cluster hands it over; closing it twice does nothing. */
type Handed = { close(): void };

/**
 * Closes the connection that was on its way to a process when it died. node forgets it open, and its client would wait for
 * an answer for ever. There is one at most: node hands over the next when a process has taken the one before.
 */
export function closeUntaken(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as (message: unknown, handle?: SendHandle, ...rest: unknown[]) => boolean;
  let last: Handed | null = null;
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (isHanded(handle)) last = handle;
    return send(message, handle as SendHandle, ...rest);
  };
  worker.once("exit", () => last?.close());
}

function isHanded(handle: unknown): handle is Handed {
  return typeof handle === "object" && handle !== null && "close" in handle;
}
