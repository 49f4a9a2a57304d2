import type { Candidate } from "../candidates/candidates.ts";
import { familyCpuSeconds, cpuSeconds } from "../candidates/process-usage.ts";
import { companiesToDelete, foldCounts, removeCreated, untilIdle } from "../load/before-and-after.ts";
import type { LoadResult } from "../load/load-job.ts";
import type { Scenario } from "../load/scenarios.ts";
import type { SeededTenant } from "../tenants/seed.ts";

export const CONNECTIONS = 16;

/** One round of one scenario with one candidate. */
export type Sample = {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds of processor time per request, of the server and of PostgreSQL. */
  serverCpu: number;
  databaseCpu: number;
};

let serial = 0;

/** One round, on a PostgreSQL that is at rest before and after. Throws where an answer is neither 2xx nor 304. */
export async function measure(
  candidate: Candidate,
  scenario: Scenario,
  tenant: SeededTenant,
  seconds: number,
  connections = CONNECTIONS,
): Promise<Sample> {
  const { generator, url, pid, place, name } = candidate;
  const { owner, postmaster } = place;
  const requests =
    scenario.deletes === undefined
      ? scenario.requests(tenant, ++serial, seconds)
      : await companiesToDelete(owner, tenant, Math.ceil(scenario.deletes * seconds));
  const [serverBefore, databaseBefore] = [cpuSeconds(pid), familyCpuSeconds(postmaster)];
  const once = scenario.once ?? false;
  const result = await generator.run({ url, token: tenant.token, requests, connections, seconds, once });
  const [serverAfter, databaseAfter] = [cpuSeconds(pid), familyCpuSeconds(postmaster)];
  await untilIdle(owner);
  if (scenario.once) await removeCreated(owner, tenant);
  if (name !== "product" && name !== "compared") await foldCounts(owner, tenant);
  if (result.failed > 0) {
    throw new Error(`${name}, ${scenario.name}: ${result.failed} answers failed, with ${result.failedStatus}`);
  }
  const perRequest = (used: number) => (1e6 * used) / result.requests;
  return {
    ...rates(result),
    serverCpu: perRequest(serverAfter - serverBefore),
    databaseCpu: perRequest(databaseAfter - databaseBefore),
  };
}

function rates({ requests, milliseconds, latencies }: LoadResult) {
  return { requestsPerSecond: (1_000 * requests) / milliseconds, p50: latencies.p50, p99: latencies.p99 };
}
