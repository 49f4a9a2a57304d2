import { asOwner, type Connection } from "./database.ts";
import { migrationNames } from "./migration-files.ts";

/** How a database stands beside this release. */
export type Standing = {
  /** The migrations that it lacks, oldest first. */
  pending: string[];
  /** Those that it has and this release does not know. */
  unknown: string[];
};

/** Compares without applying any. */
export async function migrationsOf(connection: Connection): Promise<Standing> {
  const ours = migrationNames();
  return await asOwner(connection, async (client) => {
    const { rows: tables } = await client.query("select from pg_class where oid = to_regclass('migrations')");
    const { rows } = tables.length === 0 ? { rows: [] } : await client.query("select name from migrations");
    const applied = new Set(rows.map(({ name }: { name: string }) => name));
    const unknown = [...applied].filter((name) => !ours.includes(name)).toSorted();
    return { pending: ours.filter((name) => !applied.has(name)), unknown };
  });
}
