import { trim } from "../../../platform/text.ts";
import { folded } from "../columns/folded.ts";
import type { Kind, Rejection } from "../kind.ts";
import type { CsvRow } from "../reading/csv-row.ts";
import type { CsvHeader } from "../reading/header.ts";
import { rowOf, type ImportRow } from "../reading/rows.ts";
import type { ImportReason } from "../reasons.ts";

/** Rows per batch: enough to make the cost of a commit small, few enough that no lock is held for long. */
export const BATCH_ROWS = 500;
/** Characters per batch: 500 rows of long notes would use much memory and block the event loop. */
const BATCH_LENGTH = 256 * 1024;

/** Groups rows into batches for a transaction each, across the boundaries of chunks. */
export async function* batches(chunks: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow[]> {
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

/** The rows that have no more cells than the header; the others go to `rejected`. */
export function wellFormed(
  { header, kind }: { header: CsvHeader; kind: Kind },
  csvRows: CsvRow[],
  rejected: Rejection[],
): ImportRow[] {
  return csvRows.flatMap((csvRow) => {
    const { line } = csvRow;
    if ("complaint" in csvRow) {
      rejected.push({ line, errors: {}, row: csvRow.complaint });
      return [];
    }
    const { cells } = csvRow;
    if (header.language !== null && !header.corrected.has(line) && isTotal(cells)) {
      rejected.push({ line, errors: {}, row: { code: "total" } });
      return [];
    }
    if (cells.length > header.width || csvRow.isDoubtful === true) {
      const row: ImportReason = { code: "cellsMissing", cells: cells.length, columns: header.width };
      rejected.push({ line, errors: {}, row });
      return [];
    }
    const row = rowOf(header, kind.bulk, csvRow);
    if (!("errors" in row)) return [row];
    rejected.push(row);
    return [];
  });
}

/** Whether a row sums up those above it, as spreadsheets end. A company's name has more words. */
function isTotal(cells: readonly string[]): boolean {
  const first = cells.find((cell) => trim(cell) !== "") ?? "";
  return (
    first.length <= 40 &&
    /^(?:sub|grand )?total(?:uri)?(?: general| clienti| firme| facturi| randuri| rows)?$/.test(folded(first))
  );
}
