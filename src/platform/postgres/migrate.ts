import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import { advisoryLocks } from "./advisory-locks.ts";
import { asOwner, type Connection } from "./database.ts";

const DIRECTORY = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** Applies the migrations that are missing and returns their names, oldest first. Safe when several processes do it. */
export async function migrate(connection: Connection): Promise<string[]> {
  return await asOwner(connection, async (client) => {
    // node-pg-migrate's own lock would make the second of two processes fail instead of wait.
    await client.query("select pg_advisory_lock($1)", [advisoryLocks.migration]);
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
