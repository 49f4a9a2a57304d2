import cluster, { type Worker } from "node:cluster";
import type { RateLimiters } from "../../platform/http/rates/rate-limit.ts";
import { RateTotals } from "../../platform/http/rates/rate-totals.ts";
import type { ToParent, ToProcess } from "./process-messages.ts";

/** In the parent: adds up the counts of its processes, and sends the totals to all of them. */
export function exchangeCounts(): void {
  const totals = { keys: totalsOf("keys"), failures: totalsOf("failures") };
  cluster.on("message", (_worker: Worker, message: ToParent) => {
    if ("counted" in message) totals[message.counted.limiter].add(message.counted.counts);
  });
}

function totalsOf(limiter: keyof RateLimiters): RateTotals {
  return new RateTotals((totals) => {
    const message: ToProcess = { limiter, totals };
    // A process that is ending, or does not read its messages, misses these totals and gets the next.
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(message, () => {});
  });
}
