import { FileRefusal } from "../../reasons.ts";
import type { Rest } from "../csv-reader.ts";
import { damaged } from "./zip.ts";

/** The functions that receive the parts of an XML text. Names have no prefix. */
export type XmlReader = {
  open: (name: string, attributes: string) => void;
  close: (name: string) => void;
  text: (text: string) => void;
  /** Whether the tags so far made enough that reading must wait for `paused`, even if they were few. */
  isFull?: () => boolean;
  paused?: () => Promise<void>;
};

/** Characters of one tag, and of a comment or a section of plain text. */
const MOST_IN_TAG = 64 * 1024;
const MOST_IN_SECTION = 1024 * 1024;

/** The text that has been decoded, the index up to which it was read, and the section that is not closed yet. */
type Unread = { text: string; at: number; section: Section | null };

/** A comment, an instruction or plain text up to a mark, with the number of characters read of it. */
type Section = { mark: string; most: number; isText: boolean; length: number };

/**
 * Reads the XML of a workbook piece by piece, in UTF-8 or UTF-16. A document type is refused, so there are no entities
 * but those of XML itself. Nothing is checked that a reader of cells does not need, such as the nesting of tags.
 */
export async function readXml(pieces: AsyncIterable<Buffer>, rest: Rest, reader: XmlReader): Promise<void> {
  let decoder: TextDecoder | null = null;
  const unread: Unread = { text: "", at: 0, section: null };
  for await (const piece of pieces) {
    await rest(piece.length);
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    unread.text += decoded(decoder, piece);
    while (!readPart(unread, reader)) await reader.paused?.();
  }
  if (decoder !== null) unread.text += decoded(decoder);
  while (!readPart(unread, reader)) await reader.paused?.();
  if (unread.section !== null || unread.text.includes("<")) throw damaged();
}

/** By the mark, or by the first `<`. */
function encodingOf(piece: Buffer): string {
  const start = piece.subarray(0, 2).toString("latin1");
  if (start === "\xff\xfe" || start === "<\0") return "utf-16le";
  return start === "\xfe\xff" || start === "\0<" ? "utf-16be" : "utf-8";
}

function decoded(decoder: TextDecoder, piece?: Buffer): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw damaged();
  }
}

/** Reads up to the last complete tag; returns false if the reader is full before that. */
function readPart(unread: Unread, reader: XmlReader): boolean {
  for (const { text } = unread; ;) {
    if (unread.section !== null && !readSection(unread, unread.section, reader)) return true;
    const { at } = unread;
    const open = text.indexOf("<", at);
    if (open !== at) {
      if (open < 0) return keep(unread, readText(text.slice(at), reader));
      reader.text(plain(text.slice(at, open)));
    }
    const end = endOf(unread, open, reader);
    if (end < 0) return keep(unread, text.slice(open));
    unread.at = end;
    if (reader.isFull?.() === true) return false;
  }
}

/** Keeps what cannot be read before more follows. */
function keep(unread: Unread, text: string): true {
  unread.text = text;
  unread.at = 0;
  return true;
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
function endOf(unread: Unread, open: number, reader: XmlReader): number {
  const { text } = unread;
  const second = text.charCodeAt(open + 1);
  if (second === 0x3f) return sectionAt(unread, open + 2, { mark: "?>", most: MOST_IN_TAG, isText: false });
  if (second === 0x21) {
    const most = MOST_IN_SECTION;
    if (text.startsWith("<!--", open)) return sectionAt(unread, open + 4, { mark: "-->", most, isText: false });
    if (text.length - open < CDATA.length) return -1;
    if (!text.startsWith(CDATA, open)) throw new FileRefusal({ code: "workbookEntities" });
    return sectionAt(unread, open + CDATA.length, { mark: "]]>", most, isText: true });
  }
  const end = tagEnd(text, open);
  if (end > 0) readTag(text.slice(open + 1, end - 1), reader);
  return end;
}

function sectionAt(unread: Unread, at: number, section: Omit<Section, "length">): number {
  unread.section = { ...section, length: 0 };
  return at;
}

/**
 * Reads a section up to its mark; returns false if more must follow. What was read is dropped, because a search from
 * its beginning with each piece would take quadratic time.
 */
function readSection(unread: Unread, section: Section, reader: XmlReader): boolean {
  const { text, at } = unread;
  const { mark, most, isText } = section;
  const found = text.indexOf(mark, at);
  // The last characters may be the beginning of the mark.
  const end = found < 0 ? Math.max(at, text.length - mark.length + 1) : found;
  section.length += end - at;
  if (section.length > most) throw damaged();
  if (isText && end > at) reader.text(text.slice(at, end));
  if (found < 0) return !keep(unread, text.slice(end));
  unread.section = null;
  unread.at = end + mark.length;
  return true;
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

/** A text of a workbook, in which `_x000D_` is a character that XML does not allow, and `_x005F_` is `_`. */
export function withCharacters(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replaceAll(/_x([\da-f]{4})_/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
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
