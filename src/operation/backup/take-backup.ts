import type { Config } from "../../kit/config.ts";
import type { OpenDeps } from "../../kit/deps.ts";
import { CHECK_NAME, readEncryptionKeys } from "../../platform/encryption/key-file.ts";
import { formatEncryptionKeys } from "../../platform/encryption/keyring.ts";
import { onSnapshot, type Snapshot } from "../../platform/postgres/snapshot.ts";
import { backupOrigin, type InstanceHeader, type Trailer } from "./backup-format.ts";
import { leftOut, withConditions } from "./left-out-of-backup.ts";
import { jsonLine, partLines, writeBackup, type WrittenFile } from "./write-backup.ts";

export type BackupOptions = {
  /** `-` is standard output. */
  file: string;
  withKeys: boolean;
  /** Left out or null: the file is not encrypted. */
  passphrase?: string | null;
  signal: AbortSignal;
  /** Called with the current table and the number of rows so far. */
  onProgress: (table: string, rows: number) => void;
};

export type TakenBackup = WrittenFile & { rows: number; tables: number };

/** Writes the whole database as of one moment to a file, while other processes write. */
export async function takeBackup(
  { config, connection }: Pick<OpenDeps, "config" | "connection">,
  options: BackupOptions,
): Promise<TakenBackup> {
  return await onSnapshot(connection, async (snapshot) => {
    const total = { rows: 0, tables: 0 };
    const content = contentOf(snapshot, config, options, total);
    const written = await writeBackup(options.file, content, options.signal, options.passphrase);
    return { ...written, ...total };
  });
}

async function* contentOf(
  snapshot: Snapshot,
  config: Config,
  { withKeys, onProgress }: BackupOptions,
  total: { rows: number; tables: number },
): AsyncGenerator<Buffer | string> {
  const keys = withKeys ? (config.encryptionKeys ?? readEncryptionKeys(config.dataDir)) : null;
  const header: InstanceHeader = {
    liaison: "backup",
    ...backupOrigin(snapshot),
    encryption_check: await snapshot.setting(CHECK_NAME),
    encryption_keys: keys === null ? null : formatEncryptionKeys(keys),
  };
  yield jsonLine(header);
  const wanted = withConditions(snapshot.tables.filter(({ name }) => !leftOut.has(name)));
  total.tables = wanted.length;
  for await (const part of snapshot.rows(wanted)) {
    onProgress(part.table.name, total.rows);
    total.rows += yield* partLines(part);
  }
  yield jsonLine({ sequences: await snapshot.sequences(), ...total } satisfies Trailer);
}
