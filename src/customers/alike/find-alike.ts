import type { Deps, Store } from "../../kit/deps.ts";
import { enqueue } from "../../kit/jobs/job-queries.ts";
import type { Job, Outcome } from "../../kit/jobs/job.ts";
import type { Run } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { compareCompanies, alikeKeys } from "./alike-keys.ts";
import {
  findCandidates,
  isCaughtUp,
  lockProgress,
  nextCompanies,
  readCompared,
  writeKeys,
  writePairs,
  type ComputedPair,
} from "./alike-step-queries.ts";

/** The job that computes the pairs of a tenant's companies. */
export const FIND_ALIKE_JOB = "find-alike";
/** One lane for all tenants, because the pairs are not urgent. */
const LANE = "find-alike";
/** The steps that a request does itself. The job does the others. */
const STEPS_OF_REQUEST = 12;

/** Computes the pairs in steps, until they are as new as the companies. */
export async function findAlikeJob({ database }: Deps, { tenant, stop }: Job): Promise<Outcome> {
  for (let hasMore = true; hasMore;) {
    stop.throwIfAborted();
    hasMore = await database.transaction(tenant, async (run) => await step(tenant, run));
  }
  return { outcome: "done" };
}

/** Has the pairs as new as the companies, if that takes at most `most` steps; otherwise a job goes on. */
export async function catchUp(
  { database }: Pick<Store, "database">,
  tenant: TenantId,
  most = STEPS_OF_REQUEST,
): Promise<void> {
  if (await isCaughtUp(tenant, database)) return;
  for (let steps = 0; steps < most; steps++) {
    if (!(await database.transaction(tenant, async (run) => await step(tenant, run)))) return;
  }
  await database.write(tenant, [enqueue(FIND_ALIKE_JOB, [0], LANE)]);
}

/** Has a job compute the pairs, unless they are as new as the companies. */
export async function keepUp({ database }: Pick<Store, "database">, tenant: TenantId): Promise<void> {
  if (!(await isCaughtUp(tenant, database))) await database.write(tenant, [enqueue(FIND_ALIKE_JOB, [0], LANE)]);
}

/** Compares some companies with all that may be the same. Returns whether more companies wait. */
async function step(tenant: TenantId, run: Run): Promise<boolean> {
  const isWalked = await lockProgress(tenant, run);
  const { ids, hasMore } = await nextCompanies(tenant, run, isWalked);
  if (ids.length === 0) return hasMore;
  const companies = new Map((await readCompared(tenant, run, ids)).map((company) => [company.id, company]));
  const keys = [...companies.values()].flatMap((company) =>
    alikeKeys(company).map((key) => [company.id, key] as const),
  );
  await writeKeys(tenant, run, ids, keys);
  const pairs = new Map<string, ComputedPair>();
  for (const { of, ...other } of await findCandidates(tenant, run, [...companies.keys()])) {
    const company = companies.get(of);
    const found = company === undefined ? null : compareCompanies(company, other);
    if (found === null) continue;
    const [one, second] = BigInt(of) < BigInt(other.id) ? [of, other.id] : [other.id, of];
    const evidence = found.evidence.join(",");
    pairs.set(`${one} ${second}`, { one, other: second, evidence, place: found.isSure ? 0 : 1 });
  }
  await writePairs(tenant, run, ids, [...pairs.values()]);
  return hasMore;
}
