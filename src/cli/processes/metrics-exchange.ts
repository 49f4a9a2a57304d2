import cluster, { type Worker } from "node:cluster";
import { DATABASE_PATIENCE_MS, type Metrics } from "../../doors/metrics.ts";
import { addUp, type Metric } from "../../platform/metrics/metric.ts";
import { processMetrics } from "../../platform/metrics/process-metrics.ts";
import type { ToParent, ToProcess } from "./process-messages.ts";

/** If a process does not answer in this time, its last known metrics are used; one waits for the database first. */
const PATIENCE_MS = { own: 2_000, all: DATABASE_PATIENCE_MS + 1_000 };

/** In a process with a parent: sends its metrics whenever the parent requests them. */
export function sendMetrics(metrics: Metrics): void {
  process.on("message", (message: ToProcess) => {
    if (!("measures" in message)) return;
    void send(metrics, message.measures);
  });
}

async function send(metrics: Metrics, measures: "own" | "all"): Promise<void> {
  const ofAll = measures === "all" ? await metrics.ofInstallation() : [];
  const answer: ToParent = { measured: { own: metrics.ofProcess(), ofAll } };
  process.send?.(answer, () => {});
}

/** In the parent: the metrics of all its processes and of itself, as those of one. */
export function gatherMetrics(): () => Promise<Metric[]> {
  const latest = new Map<number, Metric[]>();
  /** The counts of ended processes: without them, a sum would look like a restart. */
  let ended: Metric[] = [];
  cluster.on("exit", ({ id }: Worker) => {
    ended = addUp([ended, (latest.get(id) ?? []).filter(({ type }) => type !== "gauge")]);
    latest.delete(id);
  });

  return async () => {
    // Only one process queries the database.
    const [first, ...others] = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const asked = [...(first === undefined ? [] : [ask(first, "all")]), ...others.map((worker) => ask(worker, "own"))];
    const answers = await Promise.all(asked);
    for (const { id, measured } of answers) if (measured !== null) latest.set(id, measured.own);
    const ofAll = answers.flatMap(({ measured }) => measured?.ofAll ?? []);
    const parent = processMetrics().filter(({ name }) => name !== "liaison_processes");
    return [...addUp([ended, parent, ...latest.values()]), ...ofAll];
  };
}

type Measured = { own: Metric[]; ofAll: Metric[] };

async function ask(worker: Worker, measures: "own" | "all"): Promise<{ id: number; measured: Measured | null }> {
  const measured = await new Promise<Measured | null>((resolve) => {
    const end = (answer: Measured | null): void => {
      clearTimeout(timer);
      worker.off("message", hear);
      worker.off("exit", leave);
      resolve(answer);
    };
    const hear = (message: ToParent): void => {
      if ("measured" in message) end(message.measured);
    };
    const leave = (): void => end(null);
    const timer = setTimeout(leave, PATIENCE_MS[measures]);
    worker.on("message", hear).on("exit", leave);
    const question: ToProcess = { measures };
    worker.send(question, () => {});
  });
  return { id: worker.id, measured };
}
