import cluster from "node:cluster";
import type { Command } from "commander";
import type { AccessLog } from "../doors/access-log.ts";
import type { Config } from "../kit/config.ts";
import type { OpenDeps } from "../kit/deps.ts";
import { createRateLimiters } from "../platform/http/rates/rate-limit.ts";
import { Refusal } from "../platform/refusal.ts";
import { onHangUp } from "./processes/hang-up.ts";
import { tryPort } from "./processes/listen-often.ts";
import { logStart } from "./processes/log-start.ts";
import type { Place } from "./processes/process-messages.ts";
import { supervise } from "./processes/supervise.ts";
import { remarkOnHeldCalls } from "./remark-on-held-calls.ts";
import { reportingFailure } from "./run-command.ts";
import { configOf, readsConfig } from "./settings.ts";
import { stopRequested } from "./stop-requested.ts";

/** More processes would only wait for each other: PostgreSQL needs processors too. */
const MOST_PROCESSES = 64;

/** `serve` (docs/operations.md 1): the API until SIGTERM or SIGINT, from one process or several on one port. */
export function registerServe(program: Command): void {
  const command = program
    .command("serve")
    .description("Serve the API and the pages until SIGTERM or SIGINT.")
    .option("--processes <number>", "the number of processes that serve on the one port", "1")
    .option("--backup-to <directory>", "make backups into this directory")
    .option("--backup-every <time>", "a backup each 24h, 30m or 7d (24h)")
    .option("--backup-keep <number>", "the number of backups that are kept (14)")
    .option("--no-demo", "no demo tenant in an empty database, and no warehouse beside it");
  readsConfig(command).action(async ({ processes, demo, ...options }: ServeOptions) => {
    await reportingFailure(async () => {
      const count = processesOf(processes);
      const config = configOf(command, backupSettings(options));
      await serve(count, { ...config, demo: config.demo && demo });
    });
  });
}

type BackupOptions = { backupTo?: string; backupEvery?: string; backupKeep?: string };
type ServeOptions = { processes: string; demo: boolean } & BackupOptions;

function backupSettings({ backupTo = "", backupEvery = "", backupKeep = "" }: BackupOptions): Record<string, string> {
  const settings = {
    LIAISON_BACKUP_TO: backupTo,
    LIAISON_BACKUP_EVERY: backupEvery,
    LIAISON_BACKUP_KEEP: backupKeep,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ""));
}

/**
 * The program itself; with several processes it is the parent, and each of the others runs this too. Only this function
 * loads the code that answers requests: without it the other commands, and the parent, start in half the time.
 */
async function serve(processes: number, config: Config): Promise<void> {
  const stopping = stopRequested();
  const { port, metricsPort } = config;
  if (port !== 0 && metricsPort === port && cluster.isPrimary)
    throw new Refusal(`LIAISON_METRICS_PORT and PORT are both ${port}: set another LIAISON_METRICS_PORT.`);
  if (processes === 1) {
    await tryPort(config);
    const { serveRequests } = await import("./processes/serve-requests.ts");
    const serving = { config, processes, limiters: createRateLimiters(), ...stopping, offerSwitch };
    await serveRequests(serving, async (place, deps) => {
      await remarkOn(deps);
      await logStart(deps, { processes });
      announceReady(place);
    });
  } else if (cluster.isPrimary) {
    await supervise(processes, config, stopping, announceReady);
  } else {
    const { serveAmongOthers } = await import("./processes/serve-among-others.ts");
    await serveAmongOthers(processes, config, stopping, remarkOn);
  }
}

function offerSwitch(accessLog: AccessLog): void {
  onHangUp(() => accessLog.switch(!accessLog.isOn()));
}

function processesOf(text: string): number {
  const processes = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (processes < 1 || processes > MOST_PROCESSES) {
    throw new Refusal(`--processes must be a whole number from 1 to ${MOST_PROCESSES}.`);
  }
  return processes;
}

async function remarkOn(deps: OpenDeps): Promise<void> {
  const { relocatedTo, remark } = deps;
  if (remark !== null) console.log(remark);
  if (relocatedTo !== null) {
    console.log(`The database's files are in ${relocatedTo}, which PostgreSQL's user can reach.`);
  }
  await remarkOnHeldCalls(deps);
}

function announceReady({ url, listensAt }: Place): void {
  const own = listensAt === url ? "" : ` It listens at ${listensAt}.`;
  console.log(`Liaison is ready at ${url} (reference: ${url}/docs).${own} Ctrl+C stops it.`);
}
