import { isError } from "../cells/meaning.ts";
import type { Kind, Rejection } from "../kind.ts";
import type { Rest } from "../reading/csv-reader.ts";
import type { CsvRow } from "../reading/csv-row.ts";
import { headerNames, namingHeader, parseHeader, type CsvHeader } from "../reading/header.ts";
import { readRows } from "../reading/read-rows.ts";
import type { Reading } from "../reading/reading.ts";
import type { ImportReason } from "../reasons.ts";
import { mayBeTitle, wellFormed } from "../writing/batches.ts";
import { findingColumns, type ColumnFinding, type LeftOut } from "./column-findings.ts";
import { groupOf } from "./rolling-back.ts";
import { countingWords, type UnknownWord } from "./unknown-words.ts";

/**
 * Rows of one file that may name the same stored row. Each is written after the one before it, which takes 20 times as
 * long.
 */
const MOST_ALIKE = 1_000;
/** Identities counted at the same time. Any identity with more than 1/10,000 of the file's rows stays among them. */
const MOST_COUNTED = 10_000;

/**
 * Counts the rows behind the header, their unknown words, and the cells with an error of a spreadsheet, and finds the
 * orders of their days. Stops at the first row that exceeds MOST_ALIKE, and returns it.
 */
export async function countRows(
  kind: Kind,
  chunks: AsyncIterable<Uint8Array>,
  { reading, rest }: { reading: Reading; rest: Rest },
  stop: AbortSignal,
): Promise<Counted> {
  const { identity } = kind.bulk;
  const counts = new Map<string, number>();
  const words = countingWords(kind);
  let columns = findingColumns([]);
  let header: CsvHeader | null = null;
  let [total, errorCells, titles] = [0, 0, 0];
  for await (const some of readRows(chunks, rest, reading)) {
    stop.throwIfAborted();
    if (header === null && some.length > 0) {
      const first = some.shift();
      header = parseHeader(kind, first, reading);
      columns = findingColumns(first !== undefined && "cells" in first ? headerNames(first.cells) : [], kind.idColumn);
    }
    total += some.length;
    if (header === null) continue;
    for (const row of some) {
      words.look(header, row);
      errorCells += errorCellsIn(header, row);
      columns.look(header, row);
      if ("cells" in row && mayBeTitle(header, row.cells)) titles++;
    }
    if (identity === null) continue;
    for (const row of wellFormed({ header: namingHeader(header, kind), kind, pass: null }, some, [])) {
      if (row.identity === null || count(counts, groupOf(kind, row)) <= MOST_ALIKE) continue;
      const { field } = identity;
      const reason: ImportReason = { code: "tooManyAlike", most: MOST_ALIKE, field, value: row.identity.text };
      return {
        total,
        words: [],
        columns: [],
        leftOut: [],
        letters: null,
        orders: {},
        hasTitles: false,
        errorCells,
        tooOften: { line: row.line, errors: {}, row: reason },
      };
    }
  }
  const fields = header?.columns.map(({ name }) => name) ?? [];
  const found = {
    words: words.found(),
    columns: columns.found(fields),
    leftOut: columns.leftOut(),
    letters: columns.letters(),
    orders: columns.orders(),
    hasTitles: 2 * titles <= total,
  };
  return { total, ...found, errorCells, tooOften: null };
}

function errorCellsIn({ columns }: CsvHeader, row: CsvRow): number {
  if (!("cells" in row)) return 0;
  let errors = 0;
  for (const { index } of columns) if (isError(row.cells[index] ?? "")) errors++;
  return errors;
}

/** The findings of the first reading of a file. */
type Counted = {
  total: number;
  words: UnknownWord[];
  columns: ColumnFinding[];
  leftOut: LeftOut[];
  letters: string | null;
  orders: Reading["orders"];
  hasTitles: boolean;
  errorCells: number;
  tooOften: Rejection | null;
};

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
