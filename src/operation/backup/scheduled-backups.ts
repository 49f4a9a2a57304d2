import fs from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { OpenDeps } from "../../kit/deps.ts";
import { noteRun } from "../../people/operators/installation-notes.ts";
import type { BackupSchedule } from "../../platform/backup-schedule.ts";
import { now } from "../../platform/clock.ts";
import { makeDurable } from "../../platform/durable.ts";
import { asOwner } from "../../platform/postgres/as-owner.ts";
import { lockBackups } from "../../platform/postgres/last-backup.ts";
import { readPassphrase } from "./passphrase.ts";
import { readBackup } from "./read-backup.ts";
import { takeBackup } from "./take-backup.ts";
import { UNFINISHED } from "./write-backup.ts";

const CHECK_MS = 30_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** The files of the schedule, by the moment at which they were begun. Others in the directory are left alone. */
const OURS = /^liaison-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;
/** The end of a file's name until it is verified. */
const UNVERIFIED = ".unverified";

/**
 * Makes backups on the schedule of the settings, until the signal aborts. Of all processes that serve one database, one
 * at a time looks whether a backup is due. A backup gets its name once it was read back, and only then the oldest go.
 */
export function startBackups(deps: OpenDeps, stop: AbortSignal): { ended: Promise<void> } {
  const schedule = deps.config.backups;
  return {
    ended: schedule === null || schedule === "elsewhere" ? Promise.resolve() : makeBackups(deps, schedule, stop),
  };
}

async function makeBackups(deps: OpenDeps, schedule: BackupSchedule, stop: AbortSignal): Promise<void> {
  const { connection, logger } = deps;
  const isDue = () => now() - (filesOf(schedule.directory).at(-1)?.at ?? -Infinity) >= schedule.everyMs;
  const makeIfDue = async () => {
    if (!isDue()) return;
    await asOwner(connection, async (client) => {
      // Another process may have made it before this one got the lock.
      if ((await lockBackups(client)) && isDue()) await makeBackup(deps, schedule, stop);
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

async function makeBackup(deps: OpenDeps, { directory, keep, passphraseFile }: BackupSchedule, signal: AbortSignal) {
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  removeUnfinished(directory);
  const at = new Date(now()).toISOString();
  const passphrase = passphraseFile === null ? null : readPassphrase(passphraseFile);
  const file = path.join(directory, `liaison-${at.slice(0, 19).replaceAll(":", "")}Z.backup`);
  const unverified = `${file}${UNVERIFIED}`;
  const options = { file: unverified, withKeys: false, passphrase, signal, onProgress() {} };
  const { bytes, rows } = await takeBackup(deps, options);
  await readBackup("backup", { file: unverified, passphrase, signal });
  fs.renameSync(unverified, file);
  makeDurable(directory);
  await noteRun(deps.database, "backup", { at });
  for (const old of filesOf(directory).slice(0, -keep)) fs.rmSync(old.file);
  deps.logger.info({ file, bytes, rows }, "a backup was made and verified");
}

/** The verified backups of the schedule, oldest first. */
function filesOf(directory: string): { file: string; at: number }[] {
  if (!fs.existsSync(directory)) return [];
  return fs
    .readdirSync(directory)
    .toSorted()
    .flatMap((name) => {
      const [, day, hour, minute, second] = OURS.exec(name) ?? [];
      if (day === undefined) return [];
      return { file: path.join(directory, name), at: Date.parse(`${day}T${hour}:${minute}:${second}Z`) };
    });
}

/** Removes the files of a backup that was killed; a later one cannot continue them. */
function removeUnfinished(directory: string): void {
  for (const name of fs.readdirSync(directory)) {
    const [base = ""] = name.split(UNVERIFIED);
    const rest = name.slice(base.length + UNVERIFIED.length);
    if (OURS.test(base) && base !== name && (rest === "" || rest.startsWith(UNFINISHED)))
      fs.rmSync(path.join(directory, name));
  }
}
