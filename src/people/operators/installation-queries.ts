import type { Database } from "../../platform/postgres/database.ts";
import { callsOf } from "../../platform/postgres/query.ts";
import { oneValue } from "../../platform/postgres/statement.ts";

/** The most jobs that are counted: with more, the number says "or more". */
export const MOST_JOBS = 10_000;

const findingNotes = callsOf<[names: string[]]>(
  "read_notes",
  "select name, value from settings where name = any($1::text[])",
);

const countingDue = callsOf(
  "count_jobs_due",
  `select count(*) from (select 1 from jobs where state = 'waiting' and run_at <= now() limit ${MOST_JOBS}) n`,
);

const countingFailed = callsOf(
  "count_jobs_failed",
  `select count(*) from (select 1 from jobs where state = 'failed' limit ${MOST_JOBS}) n`,
);

/** The notes by name, and the numbers of jobs that could run now and that failed. Only for the owner role. */
export async function readNotes(
  database: Database,
  names: string[],
): Promise<{ notes: ReadonlyMap<string, string>; waiting: number; failed: number }> {
  const [rows = [], waiting, failed] = await database.owner([findingNotes(names), countingDue(), countingFailed()]);
  const notes = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  return { notes, waiting: Number(oneValue(waiting)), failed: Number(oneValue(failed)) };
}

const writing = callsOf<[name: string, value: string]>(
  "write_note",
  "insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
);

/** Only for the owner role. */
export async function writeNote(database: Database, name: string, value: string): Promise<void> {
  await database.owner([writing(name, value)]);
}
