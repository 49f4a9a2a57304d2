import type pg from "pg";

/** The numbers of PostgreSQL's advisory locks, each with one meaning in the whole program. */
export const advisoryLocks = {
  /** Serializes the migrations of processes that start at once. */
  migration: 7_261_952,
  /**
   * Every process that uses the embedded cluster has this lock in shared mode; the process that stops it needs it
   * exclusively.
   */
  clusterUse: 7_261_953,
  distribution: 7_261_954,
  keyRotation: 7_261_955,
  requestRole: 7_261_956,
  /** One process at a time makes a backup of the schedule. */
  backup: 7_261_957,
  // More numbers are used in SQL. 7_261_960, with a tenant, serializes folds of its counts
  // (migrations/functions/fold_company_counts.sql). 7_261_962, with a tenant, serializes ticks of its feed, and
  // 7_261_964 lets a second tick see that one is in progress (src/exchange/feed/feed-queries.ts). 7_261_963, with a
  // digest, serializes requests with one Idempotency-Key (migrations/functions/claim_answers.sql).
  // 7_261_965, with a tenant, serializes the count of its mails of an hour (src/kit/mail/mail-queries.ts).
  // 7_261_967, with a tenant, serializes its counts of common values (migrations/functions/count_common_value.sql).
  // 7_261_966, with a tenant, serializes changes of its custom fields (custom-fields/custom-field-queries.ts).
};

/** Locks until the connection ends; false if another process has the lock. */
export async function tryLock(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [lock]);
  return rows[0]?.locked === true;
}
