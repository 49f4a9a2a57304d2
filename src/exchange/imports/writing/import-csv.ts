import type { Actor } from "../../../kit/actor.ts";
import { analyzeGrown } from "../../../kit/bulk-queries.ts";
import type { Deps } from "../../../kit/deps.ts";
import type { ImportTarget, Kind, Rejection, Transact, CommitOrder } from "../kind.ts";
import { parseHeader } from "../reading/header.ts";
import { AS_DOCUMENTED, type Reading } from "../reading/reading.ts";
import type { ImportRow } from "../reading/rows.ts";
import { fileBatches } from "./batches.ts";
import { inOrder, NOTHING_BEFORE, NotYet } from "./in-order.ts";
import { namesOfRow, transactionsOf } from "./rounds.ts";
import { committing, nothingYet, writeBatch, type Progress } from "./write-batch.ts";

/** `nextLine` is the line to continue at if the import ended before the file did. */
export type ImportResult = Omit<Progress, "rejected"> & {
  /** The first 1,000 rejected rows, by ascending line. */
  rejected: Rejection[];
  /** The number of all rejected rows. */
  rejectedCount: number;
  /** The error that ended the import, for example a lost database; null if it ended by `stop`. */
  failure: unknown;
};

export type ImportOptions = {
  kind: Kind;
  actor: Actor;
  /** The bytes of the file. */
  chunks: AsyncIterable<Uint8Array>;
  reading?: Reading;
  /** Rows that start before this line are skipped. */
  fromLine?: number;
  /** When aborted, the current batch is finished and no other one starts. */
  stop?: AbortSignal;
  /** Called after each batch with the number of rows read. */
  onProgress?: (rows: number) => void;
  /** Called with the rejected rows of each batch, by ascending line; the import waits for it. */
  onRejected?: (rejected: readonly Rejection[]) => Promise<void>;
  transact?: Transact;
  returnsStored?: boolean;
};

/** New rows after which statistics are collected, and the factor to the next collection. */
const MANY_ROWS = 1_000;
const MANY_TIMES = 4;
/** Rejections in the result: a file with a wrong column has one for each of its million rows. */
const MOST_REJECTIONS = 1_000;

/**
 * Imports a CSV file for a tenant (docs/csv.md), in transactions of some hundred rows. Memory use is constant,
 * and committed rows stay if a later row is invalid or the import ends early. Throws Refusal for a file that cannot be
 * imported, and the system's error for an unreadable one.
 */
export async function importCsv(deps: Deps, options: ImportOptions): Promise<ImportResult> {
  const { bulk } = options.kind;
  const result = await writeFile(deps, options);
  await bulk.finish?.(options.actor.tenant, deps.database);
  return result;
}

async function writeFile(deps: Deps, options: ImportOptions): Promise<ImportResult> {
  const { kind, actor, chunks, reading = AS_DOCUMENTED, fromLine = 1, stop } = options;
  const { transact = committing, returnsStored = false } = options;
  const { result, report, end } = reporting(deps, options);
  let isEmpty = true;
  let before = NOTHING_BEFORE;
  let named = new Set<string>();
  try {
    for await (const batch of fileBatches(deps, { kind, actor, reading, fromLine }, chunks)) {
      const { header, count, firstLine, rows, rejected, earlier } = batch;
      isEmpty = false;
      const target = { deps, kind, actor, header, transact, custom: null, returnsStored };
      if (earlier.length > 0)
        await deps.database.transaction(actor.tenant, async (run) => kind.noteEarlier?.(run, target, earlier));
      const progress = { ...nothingYet(), rejected };
      const transactions = transactionsOf(rows);
      // Rows that name the same stored rows as the batch before are looked up only after that batch.
      const names = rows.flatMap(namesOfRow);
      await (names.some((name) => named.has(name)) ? before.reported : before.next);
      named = new Set(names);
      if (result.failure !== null) break;
      if (stop?.aborted) {
        result.nextLine = firstLine ?? fromLine;
        break;
      }
      if (firstLine === null) continue;
      before = inOrder(
        before,
        async (order) => await writeTransactions(target, transactions, progress, order),
        async (written) => await report(count, written),
      );
    }
  } finally {
    await before.reported;
  }
  // An empty file has no header: parsing throws the right refusal.
  if (isEmpty) parseHeader(kind, undefined);
  await end();
  return result;
}

type BatchWritten = Progress & { failure: unknown };

/** Collects the outcomes of the batches in their order, and reports them. */
function reporting(deps: Deps, { kind, actor, onProgress, onRejected }: ImportOptions) {
  const result: ImportResult = {
    created: 0,
    updated: 0,
    unchanged: 0,
    again: 0,
    unknownIds: 0,
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

  async function report(read: number, { rejected, failure, ...progress }: BatchWritten): Promise<void> {
    // Nothing after a failure was committed.
    if (result.failure !== null) return;
    result.created += progress.created;
    result.updated += progress.updated;
    result.unchanged += progress.unchanged;
    result.again += progress.again;
    result.unknownIds += progress.unknownIds;
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

  return { result, report, end };
}

/**
 * Writes the rows of a batch. After a failure, `nextLine` is the line of the failed row, and later rejections are
 * dropped.
 */
async function writeTransactions(
  target: ImportTarget,
  transactions: ImportRow[][],
  progress: Progress,
  order: (isLast: boolean) => CommitOrder,
): Promise<BatchWritten> {
  const [whole] = transactions;
  const isWhole = (rows: ImportRow[]) => transactions.length === 1 && rows.length === whole?.length;
  const transact: Transact = async (batch, rows, rejected) => {
    const attempt = async () => await target.transact(batch, rows, rejected, order(isWhole(rows)));
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      await error.committed;
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
