import type { Config } from "./config.ts";
import { openDatabase, type Connection, type Database } from "./platform/database.ts";
import { useCluster, type Cluster } from "./platform/embedded-postgres.ts";
import type { Keyring } from "./platform/encryption.ts";
import { openKeyring } from "./platform/key-file.ts";
import type { Logger } from "./platform/logger.ts";
import { migrate } from "./platform/migrate.ts";

/** What everything behind a route, and every command, works with. Built by hand, here. */
export type Deps = {
  config: Config;
  database: Database;
  keyring: Keyring;
  logger: Logger;
};

/** Deps with what only the program itself needs. */
export type OpenDeps = Deps & {
  /** As the login role, the owner of the tables. */
  connection: Connection;
  /** The migrations that opening applied. */
  applied: string[];
  /** Where the embedded cluster lies when not in the data directory. */
  relocatedTo: string | null;
  close(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL where no DATABASE_URL says otherwise, brings the database up to date, and opens it.
 * Throws ClusterError, KeyError or the driver's error where one of these cannot be.
 */
export async function openDeps(config: Config, logger: Logger): Promise<OpenDeps> {
  const cluster = config.databaseUrl === null ? await useCluster(config.dataDir) : externalCluster(config.databaseUrl);
  const { connection, relocatedTo } = cluster;
  try {
    const applied = await migrate(connection);
    const keyring = await openKeyring(connection, config.dataDir, config.encryptionKeys);
    const database = openDatabase({ connection, logger });
    return {
      config,
      database,
      keyring,
      logger,
      connection,
      applied,
      relocatedTo,
      async close() {
        await database.close();
        await cluster.release();
      },
    };
  } catch (error) {
    await cluster.release();
    throw error;
  }
}

/** A PostgreSQL that somebody else runs. */
function externalCluster(databaseUrl: string): Cluster {
  return { connection: { connectionString: databaseUrl }, relocatedTo: null, async release() {} };
}
