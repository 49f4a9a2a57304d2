import { after } from "node:test";
import { startWorker } from "../src/kit/jobs/run-jobs.ts";
import { jobKinds } from "../src/worker.ts";
import type { TestServer } from "./harness.ts";

/** A worker of every kind of job in this process, until the file ends. It can be ended and begun again. */
export function runWorker({ deps }: Pick<TestServer, "deps">): { begin: () => void; end: () => Promise<void> } {
  let stop: AbortController;
  let worker: ReturnType<typeof startWorker>;
  const begin = () => {
    stop = new AbortController();
    worker = startWorker(deps, jobKinds, { stop: stop.signal, pollMs: 20 });
  };
  const end = async () => {
    stop.abort();
    await worker.ended;
  };
  begin();
  after(end);
  return { begin, end };
}
