import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { createDirectory, changeOwner } from "../../platform/ownership.ts";
import type { HighWater, DatabaseIdentity } from "../../platform/postgres/database-identity.ts";

/** The highest ids that this machine has seen of a database: a file in the data directory for each lineage. */
type HighWaterFile = DatabaseIdentity & { sequences: HighWater };

function fileOf(dataDir: string, { lineage }: DatabaseIdentity): string {
  return path.join(dataDir, `database-${lineage}.mark`);
}

/** Null if there is no file for this lineage, or an invalid one, which is then replaced. */
export function readHighWaterFile(dataDir: string, identity: DatabaseIdentity): HighWater | null {
  try {
    const { sequences } = JSON.parse(fs.readFileSync(fileOf(dataDir, identity), "utf8")) as HighWaterFile;
    return Object.values(sequences).every((last) => /^\d+$/.test(last)) ? sequences : null;
  } catch {
    return null;
  }
}

/** Replaces the file atomically. A file that root writes gets the owner of the data directory. */
export function writeHighWaterFile(dataDir: string, identity: DatabaseIdentity, sequences: HighWater): void {
  createDirectory(dataDir);
  const file = fileOf(dataDir, identity);
  const unfinished = `${file}.liaison-unfinished-${randomBytes(6).toString("hex")}`;
  const descriptor = fs.openSync(unfinished, "wx", 0o600);
  try {
    if (process.getuid?.() === 0) changeOwner(descriptor, fs.statSync(dataDir));
    fs.writeSync(descriptor, `${JSON.stringify({ ...identity, sequences } satisfies HighWaterFile)}\n`);
    fs.fsyncSync(descriptor);
    fs.renameSync(unfinished, file);
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}
