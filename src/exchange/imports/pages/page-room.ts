/** Characters of the values that a page of rows has room for. */
const ROOM = 40_000;

/** The first rows that a page has room for, at least one of them. @param texts those of a row */
export function rowsWithinRoom<Row>(rows: readonly Row[], texts: (row: Row) => readonly (string | null)[]): Row[] {
  let left = ROOM;
  return rows.filter((row, index) => {
    left -= left < 0 ? 0 : texts(row).reduce((sum, text) => sum + (text?.length ?? 0), 0);
    return left >= 0 || index === 0;
  });
}
