import type { Examination, Finding, Patient } from "./check.ts";
import { checkClock } from "./clock.ts";
import { checkCounts } from "./counts.ts";
import { checkDeletions } from "./deletions.ts";
import { checkDisk } from "./disk.ts";
import { checkKeys } from "./keys.ts";
import { checkMail } from "./mail.ts";
import { checkQueue } from "./queue.ts";
import { checkVersions } from "./versions.ts";
import { checkWalls } from "./walls.ts";

const CHECKS: Record<string, Examination> = {
  versions: checkVersions,
  keys: checkKeys,
  disk: checkDisk,
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
export async function examine(patient: Patient, describe: (error: unknown) => string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of Object.entries(CHECKS)) {
    const messages = await look(patient).catch((error: unknown) => [`This could not be looked at: ${describe(error)}`]);
    findings.push(...messages.map((message) => ({ check, message })));
  }
  return findings;
}
