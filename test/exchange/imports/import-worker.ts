import { jobKinds } from "../../../src/worker.ts";
import { runWorker } from "../../kit/jobs/run-worker.ts";

/** A worker as `liaison worker` is one, which says that it is to stop as soon as it knows it. */
await runWorker(jobKinds, { pollMs: 20 });
