import { FileRefusal } from "../../reasons.ts";
import type { Rest } from "../csv-reader.ts";
import { formatOfArchive } from "../other-formats.ts";
import { textCell } from "./cell-text.ts";
import { styleOf, type Style } from "./cell-values.ts";
import type { FilePieces } from "./file-pieces.ts";
import { readRelations, type Relations } from "./relations.ts";
import { attribute, readXml, withCharacters } from "./xml.ts";
import { damaged, unpack, UNPACKED_LIMIT, zipEntries, type Budget } from "./zip.ts";

/** An opened workbook. */
export type Workbook = {
  sheets: { name: string; isHidden: boolean; path: string }[];
  styles: Style[];
  epoch1904: boolean;
  /** Reads a part; nothing if the workbook does not have it. */
  part: (path: string) => AsyncIterable<Buffer>;
  /** The part with the texts that cells share. */
  textsPath: string;
  /** These texts, once they were read. */
  texts?: readonly string[];
  budget: Budget;
};

const MOST_SHEETS = 500;
const MOST_STYLES = 65_536;
const MOST_TEXTS = 1_000_000;
/** Characters of all shared texts together, and of the text of one cell. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
export const CELL_CHARACTERS = 32_767;

/** The first bytes of a ZIP archive, and of the container of older and of encrypted workbooks. */
export function isWorkbook(first: Uint8Array): boolean {
  const start = Buffer.from(first.subarray(0, 4)).toString("latin1");
  return start === "PK\u0003\u0004" || start === "PK\u0005\u0006" || start === "\u00d0\u00cf\u0011\u00e0";
}

/** Opens a workbook: its sheets and styles. Throws FileRefusal. */
export async function openWorkbook(file: FilePieces, rest: Rest): Promise<Workbook> {
  if (file.bytes(0, 1)[0] === 0xd0) throw new FileRefusal({ code: "workbookLocked" });
  const entries = await zipEntries(file, rest);
  const names = [...entries.keys()];
  const other = formatOfArchive(names);
  if (other !== null) throw new FileRefusal({ code: "otherFormat", format: other });
  const budget = { left: UNPACKED_LIMIT };
  async function* part(path: string): AsyncGenerator<Buffer> {
    const entry = entries.get(path.toLowerCase());
    if (entry !== undefined) yield* unpack(file, entry, budget);
  }
  const root = (await readRelations(part, "", rest)).ofType("officedocument") ?? "xl/workbook.xml";
  const relations = await readRelations(part, root, rest);
  if (relations.ofType("vbaproject") !== undefined || names.some((name) => name.endsWith("vbaproject.bin"))) {
    throw new FileRefusal({ code: "workbookMacros" });
  }
  const { sheets, epoch1904 } = await readSheets(part, rest, root, relations);
  const styles = await readStyles(part, rest, relations.ofType("styles") ?? "xl/styles.xml");
  const textsPath = relations.ofType("sharedstrings") ?? "xl/sharedStrings.xml";
  return { sheets, styles, epoch1904, part, budget, textsPath };
}

const [idOf, nameOf, stateOf] = ["id", "name", "state"].map(attribute) as [Get, Get, Get];
type Get = (tag: string) => string | undefined;
type Part = Workbook["part"];

async function readSheets(part: Part, rest: Rest, root: string, relations: Relations) {
  const sheets: Workbook["sheets"] = [];
  let epoch1904 = false;
  const [date1904Of] = ["date1904"].map(attribute);
  await readXml(part(root), rest, {
    open(name, tag) {
      if (name === "workbookPr") epoch1904 = /^(?:1|true)$/.test(date1904Of?.(tag) ?? "");
      if (name !== "sheet") return;
      // Sheets of charts have no cells.
      const path = relations.sheet(idOf(tag) ?? "");
      if (path === undefined) return;
      if (sheets.length >= MOST_SHEETS) throw new FileRefusal({ code: "workbookTooLarge" });
      sheets.push({
        name: withCharacters(nameOf(tag) ?? "").slice(0, 100),
        isHidden: stateOf(tag)?.includes("idden") === true,
        path,
      });
    },
    close() {},
    text() {},
  });
  if (sheets.length === 0) throw damaged();
  return { sheets, epoch1904 };
}

async function readStyles(part: Part, rest: Rest, path: string): Promise<Style[]> {
  const codes = new Map<number, string>();
  const styles: Style[] = [];
  // Thousands of styles may have the same format of 255 characters.
  const read = new Map<number, Style>();
  let isOfCells = false;
  const [formatOf, codeOf] = [attribute("numFmtId"), attribute("formatCode")];
  await readXml(part(path), rest, {
    open(name, tag) {
      if (name === "numFmt" && codes.size < MOST_STYLES) {
        codes.set(Number(formatOf(tag)), (codeOf(tag) ?? "").slice(0, 255));
      }
      if (name === "cellXfs") isOfCells = true;
      if (name !== "xf" || !isOfCells || styles.length >= MOST_STYLES) return;
      const id = Number(formatOf(tag) ?? 0);
      styles.push(read.getOrInsertComputed(id, () => styleOf(id, codes.get(id))));
    },
    close(name) {
      if (name === "cellXfs") isOfCells = false;
    },
    text() {},
  });
  return styles;
}

/**
 * Texts that are copied together, and their characters. Without a copy they would keep the pieces that they were read
 * from in memory.
 */
const COPIED_AT_ONCE = 1_000;
const CHARACTERS_COPIED_AT_ONCE = 64 * 1024;

/** The texts that cells share, in their order. Throws FileRefusal. */
export async function sharedTexts({ part, textsPath }: Workbook, rest: Rest): Promise<string[]> {
  const texts: string[] = [];
  let pending: string[] = [];
  let [length, copied] = [0, 0];
  let text = "";
  let [isText, isPhonetic] = [false, false];
  const copy = () => {
    for (const one of structuredClone(pending)) texts.push(one);
    pending = [];
    copied = length;
  };
  await readXml(part(textsPath), rest, {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") isPhonetic = true;
      isText = name === "t" && !isPhonetic;
    },
    close(name) {
      isText = false;
      if (name === "rPh") isPhonetic = false;
      if (name !== "si") return;
      length += text.length;
      pending.push(textCell(withCharacters(text)));
      if (texts.length + pending.length > MOST_TEXTS) throw new FileRefusal({ code: "workbookTooLarge" });
      if (length > MOST_CHARACTERS) throw new FileRefusal({ code: "workbookTooLarge" });
      if (pending.length === COPIED_AT_ONCE || length - copied >= CHARACTERS_COPIED_AT_ONCE) copy();
    },
    text(more) {
      if (isText) text = longer(text, more);
    },
  });
  copy();
  return texts;
}

/** Adds to the text of a cell. Throws FileRefusal for a text that no spreadsheet stores. */
export function longer(text: string, more: string): string {
  if (text.length + more.length > CELL_CHARACTERS) throw damaged();
  return text + more;
}
