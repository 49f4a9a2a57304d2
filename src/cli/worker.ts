import type { Command } from "commander";
import type { Config } from "../kit/config.ts";
import { openDeps } from "../kit/deps.ts";
import { JOBS_WAIT } from "../kit/jobs/job-queries.ts";
import type { Worker } from "../kit/jobs/run-jobs.ts";
import { watchForLoss, type LossWatch } from "../operation/backup/database-went-back.ts";
import { createLogger } from "../platform/logger.ts";
import type { Listener } from "../platform/postgres/notifications.ts";
import { startWorkers } from "../worker.ts";
import { followChanges } from "./processes/follow-changes.ts";
import { logStart } from "./processes/log-start.ts";
import { openWatch, type Watch } from "./processes/watch.ts";
import { remarkOnHeldCalls } from "./remark-on-held-calls.ts";
import { reportingFailure } from "./run-command.ts";
import { configOf, readsConfig } from "./settings.ts";
import { stopRequested } from "./stop-requested.ts";

/** `worker` (docs/operations.md 1): runs jobs until SIGTERM or SIGINT, and serves no requests. */
export function registerWorker(program: Command): void {
  const command = program
    .command("worker")
    .description("Run waiting jobs until SIGTERM or SIGINT. A server does so too, unless LIAISON_WORKER=off.");
  readsConfig(command).action(async () => await reportingFailure(async () => await work(configOf(command))));
}

async function work(config: Config): Promise<void> {
  const { stop } = stopRequested();
  const deps = await openDeps(config, createLogger(config.logLevel), { stop, print: console.error }).catch(
    (error: unknown) => {
      if (stop.aborted) return null;
      throw error;
    },
  );
  if (deps === null) return;
  let watch: Watch | null = null;
  let lossWatch: LossWatch | null = null;
  let listener: Listener | null = null;
  let worker: Worker | null = null;
  try {
    lossWatch = await watchForLoss(deps);
    watch = await openWatch(deps);
    listener = await followChanges(deps, { [JOBS_WAIT]: () => worker?.wake() });
    await remarkOnHeldCalls(deps);
    // The worker begins last: only the signal ends it.
    worker = startWorkers(deps, stop);
    console.log("Liaison's worker is ready. Ctrl+C stops it.");
    await logStart(deps);
    await worker.ended;
  } finally {
    await listener?.close();
    await watch?.close();
    await lossWatch?.close();
    await deps.close();
  }
}
