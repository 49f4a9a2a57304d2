/**
 * A workbook's rows are stored as CSV with one line for each row, so that a line is the number of a row. A line break
 * in a cell is stored as U+2028.
 */
export const LINE_BREAK = "\u2028";

/**
 * Begins a number that is not written in any language yet, and separates it from the text that its format shows, and
 * that one from its currency.
 */
const NUMBER = "\u2060";

/** The cell of a number with decimals, or with a format that shows a text, or a currency. */
export function numberCell(value: string, shown = "", currency = ""): string {
  const format = shown === "" && currency === "" ? "" : NUMBER + shown.replaceAll(NUMBER, "");
  return NUMBER + value + format + (currency === "" ? "" : NUMBER + currency);
}

/** The cell of a text, which must not look like a number's. */
export function textCell(text: string): string {
  return text.startsWith(NUMBER) ? text.replace(/^\u2060+/, "") : text;
}

/** The number of a cell, and its text for a person; null for another cell. @see numberCell */
export function numberIn(cell: string): { value: string; shown: (written: string) => string } | null {
  if (!cell.startsWith(NUMBER)) return null;
  const [, value = "", text = "", currency = ""] = cell.split(NUMBER);
  return { value, shown: (written) => text || (currency === "" ? written : `${written} ${currency}`) };
}

/** A text as its cell has it. */
export function plainText(cell: string): string {
  // replaceAll() takes four times as long for a cell that consists of line breaks.
  return cell.includes(LINE_BREAK) ? cell.split(LINE_BREAK).join("\n") : cell;
}
