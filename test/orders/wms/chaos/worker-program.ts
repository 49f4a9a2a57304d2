import { jobKinds } from "../../../../src/worker.ts";
import { runWorker } from "../../../kit/jobs/run-worker.ts";

/** `liaison worker`, whose jobs go to somebody else after LEASE_MS. */
await runWorker(jobKinds, { leaseMs: Number(process.env.LEASE_MS) });
