import type pg from "pg";
import { advisoryLocks, tryLock } from "./advisory-locks.ts";
import type { Database } from "./database.ts";
import { readSetting } from "./settings.ts";
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

const backupAgeStatement: Statement = {
  name: "read_backup_age",
  text: `select extract(epoch from now() - coalesce(b.at, (select min(run_on) from migrations))), to_char(b.at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  from (select (select (value::json ->> 'at')::timestamptz from settings where name = '${LAST_BACKUP}') as at) b`,
};

/** One sentence about the last backup, for a line of the start. */
export async function wordsOfLastBackup(client: pg.Client): Promise<string> {
  const note = await readSetting(client, LAST_BACKUP);
  if (note === null) return "There is no backup by `liaison backup` yet.";
  return `The last backup is of ${(JSON.parse(note) as { at: string }).at}.`;
}

/** Lets one process make the backups of the schedule, until the connection ends; false if another one does. */
export async function lockBackups(client: pg.Client): Promise<boolean> {
  return await tryLock(client, advisoryLocks.backup);
}
