import type pg from "pg";
import { Refusal } from "../../refusal.ts";
import { asOwner } from "../as-owner.ts";
import type { Connection } from "../database.ts";
import { allowMigrations } from "../distribution/distribution.ts";
import { complete } from "./completion.ts";
import { cancelledBy, givingWay, lockMigrations, type Waiting } from "./giving-way.ts";
import { applyMigrations, migrationNames } from "./migration-files.ts";
import { appliedMigrations, isUpToDate } from "./migration-standing.ts";
import { noteRelease, refuseNewerSchema, releasePassedOver } from "./release-note.ts";

export type Migrating = {
  report?: Waiting["report"];
  /** Aborts the migration, also while it waits: unfinished steps are rolled back, or the next run continues them. */
  stop?: AbortSignal | undefined;
  directory?: string | undefined;
  /** Refuses an empty database, with this line. Null: its schema is made. */
  refusesEmpty?: string | null;
  /**
   * Called before the first migration of a database that has others, with their number, and the version of the database
   * if servers of that version do not work with these.
   */
  beforeMigrating?: (missing: number, passedOver: string | null, client: pg.Client) => Promise<void>;
};

/**
 * Applies the missing migrations and returns their names, oldest first, while others read and write
 * (docs/decisions/0062-migrations-beside-requests.md). Safe if several processes run it, and if they are killed. On a
 * distributed database, new tables are distributed.
 */
export async function migrate(
  connection: Connection,
  { directory, report = () => {}, stop = new AbortController().signal, refusesEmpty = null, beforeMigrating }: Migrating = {},
): Promise<string[]> {
  const waiting = { report, stop };
  return await asOwner(connection, async (client) => {
    return await cancelledBy(stop, client, async () => {
      await allowMigrations(client);
      await lockMigrations(client, waiting);
      // Checked under the lock: another process may be making the schema.
      const found = await appliedMigrations(client);
      if (refusesEmpty !== null && found.length === 0) throw new Refusal(refusesEmpty);
      await refuseNewerSchema(client, found, directory);
      const ours = migrationNames(directory);
      const missing = ours.filter((name) => !found.includes(name));
      const isOurs = found.every((name) => ours.includes(name));
      if (found.length > 0 && isOurs && missing.length > 0) {
        await beforeMigrating?.(missing.length, await releasePassedOver(client), client);
        await noteRelease(client);
      }
      const added = await applyMissing(client, waiting, directory);
      await complete(client, connection, directory);
      if (isOurs) await noteRelease(client);
      return added;
    });
  });
}

async function applyMissing(client: pg.Client, waiting: Waiting, directory?: string): Promise<string[]> {
  if (await isUpToDate(client, directory)) return [];
  const applied = new Set<string>();
  await givingWay(client, waiting, async (lockTimeoutMs, isAt) => {
    const begin = (migration: string) => {
      applied.add(migration);
      isAt(migration);
    };
    await applyMigrations(client, { directory, lockTimeoutMs, begin });
  }).catch((error: Error) => {
    throw refusalOf(error) ?? error;
  });
  return [...applied];
}

/** A refusal that explains node-pg-migrate's error: the database's migrations are not the first of the directory's. */
function refusalOf({ message }: Error): Refusal | null {
  const [, ours, theirs] = /^Not run migration (\S+) is preceding already run migration (\S+)$/.exec(message) ?? [];
  if (ours === undefined) return null;
  return new Refusal(
    `This database has the migration ${theirs} where this version has ${ours}: a version of another line of development ` +
      "created it. Start that version.",
  );
}
