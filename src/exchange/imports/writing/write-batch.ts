import { TooMuchStored } from "../../../kit/bulk-queries.ts";
import { EXTERNAL_INDEX } from "../../../kit/external-ids/external-id-queries.ts";
import { isRefused, isUniqueViolation } from "../../../platform/postgres/failures.ts";
import type { BatchOutcome, ImportTarget, Rejection, RowOutcome, Transact } from "../kind.ts";
import type { ImportRow } from "../reading/rows.ts";
import { recordsOf } from "./same-records.ts";

/** The outcome of the rows so far. */
export type Progress = {
  created: number;
  updated: number;
  /** Updated rows that already had the file's values. */
  unchanged: number;
  /** Rows that were known by a name or an e-mail address; skipped ones too. */
  again: number;
  /** Rows of an export whose ids are unknown here. */
  unknownIds: number;
  rejected: Rejection[];
  /** The line of the first row that may not be committed; null if there is none. */
  nextLine: number | null;
};

export function nothingYet(): Progress {
  return { created: 0, updated: 0, unchanged: 0, again: 0, unknownIds: 0, rejected: [], nextLine: null };
}

/** Row counts to report; `updated` includes the unchanged rows. */
export function countsOf(rows: readonly RowOutcome[]): Pick<Progress, "created" | "updated" | "unchanged"> {
  const numberOf = (name: RowOutcome["outcome"]) => rows.filter(({ outcome }) => outcome === name).length;
  const created = numberOf("created");
  return { created, updated: rows.length - created, unchanged: numberOf("unchanged") };
}

/** The rows that are there already, and those with unknown ids. */
function againIn({ notes, rejected }: BatchOutcome): Pick<Progress, "again" | "unknownIds"> {
  const noted = [...(notes?.values() ?? [])];
  const numberOf = (code: string) => noted.filter((some) => some.some(({ why }) => why === code)).length;
  const skipped = rejected.filter(({ row }) => row?.code === "thereAlready").length;
  return { again: numberOf("again") + skipped, unknownIds: numberOf("unknownId") };
}

/** Commits the rows of a transaction. */
export const committing: Transact = async (target, rows, _rejected, order) => {
  const { deps, kind, actor } = target;
  return await deps.database.transaction(actor.tenant, async (run) => {
    const outcome = await kind.write(run, target, rows, order?.locked);
    await order?.toCommit();
    return outcome;
  });
};

/** Attempts of a batch that lost an identity or external id to a concurrent writer: each looks up the owner again. */
const MAX_ATTEMPTS = 3;

/**
 * Creates and updates rows in one transaction. A row that only the database rejects costs only itself: the batch is
 * halved until that row is alone. Rows that are too long to be in memory together are split in the same way.
 */
export async function writeBatch(target: ImportTarget, rows: ImportRow[], progress: Progress): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  progress.nextLine = first.line;
  const index = target.kind.bulk.identity?.index ?? "";
  for (let attempt = 1; ; attempt++) {
    try {
      const written = await target.transact(target, rows, progress.rejected);
      const { created, updated, unchanged } = countsOf(written.rows);
      progress.created += created;
      progress.updated += updated;
      progress.unchanged += unchanged;
      const { again, unknownIds } = againIn(written);
      progress.again += again;
      progress.unknownIds += unknownIds;
      progress.rejected.push(...written.rejected);
      progress.nextLine = null;
      return;
    } catch (error) {
      if (error instanceof TooMuchStored) break;
      if (!isRefused(error)) throw error;
      const isTaken = isUniqueViolation(error, index) || isUniqueViolation(error, EXTERNAL_INDEX);
      if (isTaken && attempt < MAX_ATTEMPTS) continue;
      break;
    }
  }
  if (rows.length === 1) {
    progress.rejected.push({ line: first.line, errors: {}, row: { code: "refused" } });
    recordsOf(target.header).refuse(first.line);
    progress.nextLine = null;
    return;
  }
  const half = rows.length >> 1;
  await writeBatch(target, rows.slice(0, half), progress);
  await writeBatch(target, rows.slice(half), progress);
}
