import type { Deps } from "../kit/deps.ts";
import { attemptTallies } from "../kit/jobs/attempt-tallies.ts";
import { readQueue } from "../kit/jobs/job-queries.ts";
import { mailTallies } from "../kit/mail/mail-tallies.ts";
import { latestBackupAge } from "../people/operators/installation-notes.ts";
import { within } from "../platform/clock.ts";
import { diskOf } from "../platform/disk.ts";
import type { RateLimiters } from "../platform/http/rates/rate-limit.ts";
import { metric, type Metric, type Sample } from "../platform/metrics/metric.ts";
import { processMetrics, watchEventLoop } from "../platform/metrics/process-metrics.ts";
import { callTallies, deliveryTallies } from "../platform/outbound/call-tallies.ts";
import { readBackupAge } from "../platform/postgres/last-backup.ts";
import { freeConnectionsStatement } from "../platform/postgres/ready.ts";
import { statementTallies } from "../platform/postgres/statement-tallies.ts";
import type { Places } from "../platform/sharing/places.ts";
import type { Sharing } from "../platform/sharing/sharing.ts";
import { versionOf } from "../platform/version.ts";
import type { Observer } from "./observing.ts";
import { createRequestMetrics } from "./request-metrics.ts";

/** The longest time for which a scrape, which usually may take ten seconds, waits for the database. */
export const DATABASE_PATIENCE_MS = 3_000;

const { version, commit } = versionOf();
const CALLS_HELD =
  "Whether calls to others are held, since a restore, a loss or `liaison hold`, until `liaison resume`.";
const BACKUP_AGE = "Seconds since the last backup; without one, since the database was made.";
const CONNECTIONS_FREE = "Connections that the database has free for roles that are no superusers.";

const buildInfo: Metric = {
  ...metric("liaison_build_info", "The version that runs, and its commit.", "gauge", [
    { labels: { version, commit: commit ?? "" }, value: 1 },
  ]),
  together: "max",
};

/** All measurements (docs/operations.md 13). */
export type Metrics = {
  observe: Observer;
  /** Of this process. */
  ofProcess(): Metric[];
  /**
   * Metrics of the database, which all processes share. Never fails: if the database is unavailable, a metric says so.
   */
  ofInstallation(): Promise<Metric[]>;
  stop(): void;
};

/** @param limiters of a process that serves */
export function createMetrics(
  { config, database, logger, sharing, areCallsHeld }: Deps,
  limiters?: RateLimiters,
): Metrics {
  const requests = createRequestMetrics();
  const eventLoop = watchEventLoop();
  let isAway = false;
  let reading: ReturnType<typeof read> | null = null;

  async function read() {
    const queue = await readQueue(database);
    const held = await areCallsHeld();
    const { seconds } = await readBackupAge(database);
    const free = Number((await database.unattended.readShared(freeConnectionsStatement))[0]?.[0]);
    return { queue, held, seconds, free };
  }

  /** One reading at a time, however long the previous one takes. */
  async function readOnce(): ReturnType<typeof read> {
    reading ??= read().finally(() => (reading = null));
    return await within(DATABASE_PATIENCE_MS, reading, () => new Error(`no answer within ${DATABASE_PATIENCE_MS} ms`));
  }

  return {
    observe: requests.observe,
    ofProcess: () => [
      ...requests.metrics(),
      ...(limiters === undefined ? [] : [limited(limiters)]),
      ...sharingMetrics(sharing),
      ...[statementTallies, attemptTallies, deliveryTallies, callTallies, mailTallies].flatMap((tallies) =>
        tallies.metrics(),
      ),
      ...eventLoop.metrics(),
      ...processMetrics(),
      buildInfo,
    ],
    async ofInstallation() {
      try {
        const { queue, held, seconds, free } = await readOnce();
        isAway = false;
        return [
          databaseUp(1),
          ...queueMetrics(queue),
          metric("liaison_calls_held", CALLS_HELD, "gauge", held ? 1 : 0),
          metric("liaison_backup_age_seconds", BACKUP_AGE, "gauge", seconds),
          ...backupLimit(latestBackupAge(config.backups)),
          metric("liaison_database_connections_free", CONNECTIONS_FREE, "gauge", free),
          ...diskMetrics(config.dataDir),
        ];
      } catch (error) {
        // Logged once, because every scrape would repeat it.
        if (!isAway) logger.warn({ err: error }, "the queue could not be read for metrics");
        isAway = true;
        return [databaseUp(0), ...diskMetrics(config.dataDir)];
      }
    },
    stop: () => eventLoop.stop(),
  };
}

