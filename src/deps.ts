import type { Config } from "./config.ts";
import { openDatabase, type Connection, type Database } from "./platform/postgres/database.ts";
import { useCluster, type Cluster } from "./platform/cluster/embedded-postgres.ts";
import { useExternalDatabase } from "./platform/postgres/external-postgres.ts";
import type { Keyring } from "./platform/encryption/keyring.ts";
import { openKeyring } from "./platform/encryption/key-file.ts";
import type { Logger } from "./platform/logger.ts";
import { migrate } from "./platform/postgres/migrate.ts";
import { checkRequestRole, openRequestRole } from "./platform/postgres/request-role.ts";

/** The tools that everything behind a route, and every command, works with. Built by hand, here. */
export type Deps = {
  config: Config;
  database: Database;
  keyring: Keyring;
  logger: Logger;
};

/** Deps, and the things that only the program itself needs. */
export type OpenDeps = Deps & {
  /** As the login role, the owner of the tables. */
  connection: Connection;
  /** The migrations that opening applied. */
  applied: string[];
  /** The directory of an embedded cluster that is not in the data directory. */
  relocatedTo: string | null;
  /** One line for the operator, where an embedded cluster was made that may not be the one that is meant. */
  remark: string | null;
  close(): Promise<void>;
};

/**
 * Starts the embedded PostgreSQL where no DATABASE_URL says otherwise, brings the database up to date, and opens it.
 * Throws ClusterError, EncryptionKeyError, Refusal or the driver's error where one of these cannot be.
 * @param stop ends the waiting for a database that is not there yet, with an error
 */
export async function openDeps(
  config: Config,
  logger: Logger,
  stop: AbortSignal = new AbortController().signal,
): Promise<OpenDeps> {
  const cluster = await reachDatabase(config, logger, stop);
  const { connection, relocatedTo, remark } = cluster;
  try {
    const applied = await migrate(connection);
    const keyring = await openKeyring(connection, config.dataDir, config.encryptionKeys, (tenant, column) => {
      logger.error({ tenant, column }, "a stored value does not decrypt with the keys at hand, and is shown as null");
    });
    const database = openDatabase({ connection, requests: await openRequestRole(connection), logger });
    await checkRequestRole(database).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    return {
      config,
      database,
      keyring,
      logger,
      connection,
      applied,
      relocatedTo,
      remark,
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

/** The embedded PostgreSQL, or the one of DATABASE_URL, which somebody else runs. */
async function reachDatabase({ databaseUrl, dataDir }: Config, logger: Logger, stop: AbortSignal): Promise<Cluster> {
  if (databaseUrl !== null) {
    const connection = await useExternalDatabase(databaseUrl, stop);
    return { connection, relocatedTo: null, remark: null, async release() {} };
  }
  const onTrouble = (error: unknown) => logger.error({ err: error }, "the database could not be restarted");
  return await useCluster(dataDir, { onTrouble, stop });
}
