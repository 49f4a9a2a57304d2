import { randomUUID } from "node:crypto";
import type { Input } from "../fields/fields.ts";
import { isObject } from "../fields/validation.ts";
import type { Caller } from "../sharing/caller.ts";
import { PRICES } from "../sharing/prices.ts";
import type { Time } from "../sharing/time.ts";
import { BODY_LIMIT } from "./body.ts";
import { protocolErrors } from "./http-error.ts";

/** The deepest nesting accepted, the body itself being level 1. */
export const DEPTH_LIMIT = 32;

/**
 * A body of at most this many bytes and entries (members of objects, elements of arrays) is parsed at once, in a
 * millisecond.
 */
export const SMALL_BODY = 64 * 1024;
export const FEW_ENTRIES = 10_000;
/** The entries and bytes of one part, and the further entries that are allowed to keep an element in one part. */
export const ENTRIES_OF_PART = 2_000;
const BYTES_OF_PART = 128 * 1024;
const ENTRIES_OF_ELEMENT = FEW_ENTRIES;
/** The most elements of an array that are stored: no field accepts as many. */
const MOST_ELEMENTS = 2_000;
const EMPTY: Input = Object.freeze({});
const BYTE_ORDER_MARK = Buffer.from("\ufeff");
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a request body as a JSON object. Null for any other body (malformed, an array, a scalar, nested too deep,
 * invalid UTF-8), which counts as empty and fails in field validation (docs/contract.md 3.1). If a body has more than
 * ten thousand entries, or more than a mebibyte, only the first two thousand elements of its own arrays are stored,
 * with null for an element of more than ten thousand entries. Of other nested values only the beginning is stored
 * (docs/decisions/0047-one-idea-of-sharing.md).
 */
export type BodyParser = (bytes: Buffer | undefined, tenant: string, caller: Caller) => Promise<Input | null>;

/** @param inParts whether a body of many entries is parsed in parts; otherwise it is refused as too large */
export function createBodyParser(time: Time, inParts = true): BodyParser {
  return async (sent, tenant, caller) => {
    if (sent === undefined || sent.length === 0) return EMPTY;
    const bytes = BYTE_ORDER_MARK.equals(sent.subarray(0, 3)) ? sent.subarray(3) : sent;
    const outline = newOutline();
    const isLarge = bytes.length > BODY_LIMIT;
    const isTooDeep = !isLarge && !advance(outline, bytes, { entries: FEW_ENTRIES });
    const hasFew = isTooDeep || outline.at === bytes.length;
    if (!hasFew && !inParts) throw protocolErrors.bodyTooLarge();
    if (!hasFew || bytes.length > SMALL_BODY)
      await time.waitForTurn(tenant, (PRICES.megabyteOfBody * bytes.length) / 2 ** 20, caller);
    if (isTooDeep) return null;
    const parts = async () =>
      await parseInParts(bytes, (ms = PRICES.partOfBody) => time.waitForTurn(tenant, ms, caller));
    return hasFew ? parseObject(bytes) : await parts();
  };
}

/** How far a body has been scanned, and the brackets that are open there, outermost first, as bytes. */
type Outline = {
  at: number;
  open: number[];
  /** The body's member at `at`: the position of the name that was read last, unless a name comes next. */
  name: { from: number; to: number };
  expectsName: boolean;
  /** The entries left of a stretch that paused at `at`; null if none did. */
  left: number | null;
};

function newOutline(): Outline {
  return { at: 0, open: [], name: { from: 0, to: 0 }, expectsName: false, left: null };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const SHORT_WAY = 64;
/** In ASCII a closing bracket is its opening one plus two. */
const CLOSING = 2;

/**
 * How far to advance: to the comma after this many entries, or, between the body's members or elements of its own
 * arrays, after this many bytes.
 */
type Stretch = {
  entries: number;
  /** The most further entries that are skipped to reach a comma between elements of one of the body's own arrays. */
  slack?: number;
  length?: number;
  /** The bytes after which the stretch pauses, wherever that is: blanks and digits have no commas. */
  pause?: number;
};

/**
 * Advances over a stretch, or to the end.
 * @returns false if the body is nested too deep; JSON.parse() checks whether it is JSON
 */
function advance(outline: Outline, bytes: Buffer, stretch: Stretch): boolean {
  const { entries, slack = 0, length = Infinity, pause = Infinity } = stretch;
  const { open } = outline;
  let left = outline.left ?? entries;
  let { at } = outline;
  // A stretch that has paused was long enough already.
  const enough = outline.left === null ? at + length : at;
  const end = Math.min(bytes.length, at + pause);
  outline.left = null;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (outline.expectsName && open.length === 1) {
        outline.name = { from: at, to: end + 1 };
        outline.expectsName = false;
      }
      at = end;
    } else if (byte === COMMA) {
      left--;
      if ((left <= 0 || at >= enough) && (open.length <= 2 || left <= -slack)) break;
      outline.expectsName = open.length === 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (open.length === DEPTH_LIMIT) return false;
      outline.expectsName = open.length === 0;
      open.push(byte);
      left--;
    } else if (byte === OPEN_OBJECT + CLOSING || byte === OPEN_ARRAY + CLOSING) open.pop();
  }
  if (at >= end && at < bytes.length) outline.left = left;
  outline.at = Math.min(at, bytes.length);
  return true;
}

