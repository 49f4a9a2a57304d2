import type { OtherFormat } from "../reasons.ts";
import type { Encoding } from "./reading.ts";

/** The format of an archive by its entries; null for a workbook, and for an archive that is neither. */
export function formatOfArchive(names: readonly string[]): OtherFormat | null {
  const has = (test: (name: string) => boolean) => names.some(test);
  if (has((name) => name.endsWith("workbook.bin"))) return "XLSB";
  if (has((name) => name === "index.zip" || (name.startsWith("index/") && name.endsWith(".iwa")))) return "Numbers";
  if (has((name) => name === "word/document.xml")) return "Word";
  if (has((name) => name === "ppt/presentation.xml")) return "PowerPoint";
  const isOpen =
    has((name) => name === "content.xml") && has((name) => name === "mimetype" || name === "meta-inf/manifest.xml");
  return isOpen ? "OpenDocument" : null;
}

/** The beginning of a text that is no table; the longest is a tag of HTML behind a comment. */
const STARTS: readonly [format: OtherFormat, start: RegExp][] = [
  ["PDF", /^%PDF-/],
  ["RTF", /^\{\\rtf/],
  ["vCard", /^BEGIN:VCARD\r?\n/i],
  ["SYLK", /^ID;P[A-Z]+(?:;[A-Z])*\r?\n/],
  ["OpenDocument", /^<(?:\?xml[^>]*>\s*<)?office:document/i],
  ["HTML", /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,200}-->\s*)?<(?:!doctype html|html|head|meta|body|table|style)\b/i],
  ["HTML", /^MIME-Version: [\d.]+\r?\n/i],
  ["XML", /^<(?:\?xml\b|[a-z][\w:.-]*(?:\s[^<>]*)?>\s*<)/i],
  ["JSON", /^\[\s*[[\]]|^(?:\[\s*)?\{\s*(?:"(?:[^"\\]|\\.){0,200}"\s*:|\})/],
];

/** Bytes that are looked at. */
const LOOKED_AT = 1_000;

/** Whether a file is no text: pictures and archives have control characters everywhere. */
export function isBinary(bytes: Uint8Array, encoding: Encoding): boolean {
  if (encoding === "utf-16le" || encoding === "utf-16be") return false;
  const first = bytes.subarray(0, LOOKED_AT);
  const controls = first.filter((byte) => byte < 32 && !LINE_CONTROLS.has(byte)).length;
  return 20 * controls > first.length;
}

/** Tabs, line ends, form feeds, and the end of a file of DOS. */
const LINE_CONTROLS: ReadonlySet<number> = new Set([9, 10, 11, 12, 13, 26]);

/** The format of a file that is no table of texts, by its first bytes; null for any other file. */
export function formatOfText(bytes: Uint8Array, encoding: Encoding): OtherFormat | null {
  const first = Buffer.from(bytes.subarray(0, LOOKED_AT));
  // A table of dBASE begins with its version, and its header has NUL bytes.
  if ([0x03, 0x30, 0x83, 0x8b].includes(first[0] ?? 0) && first.subarray(0, 32).includes(0)) return "DBF";
  const isWide = encoding === "utf-16le" || encoding === "utf-16be";
  const text = isWide ? new TextDecoder(encoding).decode(first) : first.toString("utf8");
  const start = text.replace(/^\ufeff/, "").trimStart();
  return STARTS.find(([, form]) => form.test(start))?.[0] ?? null;
}
