import type { Actor } from "../../actor.ts";
import type { Deps } from "../../deps.ts";
import { analyzeGrown } from "../../platform/fields/bulk.ts";
import type { ImportTarget, Kind, Rejection, Transact, CommitTurns } from "../kind.ts";
import { readCsv } from "../reading/csv-reader.ts";
import { parseHeader, type CsvHeader } from "../reading/header.ts";
import { turnsOf } from "../reading/reading-turns.ts";
import { AS_DOCUMENTED, type Reading } from "../reading/reading.ts";
import type { ImportRow } from "../reading/rows.ts";
import { batches, wellFormed } from "./batches.ts";
import { inTurn, NOTHING_BEFORE, NotYet } from "./in-turn.ts";
import { namesOfRow, transactionsOf } from "./rounds.ts";
import { committing, nothingYet, writeBatch, type Progress } from "./write-batch.ts";

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
  reading?: Reading;
  /** Rows that start before this line are passed over. */
  fromLine?: number;
  /** Aborted: the batch in progress is finished, and no other begun. */
  stop?: AbortSignal;
  /** Told, after each batch, how many rows were read. */
  onProgress?: (rows: number) => void;
  /** Told of every rejected row, those of a batch together, by ascending line; the import waits for it. */
  onRejected?: (rejected: readonly Rejection[]) => Promise<void>;
  transact?: Transact;
  keepsStored?: boolean;
};

/** This many new rows are worth the planner's attention, and again so many times as many. */
const MANY_ROWS = 1_000;
const MANY_TIMES = 4;
/** Rejections that the result holds: a file with a wrong column has one for each of its million rows. */
const MOST_REJECTIONS = 1_000;

/**
 * Reads a CSV file into a tenant (docs/operations.md 4), a transaction for some hundred rows: memory stays flat, and
 * what was committed stays when a later row is bad, or when the import ends early. Throws Refusal for a file that
 * cannot be meant, and the system's error for an unreadable one.
 */
export async function importCsv(deps: Deps, options: ImportOptions): Promise<ImportResult> {
  const { bulk } = options.kind;
  const result = await writeFile(deps, options);
  await bulk.finish?.(options.actor.tenant, deps.database);
  return result;
}

async function writeFile(deps: Deps, options: ImportOptions): Promise<ImportResult> {
  const { kind, actor, chunks, reading = AS_DOCUMENTED, fromLine = 1, stop } = options;
  const { transact = committing, keepsStored = false } = options;
  const { result, tell, end } = telling(deps, options);
  let header: CsvHeader | null = null;
  let before = NOTHING_BEFORE;
  let named = new Set<string>();
  try {
    for await (const batch of batches(readCsv(chunks, turnsOf(deps, actor.tenant), reading))) {
      header ??= parseHeader(kind, batch.shift(), reading);
      const csvRows = batch.filter(({ line }) => line >= fromLine);
      const [first] = csvRows;
      const progress = nothingYet();
      const rows = wellFormed({ header, kind }, csvRows, progress.rejected);
      const transactions = transactionsOf(rows);
      // Rows that mean what the batch before means are looked up when that is there.
      const names = rows.flatMap(namesOfRow);
      await (names.some((name) => named.has(name)) ? before.told : before.next);
      named = new Set(names);
      if (result.failure !== null) break;
      if (stop?.aborted) {
        result.nextLine = first?.line ?? fromLine;
        break;
      }
      if (first === undefined) continue;
      const target = { deps, kind, actor, header, transact, keepsStored };
      before = inTurn(
        before,
        async (turns) => await writeTransactions(target, transactions, progress, turns),
        async (written) => await tell(csvRows.length, written),
      );
    }
  } finally {
    await before.told;
  }
  // A file without any row has no header either.
  header ??= parseHeader(kind, undefined);
  await end();
  return result;
}

type BatchWritten = Progress & { failure: unknown };

/** Gathers what became of the batches, in their order, and tells of it. */
function telling(deps: Deps, { kind, actor, onProgress, onRejected }: ImportOptions) {
  const result: ImportResult = {
    created: 0,
    updated: 0,
    unchanged: 0,
    rejected: [],
    rejectedCount: 0,
    nextLine: null,
    failure: null,
  };
  let analyzed = 0;
  let analysis = Promise.resolve();
  function analyze(): void {
    analysis = analyzeGrown(deps.database, kind.bulk, result.created - analyzed);
    analysis.catch(() => {});
    analyzed = result.created;
  }

  async function tell(read: number, { rejected, failure, ...progress }: BatchWritten): Promise<void> {
    // Of what comes behind a failure nothing is there.
    if (result.failure !== null) return;
    result.created += progress.created;
    result.updated += progress.updated;
    result.unchanged += progress.unchanged;
    result.rejectedCount += rejected.length;
    const room = MOST_REJECTIONS - result.rejected.length;
    result.rejected.push(...rejected.slice(0, room).map(({ line, errors, row }) => ({ line, errors, row })));
    if (failure !== null) Object.assign(result, { nextLine: progress.nextLine, failure });
    await onRejected?.(rejected);
    if (failure !== null) return;
    kind.bulk.wrote?.(actor.tenant, deps.database);
    onProgress?.(read);
    if (result.created >= Math.max(MANY_ROWS, MANY_TIMES * analyzed)) analyze();
  }

  async function end(): Promise<void> {
    await analysis;
    if (result.failure === null && result.created - analyzed >= MANY_ROWS) analyze();
    await analysis;
  }

  return { result, tell, end };
}

/** Writes the rows of a batch. Where one failed, `nextLine` tells where, and rejections from there on are left out. */
async function writeTransactions(
  target: ImportTarget,
  transactions: ImportRow[][],
  progress: Progress,
  turns: (isLast: boolean) => CommitTurns,
): Promise<BatchWritten> {
  const [whole] = transactions;
  const isWhole = (rows: ImportRow[]) => transactions.length === 1 && rows.length === whole?.length;
  const transact: Transact = async (batch, rows, rejected) => {
    const attempt = async () => await target.transact(batch, rows, rejected, turns(isWhole(rows)));
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      await error.turn;
      return await attempt();
    }
  };
  let failure: unknown = null;
  try {
    for (const rows of transactions) await writeBatch({ ...target, transact }, rows, progress);
  } catch (error) {
    failure = error;
  }
  const { rejected, nextLine } = progress;
  const settled = rejected.filter(({ line }) => nextLine === null || line < nextLine);
  return { ...progress, rejected: settled.sort((a, b) => a.line - b.line), failure };
}
