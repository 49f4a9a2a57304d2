import { deflateRawSync } from "node:zlib";

/**
 * A cell of a workbook that a test writes: a text, a number, a day, a formula with its stored value or without one, an
 * error, a number or a text with a format, or nothing.
 */
export type Cell =
  | string
  | number
  | { day: string }
  | { formula: string; value: string | number | null }
  | { error: string }
  | { format: string; value: number | string }
  | { digits: number; value: number }
  | null;

export type SheetOptions = {
  /** Texts within the cells, as Google and some programs write them, instead of shared ones. */
  isInline?: boolean;
  /** Instead of the sheet's own size. */
  dimension?: string;
  /** Ranges of merged cells. */
  merged?: string[];
  /** Numbers of hidden rows, and of hidden columns, from 1. */
  hidden?: number[];
  hiddenColumns?: number[];
};

export type Sheet = { name: string; rows: Cell[][]; isHidden?: boolean } & SheetOptions;

/** Styles by index: none, a day (built in), a day of an own format, six digits and more, then the formats of cells. */
function stylesXml(formats: readonly string[]): string {
  const own = formats.map((format, at) => `<numFmt numFmtId="${170 + at}" formatCode="${escaped(format)}"/>`);
  return `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="000000"/>${own.join("")}</numFmts>
<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/>${formats.map((_format, at) => `<xf numFmtId="${170 + at}"/>`).join("")}</cellXfs></styleSheet>`;
}

const OWN_STYLES = 4;

/** A workbook as Excel writes it, the shared texts behind the sheets. */
export function workbook(sheets: Sheet[], others: Record<string, string | Buffer | Packed> = {}): Buffer {
  const written: Written = { shared: new Map(), formats: [] };
  const parts: Record<string, string | Buffer> = {
    "[Content_Types].xml": `<?xml version="1.0" encoding="UTF-8"?><Types/>`,
    "xl/workbook.xml": `<?xml version="1.0"?><workbook xmlns:r="r"><workbookPr/><sheets>${sheets
      .map(
        ({ name, isHidden }, at) =>
          `<sheet name="${escaped(name)}" sheetId="${at + 1}"${isHidden ? ' state="hidden"' : ""} r:id="rId${at + 1}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${sheets
      .map((_sheet, at) => `<Relationship Id="rId${at + 1}" Type="worksheet" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join("")}</Relationships>`,
  };
  for (const [at, sheet] of sheets.entries()) parts[`xl/worksheets/sheet${at + 1}.xml`] = sheetXml(sheet, written);
  parts["xl/styles.xml"] = stylesXml(written.formats);
  parts["xl/sharedStrings.xml"] =
    `<sst>${[...written.shared.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join("")}</sst>`;
  return zip({ ...parts, ...others });
}

/** The shared texts and the formats of the cells so far. */
type Written = { shared: Map<string, number>; formats: string[] };

function sheetXml(
  { rows, isInline = false, dimension = "A1", merged = [], hidden = [], hiddenColumns = [] }: Sheet,
  { shared, formats }: Written,
): string {
  const lines = rows.map((cells, row) => {
    const written = cells.map((cell, column) =>
      cellXml(cell, `${letters(column)}${row + 1}`, isInline ? null : shared, formats),
    );
    return `<row r="${row + 1}"${hidden.includes(row + 1) ? ' hidden="1"' : ""}>${written.join("")}</row>`;
  });
  const ranges = merged.map((range) => `<mergeCell ref="${range}"/>`).join("");
  const columns = hiddenColumns.map((at) => `<col min="${at}" max="${at}" hidden="1"/>`);
  const cols = columns.length === 0 ? "" : `<cols>${columns.join("")}</cols>`;
  return `<?xml version="1.0"?><worksheet><dimension ref="${dimension}"/>${cols}<sheetData>${lines.join("\n")}</sheetData><mergeCells>${ranges}</mergeCells></worksheet>`;
}

function cellXml(cell: Cell, reference: string, shared: Map<string, number> | null, formats: string[]): string {
  if (cell === null) return "";
  if (typeof cell === "number") return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === "string") {
    if (shared === null) return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
    const at = shared.getOrInsert(cell, shared.size);
    return `<c r="${reference}" t="s"><v>${at}</v></c>`;
  }
  if ("day" in cell) {
    const serial = Date.parse(`${cell.day}T00:00:00Z`) / 86_400_000 + 25_569;
    return `<c r="${reference}" s="${serial % 2 === 0 ? 1 : 2}"><v>${serial}</v></c>`;
  }
  if ("digits" in cell) return `<c r="${reference}" s="3"><v>${cell.value}</v></c>`;
  if ("error" in cell) return `<c r="${reference}" t="e"><v>${cell.error}</v></c>`;
  if ("format" in cell) {
    if (!formats.includes(cell.format)) formats.push(cell.format);
    const style = OWN_STYLES + formats.indexOf(cell.format);
    if (typeof cell.value === "number") return `<c r="${reference}" s="${style}"><v>${cell.value}</v></c>`;
    return `<c r="${reference}" s="${style}" t="inlineStr"><is><t>${escaped(cell.value)}</t></is></c>`;
  }
  if (cell.value === null) return `<c r="${reference}"><f>${escaped(cell.formula)}</f></c>`;
  const type = typeof cell.value === "string" ? ' t="str"' : "";
  return `<c r="${reference}"${type}><f>${escaped(cell.formula)}</f><v>${escaped(String(cell.value))}</v></c>`;
}

/** `A`, `B`, ..., `AA` */
export function letters(column: number): string {
  return (column >= 26 ? letters(Math.floor(column / 26) - 1) : "") + String.fromCharCode(65 + (column % 26));
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

export type Packed = { content: Buffer; size: number };

/** A ZIP archive. @param flags of each entry, 1 for an encrypted one */
export function zip(parts: Record<string, string | Buffer | Packed>, flags = 0): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, part] of Object.entries(parts)) {
    const isPacked = typeof part !== "string" && !Buffer.isBuffer(part);
    const content = isPacked ? part.content : deflateRawSync(part);
    const size = isPacked ? part.size : Buffer.byteLength(part);
    const named = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(size, 18);
    fields.writeUInt16LE(named.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), fields, named, content]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000", "latin1"), fields, rest, named]));
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(Buffer.concat(central).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...central, Buffer.from("PK\u0005\u0006", "latin1"), end]);
}
