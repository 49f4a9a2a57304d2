import cluster from "node:cluster";
import type { Command } from "commander";
import type { Config } from "../config.ts";
import type { OpenDeps } from "../deps.ts";
import type { AccessLog } from "../doors/access-log.ts";
import { createRateLimiters } from "../platform/http/rates/rate-limit.ts";
import { Refusal } from "../platform/refusal.ts";
import { onHangUp } from "./processes/hang-up.ts";
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
    .option("--no-demo", "no demo tenant in an empty database, and no warehouse beside it");
  readsConfig(command).action(async ({ processes, demo }: { processes: string; demo: boolean }) => {
    await reportingFailure(async () => {
      const count = processesOf(processes);
      const config = configOf(command);
      await serve(count, { ...config, demo: config.demo && demo });
    });
  });
}

/**
 * The program itself; with several processes it is the parent, and each of the others runs this too. Only this function
 * loads the code that answers requests: without it the other commands, and the parent, start in half the time.
 */
async function serve(processes: number, config: Config): Promise<void> {
  const stopping = stopRequested();
  if (processes === 1) {
    const { serveRequests } = await import("./processes/serve-requests.ts");
    const serving = { config, processes, limiters: createRateLimiters(), ...stopping, offerSwitch };
    await serveRequests(serving, async (url, deps) => {
      await remarkOn(deps);
      announceReady(url);
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

function announceReady(url: string): void {
  console.log(`Liaison is ready at ${url} (reference: ${url}/docs). Ctrl+C stops it.`);
}
