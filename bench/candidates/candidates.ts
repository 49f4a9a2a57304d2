import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type pg from "pg";
import { openKeyring } from "../../src/platform/encryption/key-file.ts";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { companiesToDelete, removeCreated } from "../load/before-and-after.ts";
import { openBenchDeps } from "../load/bench-deps.ts";
import type { LoadJob, LoadRequest, LoadResult } from "../load/load-job.ts";
import { stopProcess } from "../load/processes.ts";
import { startGenerator, startWorker, type Generator } from "../load/worker.ts";
import type { Options } from "../options.ts";
import { ROOT } from "../tenants/data-directory.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import { recordTemplate, type Template } from "./record-statements.ts";
import { startCompiled, startOther, type Server } from "./servers.ts";
import { templateKey } from "./template-key.ts";

/** A seeded cluster, and the ways into it that the measuring itself needs. */
export type Place = {
  dataDir: string;
  connection: Connection;
  owner: pg.Client;
  /** The process id of the cluster's first process. */
  postmaster: number;
  /** By number of companies. */
  tenants: Map<number, SeededTenant>;
};

export const NAMES = ["product", "compared", "ideal", "usual way", "limit"] as const;
export type CandidateName = (typeof NAMES)[number];

/** One of those that are measured beside each other. */
export type Candidate = {
  name: CandidateName;
  /** Whose processor time counts as the server's. */
  pid: number;
  url: string;
  /** The load generator; the limit takes its jobs itself. */
  generator: Generator;
  place: Place;
  stop: () => Promise<void>;
};

/**
 * Starts the product, those that it is compared with, and the load generator that they share. Beside another commit the
 * product is alone in its database, as that commit is in its own: what others write there, every statement after them
 * would pay for.
 */
export async function startCandidates(
  place: Place,
  options: Options,
  progress: (message: string) => void,
): Promise<{ candidates: Candidate[]; generator: Generator }> {
  const generator = startGenerator();
  const candidates: Candidate[] = [];
  const add = (name: CandidateName, server: Server) => {
    candidates.push({ ...server, name, generator, place, stop: async () => await stopProcess(server.process) });
  };
  const { dataDir, connection } = place;
  add("product", await startCompiled("product", ROOT, dataDir));
  if (options.compare !== null) return { candidates, generator };
  progress("recording the product's statements");
  const file = path.join(dataDir, "templates.json");
  fs.writeFileSync(file, JSON.stringify(await recordTemplates(place, options)));
  const parameters = [JSON.stringify(connection), file];
  add("ideal", await startOther("ideal", path.join(import.meta.dirname, "ideal-server.ts"), parameters, "/health"));
  if (options.usualWay) {
    const directory = path.join(import.meta.dirname, "usual-way");
    installUsualWay(directory, progress);
    const usual = [JSON.stringify(connection)];
    add("usual way", await startOther("usual way", path.join(directory, "server.ts"), usual, "/health"));
  }
  if (options.budget) return { candidates, generator };
  const limit = startWorker<LoadJob, LoadResult>(path.join(import.meta.dirname, "limit.ts"), parameters);
  candidates.push({
    name: "limit",
    pid: limit.pid,
    url: "",
    generator: limit,
    place,
    stop: async () => await limit.stop(),
  });
  return { candidates, generator };
}

/** Its packages are its own: they are fetched when it is first wanted. */
function installUsualWay(directory: string, progress: (message: string) => void): void {
  if (fs.existsSync(path.join(directory, "node_modules", ".package-lock.json"))) return;
  progress("installing the usual way's packages");
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
}

async function recordTemplates(place: Place, options: Options): Promise<Record<string, Template>> {
  const { connection, dataDir, owner, tenants } = place;
  const deps = await openBenchDeps(connection, await openKeyring(connection, dataDir, null, () => {}));
  const templates: Record<string, Template> = {};
  for (const tenant of tenants.values()) {
    const requests: LoadRequest[] = [];
    for (const scenario of options.scenarios) {
      requests.push(...scenario.requests(tenant, 0, 0.01));
      if (scenario.deletes !== undefined) requests.push(...(await companiesToDelete(owner, tenant, 1)));
    }
    for (const request of requests) {
      const key = templateKey(tenant.token, request);
      templates[key] ??= await recordTemplate(deps, tenant.id, request);
    }
    await removeCreated(owner, tenant);
  }
  await deps.database.close();
  return templates;
}
