import { randomInt } from "node:crypto";
import type { Actor } from "../../actor.ts";
import type { Deps } from "../../deps.ts";
import type { ImportTarget, Kind } from "../kind.ts";
import { readCsv } from "../reading/csv-reader.ts";
import { parseHeader, type CsvHeader } from "../reading/header.ts";
import { turnsOf } from "../reading/reading-turns.ts";
import type { Reading } from "../reading/reading.ts";
import type { ImportRow } from "../reading/rows.ts";
import { batches, BATCH_ROWS, wellFormed } from "../writing/batches.ts";
import { transactionsOf } from "../writing/rounds.ts";
import { nothingYet, writeBatch, type Progress } from "../writing/write-batch.ts";
import type { ChangedRow } from "./changed-rows.ts";
import { groupOf, takingBack } from "./taking-back.ts";

export type Rehearsal = {
  kind: Kind;
  actor: Actor;
  /** The file, from its beginning each time. */
  chunks: () => AsyncIterable<Uint8Array>;
  reading: Reading;
  /** The rows of the file. */
  total: number;
  bytes: number;
  /** Throws when it is to stop. */
  stop: AbortSignal;
  /** Told what would become of some rows; the rehearsal waits for it. */
  onProgress: (progress: Progress) => Promise<void>;
  /** Told of the first rows that would be changed. */
  onChanged: (changed: readonly ChangedRow[]) => Promise<void>;
};

/** Rows, and bytes, that are expected to be gathered at once. Beyond twice as many, what was gathered is rehearsed first. */
const ROWS_AT_ONCE = 50_000;
const BYTES_AT_ONCE = 16 * 1024 * 1024;

/**
 * Does what the import of a file would do, and takes each transaction back. Rows of a group depend on each other, so they
 * are gathered from the whole file and come together; where there are too many for the memory, the file is read
 * several times, and each time the groups of one part are gathered.
 */
export async function rehearse(deps: Deps, rehearsal: Rehearsal): Promise<void> {
  const { kind, total, bytes } = rehearsal;
  const isNamed = kind.namedBy.length > 0;
  const parts = isNamed ? Math.max(Math.ceil(total / ROWS_AT_ONCE), Math.ceil(bytes / BYTES_AT_ONCE), 1) : 1;
  // The seed is another one each time, so that nobody can choose groups that all come into one part.
  const seed = randomInt(2 ** 32);
  for (let part = 0; part < parts; part++) {
    const isOurs = (group: string) => hashOf(group, seed) % parts === part;
    await rehearsePart(deps, rehearsal, { isFirst: part === 0, isNamed, isOurs });
  }
}

type RehearsedPart = { isFirst: boolean; isNamed: boolean; isOurs: (group: string) => boolean };

async function rehearsePart(
  deps: Deps,
  { kind, actor, chunks, reading, stop, onProgress, onChanged }: Rehearsal,
  { isFirst, isNamed, isOurs }: RehearsedPart,
): Promise<void> {
  let header: CsvHeader | null = null;
  const transact = takingBack(onChanged);
  const gathered = gathering();
  const targetOf = (header: CsvHeader) => ({ deps, kind, actor, header, transact, keepsStored: true });

  async function write(target: ImportTarget, rows: ImportRow[], progress: Progress): Promise<void> {
    stop.throwIfAborted();
    for (const some of transactionsOf(rows)) await writeBatch(target, some, progress);
    await onProgress(progress);
  }

  async function writeGathered(target: ImportTarget): Promise<void> {
    const rows = gathered.take();
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      await write(target, rows.slice(at, at + BATCH_ROWS), nothingYet());
    }
  }

  for await (const batch of batches(readCsv(chunks(), turnsOf(deps, actor.tenant), reading))) {
    stop.throwIfAborted();
    header ??= parseHeader(kind, batch.shift(), reading);
    const progress = nothingYet();
    const rows = wellFormed({ header, kind }, batch, progress.rejected);
    if (!isNamed) {
      await write(targetOf(header), rows, progress);
      continue;
    }
    // Those without cells are the same each time.
    if (isFirst && progress.rejected.length > 0) await onProgress(progress);
    for (const row of rows) {
      const group = groupOf(kind, row);
      if (isOurs(group)) gathered.add(group, row);
    }
    if (gathered.isFull()) await writeGathered(targetOf(header));
  }
  if (header !== null) await writeGathered(targetOf(header));
}

/** Rows by their groups, in the order of the file. */
function gathering() {
  let groups = new Map<string, ImportRow[]>();
  let [rows, length] = [0, 0];
  return {
    add(group: string, row: ImportRow): void {
      // A copy: the cells are slices of what was read with them, and would keep all of that in memory.
      const json = JSON.stringify({ group, row });
      const copy = JSON.parse(json) as { group: string; row: ImportRow };
      groups.getOrInsert(copy.group, []).push(copy.row);
      rows++;
      length += json.length;
    },
    isFull: () => rows >= 2 * ROWS_AT_ONCE || length >= 4 * BYTES_AT_ONCE,
    take(): ImportRow[] {
      const taken = [...groups.values()].flat();
      groups = new Map();
      [rows, length] = [0, 0];
      return taken;
    },
  };
}

/** A number that is the same for the same text and seed. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
