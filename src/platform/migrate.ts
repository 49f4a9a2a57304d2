import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import { asOwner, type Connection } from "./database.ts";

const DIRECTORY = fileURLToPath(new URL("../../migrations", import.meta.url));
/** Serializes processes that start at once. node-pg-migrate's own lock would make the second one fail. */
const MIGRATION_LOCK = 7_261_952;

/** Applies the migrations that are missing and returns their names, oldest first. Safe when several processes do it. */
export async function migrate(connection: Connection): Promise<string[]> {
  return await asOwner(connection, async (client) => {
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const applied = await runner({
      dbClient: client,
      dir: DIRECTORY,
      ignorePattern: "(\\..*|.*\\.md)",
      direction: "up",
      migrationsTable: "migrations",
      noLock: true,
      log: () => {},
    });
    return applied.map(({ name }) => name);
  });
}
