import type { Rest } from "../csv-reader.ts";
import { FileRefusal } from "../reasons.ts";
import { damaged } from "./zip.ts";

/** The functions that receive the parts of an XML text. Names have no prefix. */
export type XmlReader = {
  open: (name: string, attributes: string) => void;
  close: (name: string) => void;
  text: (text: string) => void;
  /** Called after each piece; reading waits for it. */
  paused?: () => Promise<void>;
};

/** Characters of one tag, and of a comment or a section of plain text. */
const MOST_IN_TAG = 64 * 1024;
const MOST_IN_SECTION = 1024 * 1024;

/**
 * Reads the XML of a workbook piece by piece, in UTF-8. A document type is refused, so there are no entities but those
 * of XML itself. Nothing is checked that a reader of cells does not need, such as the nesting of tags.
 */
export async function readXml(pieces: AsyncIterable<Buffer>, rest: Rest, reader: XmlReader): Promise<void> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let pending = "";
  for await (const piece of pieces) {
    await rest(piece.length);
    pending = readPart(pending + decoded(decoder, piece), reader);
    await reader.paused?.();
  }
  pending = readPart(pending + decoded(decoder), reader);
  if (pending.includes("<")) throw damaged();
}

function decoded(decoder: TextDecoder, piece?: Buffer): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw damaged();
  }
}

/** Reads up to the last complete tag, and returns what follows. */
function readPart(part: string, reader: XmlReader): string {
  for (let at = 0; ;) {
    const open = part.indexOf("<", at);
    if (open < 0) return readText(part.slice(at), reader);
    if (open > at) reader.text(plain(part.slice(at, open)));
    const end = endOf(part, open, reader);
    if (end < 0) return part.slice(open);
    at = end;
  }
}

/** Reads a text whose end is unknown, except for the beginning of an entity. */
function readText(text: string, reader: XmlReader): string {
  const entity = text.lastIndexOf("&");
  const isOpen = entity >= 0 && text.length - entity < 12 && !text.includes(";", entity);
  const whole = isOpen ? text.slice(0, entity) : text;
  if (whole !== "") reader.text(plain(whole));
  return isOpen ? text.slice(entity) : "";
}

const CDATA = "<![CDATA[";

/** Reads what begins with `<`, and returns the index behind it; -1 if its end has not been read yet. */
function endOf(part: string, open: number, reader: XmlReader): number {
  const second = part.charAt(open + 1);
  if (second === "?") return section(part, open, "?>", MOST_IN_TAG);
  if (second === "!") {
    if (part.startsWith("<!--", open)) return section(part, open, "-->", MOST_IN_SECTION);
    if (part.length - open < CDATA.length) return -1;
    if (!part.startsWith(CDATA, open)) throw new FileRefusal({ code: "workbookEntities" });
    const end = section(part, open, "]]>", MOST_IN_SECTION);
    if (end > 0) reader.text(part.slice(open + CDATA.length, end - 3));
    return end;
  }
  const end = tagEnd(part, open);
  if (end > 0) readTag(part.slice(open + 1, end - 1), reader);
  return end;
}

function section(part: string, open: number, mark: string, most: number): number {
  const end = part.indexOf(mark, open);
  if ((end < 0 ? part.length : end) - open > most) throw damaged();
  return end < 0 ? -1 : end + mark.length;
}

/** The index behind the `>` of a tag; one within quotation marks is part of a value, which is rare. */
function tagEnd(part: string, open: number): number {
  const first = part.indexOf(">", open);
  if (first >= 0 && first - open <= MOST_IN_TAG && isOutsideQuotes(part.slice(open + 1, first))) return first + 1;
  let quote = "";
  for (let at = open + 1; at < part.length; at++) {
    const character = part.charAt(at);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === ">") return at + 1;
    else if (character === '"' || character === "'") quote = character;
    if (at - open > MOST_IN_TAG) throw damaged();
  }
  return -1;
}

/** Whether a tag ends behind its values. One with other quotation marks is read character by character. */
function isOutsideQuotes(tag: string): boolean {
  let isOutside = !tag.includes("'");
  if (isOutside) for (let at = tag.indexOf('"'); at >= 0; at = tag.indexOf('"', at + 1)) isOutside = !isOutside;
  return isOutside;
}

function readTag(tag: string, reader: XmlReader): void {
  const isClosing = tag.startsWith("/");
  const isEmpty = tag.endsWith("/");
  const name = nameOf(tag, isClosing ? 1 : 0);
  if (name === "") throw damaged();
  if (!isClosing) reader.open(name, tag);
  if (isClosing || isEmpty) reader.close(name);
}

/** The name at the beginning of a tag, without its prefix. A sheet has millions of tags, so no pattern is matched. */
function nameOf(tag: string, start: number): string {
  let [from, end] = [start, start];
  for (; end < tag.length; end++) {
    const code = tag.charCodeAt(end);
    // A blank or a slash ends the name, and a colon the prefix.
    if (code <= 0x20 || code === 0x2f) break;
    if (code === 0x3a) from = end + 1;
  }
  return tag.slice(from, end);
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** A text without entities. An unknown one stays as it is. */
export function plain(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (typeof name === "string") return entities[name.toLowerCase()] ?? whole;
    const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

/** The function that reads an attribute of a tag; undefined if the tag does not have it. */
export function attribute(name: string): (tag: string) => string | undefined {
  const form = new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  const usual = ` ${name}="`;
  return (tag) => {
    const at = tag.indexOf(usual);
    const end = at < 0 ? -1 : tag.indexOf('"', at + usual.length);
    if (end >= 0) return plain(tag.slice(at + usual.length, end));
    if (!tag.includes(name)) return undefined;
    const [, double, single] = form.exec(tag) ?? [];
    const value = double ?? single;
    return value === undefined ? undefined : plain(value);
  };
}
