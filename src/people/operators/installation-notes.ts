import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { readNotes, writeNote } from "./installation-queries.ts";

/** The last run of a command: `at` in ISO format, and the number of the doctor's findings. */
export type Note = { at: string; findings?: number };

export const noteNames = { backup: "last_backup", doctor: "last_doctor" } as const;

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

/** The installation for the operators' home; null for a command that never ran. */
export type InstallationState = { backup: Note | null; doctor: Note | null; waiting: number; failed: number };

export async function readInstallation(database: Database): Promise<InstallationState> {
  const { notes, waiting, failed } = await readNotes(database, Object.values(noteNames));
  const noteOf = (name: string): Note | null => {
    const value = notes.get(name);
    return value === undefined ? null : (JSON.parse(value) as Note);
  };
  return { backup: noteOf(noteNames.backup), doctor: noteOf(noteNames.doctor), waiting, failed };
}
