import type pg from "pg";
import { advisoryLocks, tryLock } from "./advisory-locks.ts";
import type { Database } from "./database.ts";
import type { Statement } from "./statement.ts";

/** The name in `settings` of the note about the last backup of the whole instance. */
export const LAST_BACKUP = "last_backup";

export type BackupAge = {
  /** Since the last backup. Without one: since the database was made, because everything in it would be lost. */
  seconds: number;
  /** ISO; null without a backup. */
  at: string | null;
};

/** Only for the owner role. */
export async function readBackupAge(database: Database): Promise<BackupAge> {
  const [[[seconds = null, at = null] = []] = []] = await database.owner([
    { statement: backupAgeStatement, parameters: [] },
  ]);
  return { seconds: Number(seconds), at };
}

/** A note of the future comes from a clock that was wrong: it would hide for its whole time that there is no backup. */
const backupAgeStatement: Statement = {
  name: "read_backup_age",
  text: `select extract(epoch from now() - coalesce(b.at, (select min(run_on) from migrations))), to_char(b.at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  from (select (select (value::json ->> 'at')::timestamptz from settings where name = '${LAST_BACKUP}'
    and (value::json ->> 'at')::timestamptz < now() + interval '1 hour') as at) b`,
};

/** One sentence about the last backup, for a line of the start. */
export async function wordsOfLastBackup(client: pg.Client): Promise<string> {
  const { rows } = await client.query<[seconds: string, at: string | null]>({
    text: backupAgeStatement.text,
    rowMode: "array",
  });
  const [seconds, at = null] = rows[0] ?? [];
  if (at === null) return "There is no backup by `liaison backup` yet.";
  return `The last backup is ${wordsOfAge(Number(seconds))} old (${at}).`;
}

/** In hours from two hours on, as the doctor says it. */
function wordsOfAge(seconds: number): string {
  return seconds < 7_200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} hours`;
}

/** Lets one process make the backups of the schedule, until the connection ends; false if another one does. */
export async function lockBackups(client: pg.Client): Promise<boolean> {
  return await tryLock(client, advisoryLocks.backup);
}
