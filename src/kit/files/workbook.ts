import { wholeNumber, type InLanguages, type Language } from "../web/language.ts";
import type { Cell } from "./cells.ts";
import { zipped, type ZipPart } from "./zip.ts";

export const WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** The longest text of a spreadsheet's cell, in UTF-16 code units. */
const CELL_LENGTH = 32_767;
/** The most rows that an import reads of a workbook, and about the most XML. */
const MOST_ROWS = 1_000_000;
const MOST_CHARACTERS = 400 * 2 ** 20;
/** The most lines about what is left out. */
const MOST_REMARKS = 1_000;
/** Characters of XML that are made at once. */
const AT_ONCE = 64 * 1024;
/** Digits of a number that a spreadsheet stores exactly. A longer number is a text. */
const EXACT_DIGITS = 15;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const [MAIN, RELATIONS, OFFICE] = [
  "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
  "http://schemas.openxmlformats.org/package/2006/relationships",
  "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
];
/** The most decimals of a number. */
const PLACES = 6;
/** Styles by index: a text or whole number, a day in the spreadsheet's own form, a column's name, and decimals. */
const [DAY, HEAD, DECIMALS] = [1, 2, 2];
const places = Array.from({ length: PLACES }, (_none, at) => `0.${"0".repeat(at + 1)}`);
const FORMATS = places.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="#,##${code}"/>`).join("");
const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="${PLACES}">${FORMATS}</numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${PLACES + 3}"><xf/><xf numFmtId="14" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/>${places.map((_code, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`).join("")}</cellXfs></styleSheet>`;
// All parts but these two are sheets. So the types come first, before it is known how many sheets there are.
const TYPES = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${WORKBOOK}.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`;

const words: InLanguages<{ leftOut: string; cell: Remark; rows: Remark; more: string }> = {
  en: {
    leftOut: "Left out",
    cell: (column, row, most) =>
      `${column}, row ${row}: the text is longer than ${most} characters. The CSV file has it.`,
    rows: (_column, rows) => `The sheet has the first ${rows} rows only. The CSV file has all.`,
    more: "There are more such cells.",
  },
  ro: {
    leftOut: "Omise",
    cell: (column, row, most) =>
      `${column}, rândul ${row}: textul are peste ${most} de caractere. Fișierul CSV îl conține.`,
    rows: (_column, rows) => `Foaia are doar primele ${rows} de rânduri. Fișierul CSV le are pe toate.`,
    more: "Mai există astfel de celule.",
  },
};
type Remark = (column: string, rows: string, most: string) => string;

/**
 * Rows as a workbook (XLSX) of one sheet, the first one with the names of the columns. A second sheet says what has no
 * place in it. Made row by row, so that memory is bounded.
 */
export function workbookOf(title: string, rows: AsyncIterable<Cell[][]>, language: Language): AsyncGenerator<Buffer> {
  const remarks: string[] = [];
  async function* parts(): AsyncGenerator<ZipPart> {
    yield { name: "[Content_Types].xml", pieces: [XML, TYPES] };
    yield { name: "_rels/.rels", pieces: [relations([["officeDocument", "xl/workbook.xml"]])] };
    yield { name: "xl/styles.xml", pieces: [XML, STYLES] };
    yield { name: "xl/worksheets/sheet1.xml", pieces: sheetOf(rows, language, remarks) };
    const names = [title];
    if (remarks.length > 0) {
      const { leftOut } = words[language];
      const said = [[leftOut], ...remarks.map((remark) => [remark])];
      yield { name: "xl/worksheets/sheet2.xml", pieces: sheetOf(only(said), language, []) };
      names.push(leftOut);
    }
    const sheets = names.map((name, at) => `<sheet name="${xmlText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
    const book = `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join("")}</sheets></workbook>`;
    yield { name: "xl/workbook.xml", pieces: [XML, book] };
    const targets = names.map((_name, at): [string, string] => ["worksheet", `worksheets/sheet${at + 1}.xml`]);
    yield { name: "xl/_rels/workbook.xml.rels", pieces: [relations([...targets, ["styles", "styles.xml"]])] };
  }
  return zipped(parts());
}

function relations(of: readonly [type: string, target: string][]): string {
  const all = of.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${RELATIONS}">${all.join("")}</Relationships>`;
}

async function* only(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  yield rows;
}

/** The XML of a sheet, in pieces of one size whatever its texts. @param remarks receives what it leaves out */
async function* sheetOf(
  batches: AsyncIterable<Cell[][]>,
  language: Language,
  remarks: string[],
): AsyncGenerator<string> {
  const { cell: tooLong, rows: tooMany, more } = words[language];
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultColWidth="16" defaultRowHeight="15"/><sheetData>`;
  let head: string[] = [];
  let [at, length] = [0, 0];
  let text = "";
  writing: for await (const rows of batches) {
    for (const row of rows) {
      if (at === MOST_ROWS || length > MOST_CHARACTERS) {
        remarks.unshift(tooMany("", wholeNumber(language, at), ""));
        break writing;
      }
      at++;
      if (at === 1) head = row.map(String);
      text += `<row r="${at}">`;
      for (const [column, cell] of row.entries()) {
        const isTooLong = typeof cell === "string" && cell.length > CELL_LENGTH;
        if (isTooLong && remarks.length < MOST_REMARKS) {
          const most = wholeNumber(language, CELL_LENGTH);
          remarks.push(tooLong(head[column] ?? "", wholeNumber(language, at), most));
          if (remarks.length === MOST_REMARKS) remarks.push(more);
        }
        if (!isTooLong && cell !== "") text += cellXml(cell, `${letters(column)}${at}`, at === 1);
        if (text.length < AT_ONCE) continue;
        length += text.length;
        yield text;
        text = "";
      }
      text += "</row>";
    }
  }
  yield `${text}</sheetData></worksheet>`;
}

function cellXml(cell: Cell, reference: string, isHead: boolean): string {
  if (typeof cell === "string") return textXml(cell, reference, isHead ? HEAD : 0);
  if ("day" in cell) {
    const day = daysSince1900(cell.day);
    return day === null ? textXml(cell.day, reference, 0) : `<c r="${reference}" s="${DAY}"><v>${day}</v></c>`;
  }
  const { number } = cell;
  const [, whole = "", decimals = ""] = /^-?(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  if (whole === "" || whole.length + decimals.length > EXACT_DIGITS || decimals.length > PLACES)
    return textXml(number, reference, 0);
  const style = decimals === "" ? "" : ` s="${DECIMALS + decimals.length}"`;
  return `<c r="${reference}"${style}><v>${number}</v></c>`;
}

function textXml(text: string, reference: string, style: number): string {
  const styled = style === 0 ? "" : ` s="${style}"`;
  return `<c r="${reference}"${styled} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** Characters that XML writes otherwise, or not at all, and texts that a spreadsheet reads as such a character. */
const SPECIAL = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[\da-f]{4}_)/gi;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function xmlText(text: string): string {
  return text.replaceAll(
    SPECIAL,
    (character) => entities[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
  );
}

/** The day as a spreadsheet counts it, where all agree: from 1 March 1900 on. Null for an earlier one, or for none. */
function daysSince1900(day: string): number | null {
  const days = Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569;
  return Number.isInteger(days) && days > 60 ? days : null;
}

const references: string[] = [];

/** `A`, `B`, ..., `AA` */
function letters(column: number): string {
  return (references[column] ??=
    (column >= 26 ? letters(Math.floor(column / 26) - 1) : "") + String.fromCharCode(65 + (column % 26)));
}
