import type { Actor } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { analyzeTable } from "../platform/fields/bulk.ts";
import { readCsv, type CsvRow } from "./csv-reader.ts";
import { parseHeader, type Header } from "./header.ts";
import type { ImportTarget, Kind, Rejection } from "./kind.ts";
import { rowOf, type ImportRow } from "./rows.ts";
import { writeBatch, type Progress } from "./write-batch.ts";

/** `nextLine` is where to go on when the import ended before the file did. */
export type ImportResult = Omit<Progress, "rejected"> & {
  /** The first of the rejected rows, 1,000 at most, by ascending line. */
  rejected: Rejection[];
  /** The number of rejected rows in all. */
  rejectedCount: number;
  /** The error that ended it, when that was not `stop`: the database went away. */
  failure: unknown;
};

export type ImportOptions = {
  kind: Kind;
  actor: Actor;
  /** The bytes of the file. */
  chunks: AsyncIterable<Uint8Array>;
  /** Rows that start before this line are passed over. */
  fromLine?: number;
  /** Aborted: the batch in progress is finished, and no other begun. */
  stop?: AbortSignal;
  /** Told, after each batch, how many rows were read. */
  onProgress?: (rows: number) => void;
  /** Told of every rejected row, those of a batch together, by ascending line; the import waits for it. */
  onRejected?: (rejected: readonly Rejection[]) => Promise<void>;
};

/** So large that round trips and commits do not count, so small that no lock is held for long. */
const BATCH_ROWS = 500;
/** This many new rows are worth the planner's attention. */
const MANY_ROWS = 1_000;
/** Rejections that the result holds: a file with a wrong column has one for each of its million rows. */
const MOST_REJECTIONS = 1_000;
/** Characters of a batch, so that 500 rows of long notes do not lie in memory at once. */
const BATCH_LENGTH = 4 * 1024 * 1024;

/**
 * Reads a CSV file into a tenant (docs/operations.md 4), a transaction for some hundred rows: memory stays flat, and
 * what was committed stays when a later row is bad, or when the import ends early. Throws Refusal for a file that
 * cannot be meant, and the system's error for an unreadable one.
 */
export async function importCsv(deps: Deps, options: ImportOptions): Promise<ImportResult> {
  const { bulk } = options.kind;
  const result = await writeFile(deps, options);
  await bulk.finish?.(options.actor.tenant, deps.database);
  if (result.failure === null && result.created >= MANY_ROWS) await analyzeTable(deps.database, bulk);
  return result;
}

async function writeFile(deps: Deps, options: ImportOptions): Promise<ImportResult> {
  const { kind, actor, chunks, fromLine = 1, stop, onProgress, onRejected } = options;
  const result: ImportResult = {
    created: 0,
    updated: 0,
    rejected: [],
    rejectedCount: 0,
    nextLine: null,
    failure: null,
  };
  let header: Header | null = null;

  for await (const batch of batches(readCsv(chunks))) {
    header ??= parseHeader(kind, batch.shift());
    const csvRows = batch.filter(({ line }) => line >= fromLine);
    const [first] = csvRows;
    if (first === undefined) continue;
    if (stop?.aborted) return { ...result, nextLine: first.line };
    const { rejected, failure, ...progress } = await writeRows({ deps, kind, actor, header }, csvRows);
    result.created += progress.created;
    result.updated += progress.updated;
    result.rejectedCount += rejected.length;
    result.rejected.push(...rejected.slice(0, MOST_REJECTIONS - result.rejected.length));
    await onRejected?.(rejected);
    if (failure !== null) return { ...result, nextLine: progress.nextLine, failure };
    kind.bulk.wrote?.(actor.tenant, deps.database);
    onProgress?.(csvRows.length);
  }
  // A file without any row has no header either.
  header ??= parseHeader(kind, undefined);
  return result;
}

/** Gathers rows, across the boundaries of chunks, until they are enough for a transaction. */
async function* batches(chunks: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow[]> {
  let batch: CsvRow[] = [];
  let length = 0;
  for await (const csvRows of chunks) {
    for (const csvRow of csvRows) {
      batch.push(csvRow);
      length += lengthOf(csvRow);
      if (batch.length < BATCH_ROWS && length < BATCH_LENGTH) continue;
      yield batch;
      batch = [];
      length = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

function lengthOf(csvRow: CsvRow): number {
  return "cells" in csvRow ? csvRow.cells.reduce((length, cell) => length + cell.length, 0) : 0;
}

/** Writes the rows of a batch. Where one failed, `nextLine` tells where, and rejections from there on are left out. */
async function writeRows(target: ImportTarget, csvRows: CsvRow[]): Promise<Progress & { failure: unknown }> {
  const progress: Progress = { created: 0, updated: 0, rejected: [], nextLine: null };
  let failure: unknown = null;
  try {
    const rows = wellFormed(target, csvRows, progress.rejected);
    for (const part of withoutRepeats(rows)) await writeBatch(target, part, progress);
  } catch (error) {
    failure = error;
  }
  const { rejected, nextLine } = progress;
  const settled = rejected.filter(({ line }) => nextLine === null || line < nextLine);
  return { ...progress, rejected: settled.sort((a, b) => a.line - b.line), failure };
}

function wellFormed({ header, kind }: ImportTarget, csvRows: CsvRow[], rejected: Rejection[]): ImportRow[] {
  const identityField = kind.bulk.identity?.field ?? null;
  return csvRows.flatMap((csvRow) => {
    const { line } = csvRow;
    if ("complaint" in csvRow) {
      rejected.push({ line, errors: { row: [csvRow.complaint] } });
      return [];
    }
    const { cells } = csvRow;
    if (cells.length !== header.width) {
      const complaint = `The row has ${cells.length} cells where the header has ${header.width}.`;
      rejected.push({ line, errors: { row: [complaint] } });
      return [];
    }
    return [rowOf(header, identityField, line, cells)];
  });
}

/** Splits where an identity comes a second time: that row updates what the first one created. */
function withoutRepeats(rows: ImportRow[]): ImportRow[][] {
  const parts: ImportRow[][] = [];
  let part: ImportRow[] = [];
  let seen = new Set<string>();
  for (const row of rows) {
    const identity = row.identity?.normalize("NFC").toLowerCase();
    if (identity !== undefined && seen.has(identity)) {
      parts.push(part);
      part = [];
      seen = new Set();
    }
    if (identity !== undefined) seen.add(identity);
    part.push(row);
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