function limited({ keys, failures }: RateLimiters): Metric {
  return {
    name: "liaison_requests_limited_total",
    help: "Requests refused with 429: beyond the rate of a key or a session, or too many failed authentications of an address.",
    type: "counter",
    samples: [
      { labels: { limit: "rate" }, value: keys.refused },
      { labels: { limit: "failures" }, value: failures.refused },
    ],
  };
}

/** docs/sharing.md describes each kind of place. */
function sharingMetrics({ places, time }: Sharing): Metric[] {
  const all = Object.entries(places);
  const each = (name: string, type: Metric["type"], help: string, value: (place: Places) => number): Metric => {
    const samples = all.map(([places, place]) => ({ labels: { places }, value: value(place) }));
    // Some have no bound.
    return metric(
      name,
      help,
      type,
      samples.filter((sample) => Number.isFinite(sample.value)),
    );
  };
  const bounded = "Places that there are, where their number has a bound; of memory they are bytes.";
  const refused = "Callers that got no place in time, or were too many, and were answered 503.";
  return [
    each("liaison_places", "gauge", bounded, ({ size }) => size),
    each("liaison_places_taken", "gauge", "Places that are taken.", ({ inUse }) => inUse),
    each("liaison_places_waiting", "gauge", "Callers that wait for a place.", ({ waiting }) => waiting),
    each("liaison_place_waits_total", "counter", "Callers that had to wait for a place.", ({ waited }) => waited.times),
    each("liaison_place_wait_seconds_total", "counter", "Seconds that they waited.", ({ waited }) => waited.ms / 1_000),
    each("liaison_places_refused_total", "counter", refused, ({ waited }) => waited.refused),
    metric("liaison_turn_waits_total", "Turns at the event loop that were waited for.", "counter", time.waited.times),
    metric("liaison_turn_wait_seconds_total", "Seconds that they were waited for.", "counter", time.waited.ms / 1_000),
  ];
}

/** None if other tools make the backups: no age is too high then. */
function backupLimit(seconds: number): Metric[] {
  if (seconds === Infinity) return [];
  return [metric("liaison_backup_age_limit_seconds", "The age from which the last backup is late.", "gauge", seconds)];
}

/** None without a data directory. */
function diskMetrics(dataDir: string): Metric[] {
  const disk = diskOf(dataDir);
  if (disk === null) return [];
  return [
    metric("liaison_disk_free_bytes", "Free bytes of the disk of the data directory.", "gauge", disk.free),
    metric("liaison_disk_bytes", "Bytes of the disk of the data directory.", "gauge", disk.all),
  ];
}

function databaseUp(value: 0 | 1): Metric {
  return metric("liaison_database_up", "Whether the database answered this within three seconds.", "gauge", value);
}

function queueMetrics({ states, closedLanes }: Awaited<ReturnType<typeof readQueue>>): Metric[] {
  const gauge = (name: string, help: string, samples: Sample[]) => metric(name, help, "gauge", samples);
  const waiting = states.filter(({ state }) => state === "waiting");
  return [
    gauge(
      "liaison_jobs",
      "Jobs in the queue; failed ones stay for people to see.",
      states.map(({ kind, state, jobs }) => ({ labels: { kind, state }, value: jobs })),
    ),
    gauge(
      "liaison_jobs_oldest_seconds",
      "Seconds since the oldest of them was enqueued.",
      states.map(({ kind, state, oldestSeconds }) => ({ labels: { kind, state }, value: oldestSeconds })),
    ),
    gauge(
      "liaison_jobs_overdue_seconds",
      "Seconds that the first of the waiting ones could have run for.",
      waiting.map(({ kind, overdueSeconds }) => ({ labels: { kind }, value: overdueSeconds })),
    ),
    metric(
      "liaison_lanes_closed",
      "Lanes of warehouses that are closed after failures in a row.",
      "gauge",
      closedLanes,
    ),
  ];
}
