import { hash } from "node:crypto";
import { isoTimestamp } from "../dates.ts";
import type { Expected, RowState } from "../fields/row-state.ts";

/** Characters of base64url: 132 bits. */
const DIGEST_LENGTH = 22;

/**
 * The strong tag of an answer that carries one row. It begins with the row's state, which alone decides about If-Match.
 * It ends with a digest of the body, which may change without the row (docs/decisions/0056-tags-of-two-parts.md).
 */
export function entityTag({ id, version }: RowState, body: string): string {
  const digest = hash("sha256", body, "base64url").slice(0, DIGEST_LENGTH);
  return `"${id}-${microseconds(version).toString(36)}-${digest}"`;
}

/**
 * The tag in If-None-Match that matches the answer, in the caller's form, also for a compressed answer. Null: the
 * caller has another state.
 */
export function knownTag(tag: string, ifNoneMatch: string | undefined): string | null {
  if (ifNoneMatch === undefined) return null;
  if (ifNoneMatch.trim() === "*") return tag;
  const known = tagsIn(ifNoneMatch).find(({ text }) => tag === `"${text}"`);
  return known === undefined ? null : `"${known.text}${known.encoding}"`;
}

/** The versions of a row in those tags of If-Match that we issued for it. A header without any matches no row. */
export function expectedVersions(ifMatch: string | undefined, id: string): Expected {
  if (ifMatch === undefined || ifMatch.trim() === "*") return null;
  return tagsIn(ifMatch).flatMap((tag) => (tag.id === id ? tag.version : []));
}

type EntityTag = { text: string; encoding: string; id: string; version: string };

const QUOTED = /"([^"]*)"/g;
/** A compressing proxy may append to a tag: `-gzip` and `-br` are ours (compression.ts). */
const OURS = new RegExp(`^((\\d+)-([0-9a-z]{1,11})-[\\w-]{${DIGEST_LENGTH}})(-gzip$|-br$|[-;:+.]|$)`);

/** The tags of a header that we may have issued, strong or weak. */
function tagsIn(header: string): EntityTag[] {
  return [...header.matchAll(QUOTED)].flatMap(([, quoted = ""]) => {
    const [, text = "", id = "", moment = "", behind = ""] = OURS.exec(quoted) ?? [];
    const version = momentOf(Number.parseInt(moment, 36));
    return version === null ? [] : [{ text, encoding: behind.length > 1 ? behind : "", id, version }];
  });
}

/** A number represents every microsecond exactly until the year 2255. */
function microseconds(version: string): number {
  const iso = isoTimestamp(version);
  return Date.parse(`${iso.slice(0, 23)}Z`) * 1000 + Number(iso.slice(23, 26));
}

function momentOf(micros: number): string | null {
  if (!Number.isSafeInteger(micros)) return null;
  const toMilliseconds = new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1);
  return `${toMilliseconds}${String(micros % 1000).padStart(3, "0")}Z`;
}
