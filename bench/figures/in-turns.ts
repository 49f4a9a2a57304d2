import type { Candidate } from "../candidates/candidates.ts";
import { median } from "../load/percentiles.ts";
import type { Scenario } from "../load/scenarios.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { CONNECTIONS, measure } from "./measure-scenario.ts";

const SECONDS = 2;
const ROUNDS = 7;

/**
 * The throughput of one scenario by that of another, the two taking turns: the median of the rounds' own ratios.
 * @param overTenant of the first, if it is another
 */
export async function inTurns(
  product: Candidate,
  tenant: SeededTenant,
  over: Scenario,
  under: Scenario,
  { connections = CONNECTIONS, overTenant = tenant }: { connections?: number; overTenant?: SeededTenant } = {},
): Promise<Pick<Figure, "value" | "byCpu">> {
  const [ratios, cpu]: [number[], number[]] = [[], []];
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const one = await measure(product, under, tenant, SECONDS, connections);
    const other = await measure(product, over, overTenant, SECONDS, connections);
    if (round === 0) continue;
    ratios.push(other.requestsPerSecond / one.requestsPerSecond);
    cpu.push((one.serverCpu + one.databaseCpu) / (other.serverCpu + other.databaseCpu));
  }
  return { value: median(ratios), byCpu: median(cpu) };
}
