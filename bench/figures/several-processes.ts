import type { Candidate } from "../candidates/candidates.ts";
import { familyCpuSeconds } from "../candidates/process-usage.ts";
import { startProduct } from "../candidates/servers.ts";
import { median } from "../load/percentiles.ts";
import { stopProcess } from "../load/processes.ts";
import { create, listPage1, mix, searchFew, show, update, type Scenario } from "../load/scenarios.ts";
import { ROOT } from "../tenants/data-directory.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { measure } from "./measure-scenario.ts";

const SECONDS = 1;
/** Two new processes need twice as many requests as one before their code is compiled. */
const WARM_UP_SECONDS = 5;
const ROUNDS = 5;
/**
 * Enough to use one process fully: its requests share transactions and turns of its loop. More connections would
 * measure another situation.
 */
const CONNECTIONS = 64;
const SCENARIOS: readonly Scenario[] = [show, listPage1, searchFew, create, update, mix];

/** The product with two processes beside the product with one, in turns, over 64 connections. */
export async function severalProcessesFigures(
  one: Candidate,
  tenant: SeededTenant,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const serveOptions = ["--processes", "2"];
  const server = await startProduct("product, 2 processes", ROOT, one.place.dataDir, { serveOptions });
  const two: Candidate = { ...one, url: server.url, pid: server.pid };
  const figures: Figure[] = [];
  for (const scenario of SCENARIOS) {
    progress(`2 processes: ${scenario.name}, warming up`);
    for (const candidate of [one, two]) await measure(candidate, scenario, tenant, WARM_UP_SECONDS, CONNECTIONS);
    const ratios: number[] = [];
    const cpuRatios: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      progress(`2 processes: ${scenario.name}, round ${round} of ${ROUNDS}`);
      const [first, second] = round % 2 === 0 ? [one, two] : [two, one];
      const samples = new Map([[first, await sampleOf(first, scenario, tenant)]]);
      samples.set(second, await sampleOf(second, scenario, tenant));
      const [ofOne, ofTwo] = [samples.get(one), samples.get(two)];
      if (ofOne === undefined || ofTwo === undefined) continue;
      ratios.push(ofTwo.requestsPerSecond / ofOne.requestsPerSecond);
      cpuRatios.push(ofOne.cpu / ofTwo.cpu);
    }
    const name = `throughput of ${scenario.name}, 2 processes / 1, ${tenant.companies.toLocaleString("en")} companies`;
    figures.push({ name, value: median(ratios), byCpu: median(cpuRatios) });
  }
  await stopProcess(server.process);
  return figures;
}

/** With the processor time per request of all the server's processes and PostgreSQL's, in seconds. */
async function sampleOf(
  candidate: Candidate,
  scenario: Scenario,
  tenant: SeededTenant,
): Promise<{ requestsPerSecond: number; cpu: number }> {
  const before = familyCpuSeconds(candidate.pid);
  const { requestsPerSecond, databaseCpu } = await measure(candidate, scenario, tenant, SECONDS, CONNECTIONS);
  const used = familyCpuSeconds(candidate.pid) - before;
  return { requestsPerSecond, cpu: used / (requestsPerSecond * SECONDS) + databaseCpu / 1e6 };
}
