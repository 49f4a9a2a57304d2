import fs from "node:fs";
import path from "node:path";
import { recount } from "../../customers/companies/company-count-queries.ts";
import type { Config } from "../../kit/config.ts";
import { readQueue } from "../../kit/jobs/job-queries.ts";
import { readMailStanding } from "../../kit/mail/mail-queries.ts";
import { isBackupLate } from "../../people/operators/installation-notes.ts";
import { listTenants } from "../../people/tenants/tenant-queries.ts";
import { now } from "../../platform/clock.ts";
import { isoTimestamp, isoOrNull } from "../../platform/dates.ts";
import { diskOf } from "../../platform/disk.ts";
import type { Keyring } from "../../platform/encryption/keyring.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { readBackupAge } from "../../platform/postgres/last-backup.ts";
import { findUndecryptable } from "../encryption/undecryptable.ts";
import { readVersions, findHistoryPolicies, findLowKeys, findOpenTables, readClock } from "./doctor-queries.ts";

/** A problem that an operator should solve, described in one line. */
export type Finding = { check: string; message: string };

/** An opened installation with an up-to-date database. */
type Installation = {
  config: Config;
  database: Database;
  keyring: Keyring;
  /** Calls are held until `resume`, so waiting jobs are no problem. */
  areCallsHeld: boolean;
};

/** Each returns a message per problem. */
const CHECKS: Record<string, (installation: Installation) => Promise<string[]>> = {
  versions: checkVersions,
  keys: checkKeys,
  disk: checkDisk,
  backup: checkBackup,
  walls: checkWalls,
  counts: checkCounts,
  deletions: checkDeletions,
  queue: checkQueue,
  mail: checkMail,
  clock: checkClock,
};

/**
 * Examines an installation without changing it.
 * @param describe turns a failed check into one line, which is reported as a finding
 */
export async function examine(installation: Installation, describe: (error: unknown) => string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(CHECKS)) {
    const messages = await look(installation).catch((error: unknown) => [`The check failed: ${describe(error)}`]);
    findings.push(...messages.map((message) => ({ check, message })));
  }
  return findings;
}

/** A new collation version sorts texts differently, so the indexes would be wrong. */
async function checkVersions({ database }: Installation): Promise<string[]> {
  const { collation, collationAtHand } = await readVersions(database);
  if (collation === null || collationAtHand === null || collation === collationAtHand) return [];
  return [
    `The database's indexes were made with version ${collation} of its collation, and this system has ${collationAtHand}: as its owner run reindex database, then alter database ... refresh collation version.`,
  ];
}

/** Decrypts every encrypted value once, and checks who may read the key file. */
async function checkKeys({ config, database, keyring }: Installation): Promise<string[]> {
  const isFromFile = config.encryptionKeys === null;
  const source = isFromFile ? path.join(config.dataDir, "encryption.keys") : "LIAISON_ENCRYPTION_KEYS";
  const found = await findUndecryptable(database, keyring);
  const lost = [...found].map(
    ([column, { values, rows }]) =>
      `${values} values of ${column} do not decrypt with the keys of ${source} (row ${rows.join(", ")}${values > rows.length ? ", and more" : ""}): restore the missing keys, or replace the values (docs/operations.md 14.3).`,
  );
  return [...lost, ...(isFromFile ? openToOthers(source) : [])];
}

function openToOthers(file: string): string[] {
  const mode = fs.statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return [];
  return [`${file} has the mode ${mode.toString(8).padStart(4, "0")}, and is for its owner alone: chmod 600 ${file}`];
}

const GIBIBYTE = 2 ** 30;

/** Checks the disk of the data directory, if it exists. */
async function checkDisk({ config: { dataDir } }: Installation): Promise<string[]> {
  const disk = diskOf(dataDir);
  if (disk === null) return [];
  const { directory } = disk;
  const [free, all] = [disk.free / GIBIBYTE, disk.all / GIBIBYTE];
  // PostgreSQL stops when the disk is full, and a restore or an import may double the data.
  if (free >= 1 && (free >= 50 || free >= all / 10)) return [];
  return [
    `The disk of ${directory} has ${free.toFixed(1)} GiB free of ${all.toFixed(1)}: make room, or move the data directory to a larger one.`,
  ];
}

/** Checks that the last backup is not older than its schedule allows. */
async function checkBackup({ config: { backups }, database }: Installation): Promise<string[]> {
  const last = await readBackupAge(database);
  if (!isBackupLate(backups, last)) return [];
  const { seconds, at } = last;
  const age = `${Math.floor(seconds / 3_600)} hours`;
  const found =
    at === null ? `There is no backup of this database, which is ${age} old` : `The last backup is ${age} old`;
  const todo =
    backups === null
      ? "run liaison backup FILE, or set LIAISON_BACKUP_TO. If other tools make backups: LIAISON_BACKUP_EVERY=elsewhere"
      : "the log of the server has the reason";
  return [`${found}: ${todo} (docs/operations.md 7.1).`];
}

