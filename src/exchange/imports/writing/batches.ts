import { coreOf } from "../../../customers/companies/same-name-queries.ts";
import type { Actor } from "../../../kit/actor.ts";
import type { Deps } from "../../../kit/deps.ts";
import { composed, shortened, trim } from "../../../platform/text.ts";
import { amountIn } from "../cells/amounts.ts";
import { meantBy } from "../cells/meaning.ts";
import { folded } from "../columns/folded.ts";
import type { Kind, Rejection } from "../kind.ts";
import type { CsvRow } from "../reading/csv-row.ts";
import { namingHeader, parseHeader, type CsvHeader } from "../reading/header.ts";
import { isLiteral, literalRow } from "../reading/literal-row.ts";
import { readRows } from "../reading/read-rows.ts";
import type { Reading } from "../reading/reading.ts";
import { rowOf, SAID, type ImportRow } from "../reading/rows.ts";
import { throttleOf } from "../reading/throttle-reading.ts";
import type { ImportReason } from "../reasons.ts";
import { newPass, type Pass } from "./seen-rows.ts";

/** Rows per batch: enough to make the cost of a commit small, few enough that no lock is held for long. */
export const BATCH_ROWS = 500;
/** Characters per batch: 500 rows of long notes would use much memory and block the event loop. */
const BATCH_LENGTH = 256 * 1024;

/** Some rows of a file: those that are well-formed, and the rejections of the others. */
export type FileBatch = {
  header: CsvHeader;
  /** The number of rows, and the line of the first one. */
  count: number;
  firstLine: number | null;
  rows: ImportRow[];
  rejected: Rejection[];
  /** Rows that an earlier attempt has written, of a kind that counts them. */
  earlier: ImportRow[];
};

/**
 * Reads a file in batches for a transaction each, from a line on. If a page reads it, or its kind counts them, rows
 * before that line still count among those that later rows repeat. An empty file has no batch.
 * @param isOfNames returns these later rows too, and all rows without what names no stored row
 */
export async function* fileBatches(
  deps: Deps,
  { kind, actor, reading, fromLine = 1 }: { kind: Kind; actor: Actor; reading: Reading; fromLine?: number },
  chunks: AsyncIterable<Uint8Array>,
  isOfNames = false,
): AsyncGenerator<FileBatch> {
  let header: CsvHeader | null = null;
  let pass: Pass | null = null;
  const isOurs = ({ line }: { line: number }) => line >= fromLine;
  for await (const batch of batches(readRows(chunks, throttleOf(deps, actor.tenant), reading))) {
    if (header === null) {
      const whole = parseHeader(kind, batch.shift(), reading);
      header = isOfNames ? namingHeader(whole, kind) : whole;
      pass = isOfNames ? null : newPass(kind, header, fromLine > 1);
    }
    const [rejected, ours]: [Rejection[], CsvRow[]] = [[], batch.filter(isOurs)];
    const counts = kind.noteEarlier !== undefined && !isOfNames;
    const all = wellFormed({ header, kind, pass }, pass === null && !counts ? ours : batch, rejected);
    const earlier = counts && fromLine > 1 ? all.filter((row) => !isOurs(row)) : [];
    const firstLine = ours[0]?.line ?? null;
    const rows = all.filter(isOurs);
    yield { header, count: ours.length, firstLine, rows, rejected: rejected.filter(isOurs), earlier };
  }
}

