import { followChanges } from "../../../src/cli/processes/follow-changes.ts";
import { stopRequested } from "../../../src/cli/stop-requested.ts";
import { readConfig } from "../../../src/kit/config.ts";
import { openDeps } from "../../../src/kit/deps.ts";
import { JOBS_WAIT } from "../../../src/kit/jobs/job-queries.ts";
import type { Kinds } from "../../../src/kit/jobs/job.ts";
import { startWorker, type WorkerOptions } from "../../../src/kit/jobs/run-jobs.ts";
import { createLogger } from "../../../src/platform/logger.ts";

/** What `liaison worker` does, with kinds and leases of a test's own. Says when it is ready, and when it is to stop. */
export async function runWorker(kinds: Kinds, options: Omit<WorkerOptions, "stop">): Promise<void> {
  const { stop } = stopRequested();
  stop.addEventListener("abort", () => console.log("stopping"));
  const config = readConfig(process.env);
  const deps = await openDeps(config, createLogger(config.logLevel), { stop });
  const worker = startWorker(deps, kinds, { stop, ...options });
  const listener = await followChanges(deps, { [JOBS_WAIT]: () => worker.wake() });
  console.log("ready");
  await worker.ended;
  await listener.close();
  await deps.close();
}
