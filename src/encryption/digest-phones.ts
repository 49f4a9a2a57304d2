import type { Deps } from "../deps.ts";
import type { Job, Outcome } from "../jobs/job.ts";
import { tablesWithPhones } from "./encrypted-tables.ts";
import { reencryptTable } from "./reencrypt.ts";

/** The kind of the job. A migration that the baseline replaced has enqueued one for each tenant. */
export const DIGEST_PHONES_JOB = "digest-phones";

const AGAIN_MS = 600_000;

/**
 * Stores the digests of a tenant's phones that were stored before there were any. It comes again until it finds none, because a
 * server of the release before may have written more behind it.
 */
export async function digestPhones({ database, keyring }: Deps, { tenant, stop }: Job): Promise<Outcome> {
  const work = { database, keyring, signal: stop, onProgress: () => {} };
  let found = 0;
  for (const table of tablesWithPhones) {
    found += await reencryptTable(work, tenant, table, { rows: 0, undecryptable: 0 });
  }
  return found === 0 ? { outcome: "done" } : { outcome: "again", afterMs: AGAIN_MS, counts: false };
}
