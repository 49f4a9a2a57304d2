import { randomUUID } from "node:crypto";
import { sleep, steady } from "../../platform/clock.ts";
import { createBell } from "../../platform/sharing/bell.ts";
import { backgroundCaller } from "../../platform/sharing/caller.ts";
import type { Deps } from "../deps.ts";
import { attemptJob } from "./attempt-job.ts";
import { claimJobs, finishing, holding, type Claimed } from "./job-queries.ts";
import type { Kinds } from "./job.ts";

/** A worker in this process. */
export type Worker = {
  /** Claims now, instead of at the next poll. */
  wake(): void;
  /** Resolves once the worker has stopped, and its jobs have ended or were given up. */
  ended: Promise<void>;
};

export type WorkerOptions = {
  /**
   * Ends the claiming. Running jobs return to the queue, or have ten seconds to end. Other workers continue the rest
   * once its leases are over.
   */
  stop: AbortSignal;
  /** The most jobs at once; a tenant has half of them at most. */
  slots?: number;
  /** The time after which another worker may claim a job whose worker renews no lease. */
  leaseMs?: number;
  /** The longest pause between two claims. Notifications may be lost, and a cluster has none. */
  pollMs?: number;
};

const GRACE_MS = 10_000;
/** The pause between two claims of a busy worker. Jobs that end in it make the next claim larger. */
const PAUSE_MS = 5;
const WATCH_MS = 1_000;

/** Claims jobs of these kinds and runs them, until it is stopped. */
export function startWorker(
  deps: Deps,
  kinds: Kinds,
  { stop, slots = 100, leaseMs = 30_000, pollMs = 2_000 }: WorkerOptions,
): Worker {
  const worker = randomUUID();
  const limits = limitsOf(deps, kinds, true);
  const limitsWhileHeld = limitsOf(deps, kinds, false);
  const running = new Map<string, Promise<void>>();
  const leases = createLeases(leaseMs);
  const giveUp = new AbortController();
  const bell = createBell();
  let renewedAt = steady();
  let isAway = false;

  async function work(): Promise<void> {
    while (!stop.aborted) {
      if ((await claim()) > 0) await sleep(PAUSE_MS);
      else await bell.wait(Math.min(pollMs, leaseMs / 3));
    }
    await Promise.all(running.values());
  }

  /** The number of jobs that were begun. */
  async function claim(): Promise<number> {
    const wanted = slots - running.size;
    const isRenewing = steady() - renewedAt >= leaseMs / 3;
    if (wanted === 0 && !isRenewing) return 0;
    const claimedAt = steady();
    const kept = isRenewing ? [...running.keys()] : [];
    const wish = { worker, wanted, wantedEach: Math.ceil(slots / 2), leaseMs, kept };
    try {
      const areHeld = await deps.areCallsHeld();
      const jobs = await claimJobs(deps.database.forCaller(backgroundCaller("jobs")), {
        ...wish,
        limits: areHeld ? limitsWhileHeld : limits,
      });
      if (isRenewing) renewedAt = claimedAt;
      isAway = false;
      leases.extend([...kept.filter((id) => running.has(id)), ...jobs.map(({ id }) => id)], claimedAt);
      for (const job of jobs) running.set(job.id, run(job));
      return jobs.length;
    } catch (error) {
      // Logged once, and not at every poll.
      if (!isAway) deps.logger.warn({ err: error }, "no jobs can be claimed; the worker goes on trying");
      isAway = true;
      return 0;
    }
  }

  async function run(claimed: Claimed): Promise<void> {
    const { id } = claimed;
    const lost = leases.watch(id);
    const signal = AbortSignal.any([giveUp.signal, lost.signal]);
    const toStop = AbortSignal.any([stop, lost.signal]);
    const [hold, finish] = [holding.bind(null, claimed), finishing.bind(null, claimed)];
    const job = { ...claimed, signal, stop: toStop, leasedUntil: () => leases.until(id), hold, finish };
    const againMs = await attemptJob(deps, kinds, job);
    if (leases.end(id, lost)) running.delete(id);
    bell.ring();
    // A poll finds later ones.
    if (againMs !== null && againMs < pollMs) setTimeout(() => bell.ring(), againMs).unref();
  }

  const givenUp = new Promise<void>((resolve) => {
    giveUp.signal.addEventListener("abort", () => resolve());
    stop.addEventListener("abort", () => {
      bell.ring();
      setTimeout(() => giveUp.abort(), GRACE_MS).unref();
    });
  });
  const ended = Promise.race([work(), givenUp]).finally(() => leases.close());
  return { wake: () => bell.ring(), ended };
}

/** The most jobs of each kind at once. @param mayCall whether those that call other systems may run, too */
function limitsOf({ config }: Deps, kinds: Kinds, mayCall: boolean): Record<string, number> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([name, kind]) =>
      mayCall || kind.calls !== true ? [[name, kind.limit(config)]] : [],
    ),
  );
}

/** The leases of a worker's jobs. A worker that cannot renew them gives its jobs up before another can claim them. */
function createLeases(leaseMs: number) {
  const endings = new Map<string, number>();
  const losses = new Map<string, AbortController>();
  const watch = setInterval(() => {
    for (const [id, until] of endings) if (steady() >= until) losses.get(id)?.abort();
  }, WATCH_MS);
  return {
    /** The leases began later than `claimedAt`, so they end here before another worker can claim the jobs. */
    extend(ids: readonly string[], claimedAt: number): void {
      for (const id of ids) endings.set(id, claimedAt + leaseMs);
    },
    /** Aborted when the job's lease is lost, at the latest when this worker has claimed the job once more. */
    watch(id: string): AbortController {
      losses.get(id)?.abort();
      const lost = new AbortController();
      losses.set(id, lost);
      return lost;
    },
    until: (id: string): number => endings.get(id) ?? 0,
    /** False if the lease is that of a later attempt. */
    end(id: string, lost: AbortController): boolean {
      if (losses.get(id) !== lost) return false;
      endings.delete(id);
      return losses.delete(id);
    },
    close: (): void => clearInterval(watch),
  };
}
