import { shortened } from "../../../platform/text.ts";
import type { BatchOutcome, Rejection } from "../kind.ts";

/** Rows with the same note about the same field, or with the same reason: their number, and the first of them. */
export type Noted = { why: string; field: string; rows: number; first: [line: number, text: string][] };

const [MOST_EXAMPLES, MOST_NOTES] = [20, 300];
const TEXT_LENGTH = 60;

/**
 * Groups what a check says of rows: the notes of those that would be written, and the reasons of those that are
 * skipped. `why` is the code of a note or a reason; for rows that share a fiscal id, `text` is the fiscal id.
 */
export function notingRows() {
  const noted = new Map<string, Noted>();
  // By line, apart from the others: a file may have as many as rows.
  const shared = new Map<string, Noted>();

  function note(why: string, field: string, line: number, text: string, of: string | null = null): void {
    const key = of ?? `${why} ${field}`;
    const among = of === null ? noted : shared;
    if (among.size >= MOST_NOTES && !among.has(key)) return;
    const one = among.getOrInsertComputed(key, () => ({ why, field, rows: 0, first: [] }));
    one.rows++;
    if (one.first.length < MOST_EXAMPLES) one.first.push([line, shortened(text, TEXT_LENGTH)]);
  }

  return {
    look({ notes }: BatchOutcome): void {
      for (const [line, said] of notes ?? []) for (const { field, why, text } of said) note(why, field, line, text);
    },
    lookRejected(rejected: readonly Rejection[]): void {
      for (const { line, row, errors, cells } of rejected) {
        if (row?.code === "sameRow" && row.shared !== undefined) note("shared", row.shared, line, "", String(row.line));
        else if (row !== undefined) note(row.code, "", line, cells?.[Object.keys(errors)[0] ?? ""] ?? "");
        for (const [field, [reason]] of Object.entries(errors))
          if (reason !== undefined) note(reason.code, field, line, cells?.[field] ?? "");
      }
    },
    /** The most frequent first. */
    noted: (): Noted[] => [...noted.values(), ...shared.values()].toSorted((a, b) => b.rows - a.rows),
  };
}
