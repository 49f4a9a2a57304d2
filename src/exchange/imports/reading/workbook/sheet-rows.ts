import { isError } from "../../cells/meaning.ts";
import { FileRefusal } from "../../reasons.ts";
import type { Rest } from "../csv-reader.ts";
import { ROW_BYTES, ROW_CELLS } from "../csv-row.ts";
import type { SheetChoice, SheetFacts } from "../reading.ts";
import { LINE_BREAK, mergedCell, textCell, TITLE } from "./cell-text.ts";
import { numberText } from "./cell-values.ts";
import { addsText, textShownBy } from "./number-format.ts";
import { longer, sharedTexts, type Workbook } from "./workbook.ts";
import { attribute, readXml, withCharacters } from "./xml.ts";
import { damaged } from "./zip.ts";

/** Rows of a sheet, with its header and titles. */
const MOST_ROWS = 1_000_100;
/** Characters of CSV that are written at once, whatever they were read from: ten bytes may refer to 32,767. */
const WRITTEN_AT_ONCE = 64 * 1024;

const [refOf, typeOf, styleOf, hiddenOf] = [attribute("r"), attribute("t"), attribute("s"), attribute("hidden")];
const [rangeOf, minOf, maxOf, widthOf] = [attribute("ref"), attribute("min"), attribute("max"), attribute("width")];

/** Cells that are merged over several rows, or as a title is: their first and last row, and their first column. */
export type MergedCells = { top: number; bottom: number; column: number; isTitle: boolean };
/** Columns that a title is merged over. */
const TITLE_COLUMNS = 3;
const MOST_MERGES = 100_000;

/**
 * Writes the rows of a sheet as CSV, one line for each row of the sheet (cell-text.ts). Cells are found by their
 * references, and not by the declared size of the sheet. Throws FileRefusal.
 * @param write stores a piece; reading waits for it
 * @param merges of the sheet, which stand behind its rows: returned by a first writing if there are any
 */
export async function writeSheet(
  workbook: Workbook,
  { sheet, leavesHidden }: SheetChoice,
  rest: Rest,
  write: (piece: Buffer) => Promise<void>,
  merges: readonly MergedCells[] = [],
): Promise<SheetFacts & { merges: readonly MergedCells[] }> {
  const { budget } = workbook;
  const cells = readingCells(workbook, (workbook.texts ??= await sharedTexts(workbook, rest)));
  const rows = writingRows(leavesHidden, merges);
  const found: MergedCells[] = [];
  /** The last one of hidden columns, by the first: a sheet may say the same ones millions of times. */
  const hiddenTo = new Map<number, number>();
  let [tag, value] = ["", ""];
  let [isValue, isFormula, isPhonetic] = [false, false, false];

  async function flush(): Promise<void> {
    for (const text of rows.drain()) {
      const bytes = Buffer.from(text);
      // A text that many cells share is written for each of them, so written bytes count like unpacked ones.
      budget.left -= bytes.length;
      if (budget.left < 0) throw new FileRefusal({ code: "workbookTooLarge" });
      await rest(bytes.length);
      await write(bytes);
    }
  }

  await readXml(workbook.part(workbook.sheets[sheet]?.path ?? ""), rest, {
    open(name, opened) {
      if (name === "row") rows.open(refOf(opened), isTrue(hiddenOf(opened)));
      else if (name === "c") [tag, value, isFormula] = [opened, "", false];
      else if (name === "f") isFormula = true;
      else if (name === "col" && (isTrue(hiddenOf(opened)) || widthOf(opened) === "0")) {
        const [first, last] = [Number(minOf(opened)) - 1, Number(maxOf(opened)) - 1];
        if (isColumn(first)) hiddenTo.set(first, Math.max(last, hiddenTo.get(first) ?? 0));
      } else if (name === "mergeCell") {
        if (found.length >= MOST_MERGES) throw new FileRefusal({ code: "workbookTooLarge" });
        found.push(...mergeIn(rangeOf(opened) ?? ""));
      } else if (name === "rPh") isPhonetic = true;
      // `v` is the stored value of a formula, `t` a text within the cell.
      isValue = name === "v" || (name === "t" && !isPhonetic);
    },
    close(name) {
      isValue = false;
      if (name === "rPh") isPhonetic = false;
      else if (name === "c") rows.add(refOf(tag), cells.textOf(tag, value, isFormula));
      else if (name === "row") rows.close();
    },
    text(more) {
      if (isValue) value = longer(value, more);
    },
    isFull: () => rows.length() >= WRITTEN_AT_ONCE,
    paused: flush,
  });
  await flush();
  if (rows.last() === 0) throw new FileRefusal({ code: "workbookEmpty" });
  const isHidden = (column: number) => [...hiddenTo].some(([first, last]) => first <= column && column <= last);
  const columns = rows.columns().filter(isHidden);
  return { ...rows.facts(), ...cells.facts(), hiddenColumns: columns, merges: found };
}