/** Groups rows across the boundaries of chunks. */
async function* batches(chunks: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow[]> {
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
  { header, kind, pass }: { header: CsvHeader; kind: Kind; pass: Pass | null },
  csvRows: CsvRow[],
  rejected: Rejection[],
): ImportRow[] {
  const identityAt = header.columns.find(({ name }) => name === kind.bulk.identity?.field)?.index;
  return csvRows.flatMap((csvRow) => {
    const { line } = csvRow;
    if ("complaint" in csvRow) {
      rejected.push({ line, errors: {}, row: csvRow.complaint });
      return [];
    }
    const { cells } = csvRow;
    if (header.language !== null && !header.corrected.has(line)) {
      if (pass?.tableAt != null) {
        rejected.push({ line, errors: {}, row: { code: "behindTable", line: pass.tableAt } });
        return [];
      }
      const again = headerAgain(header, cells);
      if (again !== null) {
        rejected.push({ line, errors: {}, row: { code: again } });
        if (pass !== null && again === "otherTable") pass.tableAt = line;
        return [];
      }
      const isBehind = pass !== null && pass.totalAt !== null;
      if (isBehind || isTotal(cells, identityAt)) {
        rejected.push({
          line,
          errors: {},
          row: isBehind ? { code: "behindTotal", line: pass.totalAt ?? 0 } : { code: "total" },
        });
        if (pass !== null && isLastTotal(cells)) pass.totalAt ??= line;
        return [];
      }
      if (isLoneName(header, cells) && (csvRow.isTitle === true || isTitle(header, cells))) {
        const name = shortened(cells[header.titleAt ?? -1] ?? "", SAID);
        rejected.push({ line, errors: { name: [] }, row: { code: "titleRow" }, cells: { name } });
        return [];
      }
    }
    if (cells.length > header.width || csvRow.isDoubtful === true) {
      const row: ImportReason = { code: "cellsMissing", cells: cells.length, columns: header.width };
      rejected.push({ line, errors: {}, row });
      return [];
    }
    const row = isLiteral(header) ? literalRow(header, csvRow) : rowOf(header, kind.bulk, csvRow);
    const earlier = "errors" in row ? null : (pass?.earlier(row) ?? null);
    if (!("errors" in row) && earlier === null) return [row];
    rejected.push("errors" in row ? row : { line, errors: {}, row: earlier ?? undefined });
    return [];
  });
}

/** The names of a header's columns, folded, and a quick look at them: the lengths of those that begin with a letter. */
type Names = { folded: readonly string[]; lengths: ReadonlyMap<string, ReadonlySet<number>> };
const namesOfHeaders = new WeakMap<CsvHeader, Names>();

function namesOf(header: CsvHeader): Names {
  return namesOfHeaders.getOrInsertComputed(header, () => {
    const lengths = new Map<string, Set<number>>();
    const names = header.written.map(foldedName);
    for (const name of names)
      if (name !== "") lengths.getOrInsertComputed(name.charAt(0), () => new Set()).add(name.length);
    return { folded: names, lengths };
  });
}

/**
 * Whether a row repeats the names of the columns, as pages that were put together do, or numbers them. In another order
 * they are the header of another table. A page's number alone is no row either.
 */
function headerAgain(header: CsvHeader, cells: readonly string[]): "headerAgain" | "otherTable" | "pageMark" | null {
  let at = 0;
  while (cells[at] === "") at++;
  const first = trim(cells[at] ?? "");
  if (first.length > LONGEST_WORD) return null;
  if (first.charCodeAt(2) === LETTER_G && PAGE.test(first))
    return cells.every((cell, index) => index === at || cell === "") ? "pageMark" : null;
  if (at === 0 && first.length <= 3 && cells.length >= FEWEST_NUMBERED && /^\(?[01]\)?$/.test(first)) {
    const start = Number(first.replaceAll(/[()]/g, ""));
    if (cells.every((cell, index) => cell.replaceAll(/[()]/g, "") === String(start + index))) return "headerAgain";
  }
  const names = namesOf(header);
  const lengths = names.lengths.get(first.charAt(0).toLowerCase());
  // Dots are folded away, so the text may be longer.
  if (lengths === undefined || !(lengths.has(first.length) || first.includes("."))) return null;
  if (!names.folded.includes(foldedName(first))) return null;
  const said = cells.map((cell) => (cell.length > LONGEST_WORD ? null : foldedName(cell)));
  const known = said.filter((word) => word !== "");
  if (known.length < 2 || known.some((word) => word === null || !names.folded.includes(word))) return null;
  return said.every((word, index) => word === "" || word === names.folded[index]) ? "headerAgain" : "otherTable";
}

/** `C.U.I.` is also `CUI`. */
const foldedName = (name: string) => folded(name).replaceAll(" ", "");

const PAGE = /^[Pp]ag(?:ina|e|\.)?\s*\d+(?:\s*(?:din|of|\/)\s*\d+)?$/;
const LETTER_G = "g".charCodeAt(0);
const FEWEST_NUMBERED = 3;

/** Whether a company's row has nothing but a name. */
export function isLoneName({ titleAt, width }: CsvHeader, cells: readonly string[]): boolean {
  if (titleAt === null || width < 2 || (cells[titleAt] ?? "") === "") return false;
  return cells.every((cell, index) => index === titleAt || trim(cell) === "");
}

/** Whether a lone name is a title between rows: `Furnizori`, or any name without a legal form if few rows are so. */
function isTitle({ titleAt, hasTitles, width }: CsvHeader, cells: readonly string[]): boolean {
  const text = cells[titleAt ?? -1] ?? "";
  return TITLES.test(folded(text)) || (hasTitles && width >= FEWEST_COLUMNS && !hasLegalForm(text));
}

const FEWEST_COLUMNS = 3;
const TITLES =
  /^(?:(?:lista |list of )?(?:furnizor|client|partener|prospect|supplier|customer|vendor|partner|lead|persoan|contact|firm|societat|compan)(?:i|ii|s|e|ies)(?: (?:noi|vechi|activi|inactivi|interni|externi|interne|externe|active|inactive|new|old|\d+))*|(?:generat|exportat|listat|tiparit|intocmit|verificat|aprobat|generated|exported|printed|prepared) .{1,60}|(?:judetul|zona|regiunea|categoria|grupa|sectorul|region|category|group|area|county) .{1,40})$/;

/** Whether a row is a lone name that may be a title. */
export function mayBeTitle(header: CsvHeader, cells: readonly string[]): boolean {
  return isLoneName(header, cells) && !hasLegalForm(cells[header.titleAt ?? -1] ?? "");
}

function hasLegalForm(name: string): boolean {
  const whole = trim(name).replaceAll(/\s+/g, " ");
  return whole.length > LONGEST_WORD || coreOf(whole) !== composed(whole) || LEGAL.test(whole);
}

const LEGAL =
  /\b(?:GmbH|AG|KG|Ltd|LLC|Inc|S\.?A\.?S|B\.?V|N\.?V|Kft|Zrt|EOOD|OOD|s\.?r\.?o|S\.?N\.?C|S\.?C\.?S|I\.?I|I\.?F|S\.?C\.?A|S\.?p\.?A|SRL-D|O\.?U|Oy|Sp\. z o\. ?o)\.?(?:\s|$)/i;

/**
 * Whether a row sums up those above it, as spreadsheets end: it has amounts beside the word. A company called Total has
 * a fiscal id or an address.
 */
function isTotal(cells: readonly string[], identityAt: number | undefined): boolean {
  const at = cells.findIndex((cell) => trim(cell) !== "");
  const first = cells[at] ?? "";
  if (first.length > LONGEST_WORD || !MAY_BE_TOTAL.test(first) || !TOTAL.test(folded(meantBy(first) ?? "")))
    return false;
  const identity = meantBy(cells[identityAt ?? -1] ?? "") ?? "";
  return (
    (identity.length < SHORTEST_IDENTITY || identityAt === at) &&
    cells.every((cell, index) => index === at || (cell.length <= LONGEST_WORD && isAmount(meantBy(cell) ?? "")))
  );
}

const LONGEST_WORD = 40;
/** A quick look before the text is folded: the o may have an accent. */
const MAY_BE_TOTAL = /t..?t/i;
const TOTAL = /^(?:sub|grand )?total(?:uri)?(?: general| clienti| firme| facturi| randuri| rows)?(?: \d+)?$/;

/** A shorter number beside the word counts rows. */
const SHORTEST_IDENTITY = 5;

function isAmount(text: string): boolean {
  return !/\p{L}/u.test(amountIn(text).number);
}

/** Whether only remarks follow. A list may have further subtotals. */
function isLastTotal(cells: readonly string[]): boolean {
  return !/^sub/i.test(meantBy(cells.find((cell) => trim(cell) !== "") ?? "") ?? "");
}
