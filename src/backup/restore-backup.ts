import type { Config } from "../config.ts";
import { openDeps, reachDatabase } from "../deps.ts";
import {
  EncryptionKeyError,
  isKeyringOf,
  keepEncryptionKeys,
  readEncryptionKeys,
} from "../platform/encryption/key-file.ts";
import { createKeyring, parseEncryptionKeys, type EncryptionKey } from "../platform/encryption/keyring.ts";
import type { Logger } from "../platform/logger.ts";
import { CALLS_HELD, heldBecause } from "../platform/postgres/held-calls.ts";
import { analyze, fillEmpty } from "../platform/postgres/loading.ts";
import { migrationNames } from "../platform/postgres/migrations/migration-files.ts";
import type { StoredTable } from "../platform/postgres/stored-tables.ts";
import { Refusal } from "../platform/refusal.ts";
import type { InstanceHeader, Origin } from "./backup-format.ts";
import { readBackup } from "./read-backup.ts";

export type RestoreOptions = {
  file: string;
  /** Whether the restored instance calls others at once: the old one was stopped before the backup. */
  resumes: boolean;
  signal: AbortSignal;
  /** Hears what is being made. */
  onProgress: (what: string) => void;
};

export type Restored = { rows: number; tables: number; takenAt: string };

/**
 * Fills an empty database with what a backup has, and brings it up to date. Throws Refusal where the database is not empty, the file
 * is damaged or of a newer release, or the encryption keys are not those of the backup; then, as when it is interrupted, the database
 * is as empty as before.
 */
export async function restoreBackup(config: Config, logger: Logger, options: RestoreOptions): Promise<Restored> {
  const { file, resumes, signal, onProgress } = options;
  const { header, trailer } = await readBackup("backup", { file, signal });
  refuseNewer(file, header);
  const keys = encryptionKeysOf(file, header, config);
  const cluster = await reachDatabase(config, logger, { stop: signal, makes: "database" });
  try {
    await fillEmpty(cluster.connection, header.migrations.length, signal, async (loading) => {
      const take = async (table: StoredTable, rows: AsyncIterable<Buffer>) => {
        onProgress(table.name);
        await loading.rows(table, rows);
      };
      await readBackup("backup", { file, signal, take });
      await loading.sequences(trailer.sequences);
      await loading.setting(CALLS_HELD, resumes ? null : heldBecause("the database was restored", false));
      if (keys !== null) keepEncryptionKeys(config.dataDir, keys);
      onProgress("indexes and keys");
    });
    // As every start does: the migrations since, the role of requests, the keys.
    const deps = await openDeps(config, logger, { stop: signal });
    try {
      await analyze(deps.connection);
    } finally {
      await deps.close();
    }
  } finally {
    await cluster.release();
  }
  return { rows: trailer.rows, tables: trailer.tables, takenAt: header.taken_at };
}

/** A release makes the schema as an older one did, and knows nothing of what a newer one did. */
function refuseNewer(file: string, { migrations, version }: Origin): void {
  const ours = migrationNames();
  const unknown = migrations.find((name, index) => name !== ours[index]);
  if (unknown === undefined) return;
  throw new Refusal(
    `${file} is of a newer release (${version}), or of another line of development: this one does not have its migration ${unknown}. Restore it with the release that made it.`,
  );
}

/** The keys that are to be put into the key file; null where it, or the environment, has those of the backup. Throws where nobody has. */
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
