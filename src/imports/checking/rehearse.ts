import type { ImportRow } from "../reading/rows.ts";
import type { Actor } from "../../actor.ts";
import type { Deps } from "../../deps.ts";
import { batches, BATCH_ROWS, wellFormed, withoutRepeats } from "../writing/batches.ts";
import { readCsv } from "../reading/csv-reader.ts";
import { turnsOf } from "../reading/reading-turns.ts";
import { parseHeader, type Header } from "../reading/header.ts";
import type { BatchOutcome, ImportTarget, Kind, Rejection, Transact } from "../kind.ts";
import { nothingYet, writeBatch, type Progress } from "../writing/write-batch.ts";

export type Rehearsal = {
  kind: Kind;
  actor: Actor;
  /** The file, from its beginning each time. */
  chunks: () => AsyncIterable<Uint8Array>;
  /** The rows of the file. */
  total: number;
  bytes: number;
  /** Throws when it is to stop. */
  signal: AbortSignal;
  /** Told what would become of some rows; the rehearsal waits for it. */
  onProgress: (progress: Progress) => Promise<void>;
};

/** Rows, and bytes, that are in memory at once. */
const ROWS_AT_ONCE = 50_000;
const BYTES_AT_ONCE = 16 * 1024 * 1024;

/**
 * Does what the import of a file would do, and takes each transaction back. Rows that mean the same one depend on each other, so
 * they are gathered from the whole file and come together; where there are too many for the memory, the file is read
 * several times, and each time a part of what it names is gathered.
 */
export async function rehearse(deps: Deps, rehearsal: Rehearsal): Promise<void> {
  const { kind, total, bytes } = rehearsal;
  const isNamed = kind.namedBy.length > 0;
  const parts = isNamed ? Math.max(Math.ceil(total / ROWS_AT_ONCE), Math.ceil(bytes / BYTES_AT_ONCE), 1) : 1;
  const transact = takingBack();
  for (let part = 0; part < parts; part++) {
    await rehearsePart(deps, rehearsal, transact, { part, parts, isNamed });
  }
}

type Part = { part: number; parts: number; isNamed: boolean };

async function rehearsePart(
  deps: Deps,
  { kind, actor, chunks, signal, onProgress }: Rehearsal,
  transact: Transact,
  { part, parts, isNamed }: Part,
): Promise<void> {
  let header: Header | null = null;
  const gathered = new Map<string, ImportRow[]>();

  async function write(target: ImportTarget, rows: ImportRow[], progress: Progress): Promise<void> {
    signal.throwIfAborted();
    for (const some of withoutRepeats(rows)) await writeBatch(target, some, progress);
    await onProgress(progress);
  }

  for await (const batch of batches(readCsv(chunks(), turnsOf(deps, actor.tenant)))) {
    header ??= parseHeader(kind, batch.shift());
    const progress = nothingYet();
    const rows = wellFormed({ header, kind }, batch, progress.rejected);
    const target = { deps, kind, actor, header, transact, keepsStored: false };
    if (!isNamed) {
      await write(target, rows, progress);
      continue;
    }
    // Those without cells are the same each time.
    if (part === 0 && progress.rejected.length > 0) await onProgress(progress);
    for (const row of rows) {
      const name = groupOf(kind, row);
      if (placeOf(name) % parts !== part) continue;
      const group = gathered.get(name);
      if (group === undefined) gathered.set(name, [row]);
      else group.push(row);
    }
  }
  if (header === null) return;
  const target = { deps, kind, actor, header, transact, keepsStored: false };
  const rows = [...gathered.values()].flat();
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    await write(target, rows.slice(at, at + BATCH_ROWS), nothingYet());
  }
}

/** Rows of the same group may depend on each other: those of a tax id, of an invoice's number. */
function groupOf({ namedBy }: Kind, { input, line }: ImportRow): string {
  const name = input[namedBy[0] ?? ""];
  return typeof name === "string" ? name.normalize("NFC").toLowerCase() : `\0${line}`;
}

/** The row that one of the file means, among those of its group. */
function nameOf({ namedBy }: Kind, { input }: ImportRow): string {
  return JSON.stringify(namedBy.map((name) => input[name]));
}

/** A number that is the same for the same text. */
function placeOf(text: string): number {
  let place = 0;
  for (let at = 0; at < text.length; at++) place = (Math.imul(place, 31) + text.charCodeAt(at)) >>> 0;
  return place;
}

/** Carries the outcome of a transaction out of it, and has it rolled back. */
class TakenBack extends Error {
  readonly outcome: BatchOutcome;
  constructor(outcome: BatchOutcome) {
    super("the rows were only tried");
    this.outcome = outcome;
  }
}

/**
 * Transactions that are taken back. Rows of a group come one after the other; of the group that a transaction ended with, the
 * next one first writes again what that did. The latest row of each name is enough: each sets the same columns.
 */
function takingBack(): Transact {
  let last: string | null = null;
  let earlier = new Map<string, ImportRow>();

  function remember(kind: Kind, rows: ImportRow[], rejected: readonly Rejection[]): void {
    const final = rows.at(-1);
    if (final === undefined || kind.namedBy.length === 0) return;
    const group = groupOf(kind, final);
    if (group !== last) earlier = new Map();
    last = group;
    const refused = new Set(rejected.map(({ line }) => line));
    for (const row of rows) {
      if (groupOf(kind, row) !== group || refused.has(row.line)) continue;
      const name = nameOf(kind, row);
      earlier.delete(name);
      earlier.set(name, row);
    }
  }

  return async (target, rows) => {
    const { deps, kind, actor } = target;
    const [first] = rows;
    const before = first !== undefined && groupOf(kind, first) === last ? [...earlier.values()] : [];
    const outcome = await deps.database
      .transaction(actor.tenant, async (run): Promise<BatchOutcome> => {
        for (const part of withoutRepeats(before)) await kind.write(run, target, part);
        throw new TakenBack(await kind.write(run, target, rows));
      })
      .catch((error: unknown) => {
        if (error instanceof TakenBack) return error.outcome;
        throw error;
      });
    remember(kind, rows, outcome.rejected);
    return outcome;
  };
}
