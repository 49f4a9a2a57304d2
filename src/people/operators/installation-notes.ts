import type { Config } from "../../kit/config.ts";
import type { Deps } from "../../kit/deps.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { LAST_BACKUP, readBackupAge, type BackupAge } from "../../platform/postgres/last-backup.ts";
import { readNotes, writeNote } from "./installation-queries.ts";

/** The last run of a command: `at` in ISO format, and the number of the doctor's findings. */
export type Note = { at: string; findings?: number };

export const noteNames = { backup: LAST_BACKUP, doctor: "last_doctor" } as const;

/** Stores when a command ran, for the operators' home. A failure of the note does not fail the command. */
export async function noteRun(
  database: Database,
  what: keyof typeof noteNames,
  note: Partial<Note> = {},
): Promise<void> {
  const value = JSON.stringify({ at: new Date(now()).toISOString(), ...note });
  // The database of a standby cannot be written.
  await writeNote(database, noteNames[what], value).catch(() => {});
}

const DAY_SECONDS = 86_400;
/** For the duration of a backup, and a server that was restarted. */
const LATE_SECONDS = 7_200;

/** The age in seconds from which the last backup is late by its schedule, or by a day without one. */
export function latestBackupAge(backups: Config["backups"]): number {
  if (backups === "elsewhere") return Infinity;
  return (backups === null ? DAY_SECONDS : backups.everyMs / 1_000) + LATE_SECONDS;
}

export function isBackupLate(backups: Config["backups"], { seconds }: BackupAge): boolean {
  return seconds > latestBackupAge(backups);
}

/** The installation for the operators' home; null for a command that never ran. */
export type InstallationState = {
  backup: Note | null;
  isBackupLate: boolean;
  doctor: Note | null;
  waiting: number;
  failed: number;
};

export async function readInstallation({
  config,
  database,
}: Pick<Deps, "config" | "database">): Promise<InstallationState> {
  const { notes, waiting, failed } = await readNotes(database, Object.values(noteNames));
  const noteOf = (name: string): Note | null => {
    const value = notes.get(name);
    return value === undefined ? null : (JSON.parse(value) as Note);
  };
  const isLate = isBackupLate(config.backups, await readBackupAge(database));
  return { backup: noteOf(noteNames.backup), isBackupLate: isLate, doctor: noteOf(noteNames.doctor), waiting, failed };
}
