/** Characters of the values that a page of rows has room for. */
const ROOM = 40_000;

/** The first rows that a page has room for, at least one of them. @param texts those of a row */
export function rowsWithinRoom<Row>(rows: readonly Row[], texts: (row: Row) => readonly (string | null)[]): Row[] {
  const lengthOf = (row: Row) => texts(row).reduce((sum, text) => sum + (text?.length ?? 0), 0);
  return rows.slice(0, Math.max(1, countWithinRoom(rows, lengthOf)));
}

/** The number of the first rows that a page has room for. */
export function countWithinRoom<Row>(rows: readonly Row[], lengthOf: (row: Row) => number): number {
  let left = ROOM;
  const first = rows.findIndex((row) => (left -= lengthOf(row)) < 0);
  return first === -1 ? rows.length : first;
}
