import type { Database } from "../../platform/postgres/database.ts";
import { callsOf } from "../../platform/postgres/query.ts";

/** The key that attempts are counted under; `free` failures cause no wait. */
export type Subject = { hash: Buffer; free: number };

const counting = callsOf<[hashes: string[], free: number[], time: number]>(
  "count_attempt",
  `select encode(waiting, 'hex'), ceil(extract(epoch from waits_until) * 1000)
  from count_sign_in($1::text[]::bytea[], $2::int[], to_timestamp($3::double precision / 1000))`,
);

/**
 * Counts an attempt before it is made. An empty result allows the attempt. Otherwise it is not counted, and the result
 * has the end of the wait for each subject, by its hash in hexadecimal.
 * @param time milliseconds since the epoch, as in the result
 */
export async function countAttempt(
  database: Database,
  subjects: readonly Subject[],
  time: number,
): Promise<ReadonlyMap<string, number>> {
  const free = subjects.map((subject) => subject.free);
  const rows = await database.acrossTenants(counting(hashesOf(subjects), free, time));
  return new Map(rows.map(([hash, until]) => [String(hash), Number(until)]));
}

const forgiving = callsOf<[cleared: string[], lowered: string[]]>(
  "forgive_attempt",
  "select forgive_sign_in($1::text[]::bytea[], $2::text[]::bytea[])",
);

/** After a success: resets some subjects, and subtracts this attempt from others. */
export async function forgiveAttempt(
  database: Database,
  { cleared, lowered }: { cleared: readonly Subject[]; lowered: readonly Subject[] },
): Promise<void> {
  await database.acrossTenants(forgiving(hashesOf(cleared), hashesOf(lowered)));
}

const forgetting = callsOf<[time: number, keep: number]>(
  "forget_attempts",
  "select forget_sign_ins(to_timestamp($1::double precision / 1000), $2)",
);

/** Deletes expired failures, and the fewest and oldest ones beyond `keep`. */
export async function forgetAttempts(database: Database, time: number, keep: number): Promise<void> {
  await database.acrossTenants(forgetting(time, keep));
}

/** As texts: the driver cannot send arrays of bytes. */
function hashesOf(subjects: readonly Subject[]): string[] {
  return subjects.map(({ hash }) => `\\x${hash.toString("hex")}`);
}
