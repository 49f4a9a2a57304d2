/**
 * A workbook's rows are stored as CSV with one line for each row, so that a line is the number of a row. A line break
 * in a cell is stored as U+2028.
 */
export const LINE_BREAK = "\u2028";

/** Stands before a number with decimals, which is in no language yet. */
export const NUMBER = "\u2060";
