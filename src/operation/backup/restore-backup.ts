import type { Config } from "../../kit/config.ts";
import { openDeps, reachDatabase } from "../../kit/deps.ts";
import {
  EncryptionKeyError,
  isKeyringOf,
  storeEncryptionKeys,
  readEncryptionKeys,
} from "../../platform/encryption/key-file.ts";
import { createKeyring, parseEncryptionKeys, type EncryptionKey } from "../../platform/encryption/keyring.ts";
import type { Logger } from "../../platform/logger.ts";
import { asOwner } from "../../platform/postgres/as-owner.ts";
import { CALLS_HELD, heldBecause, readHold, type Hold } from "../../platform/postgres/held-calls.ts";
import { analyze, fillEmpty } from "../../platform/postgres/loading.ts";
import { migrationNames } from "../../platform/postgres/migrations/migration-files.ts";
import type { StoredTable } from "../../platform/postgres/stored-tables.ts";
import { Refusal } from "../../platform/refusal.ts";
import type { InstanceHeader, Origin } from "./backup-format.ts";
import { readBackup } from "./read-backup.ts";

export type RestoreOptions = {
  file: string;
  /** Left out or null: the file is not encrypted. */
  passphrase?: string | null;
  /** Whether the restored instance may make calls at once, because the old one was stopped before the backup. */
  resumes: boolean;
  signal: AbortSignal;
  /** Called with the name of each step. */
  onProgress: (what: string) => void;
  /** Turns a failure into one line. */
  describe: (error: unknown) => string;
};

export type Restored = { rows: number; tables: number; takenAt: string; hold: Hold | null };

/**
 * Restores a backup into an empty database and migrates it. Throws Refusal if the database is not empty, the file is
 * damaged or from a newer release, or the encryption keys are not those of the backup. Then, and after an interruption
 * until all rows are committed, the database is empty as before.
 */
export async function restoreBackup(config: Config, logger: Logger, options: RestoreOptions): Promise<Restored> {
  const { file, passphrase = null, resumes, signal, onProgress, describe } = options;
  const { header, trailer } = await readBackup("backup", { file, passphrase, signal });
  refuseNewer(file, header);
  const keys = encryptionKeysOf(file, header, config);
  const cluster = await reachDatabase(config, logger, { stop: signal, makes: "database" });
  try {
    await fillEmpty(cluster.connection, header.migrations.length, signal, async (loading) => {
      const onTable = async (table: StoredTable, rows: AsyncIterable<Buffer>) => {
        onProgress(table.name);
        await loading.rows(table, rows);
      };
      await readBackup("backup", { file, passphrase, signal, onTable });
      await loading.sequences(trailer.sequences);
      // Calls that were held before stay so, for that reason: only the operator knows whether it is settled.
      if (!resumes) await loading.firstSetting(CALLS_HELD, heldBecause("the database was restored", false));
      if (keys !== null) storeEncryptionKeys(config.dataDir, keys);
      onProgress("indexes and keys");
    });
    const hold = await openFilled(config, logger, signal).catch((error: unknown) => {
      throw new Refusal(
        `The rows are restored, so do not repeat the restore; what follows was not done: ${describe(error)} Run liaison migrate instead (docs/operations.md 7.2).`,
      );
    });
    return { rows: trailer.rows, tables: trailer.tables, takenAt: header.taken_at, hold };
  } finally {
    await cluster.release();
  }
}

/** Opens the database as any start does: newer migrations, the role of requests, the keys. Returns its hold. */
async function openFilled(config: Config, logger: Logger, stop: AbortSignal): Promise<Hold | null> {
  const deps = await openDeps(config, logger, { stop });
  try {
    await analyze(deps.connection);
    return await asOwner(deps.connection, readHold);
  } finally {
    await deps.close();
  }
}

/** A release can build the schema of an older one, but not of a newer one. */
function refuseNewer(file: string, { migrations, version }: Origin): void {
  const ours = migrationNames();
  const unknown = migrations.find((name, index) => name !== ours[index]);
  if (unknown === undefined) return;
  throw new Refusal(
    `${file} (made by Liaison ${version}) has the migration ${unknown} of a newer release, or of another line of development: restore it with that one.`,
  );
}

/**
 * The keys to write to the key file; null if it, or the environment, has the backup's keys. Throws if no source has
 * them.
 */
function encryptionKeysOf(file: string, header: InstanceHeader, config: Config): EncryptionKey[] | null {
  const atHand = config.encryptionKeys ?? readEncryptionKeys(config.dataDir);
  const within = header.encryption_keys === null ? null : parseEncryptionKeys(header.encryption_keys);
  const keys = atHand ?? within;
  const check = header.encryption_check;
  if (check === null || (keys !== null && isKeyringOf(createKeyring(keys), check)))
    return atHand === null ? keys : null;
  throw new EncryptionKeyError(
    atHand === null
      ? `${file} has no encryption keys: put the encryption.keys of the database that it is of into LIAISON_DATA_DIR, or set LIAISON_ENCRYPTION_KEYS.`
      : `${config.encryptionKeys === null ? "The encryption.keys in LIAISON_DATA_DIR" : "LIAISON_ENCRYPTION_KEYS"} does not hold the keys of ${file}: put those of its database there.`,
  );
}
