import { fork } from "node:child_process";
import { once } from "node:events";
import type { LoadJob, LoadResult } from "./load-job.ts";
import { endWithUs, stopProcess } from "./processes.ts";

/** A process of the benchmark's own that takes one job at a time. */
export type Worker<Job, Result> = { pid: number; run(job: Job): Promise<Result>; stop(): Promise<void> };

/** What takes LoadJobs: the load generator, or the limit. */
export type Generator = Worker<LoadJob, LoadResult>;

/** @param file absolute; it answers each message, a job, by one message, the result */
export function startWorker<Job, Result>(file: string, parameters: string[] = []): Worker<Job, Result> {
  const child = fork(file, parameters, { serialization: "advanced", detached: true });
  endWithUs(child);
  return {
    pid: child.pid ?? 0,
    async run(job) {
      child.send(job as object);
      const ended = new AbortController();
      const end = () => ended.abort(new Error(`${file} ended`));
      child.once("exit", end);
      const [result] = (await once(child, "message", { signal: ended.signal })) as [Result];
      child.off("exit", end);
      return result;
    },
    stop: async () => await stopProcess(child),
  };
}

export function startGenerator(): Generator {
  return startWorker(`${import.meta.dirname}/load-generator.ts`);
}