/** The offset of the quotation mark that closes the one at `at`. Only short texts are quicker byte by byte. */
function endOfString(bytes: Buffer, at: number): number {
  let end = at + 1;
  while (end < bytes.length) {
    for (const near = end + SHORT_WAY; end < near; end++) {
      if (bytes[end] === QUOTE) return end;
      if (bytes[end] === BACKSLASH) end++;
    }
    const next = bytes.indexOf(QUOTE, end);
    if (next < 0) return bytes.length;
    let slashes = 0;
    while (next - slashes > end && bytes[next - slashes - 1] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return next;
    end = next + 1;
  }
  return bytes.length;
}

/**
 * Each part becomes JSON by itself: the brackets that are open at its beginning are put before it, and those that are
 * open at its end are closed. A part begins with a comma, so an entry is put before it. Null if the whole is no object.
 */
async function parseInParts(bytes: Buffer, turn: (ms?: number) => Promise<void> | null): Promise<Input | null> {
  // Without a prototype, because `__proto__` is a name like any other.
  const input: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const outline = newOutline();
  while (outline.at < bytes.length) {
    await turn();
    const depth = outline.open.length;
    const kept = depth > 1 ? input[nameIn(outline, bytes)] : null;
    const from = outline.at;
    const opening = from === 0 ? "" : openingOf(outline);
    do {
      if (outline.left !== null) await turn(PRICES.megabyteOfBody);
      if (!advance(outline, bytes, STRETCH_OF_PART)) return null;
    } while (outline.left !== null);
    const closing = outline.at === bytes.length ? "" : closingOf(outline);
    const part = parseObject(bytes.subarray(from, outline.at), opening, closing);
    if (part === null) return null;
    for (const [name, value] of Object.entries(part)) if (name !== CONTINUED) input[name] = value;
    const more = part[CONTINUED];
    if (!Array.isArray(kept) || !Array.isArray(more) || kept.length > MOST_ELEMENTS) continue;
    // Otherwise a part of an element would look like the whole element.
    if (depth > 2) kept[kept.length - 1] = null;
    // The first entry is the placeholder for earlier parts.
    kept.push(...more.slice(1));
  }
  return input;
}

/** The name of the member that is open. The part that it began in was JSON. */
function nameIn({ name: { from, to } }: Outline, bytes: Buffer): string {
  return JSON.parse(utf8.decode(bytes.subarray(from, to))) as string;
}

const STRETCH_OF_PART: Stretch = {
  entries: ENTRIES_OF_PART,
  slack: ENTRIES_OF_ELEMENT,
  length: BYTES_OF_PART,
  pause: BODY_LIMIT,
};

/** The name and, with 0, the value of the placeholder for earlier parts. No body has this name. */
const CONTINUED = randomUUID();

function openingOf({ open }: Outline): string {
  const names = open.map((byte) => (byte === OPEN_OBJECT ? `{${JSON.stringify(CONTINUED)}:` : "["));
  return `${names.join("")}0`;
}

function closingOf({ open }: Outline): string {
  return String.fromCharCode(...open.map((byte) => byte + CLOSING).toReversed());
}

/** Null if the bytes between the two texts are no JSON object. */
function parseObject(bytes: Buffer, before = "", behind = ""): Input | null {
  let value: unknown;
  try {
    value = JSON.parse(`${before}${utf8.decode(bytes)}${behind}`);
  } catch {
    return null;
  }
  return isObject(value) ? value : null;
}
