import cluster, { type Worker } from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../../kit/config.ts";
import { now } from "../../platform/clock.ts";
import type { RateLimiters } from "../../platform/http/rates/rate-limit.ts";
import { RateTotals } from "../../platform/http/rates/rate-totals.ts";
import { createLogger, type Logger } from "../../platform/logger.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { StopRequest } from "../stop-requested.ts";
import { onHangUp } from "./hang-up.ts";
import { gatherMetrics } from "./metrics-exchange.ts";
import { openMetricsPort } from "./metrics-port.ts";
import { openParentsPort, type ParentsPort } from "./parents-port.ts";
import type { Place, ToParent, ToProcess } from "./process-messages.ts";

/** The pause before an ended process is replaced, doubled for each one that ended soon. */
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
const LASTED_MS = 30_000;

/**
 * Keeps this number of processes serving on one port, without access to the database
 * (docs/decisions/0026-processes.md). Returns after the signal to stop, once all of them have ended.
 * @param announce is called once, when all of them serve
 */
export async function supervise(
  processes: number,
  config: Config,
  { stop, hurry }: StopRequest,
  announce: (place: Place) => void,
): Promise<void> {
  const shared = await openParentsPort(config);
  const metrics = await openMetricsPort(config, gatherMetrics()).catch((error: unknown) => {
    shared.close();
    throw error;
  });
  exchangeCounts();
  const signal = (name: NodeJS.Signals) => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(name);
  };
  const close = () => {
    shared.close();
    void metrics?.close();
  };
  stop.addEventListener("abort", () => {
    // The processes end their drain themselves, after the port is closed: no connection goes to one that has ended.
    const drained = pause(1_000 * config.drainSeconds, undefined, { signal: hurry, ref: false });
    drained.then(close, close);
    signal("SIGTERM");
  });
  hurry.addEventListener("abort", () => signal("SIGINT"));
  let accessLog = config.accessLog;
  onHangUp(() => {
    accessLog = !accessLog;
    const message: ToProcess = { accessLog };
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send(message, () => {});
  });
  const start = (): Started => startProcess(shared, accessLog);
  const first = start();
  // The others would wait for the migrations of the first, and an obstacle to its start would stop them all.
  const place = await Promise.race([first.serves, first.ended.then(() => null)]);
  if (place === null) {
    shared.close();
    await metrics?.close();
    return failLike(await first.ended, stop);
  }
  // After the signal to stop, nobody would end a further one.
  const all = stop.aborted ? [first] : [first, ...Array.from({ length: processes - 1 }, start)];
  const serving = new Set<Started>();
  const message: ToProcess = { allServe: true };
  const options = { start, stop, logger: createLogger(config.logLevel) };
  await Promise.all(
    all.map(async (started) => {
      await keepServing(started, options, ({ worker }) => {
        // A successor is ready at once: the others have answered all the time.
        if (serving.size === processes) return void worker.send(message, () => {});
        serving.add(started);
        if (serving.size < processes) return;
        for (const each of Object.values(cluster.workers ?? {})) each?.send(message, () => {});
        announce(place);
      });
    }),
  );
}

type End = { code: number | null; signal: NodeJS.Signals | null };
type Started = { worker: Worker; at: number; serves: Promise<Place>; ended: Promise<End> };

function startProcess(shared: ParentsPort, accessLog: boolean): Started {
  const at = now();
  const worker = cluster.fork({ PORT: String(shared.port), LIAISON_ACCESS_LOG: accessLog ? "on" : "off" });
  const serves = new Promise<Place>((resolve) => {
    worker.on("message", (message: ToParent) => {
      if (!("serves" in message)) return;
      shared.admit(worker.process);
      resolve(message.serves);
    });
  });
  const ended = new Promise<End>((resolve) => {
    worker.once("exit", (code: number | null, signal: NodeJS.Signals | null) => resolve({ code, signal }));
    worker.on("error", () => {
      // A process that cannot be started never exits. Any other error concerns a message to an ending process.
      if (worker.process.pid === undefined) resolve({ code: 1, signal: null });
    });
  });
  return { worker, at, serves, ended };
}

/** Replaces a process whenever it ends, until the signal to stop. */
async function keepServing(
  started: Started,
  { start, stop, logger }: { start: () => Started; stop: AbortSignal; logger: Logger },
  serves: (current: Started) => void,
): Promise<void> {
  let pauseMs = SHORTEST_PAUSE_MS / 2;
  for (let current = started; ; current = start()) {
    void current.serves.then(() => serves(current));
    const end = await current.ended;
    if (!stop.aborted) {
      pauseMs = now() - current.at > LASTED_MS ? SHORTEST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      logger.error(
        { ended: current.worker.process.pid, ...end, pauseMs },
        "a server process ended; another one takes its place",
      );
      await pause(pauseMs, undefined, { signal: stop }).catch(() => {});
    } else if (end.code !== null && end.code !== 0) process.exitCode = end.code;
    if (stop.aborted) return;
  }
}

/** For the first process, if it ended before it served: it has printed the reason itself, unless a signal ended it. */
function failLike({ code, signal }: End, stop: AbortSignal): void {
  if (code !== null) process.exitCode = code;
  else if (!stop.aborted) throw new Refusal(`The first server process was ended by ${signal} before it served.`);
}

/** In the parent: adds up the counts of its processes, and sends the totals to all of them. */
function exchangeCounts(): void {
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
