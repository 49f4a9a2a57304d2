import type { Database } from "../../platform/postgres/database.ts";
import type { Statement } from "../../platform/postgres/statement.ts";

/** The key that attempts are counted under; `free` failures cause no wait. */
export type Subject = { hash: Buffer; free: number };

const countStatement: Statement = {
  name: "count_attempt",
  text: `select encode(waiting, 'hex'), ceil(extract(epoch from waits_until) * 1000)
  from count_sign_in($1::text[]::bytea[], $2::int[], to_timestamp($3::double precision / 1000))`,
};

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
  const parameters = [subjects.map(({ hash }) => asText(hash)), subjects.map(({ free }) => free), time];
  const rows = await database.acrossTenants({ statement: countStatement, parameters });
  return new Map(rows.map(([hash, until]) => [String(hash), Number(until)]));
}

const forgiveStatement: Statement = {
  name: "forgive_attempt",
  text: "select forgive_sign_in($1::text[]::bytea[], $2::text[]::bytea[])",
};

/** After a success: resets some subjects, and subtracts this attempt from others. */
export async function forgiveAttempt(
  database: Database,
  { cleared, lowered }: { cleared: readonly Subject[]; lowered: readonly Subject[] },
): Promise<void> {
  const hashes = [cleared, lowered].map((subjects) => subjects.map(({ hash }) => asText(hash)));
  await database.acrossTenants({ statement: forgiveStatement, parameters: hashes });
}

const forgetStatement: Statement = {
  name: "forget_attempts",
  text: "select forget_sign_ins(to_timestamp($1::double precision / 1000), $2)",
};

/** Deletes expired failures, and the fewest and oldest ones beyond `keep`. */
export async function forgetAttempts(database: Database, time: number, keep: number): Promise<void> {
  await database.acrossTenants({ statement: forgetStatement, parameters: [time, keep] });
}

/** The driver cannot send arrays of bytes. */
function asText(hash: Buffer): string {
  return `\\x${hash.toString("hex")}`;
}
