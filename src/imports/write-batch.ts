import { isRefused, isUniqueViolation } from "../platform/postgres/failures.ts";
import type { ImportTarget, Rejection } from "./kind.ts";
import type { ImportRow } from "./rows.ts";

/** The outcome of the rows so far. */
export type Progress = {
  created: number;
  updated: number;
  rejected: Rejection[];
  /** The line of the first row that may not be committed; null where there is none. */
  nextLine: number | null;
};

/** Attempts of a batch that lost an identity to another writer: each asks again who has it. */
const MAX_ATTEMPTS = 3;

/**
 * Creates and updates in one transaction; no two rows have the same identity. A row that only the database finds wrong
 * costs only itself: the batch is halved until that row stands alone.
 */
export async function writeBatch(target: ImportTarget, rows: ImportRow[], progress: Progress): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  progress.nextLine = first.line;
  const { bulk, write } = target.kind;
  const index = bulk.identity?.index ?? "";
  for (let attempt = 1; ; attempt++) {
    try {
      const { created, updated, rejected } = await write(target, rows);
      progress.created += created;
      progress.updated += updated;
      progress.rejected.push(...rejected);
      progress.nextLine = null;
      return;
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (isUniqueViolation(error, index) && attempt < MAX_ATTEMPTS) continue;
      break;
    }
  }
  if (rows.length === 1) {
    progress.rejected.push({ line: first.line, errors: { row: ["The database refused the row."] } });
    progress.nextLine = null;
    return;
  }
  const half = rows.length >> 1;
  await writeBatch(target, rows.slice(0, half), progress);
  await writeBatch(target, rows.slice(half), progress);
}