/** Reads the values of cells as texts, and counts those that a person cannot see or that have no result. */
function readingCells({ styles, epoch1904 }: Workbook, texts: readonly string[]) {
  const areTextsStyled = styles.some(({ format }) => format !== null && addsText(format));
  let [formulas, unseen] = [0, 0];

  function shownText(tag: string, text: string): string {
    const format = areTextsStyled ? styles[Number(styleOf(tag))]?.format : null;
    return format == null || text === "" || !addsText(format) ? text : textShownBy(format, text);
  }

  return {
    facts: () => ({ formulas, unseen }),
    /** @param tag of the cell, with its attributes */
    textOf(tag: string, value: string, isFormula: boolean): string {
      const type = typeOf(tag);
      if (styles[Number(styleOf(tag))]?.isBlank === true && value !== "") unseen++;
      if (type === "s") return shownText(tag, value.trim() === "" ? "" : (texts[Number(value)] ?? ""));
      // A formula may be stored without its result, which is no empty text.
      if (isFormula && value === "" && type !== "str") formulas++;
      if (type === "b") return value === "" ? "" : value === "1" ? "TRUE" : "FALSE";
      if (type === undefined || type === "n") return numberText(value, styles[Number(styleOf(tag))], epoch1904);
      if (type === "e") return isError(value) ? value : "#N/A";
      if (type === "d") return value.replace(/T00:00:00(?:\.0+)?Z?$/, "");
      return shownText(tag, textCell(withCharacters(value)));
    },
  };
}

/** The merged cells of a range, if they are of several rows or a title. */
function mergeIn(range: string): MergedCells[] {
  const [, left = "", top, right = "", bottom] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(range) ?? [];
  if (left === "") return [];
  const column = columnOf(left);
  const isTitle = columnOf(right) - column >= TITLE_COLUMNS - 1;
  const merge = { top: Number(top), bottom: Number(bottom), column, isTitle };
  return (isTitle || merge.bottom > merge.top) && isColumn(column) ? [merge] : [];
}

