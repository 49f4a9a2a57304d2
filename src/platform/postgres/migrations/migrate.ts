import type pg from "pg";
import { Refusal } from "../../refusal.ts";
import { asOwner } from "../as-owner.ts";
import type { Connection } from "../database.ts";
import { allowMigrations, distributeMigrated } from "../distribution/distribution.ts";
import { cancelledBy, givingWay, takeTurn, type Waiting } from "./giving-way.ts";
import { applyMigrations } from "./migration-files.ts";
import { isUpToDate } from "./migration-standing.ts";
import { writeSetting } from "../settings.ts";

/** The last migration behind which everything was done that is done once for all of them. */
const COMPLETED = "completed_migration";

/** `stop` ends it, whatever it waits for: what had begun is taken back, or gone on with by the next. */
export type Migrating = { tell?: Waiting["tell"]; stop?: AbortSignal | undefined; directory?: string | undefined };

/**
 * Applies the migrations that are missing and returns their names, oldest first, while others read and write
 * (docs/decisions/0062-migrations-beside-requests.md). Safe when several processes do it, and when they are killed. On a
 * distributed database what they create is distributed.
 */
export async function migrate(
  connection: Connection,
  { directory, tell = () => {}, stop = new AbortController().signal }: Migrating = {},
): Promise<string[]> {
  const waiting = { tell, stop };
  return await asOwner(connection, async (client) => {
    return await cancelledBy(stop, client, async () => {
      await allowMigrations(client);
      await takeTurn(client, waiting);
      const applied = await applyMissing(client, waiting, directory);
      await complete(client, connection);
      return applied;
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

/** Does what is done once behind all migrations: those of a run that was killed before it came to this are among them. */
async function complete(client: pg.Client, connection: Connection): Promise<void> {
  const { rows } = await client.query<{ last: string; completed: string | null; expects: boolean }>(
    `select name as last, (select value from settings where name = $1) as completed, to_regproc('expect_nulls') is not null as expects
     from migrations order by id desc limit 1`,
    [COMPLETED],
  );
  const [{ last, completed, expects } = { last: "", completed: "", expects: false }] = rows;
  if (last === completed) return;
  await distributeMigrated(client, connection);
  // Of columns, too, whose indexes are new. The schema of a release may be older than this.
  if (expects) await client.query("call expect_nulls()");
  await writeSetting(client, COMPLETED, last);
}

/** A refusal for whoever starts, where node-pg-migrate met a database whose migrations are not the first of the directory's. */
function refusalOf({ message }: Error): Refusal | null {
  const [, ours, theirs] = /^Not run migration (\S+) is preceding already run migration (\S+)$/.exec(message) ?? [];
  if (ours === undefined) return null;
  return new Refusal(
    `This database has the migration ${theirs} where this version has ${ours}: a version of another line of development ` +
      "made it. Start that version, or this one with an empty database.",
  );
}
