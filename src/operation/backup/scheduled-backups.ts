import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { BackupSchedule } from "../../kit/backup-schedule.ts";
import type { OpenDeps } from "../../kit/deps.ts";
import { noteRun } from "../../people/operators/installation-notes.ts";
import { now } from "../../platform/clock.ts";
import { makeDurable } from "../../platform/durable.ts";
import { asOwner } from "../../platform/postgres/as-owner.ts";
import { readDatabaseName } from "../../platform/postgres/database-identity.ts";
import { lockBackups } from "../../platform/postgres/last-backup.ts";
import { readPassphrase } from "./passphrase.ts";
import { readBackup } from "./read-backup.ts";
import { takeBackup } from "./take-backup.ts";
import { UNFINISHED } from "./write-backup.ts";

const CHECK_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** The files of schedules, by the moment at which they were begun, and by their database. */
const OURS = /^liaison-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z-([0-9a-f]{12})\.backup$/;
/** The end of a file's name until it is verified. */
const UNVERIFIED = ".unverified";

/**
 * Makes backups on the schedule of the settings, until the signal aborts. Of the processes of one database, one at a
 * time checks whether a backup is due. A backup gets its name once it was read back; only then the oldest files are
 * removed.
 */
export function startBackups(deps: OpenDeps, stop: AbortSignal): { ended: Promise<void> } {
  const schedule = deps.config.backups;
  return {
    ended: schedule === null || schedule === "elsewhere" ? Promise.resolve() : makeBackups(deps, schedule, stop),
  };
}

async function makeBackups(deps: OpenDeps, schedule: BackupSchedule, stop: AbortSignal): Promise<void> {
  const { connection, logger } = deps;
  let database: string | null = null;
  const isDue = (of: string) => now() - (filesOf(schedule, of).at(-1)?.at ?? -Infinity) >= schedule.everyMs;
  const makeIfDue = async () => {
    // Created once: if it disappears later, a new directory may be on another disk.
    if (database === null) fs.mkdirSync(schedule.directory, { recursive: true, mode: 0o700 });
    const of = (database ??= await asOwner(connection, readDatabaseName));
    if (!isDue(of)) return;
    await asOwner(connection, async (client) => {
      // Another process may have made it before this one got the lock.
      if ((await lockBackups(client)) && isDue(of)) await makeBackup(deps, schedule, of, stop);
    });
  };
  let pauseMs = CHECK_MS;
  while (!stop.aborted) {
    try {
      await makeIfDue();
      pauseMs = CHECK_MS;
    } catch (error) {
      if (stop.aborted) return;
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      logger.error({ err: error, again_in_ms: pauseMs }, "the backup of the schedule failed");
    }
    await pause(pauseMs, undefined, { signal: stop, ref: false }).catch(() => {});
  }
}

async function makeBackup(deps: OpenDeps, schedule: BackupSchedule, of: string, signal: AbortSignal) {
  const { directory, keep, passphraseFile } = schedule;
  removeUnfinished(directory, of);
  const at = new Date(now()).toISOString();
  const passphrase = passphraseFile === null ? null : readPassphrase(passphraseFile);
  const file = path.join(directory, `liaison-${at.slice(0, 19).replaceAll(":", "")}Z-${of}.backup`);
  const unverified = `${file}${UNVERIFIED}`;
  const options = { file: unverified, withKeys: false, passphrase, signal, onProgress() {} };
  const { bytes, rows } = await takeBackup(deps, options);
  await readBackup("backup", { file: unverified, passphrase, signal });
  fs.renameSync(unverified, file);
  makeDurable(directory);
  await noteRun(deps.database, "backup", { at });
  for (const old of filesOf(schedule, of).slice(0, -keep)) fs.rmSync(old.file);
  deps.logger.info({ file, bytes, rows }, "a backup was made and verified");
}

/**
 * The verified backups of a database, oldest first. Those of the future do not count: a clock was wrong. They may be
 * ahead by less than the schedule's time, because the clocks of several machines differ.
 */
function filesOf({ directory, everyMs }: BackupSchedule, of: string): { file: string; at: number }[] {
  return fs
    .readdirSync(directory)
    .toSorted()
    .flatMap((name) => {
      const [, day, hour, minute, second, database] = OURS.exec(name) ?? [];
      const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
      return database === of && at < now() + everyMs ? [{ file: path.join(directory, name), at }] : [];
    });
}

/** Removes the files of a database's backup that was killed; a later one cannot continue them. */
function removeUnfinished(directory: string, of: string): void {
  for (const name of fs.readdirSync(directory)) {
    const [base = ""] = name.split(UNVERIFIED);
    const rest = name.slice(base.length + UNVERIFIED.length);
    if (OURS.exec(base)?.[5] === of && base !== name && (rest === "" || rest.startsWith(UNFINISHED)))
      fs.rmSync(path.join(directory, name));
  }
}
