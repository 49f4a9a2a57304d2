import { createHash } from "node:crypto";
import type { Snapshot } from "../platform/postgres/snapshot.ts";
import type { StoredSequence, StoredTable } from "../platform/postgres/stored-tables.ts";
import { releaseVersion } from "../platform/version.ts";

/** docs/backup-format.md: a frame of zstd with lines of JSON and the rows of tables between them, and the SHA-256 of its bytes behind it. */
export const FORMAT = 1;

/** The first line of any backup. */
export type Origin = {
  format: number;
  /** Of Liaison, and of PostgreSQL. */
  version: string;
  postgres: string;
  /** The moment that the backup is of. */
  taken_at: string;
  migrations: string[];
};

/** That of an instance's, and that of a tenant's. */
export type InstanceHeader = Origin & {
  liaison: "backup";
  /** Tells whether encryption keys are those of the database (platform/encryption/key-file.ts); null where it has none yet. */
  encryption_check: string | null;
  /** As `LIAISON_ENCRYPTION_KEYS` has them; null where they are kept elsewhere. */
  encryption_keys: string | null;
};
export type TenantHeader = Origin & { liaison: "tenant"; tenant: { slug: string; was_suspended: boolean } };
export type BackupHeader = InstanceHeader | TenantHeader;

/** The line before rows of a table. */
export type PartBegin = { table: StoredTable };
/** The line behind them. */
export type Sums = { rows: number; bytes: number; sha256: string };

/** The last line. */
export type Trailer = { sequences: StoredSequence[]; tables: number; rows: number };

export function backupOrigin({ serverVersion, takenAt, migrations }: Snapshot): Origin {
  return { format: FORMAT, version: releaseVersion(), postgres: serverVersion, taken_at: takenAt, migrations };
}

/** A frame that decompressors of zstd pass over; in it stands the sum of all bytes before it. */
const SKIPPABLE = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]);
export const SEAL_BYTES = SKIPPABLE.length + 32;

/** The last bytes of a file. @param sum SHA-256 of those before */
export function sealOf(sum: Buffer): Buffer {
  return Buffer.concat([SKIPPABLE, sum]);
}

/** COPY ends each row with it, and has none within. */
const LINE_FEED = 10;

/** Passes pieces of a table's rows on; `sums` are theirs once they are read. */
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
