import type pg from "pg";

/** PostgreSQL's advisory locks that processes keep out of each other's way with. Each number means one thing. */
export const advisoryLocks = {
  /** Serializes the migrations of processes that start at once. */
  migration: 7_261_952,
  /** Held shared by every process that uses the embedded cluster, exclusively by the one that stops it. */
  clusterUse: 7_261_953,
  distribution: 7_261_954,
  keyRotation: 7_261_955,
  requestRole: 7_261_956,
  // 7_261_960, with a tenant, keeps folds of its counts apart (migrations/functions/fold_company_counts.sql).
  // 7_261_962, with a tenant, keeps ticks of its feed apart, and 7_261_964 tells the second that it is (src/feed/feed-queries.ts).
  // 7_261_963, with a digest, keeps requests of one Idempotency-Key apart (migrations/functions/claim_answers.sql).
};

/** Takes a lock for as long as the connection lives; false where another process has it. */
export async function tryLock(client: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [lock]);
  return rows[0]?.locked === true;
}
