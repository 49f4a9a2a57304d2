import type { Deps, Store } from "../../kit/deps.ts";
import { enqueue, hasten } from "../../kit/jobs/job-queries.ts";
import type { Job, Outcome } from "../../kit/jobs/job.ts";
import { sleep, steady } from "../../platform/clock.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { findByKeys, MOST_OF_KEY, type AlikeCandidate, type KeysOfCompany } from "./alike-candidate-queries.ts";
import { readChanged, writeKeys, type ChangedCompany } from "./alike-key-queries.ts";
import { writePairs, type ComputedPair } from "./alike-pair-queries.ts";
import { lockProgress, nextCompanies, stateOfAlike } from "./alike-progress-queries.ts";
import { alikeKeys, compareCompanies, PLACE } from "./compare-companies.ts";

/** The job that computes the pairs of a tenant's companies. */
export const FIND_ALIKE_JOB = "find-alike";
/** One lane for all tenants, because the pairs are not urgent. */
const LANE = "find-alike";
/** The steps that a request does itself. The job does the others. */
const STEPS_OF_REQUEST = 5;
/**
 * The rest of the job after a step, as a multiple of the step's time, in a process that is busy all the time. Beside
 * writes at full speed it works a thirtieth of the time, and compares some 500 companies a second.
 */
const MORE_REST = 100;

/**
 * Computes the pairs in steps, until they are as new as the companies. Rests as long as it works, and longer while the
 * process is busy with requests.
 */
export async function findAlikeJob({ database }: Deps, { tenant, stop }: Job): Promise<Outcome> {
  let [beganAt, busy] = [steady(), 0];
  while (await database.transaction(tenant, step)) {
    const before = performance.eventLoopUtilization();
    await sleep((steady() - beganAt) * (1 + busy * MORE_REST));
    busy = performance.eventLoopUtilization(before).utilization;
    stop.throwIfAborted();
    beganAt = steady();
  }
  return { outcome: "done" };
}

/**
 * Brings the pairs up to date, in at most `most` steps. If more are needed, a job continues. A change that is not yet
 * committed is passed: a later job finds it.
 */
export async function catchUp(
  { database }: Pick<Store, "database">,
  tenant: TenantId,
  most = STEPS_OF_REQUEST,
): Promise<void> {
  const state = await stateOfAlike(tenant, database);
  if (state === "settled") return;
  let isBehind = state === "behind";
  for (let steps = 0; isBehind && steps < most; steps++) isBehind = await database.transaction(tenant, step);
  if (isBehind) await database.write(tenant, [enqueue(FIND_ALIKE_JOB, [0], LANE), hasten(FIND_ALIKE_JOB, [0])]);
  else await gather(database, tenant);
}

/**
 * Companies gather until the job runs. It reads the last minute again (OVERLAP in alike-progress-queries.ts): started
 * sooner, it would read most of that twice.
 */
const GATHERS_FOR_MS = 60_000;

/** Has a job bring the pairs up to date within a minute, unless they are. */
export async function keepUp({ database }: Pick<Store, "database">, tenant: TenantId): Promise<void> {
  if ((await stateOfAlike(tenant, database)) !== "settled") await gather(database, tenant);
}

async function gather(database: Database, tenant: TenantId): Promise<void> {
  await database.write(tenant, [enqueue(FIND_ALIKE_JOB, [0], LANE, GATHERS_FOR_MS)]);
}

/** Companies of a step with the same name or domain, whose keys are not stored yet. */
function* withinStep(
  keys: readonly KeysOfCompany[],
  byId: ReadonlyMap<string, ChangedCompany>,
): Generator<AlikeCandidate> {
  const keyed = keys.flatMap(({ of, nameKey, domain }) => {
    const company = byId.get(of);
    return [nameKey && `name ${nameKey}`, domain && `domain ${domain}`].map((key) => ({ key, company }));
  });
  const groups = Map.groupBy(keyed, ({ key }) => key);
  groups.delete(null);
  for (const group of groups.values()) {
    for (const { company } of group) {
      for (const { company: other } of group.slice(0, MOST_OF_KEY)) {
        if (company !== undefined && other !== undefined && other !== company) yield { of: company.id, ...other };
      }
    }
  }
}

/** Compares some companies with all that may be the same. Returns whether more companies wait. */
async function step(run: Run): Promise<boolean> {
  const progress = await lockProgress(run);
  if (progress === null) return true;
  const { ids, hasMore, taken } = await nextCompanies(run, progress);
  const { companies, gone } = await readChanged(run, ids);
  const keys = companies.map((company) => ({ of: company.id, digest: company.digest, ...alikeKeys(company) }));
  // Before all writes: on a cluster, its role may not read after those of another one.
  const stored = await findByKeys(run, keys);
  await run(taken);
  if (companies.length + gone.length === 0) return hasMore;
  await writeKeys(run, keys, gone);
  const byId = new Map(companies.map((company) => [company.id, company]));
  const pairs = new Map<string, ComputedPair>();
  for (const { of, ...other } of [...stored, ...withinStep(keys, byId)]) {
    const company = byId.get(of);
    const found = company === undefined ? null : compareCompanies(company, other);
    if (found === null) continue;
    const [one, second] = BigInt(of) < BigInt(other.id) ? [of, other.id] : [other.id, of];
    const evidence = found.evidence.join(",");
    pairs.set(`${one} ${second}`, { one, other: second, evidence, place: found.isSure ? PLACE.sure : PLACE.probable });
  }
  await writePairs(run, [...byId.keys(), ...gone], [...pairs.values()]);
  return hasMore;
}
