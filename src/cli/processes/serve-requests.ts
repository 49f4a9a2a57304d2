import type { AddressInfo } from "node:net";
import { setImmediate, setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { AccessLog } from "../../doors/access-log.ts";
import { buildApp } from "../../doors/app.ts";
import type { Metrics } from "../../doors/metrics.ts";
import type { Config } from "../../kit/config.ts";
import { openDeps, type OpenDeps } from "../../kit/deps.ts";
import { JOBS_WAIT } from "../../kit/jobs/job-queries.ts";
import type { Worker } from "../../kit/jobs/run-jobs.ts";
import { watchForLoss, type LossWatch } from "../../operation/backup/database-went-back.ts";
import { startBackups } from "../../operation/backup/scheduled-backups.ts";
import { createDemo, findDemo, type DemoAccess } from "../../operation/demo/create-demo.ts";
import { hasDemoWarehouse, startDemoWarehouse, type DemoWarehouse } from "../../operation/demo/demo-warehouse.ts";
import { ACCESS_CHANGED } from "../../people/tenants/tenant-queries.ts";
import type { RateLimiters } from "../../platform/http/rates/rate-limit.ts";
import { createLogger } from "../../platform/logger.ts";
import { startWorkers } from "../../worker.ts";
import type { PassedConnections } from "./accept-connections.ts";
import { followChanges } from "./follow-changes.ts";
import { listenOften } from "./listen-often.ts";
import type { Place } from "./process-messages.ts";
import { openWatch, type Watch } from "./watch.ts";

export type Serving = {
  config: Config;
  /** The number of serving processes. */
  processes: number;
  limiters: RateLimiters;
  stop: AbortSignal;
  /** Aborted if the server should end without draining. */
  hurry: AbortSignal;
  /** Registers a way to switch the access log while the process runs. */
  offerSwitch: (accessLog: AccessLog) => void;
  /** Begins to serve without listening on the port, if that is the parent's. */
  listen?: (server: FastifyInstance) => Promise<PassedConnections>;
  /** Receives the metrics instead of our own port. */
  sendMetrics?: (metrics: Metrics) => void;
  /** Whether `/health/ready` waits for other processes of the same port. */
  isStarting?: () => boolean;
};

/** The time for requests in flight to finish once the server begins to close. */
const GRACE_MS = 10_000;
const IDLE_SWEEP_MS = 100;

/**
 * Serves the API from this process, and runs jobs, until the signal to stop; then finishes the requests in flight and
 * returns.
 */
export async function serveRequests(
  { config, processes, limiters, stop, hurry, offerSwitch, listen, sendMetrics, isStarting }: Serving,
  announce: (place: Place, deps: OpenDeps) => Promise<void>,
): Promise<void> {
  const stopped = new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
  const logger = createLogger(config.logLevel);
  const opened = await openDeps(config, logger, { stop, processes, makes: "database", print: console.error }).catch(
    async (error: unknown) => {
      // A signal that came while initdb ran has ended that too, and is seen only when the event loop goes on.
      await setImmediate();
      if (stop.aborted) return null;
      throw error;
    },
  );
  if (opened === null) return;
  let warehouse: DemoWarehouse | null = null;
  let watch: Watch | null = null;
  let lossWatch: LossWatch | null = null;
  // A start that fails ends what it has begun, as the signal to stop does.
  const failed = new AbortController();
  const ends = AbortSignal.any([stop, failed.signal]);
  try {
    lossWatch = await watchForLoss(opened);
    const demo = config.databaseUrl === null && config.demo ? await createDemo(opened) : null;
    warehouse = processes === 1 ? await openDemoWarehouse(opened) : null;
    const deps = warehouse === null ? opened : { ...opened, ofOneTenant: warehouse.ofOneTenant };
    watch = await openWatch(deps, limiters, sendMetrics);
    offerSwitch(watch.accessLog);
    const { server, authenticator, drain } = buildApp(deps, limiters, watch.observers, undefined, isStarting);
    let worker: Worker | null = null;
    let backups: ReturnType<typeof startBackups> | null = null;
    let accepted: PassedConnections | undefined;
    const listener = await followChanges(deps, {
      [ACCESS_CHANGED]: () => authenticator.forget(),
      [JOBS_WAIT]: () => worker?.wake(),
    });
    try {
      try {
        accepted = await (listen ?? listenQuietly)(server, config);
      } finally {
        // Printed even if the port was in use: the demo is not created twice.
        if (demo !== null) announceDemo(demo, urlOf(server, config));
      }
      if (config.worker) worker = startWorkers(deps, ends);
      backups = startBackups(opened, ends);
      if (warehouse !== null)
        console.log(`A warehouse for the demo runs beside it; its orders are at ${warehouse.ledger}.`);
      const listensAt = urlOf(server, { ...config, publicUrl: null });
      await announce({ url: urlOf(server, config), listensAt }, deps);
      // The port is open: a load balancer needs the drain even if the signal came before the start had ended.
      if (!stop.aborted) await stopped;
      logger.info({ drain_seconds: hurry.aborted ? 0 : config.drainSeconds }, "Liaison stops");
      drain.begin();
      await pause(1_000 * config.drainSeconds, undefined, { signal: hurry }).catch(() => {});
    } finally {
      failed.abort();
      await Promise.all([closeGracefully(server, accepted), worker?.ended, backups?.ended]);
      await listener.close();
    }
  } finally {
    await watch?.close();
    await warehouse?.close();
    await lossWatch?.close();
    await opened.close();
  }
}

/** Null if the database contains more than the demo, or the simulator does not start: nothing else depends on it. */
async function openDemoWarehouse(deps: OpenDeps): Promise<DemoWarehouse | null> {
  if (!hasDemoWarehouse(deps.config)) return null;
  const tenant = await findDemo(deps);
  if (tenant === null) return null;
  try {
    return await startDemoWarehouse(deps, tenant);
  } catch (error) {
    deps.logger.warn({ err: error }, "the demo has no warehouse");
    return null;
  }
}

/** Listens without fastify's own log line, which repeats in JSON the line that the start prints for people. */
async function listenQuietly(server: FastifyInstance, config: Config): Promise<PassedConnections> {
  server.log.level = "silent";
  try {
    return await listenOften(server, config);
  } finally {
    server.log.level = config.logLevel;
  }
}

function announceDemo({ token, workspace, email, password }: DemoAccess, url: string): void {
  console.log(`A tenant "demo" with sample data was created. Its key and its password are shown only now; try it:\n`);
  console.log(`  curl -H "Authorization: Bearer ${token}" ${url}/api/v1/companies\n`);
  console.log(`Or sign in at ${url}/sign-in:\n`);
  console.log(`  workspace ${workspace}, e-mail ${email}, password ${password}\n`);
}

/** Our address for clients; with PORT=0 it contains the assigned port. */
function urlOf(server: FastifyInstance, { publicUrl, host, port }: Config): string {
  const address = server.server.address() as AddressInfo | null;
  return publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${address?.port ?? port}`;
}

/**
 * Stops accepting connections, lets requests finish, and cuts the rest (half-sent requests too) when the time is up.
 */
async function closeGracefully(server: FastifyInstance, accepted?: PassedConnections): Promise<void> {
  // A connection whose request ends after the close has begun would stay open as idle.
  const sweep = setInterval(() => server.server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.server.closeAllConnections(), GRACE_MS);
  await server.close();
  await accepted?.ended();
  clearInterval(sweep);
  clearTimeout(cut);
}
