import type { Deps } from "../deps.ts";
import type { Job, Outcome } from "../jobs/job.ts";
import { tablesWithPhones } from "./encrypted-tables.ts";
import { reencryptTable } from "./reencrypt.ts";

/** The kind of the job. Migrations before the baseline enqueued one for each tenant. */
export const DIGEST_PHONES_JOB = "digest-phones";

const AGAIN_MS = 600_000;

/**
 * Stores the missing digests of a tenant's phones. The job repeats until it finds none, because a server of the earlier
 * release may still write phones without digests.
 */
export async function digestPhones({ database, keyring }: Deps, { tenant, stop }: Job): Promise<Outcome> {
  const work = { database, keyring, signal: stop, onProgress: () => {} };
  let found = 0;
  for (const table of tablesWithPhones) {
    found += await reencryptTable(work, tenant, table, { rows: 0, undecryptable: 0 });
  }
  return found === 0 ? { outcome: "done" } : { outcome: "again", afterMs: AGAIN_MS, counts: false };
}
