import { randomInt } from "node:crypto";
import type { Actor } from "../../../kit/actor.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { Keyring } from "../../../platform/encryption/keyring.ts";
import type { BatchOutcome, ImportTarget, Kind } from "../kind.ts";
import type { CsvHeader } from "../reading/header.ts";
import type { Reading } from "../reading/reading.ts";
import type { ImportRow } from "../reading/rows.ts";
import { BATCH_ROWS, fileBatches } from "../writing/batches.ts";
import { noteCompany } from "../writing/find-again.ts";
import { hashOf } from "../writing/lines-by-key.ts";
import { transactionsOf } from "../writing/rounds.ts";
import { nothingYet, writeBatch, type Progress } from "../writing/write-batch.ts";
import type { ChangedRow } from "./changed-rows.ts";
import { groupOf, rollingBack } from "./rolling-back.ts";

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
  /** Called with all rows of a transaction and their outcome; the rehearsal waits for it. */
  onWritten: (rows: readonly ImportRow[], outcome: BatchOutcome) => Promise<void>;
};

/** Expected rows and bytes that are gathered per pass. At twice as many, they are rehearsed before the pass ends. */
const ROWS_AT_ONCE = 50_000;
const BYTES_AT_ONCE = 16 * 1024 * 1024;

/**
 * Runs the import of a file and rolls every transaction back. Rows of one group depend on each other, so a group of
 * several rows is gathered from the whole file and rehearsed together. The file is read once to find these groups, and
 * once more to rehearse the rows. If too many rows are in such groups, it is read several times, and each pass gathers
 * a part of them.
 */
export async function rehearse(deps: Deps, rehearsal: Rehearsal): Promise<void> {
  const { kind, total, bytes } = rehearsal;
  // A random seed for each run: otherwise a file could be made whose groups all have the same hash.
  const seed = randomInt(2 ** 32);
  const repeats = repeatedGroups(total, seed);
  if (kind.namedBy.length > 0) {
    for await (const { rows } of fileBatches(deps, rehearsal, rehearsal.chunks(), true)) {
      rehearsal.stop.throwIfAborted();
      for (const row of rows) repeats.add(groupOf(kind, row));
    }
  }
  const gathered = repeats.rows();
  const gatheredBytes = (bytes * gathered) / Math.max(total, 1);
  const parts = Math.max(Math.ceil(gathered / ROWS_AT_ONCE), Math.ceil(gatheredBytes / BYTES_AT_ONCE), 1);
  for (let part = 0; part < parts; part++) {
    await rehearsePart(deps, rehearsal, { isFirst: part === 0, partOf });

    function partOf(group: string): "alone" | "ours" | "others" {
      if (gathered === 0 || !repeats.has(group)) return "alone";
      return hashOf(group, seed) % parts === part ? "ours" : "others";
    }
  }
}

type RehearsedPart = { isFirst: boolean; partOf: (group: string) => "alone" | "ours" | "others" };

async function rehearsePart(deps: Deps, rehearsal: Rehearsal, { isFirst, partOf }: RehearsedPart): Promise<void> {
  const { kind, actor, stop, onProgress, onChanged, onWritten } = rehearsal;
  let found: CsvHeader | null = null;
  const transact = rollingBack((group) => partOf(group) === "ours", onChanged, onWritten);
  const gathered = gathering();
  const sparing = encryptingOnce(deps.keyring);
  const targetOf = (header: CsvHeader) => ({ deps, kind, actor, header, transact, custom: null, returnsStored: true });

  async function write(target: ImportTarget, rows: ImportRow[], progress: Progress): Promise<void> {
    stop.throwIfAborted();
    for (const some of transactionsOf(rows)) await writeBatch(target, some, progress);
    await onProgress(progress);
  }

  async function writeGathered(target: ImportTarget): Promise<void> {
    const rows = gathered.drain();
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      await write(target, rows.slice(at, at + BATCH_ROWS), nothingYet());
    }
  }

  for await (const { header, rows, rejected } of fileBatches(deps, rehearsal, rehearsal.chunks())) {
    stop.throwIfAborted();
    found = header;
    const alone: ImportRow[] = [];
    for (const row of rows) {
      const group = groupOf(kind, row);
      const part = partOf(group);
      if (part === "alone") alone.push(row);
      else if (kind.bulk.table === "companies") noteCompany(header, row);
      if (part === "ours") gathered.add(group, row);
    }
    // Each pass meets the same rows that stand alone or could not be read. The first one rehearses and reports them.
    if (isFirst) await write({ ...targetOf(header), sparing }, alone, { ...nothingYet(), rejected });
    if (gathered.isFull()) await writeGathered(targetOf(header));
  }
  if (found !== null) await writeGathered(targetOf(found));
}

/**
 * Encrypts one phone number of each column, and returns it for every other: nobody reads a row that is rolled back.
 */
function encryptingOnce(keyring: Keyring): Keyring {
  const encrypted = new Map<string, string>();
  const encryptPhone: Keyring["encryptPhone"] = (tenant, column) =>
    encrypted.getOrInsertComputed(column, () => keyring.encryptPhone(tenant, column, "+40 722 000 111"));
  return Object.assign(Object.create(keyring) as Keyring, { encryptPhone });
}

/** A filter of 16 MiB at a million rows, and of 4 MiB at least. By chance it takes one group of 10,000 for repeated. */
const [BITS_PER_ROW, FEWEST_BITS] = [64, 2 ** 24];

/** The groups that were added at least twice, and by chance a few others. @param expected additions */
function repeatedGroups(expected: number, seed: number) {
  const bits = 2 ** Math.ceil(Math.log2(Math.max(expected * BITS_PER_ROW, FEWEST_BITS)));
  const [once, twice] = [new Uint8Array(bits / 8), new Uint8Array(bits / 8)];
  let rows = 0;
  const bitsOf = (group: string) => {
    const [first, step] = [hashOf(group, seed), hashOf(group, ~seed)];
    return [first % bits, (first + step) % bits, (first + 2 * step) % bits];
  };
  const isIn = (filter: Uint8Array, all: readonly number[]) =>
    all.every((bit) => ((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  const put = (filter: Uint8Array, all: readonly number[]) => {
    for (const bit of all) filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7));
  };
  return {
    add(group: string): void {
      const all = bitsOf(group);
      if (isIn(twice, all)) rows++;
      else if (isIn(once, all)) {
        put(twice, all);
        rows += 2;
      } else put(once, all);
    },
    has: (group: string) => isIn(twice, bitsOf(group)),
    /** The additions of repeated groups. */
    rows: () => rows,
  };
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
    drain(): ImportRow[] {
      const drained = [...groups.values()].flat();
      groups = new Map();
      [rows, length] = [0, 0];
      return drained;
    },
  };
}
