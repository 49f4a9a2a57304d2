import { randomInt } from "node:crypto";
import type { Actor } from "../../actor.ts";
import type { Deps } from "../../deps.ts";
import type { BatchOutcome, ImportTarget, Kind } from "../kind.ts";
import { parseHeader, type CsvHeader } from "../reading/header.ts";
import { readRows } from "../reading/read-rows.ts";
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
  /** Reads the file from its beginning on each call. */
  chunks: () => AsyncIterable<Uint8Array>;
  reading: Reading;
  /** Rows in the file. */
  total: number;
  bytes: number;
  /** Aborts the rehearsal, which then throws. */
  stop: AbortSignal;
  /** Called with the outcome of some rows; the rehearsal waits for it. */
  onProgress: (progress: Progress) => Promise<void>;
  /** Called with the first rows that would change. */
  onChanged: (changed: readonly ChangedRow[]) => Promise<void>;
  /** Called with all rows of a transaction and their outcome. */
  onWritten: (rows: readonly ImportRow[], outcome: BatchOutcome) => void;
};

/** Expected rows and bytes per pass. At twice as many, the gathered rows are rehearsed before the pass ends. */
const ROWS_AT_ONCE = 50_000;
const BYTES_AT_ONCE = 16 * 1024 * 1024;

/**
 * Runs the import of a file and rolls every transaction back. Rows of one group depend on each other, so each group is
 * gathered from the whole file and rehearsed together. If the file is too large for memory, it is read several times,
 * and each pass gathers a part of the groups.
 */
export async function rehearse(deps: Deps, rehearsal: Rehearsal): Promise<void> {
  const { kind, total, bytes } = rehearsal;
  const isNamed = kind.namedBy.length > 0;
  const parts = isNamed ? Math.max(Math.ceil(total / ROWS_AT_ONCE), Math.ceil(bytes / BYTES_AT_ONCE), 1) : 1;
  // A random seed for each run: otherwise a file could be made whose groups all fall into one part.
  const seed = randomInt(2 ** 32);
  for (let part = 0; part < parts; part++) {
    const isOurs = (group: string) => hashOf(group, seed) % parts === part;
    await rehearsePart(deps, rehearsal, { isFirst: part === 0, isNamed, isOurs });
  }
}

type RehearsedPart = { isFirst: boolean; isNamed: boolean; isOurs: (group: string) => boolean };

async function rehearsePart(
  deps: Deps,
  { kind, actor, chunks, reading, stop, onProgress, onChanged, onWritten }: Rehearsal,
  { isFirst, isNamed, isOurs }: RehearsedPart,
): Promise<void> {
  let header: CsvHeader | null = null;
  const transact = takingBack(onChanged, onWritten);
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

  for await (const batch of batches(readRows(chunks(), turnsOf(deps, actor.tenant), reading))) {
    stop.throwIfAborted();
    header ??= parseHeader(kind, batch.shift(), reading);
    const progress = nothingYet();
    const rows = wellFormed({ header, kind }, batch, progress.rejected);
    if (!isNamed) {
      await write(targetOf(header), rows, progress);
      continue;
    }
    // Rows that could not be read are the same in each pass: only the first one reports them.
    if (isFirst && progress.rejected.length > 0) await onProgress(progress);
    for (const row of rows) {
      const group = groupOf(kind, row);
      if (isOurs(group)) gathered.add(group, row);
    }
    if (gathered.isFull()) await writeGathered(targetOf(header));
  }
  if (header !== null) await writeGathered(targetOf(header));
}

/** Rows by group; within a group in file order. */
function gathering() {
  let groups = new Map<string, ImportRow[]>();
  let [rows, length] = [0, 0];
  return {
    add(group: string, row: ImportRow): void {
      // The cells are slices of the piece that was read. Without a copy they would keep the whole piece in memory.
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

/** A hash that is stable for one text and seed. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
