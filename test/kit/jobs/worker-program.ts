import type { JobKind } from "../../../src/kit/jobs/job.ts";
import { KIND } from "./queue.ts";
import { runWorker } from "./run-worker.ts";

/**
 * A worker as `liaison worker` is one, with a kind of job that tests can follow: it notes in `attempts` that it begins,
 * and that it ends together with the job's end. LEASE_MS: of its jobs. HOLD=on: it holds every job until SIGUSR2.
 */
const LEASE_MS = Number(process.env.LEASE_MS);
/** Too long for a test: only notifications wake it. */
const POLL_MS = 600_000;

const began = { name: "began", text: "insert into attempts values ($1, $2, $3, $4, $5, 'began')" };
const ended = { name: "ended", text: "insert into attempts values ($1, $2, $3, $4, $5, 'ended')" };
const released = new Promise<void>((resolve) => process.once("SIGUSR2", resolve));

const countSheep: JobKind = {
  limit: () => 4,
  async run({ database }, job) {
    const parameters = [job.subject, job.attempt, job.hasDied, process.pid];
    await database.write(job.tenant, [{ statement: began, parameters }]);
    if (process.env.HOLD === "on") await released;
    const end = job.finish({ outcome: "done", answered: true });
    await database.write(job.tenant, [{ statement: ended, parameters }, end]);
    return "finished";
  },
};

await runWorker({ [KIND]: countSheep }, { leaseMs: LEASE_MS, pollMs: POLL_MS });