/** Checks both tenancy walls in the catalogue (ARCHITECTURE.md). */
async function checkWalls({ database }: Installation): Promise<string[]> {
  return [
    ...(await findOpenTables(database)).map(
      (table) =>
        `The table ${table} is open to other tenants' requests: stop the servers, put its wall back (docs/operations.md 14.2), and find out who took it away.`,
    ),
    ...(await findHistoryPolicies(database)).map(
      (policy) =>
        `The policy ${policy} of the table changes lets requests change the history: stop the servers, put the table's wall back (docs/operations.md 14.2), and find out who made it.`,
    ),
    ...(await findLowKeys(database)).map(
      (key) =>
        `${key} does not begin with tenant_id, so tenants conflict with each other: drop it, and find out who made it.`,
    ),
  ];
}

/** Compares stored totals with real counts (docs/decisions/0020-appended-counts.md). */
async function checkCounts({ database }: Installation): Promise<string[]> {
  const messages: string[] = [];
  for (const { id, slug, deletingAt } of await listTenants(database)) {
    // No list shows the rest of a tenant that is being deleted.
    if (deletingAt !== null) continue;
    const { shown, there, differences } = await recount(id, database);
    if (shown === there && differences === 0) continue;
    messages.push(
      `Tenant ${slug}: lists show ${shown} companies, the table has ${there} (${differences} parts differ). Recount (docs/operations.md 14.1).`,
    );
  }
  return messages;
}

/** Tenants whose deletion was interrupted: they are incomplete, so the deletion must be finished. */
async function checkDeletions({ database }: Installation): Promise<string[]> {
  return (await listTenants(database)).flatMap(({ slug, deletingAt }) =>
    deletingAt === null
      ? []
      : [
          `The tenant ${slug} is being deleted since ${isoTimestamp(deletingAt)}: unless somebody does so now, finish it: liaison tenant delete ${slug} --confirm ${slug}`,
        ],
  );
}

const MOST_OVERDUE_SECONDS = 120;

/** Jobs that no worker runs, that failed, or whose warehouse does not answer. */
async function checkQueue({ database, areCallsHeld }: Installation): Promise<string[]> {
  const { states, closedLanes } = await readQueue(database);
  const overdue = areCallsHeld ? [] : states.filter(({ overdueSeconds }) => overdueSeconds > MOST_OVERDUE_SECONDS);
  const failed = states.filter(({ state }) => state === "failed");
  return [
    ...overdue.map(
      ({ kind, jobs, overdueSeconds }) =>
        `${jobs} jobs of the kind ${kind} wait, the first for ${Math.round(overdueSeconds / 60)} minutes longer than it should: start a worker (liaison worker, or a server without LIAISON_WORKER=off), or read what it logs.`,
    ),
    ...failed.map(
      ({ kind, jobs }) => `${jobs} jobs of the kind ${kind} failed, and wait for somebody: read the log of the worker.`,
    ),
    ...(closedLanes === 0
      ? []
      : [
          `${closedLanes} queues are closed, because the warehouse that they call failed five times in a row: liaison wms status --tenant SLUG names it.`,
        ]),
  ];
}

/** Mail that the server does not accept, or that nothing sends. */
async function checkMail({ config, database, areCallsHeld }: Installation): Promise<string[]> {
  const { waiting, failing, givenUp } = await readMailStanding(database);
  const unsent = config.mail === null ? waiting : failing;
  const why =
    config.mail === null
      ? "LIAISON_MAIL_URL is unset: set it again, or ignore this. They are given up after a day."
      : "the mail server did not accept them: read the log of the worker for the reason. They are given up after a day.";
  return [
    ...(unsent === 0 || areCallsHeld ? [] : [`${unsent} mails wait, and ${why}`]),
    ...(givenUp === 0
      ? []
      : [`${givenUp} mails were given up in the last day: the log of the worker has the reasons.`]),
  ];
}

/** `lastAcceptedAt`: ISO; null if no mail was accepted in the last 30 days. */
export type MailState = { isConfigured: boolean; lastAcceptedAt: string | null };

export async function readMailState({ mail }: Config, database: Database): Promise<MailState> {
  const { lastAcceptedAt } = await readMailStanding(database);
  return { isConfigured: mail !== null, lastAcceptedAt: isoOrNull(lastAcceptedAt) };
}

/** A line for an operator. It never has the setting's value. */
export function wordsOfMail({ isConfigured, lastAcceptedAt }: MailState): string {
  if (!isConfigured) return "Mail is not configured: LIAISON_MAIL_URL is unset.";
  const accepted =
    lastAcceptedAt === null
      ? "none was accepted in the last 30 days"
      : `the last one was accepted at ${lastAcceptedAt}`;
  return `Mail is configured; ${accepted}.`;
}

const MOST_SECONDS = 2;

/** Compares this machine's time with the database's. The duration of the query does not count. */
async function checkClock({ database }: Installation): Promise<string[]> {
  // The first query may wait for a connection.
  await readClock(database);
  const asked = now();
  const theirs = await readClock(database);
  const ours = (asked + now()) / 2_000;
  const ahead = ours - theirs;
  if (Math.abs(ahead) <= MOST_SECONDS) return [];
  const words = `${Math.abs(ahead).toFixed(0)} seconds ${ahead > 0 ? "ahead of" : "behind"}`;
  return [
    `The clock of this machine is ${words} the database's: have both set by NTP (timedatectl, chronyc tracking).`,
  ];
}
