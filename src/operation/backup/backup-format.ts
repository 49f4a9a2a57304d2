import { createHash } from "node:crypto";
import type { Snapshot } from "../../platform/postgres/snapshot.ts";
import type { StoredSequence, StoredTable } from "../../platform/postgres/stored-tables.ts";
import { versionOf } from "../../platform/version.ts";

/**
 * The version of docs/backup-format.md: a zstd frame with lines of JSON and, between them, the rows of tables. The
 * SHA-256 of its bytes follows.
 */
export const FORMAT = 1;

/** The common part of a backup's first line. */
export type Origin = {
  format: number;
  /** The versions of Liaison and of PostgreSQL. */
  version: string;
  postgres: string;
  /** The moment of the snapshot. */
  taken_at: string;
  migrations: string[];
};

/** The first line of an instance's backup. */
export type InstanceHeader = Origin & {
  liaison: "backup";
  /**
   * Shows whether encryption keys belong to the database (platform/encryption/key-file.ts); null if it has none yet.
   */
  encryption_check: string | null;
  /** In the format of `LIAISON_ENCRYPTION_KEYS`; null if the keys are stored elsewhere. */
  encryption_keys: string | null;
};
export type TenantHeader = Origin & { liaison: "tenant"; tenant: { slug: string; was_suspended: boolean } };
export type BackupHeader = InstanceHeader | TenantHeader;

/** The line of JSON before the rows of a table. */
export type PartBegin = { table: StoredTable };
/** The line of JSON after the rows of a table. */
export type Sums = { rows: number; bytes: number; sha256: string };

/** The last line of JSON. */
export type Trailer = { sequences: StoredSequence[]; tables: number; rows: number };

export function backupOrigin({ serverVersion, takenAt, migrations }: Snapshot): Origin {
  return { format: FORMAT, version: versionOf().version, postgres: serverVersion, taken_at: takenAt, migrations };
}

/** The header of a skippable frame: zstd decompressors ignore it. It contains the SHA-256 of all bytes before it. */
const SKIPPABLE = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]);
export const SEAL_BYTES = SKIPPABLE.length + 32;

/** The last bytes of a file. @param sum SHA-256 of the bytes before */
export function sealOf(sum: Buffer): Buffer {
  return Buffer.concat([SKIPPABLE, sum]);
}

/** COPY ends each row with a line feed, and escapes those within a row. */
const LINE_FEED = 10;

/** Returns a table's rows unchanged. Once all are read, `sums` returns their number, their bytes and their SHA-256. */
export function summing(pieces: AsyncIterable<Buffer>): { rows: AsyncIterable<Buffer>; sums: () => Sums } {
  const hash = createHash("sha256");
  let [rows, bytes] = [0, 0];
  return {
    rows: (async function* () {
      for await (const piece of pieces) {
        hash.update(piece);
        bytes += piece.length;
        for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) rows++;
        yield piece;
      }
    })(),
    sums: () => ({ rows, bytes, sha256: hash.digest("hex") }),
  };
}
