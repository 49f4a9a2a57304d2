import type { Database } from "../platform/postgres/database.ts";
import type { Statement } from "../platform/postgres/statement.ts";

/** Attempts are counted under a subject, of which so many failures are free of a wait. */
export type Subject = { hash: Buffer; free: number };

const countStatement: Statement = {
  name: "count_sign_in",
  text: `select encode(waiting, 'hex'), ceil(extract(epoch from waits_until) * 1000)
  from count_sign_in($1::text[]::bytea[], $2::int[], to_timestamp($3::double precision / 1000))`,
};

/**
 * Counts an attempt before it is made. It may be made where nothing is answered; else it is not counted, and the answer
 * says until when which subjects have to wait, by their hashes in hexadecimal.
 * @param time milliseconds since the epoch, as in the answer
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
  name: "forgive_sign_in",
  text: "select forgive_sign_in($1::text[]::bytea[], $2::text[]::bytea[])",
};

/** After an attempt that was right: begins anew with some subjects, takes this attempt back from others. */
export async function forgiveAttempt(
  database: Database,
  { cleared, lowered }: { cleared: readonly Subject[]; lowered: readonly Subject[] },
): Promise<void> {
  const hashes = [cleared, lowered].map((subjects) => subjects.map(({ hash }) => asText(hash)));
  await database.acrossTenants({ statement: forgiveStatement, parameters: hashes });
}

const forgetStatement: Statement = {
  name: "forget_sign_ins",
  text: "select forget_sign_ins(to_timestamp($1::double precision / 1000), $2)",
};

/** Forgets what no longer counts, and the fewest and oldest failures beyond so many. */
export async function forgetAttempts(database: Database, time: number, keep: number): Promise<void> {
  await database.acrossTenants({ statement: forgetStatement, parameters: [time, keep] });
}

/** The driver's arrays hold no bytes. */
function asText(hash: Buffer): string {
  return `\\x${hash.toString("hex")}`;
}
