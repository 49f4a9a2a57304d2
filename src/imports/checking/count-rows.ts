import type { Kind, Rejection } from "../kind.ts";
import { readCsv, type Rest } from "../reading/csv-reader.ts";
import { parseHeader, type CsvHeader } from "../reading/header.ts";
import type { Reading } from "../reading/reading.ts";
import type { ImportReason } from "../reading/reasons.ts";
import { wellFormed } from "../writing/batches.ts";
import { groupOf } from "./taking-back.ts";

/**
 * Rows of one file that may name the same stored row. Each is written after the one before it, which takes 20 times as
 * long.
 */
const MOST_ALIKE = 1_000;
/** Identities counted at the same time. Any identity with more than 1/10,000 of the file's rows stays among them. */
const MOST_COUNTED = 10_000;

/** Counts the rows behind the header. Stops at the first row that exceeds MOST_ALIKE, and returns it. */
export async function countRows(
  kind: Kind,
  chunks: AsyncIterable<Uint8Array>,
  { reading, rest }: { reading: Reading; rest: Rest },
  stop: AbortSignal,
): Promise<{ total: number; tooOften: Rejection | null }> {
  const { identity } = kind.bulk;
  const counts = new Map<string, number>();
  let header: CsvHeader | null = null;
  let total = 0;
  for await (const some of readCsv(chunks, rest, reading)) {
    stop.throwIfAborted();
    if (some.length > 0) header ??= parseHeader(kind, some.shift(), reading);
    total += some.length;
    if (header === null || identity === null) continue;
    for (const row of wellFormed({ header, kind }, some, [])) {
      if (row.identity === null || count(counts, groupOf(kind, row)) <= MOST_ALIKE) continue;
      const { field } = identity;
      const reason: ImportReason = { code: "tooManyAlike", most: MOST_ALIKE, field, value: row.identity.text };
      return { total, tooOften: { line: row.line, errors: {}, row: reason } };
    }
  }
  return { total, tooOften: null };
}

/** Counts frequent names in bounded memory. A count is never too high; it may be too low by 1/10,000 of all rows. */
function count(counts: Map<string, number>, name: string): number {
  const times = (counts.get(name) ?? 0) + 1;
  if (times > 1 || counts.size < MOST_COUNTED) {
    counts.set(name, times);
    return times;
  }
  for (const [other, before] of counts) {
    if (before === 1) counts.delete(other);
    else counts.set(other, before - 1);
  }
  return 0;
}
