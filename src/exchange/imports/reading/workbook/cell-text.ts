/**
 * A workbook's rows are stored as CSV with one line for each row, so that a line is the number of a row. A line break
 * in a cell is stored as U+2028.
 */
export const LINE_BREAK = "\u2028";

/** The mark of a number with decimals that is not written in any language yet. */
export const NUMBER = "\u2060";
