import type pg from "pg";
import { Refusal } from "../../refusal.ts";
import { releaseOf, type Release } from "../../version.ts";
import { readJsonSetting, readSetting, writeSetting } from "../settings.ts";
import { migrationNames } from "./migration-files.ts";

/**
 * The setting with the newest release that migrated the database, and the oldest one that works with its schema; unset
 * before a release has noted itself.
 */
const RELEASE = "release";

/** Notes this release, before it changes the schema: a server of an older one may start meanwhile. */
export async function noteRelease(client: pg.Client): Promise<void> {
  const note = JSON.stringify(releaseOf());
  if (note !== (await readSetting(client, RELEASE))) await writeSetting(client, RELEASE, note);
}

/**
 * Throws Refusal if the database has a migration that this release does not know, and the release that made it does not
 * say that this one works with it.
 */
export async function refuseNewerSchema(
  client: pg.Client,
  found: readonly string[],
  directory?: string,
): Promise<void> {
  const ours = migrationNames(directory);
  const unknown = found.findLast((name) => !ours.includes(name));
  if (unknown === undefined) return;
  const { version } = releaseOf();
  const newer = await readJsonSetting<Release>(client, RELEASE);
  if (newer === null) {
    throw new Refusal(
      `The database has the migration ${unknown}, which this version (${version}) does not know: start the version that made it.`,
    );
  }
  if (!isBefore(version, newer.upgradesFrom)) return;
  throw new Refusal(
    `The database is of version ${newer.version}. Versions before ${newer.upgradesFrom} do not work with it, and this is ${version}: start version ${newer.version}, or restore a backup that ${version} made into an empty database (docs/upgrading.md).`,
  );
}

/** The release of the database whose servers do not work beside this one; null if they do. */
export async function releasePassedOver(client: pg.Client): Promise<string | null> {
  const before = await readJsonSetting<Release>(client, RELEASE);
  return before !== null && isBefore(before.version, releaseOf().upgradesFrom) ? before.version : null;
}

/** Whether a version is older than another one, by its three numbers. */
function isBefore(version: string, other: string): boolean {
  const [ours, theirs] = [version, other].map((text) => text.split(".").map((part) => Number.parseInt(part, 10)));
  const place = (ours ?? []).findIndex((part, at) => part !== theirs?.[at]);
  return place !== -1 && (ours?.[place] ?? 0) < (theirs?.[place] ?? 0);
}