function isColumn(index: number): boolean {
  return Number.isInteger(index) && index >= 0 && index < ROW_CELLS;
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** A row with values, and the number of lines without any before it. */
type FilledRow = { blankLines: number; cells: string[] };

/**
 * Collects rows, and writes them as lines of CSV. Rows without values are blank lines if a value follows, and so are
 * hidden rows that are left out.
 */
function writingRows(leavesHidden: boolean, merges: readonly MergedCells[]) {
  const fillMerged = fillingMerged(merges);
  let rows: FilledRow[] = [];
  let length = 0;
  let [row, column, written] = [0, 0, 0];
  let [hidden, merged] = [0, 0];
  const filled: boolean[] = [];
  let isHidden = false;
  let cells: string[] = [];
  return {
    facts: () => ({ hidden, merged }),
    /** The columns that have a value. */
    columns: () => [...filled.keys()].filter((at) => filled[at] === true),
    /** Characters of the collected rows, with one for each cell, but without what quotation marks add. */
    length: () => length,
    last: () => written,
    drain(): Iterable<string> {
      const drained = rows;
      [rows, length] = [[], 0];
      return linesOf(drained);
    },
    open(reference: string | undefined, isRowHidden: boolean): void {
      isHidden = isRowHidden;
      row = reference === undefined ? row + 1 : Number(reference);
      if (!Number.isInteger(row) || row <= written) throw damaged();
      cells = [];
      column = -1;
    },
    add(reference: string | undefined, value: string): void {
      // A cell without a reference is the next one.
      column = reference === undefined ? column + 1 : columnOf(reference);
      if (value === "") return;
      if (column >= ROW_CELLS) throw new FileRefusal({ code: "workbookTooManyColumns" });
      while (cells.length < column) cells.push("");
      cells[column] = value;
      filled[column] = true;
    },
    close(): void {
      // The first row names the columns, even if it is hidden.
      if (isHidden && cells.length > 0 && written > 0) {
        hidden++;
        if (leavesHidden) cells = [];
      }
      if (cells.length === 0) return;
      if (merges.length > 0) merged += fillMerged(row, cells);
      if (row > MOST_ROWS) throw new FileRefusal({ code: "workbookTooManyRows" });
      let characters = 0;
      for (const cell of cells) characters += cell.length;
      if (characters > ROW_BYTES) throw new FileRefusal({ code: "tooLong" });
      const blankLines = row - written - 1;
      rows.push({ blankLines, cells });
      length += blankLines + cells.length + characters;
      written = row;
      cells = [];
    },
  };
}

/**
 * Marks the merged cells of each row, in the order of the rows, and returns the number of marks. A row without a value
 * of its own shows nothing. Of ranges that overlap, which no spreadsheet writes, the first counts: a row looks at one
 * range of each column.
 */
function fillingMerged(merges: readonly MergedCells[]): (row: number, cells: string[]) => number {
  const waiting = merges.toSorted((a, b) => b.top - a.top);
  const active = new Map<number, MergedCells>();
  return (row, cells) => {
    for (let next = waiting.at(-1); next !== undefined && next.top <= row; next = waiting.at(-1)) {
      const before = active.get(next.column);
      if (before === undefined || before.bottom < next.top) active.set(next.column, next);
      waiting.pop();
    }
    for (const { bottom, column: at } of active.values()) if (bottom < row) active.delete(at);
    let marks = 0;
    for (const { top, column: at } of active.values()) {
      if (top === row) continue;
      while (cells.length <= at) cells.push("");
      if (cells[at] !== "") continue;
      cells[at] = mergedCell(top);
      marks++;
    }
    const title = active.values().find(({ isTitle, column: at }) => isTitle && (cells[at] ?? "") !== "");
    if (title === undefined || cells.some((cell, at) => at !== title.column && cell !== "")) return marks;
    cells[title.column + 1] = TITLE;
    return marks + 1;
  };
}

/** Rows as lines, in pieces of one size: a single row may have a million characters. */
function* linesOf(rows: readonly FilledRow[]): Generator<string> {
  let text = "";
  for (const { blankLines, cells } of rows) {
    if (blankLines > 0) text += "\n".repeat(blankLines);
    let separator = "";
    for (const cell of cells) {
      text += separator + quoted(cell);
      separator = ",";
      if (text.length < WRITTEN_AT_ONCE) continue;
      yield text;
      text = "";
    }
    text += "\n";
  }
  if (text !== "") yield text;
}

/** The index of the column in a reference such as `AB12`. */
function columnOf(reference: string): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  // Four letters are the most, and only digits follow.
  if (at === 0 || at > 4 || !/^\d*$/.test(reference.slice(at))) throw damaged();
  return column - 1;
}

/** Quotation marks where CSV needs them, and around blanks. */
function quoted(cell: string): string {
  if (!/[",\r\n]/.test(cell) && cell === cell.trim()) return cell;
  const line = cell.replaceAll(/\r\n?|\n/g, LINE_BREAK);
  // replaceAll() takes twice as long for a cell that consists of quotation marks.
  return /[",]/.test(line) || line !== line.trim() ? `"${line.split('"').join('""')}"` : line;
}
