import { externalName } from "../../../platform/fields/external-ids.ts";
import type { RowNote } from "../cells/read-cell.ts";
import type { BatchOutcome, WrittenRow } from "../kind.ts";
import type { ImportRow } from "../reading/rows.ts";

/** Rounds per transaction: each round scans all versions of a row that earlier rounds left behind. */
const MOST_ROUNDS = 25;

/** Splits rows into several transactions if one identity occurs too often. */
export function transactionsOf(rows: ImportRow[]): ImportRow[][] {
  const names = rows.flatMap(namesOfRow);
  // In most batches each name occurs once.
  if (new Set(names).size === names.length) return rows.length === 0 ? [] : [rows];
  const transactions: ImportRow[][] = [];
  let times = new Map<string, number>();
  for (const row of rows) {
    const time = countOf(times, row);
    if (time === MOST_ROUNDS) countOf((times = new Map()), row);
    if (time === MOST_ROUNDS || transactions.length === 0) transactions.push([]);
    transactions.at(-1)?.push(row);
  }
  return transactions;
}

/** The length of the chain of earlier rows that ends in this one, each sharing a name with the next. */
function countOf(times: Map<string, number>, row: ImportRow): number {
  const names = namesOfRow(row);
  let time = 0;
  for (const name of names) time = Math.max(time, times.get(name) ?? 0);
  for (const name of names) times.set(name, time + 1);
  return time;
}

/** The names by which a row identifies a stored row: its id, its identity and its external ids. */
export function namesOfRow({ id, identity, external = [] }: ImportRow): string[] {
  const names = external.map((each) => `@${externalName(each)}`);
  if (id !== null) names.push(`#${id}`);
  if (identity !== null) names.push(`=${identity.compared}`);
  return names;
}

/**
 * Merges the outcomes of a transaction's rounds. Each stored row appears once: as it was before all rounds, and as it
 * is now.
 */
export function outcomeOf(outcomes: readonly BatchOutcome[]): BatchOutcome {
  const written = new Map<string, WrittenRow>();
  const notes = new Map<number, readonly RowNote[]>();
  const together: BatchOutcome = { rows: [], rejected: [], written: [], notes };
  for (const outcome of outcomes) {
    together.rows.push(...outcome.rows);
    together.rejected.push(...outcome.rejected);
    for (const [line, said] of outcome.notes ?? []) notes.set(line, said);
    for (const row of outcome.written) {
      const { stored } = written.get(row.id) ?? row;
      written.set(row.id, { ...row, stored });
    }
  }
  return { ...together, written: [...written.values()] };
}
