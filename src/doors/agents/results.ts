import type { CallToolResult } from "@modelcontextprotocol/server";
import type { JsonObject } from "./session.ts";

/** The most bytes of a result, with its text and its structured content. */
const RESULT_BYTES = 25_000;

/** A text of this length always fits: it is sent twice, with at most three bytes for each code unit, and links. */
const SHORT = 3_800;

/** The limits of a result: code points of a text, and elements of a list. */
type Cut = { text: number; items: number };

const cuts: readonly Cut[] = [
  { text: 500, items: 100 },
  { text: 200, items: 50 },
];
/** For a single resource that is still too large, such as one full of control characters. */
const hardCuts: readonly Cut[] = [
  { text: 60, items: 10 },
  { text: 20, items: 5 },
  { text: 10, items: 2 },
];

/** Members that are used as they are, and so are never cut. */
const WHOLE = new Set(["etag", "more", "next", "preview", "confirm", "confirm_at"]);

/**
 * A result within the limit: null is left out, long texts are cut, and then more of them. `tooLarge`: the bytes of a
 * result that does not fit.
 * @param isSingle whether the caller cannot ask for fewer rows
 */
export function fittingResult(data: JsonObject, isSingle: boolean): { result: CallToolResult } | { tooLarge: number } {
  let bytes = 0;
  for (const cut of isSingle ? [...cuts, ...hardCuts] : cuts) {
    const whole = shown(data, cut) as JsonObject;
    const text = JSON.stringify(whole);
    const result = resultOf(whole, text);
    if (text.length <= SHORT) return { result };
    bytes = Buffer.byteLength(JSON.stringify(result));
    if (bytes <= RESULT_BYTES) return { result };
  }
  return { tooLarge: bytes };
}

/** The number of rows that probably fits, if this many take that many bytes. */
export function fewerRows(rows: number, bytes: number): number {
  return Math.max(1, Math.min(rows - 1, Math.floor((rows * RESULT_BYTES * 0.9) / bytes)));
}

/** A failure, for the assistant: a code, what is wrong, and what to do next. */
export function failure(code: string, error: string, next: string, details: JsonObject = {}): CallToolResult {
  const fitting = fittingResult({ code, error, next, ...details }, true);
  return { ...("result" in fitting ? fitting.result : resultOf({ code, error, next })), isError: true };
}

/**
 * The text is the same data, for clients that know no structured content. Links name types and ids, and no texts of
 * customers.
 */
function resultOf(data: JsonObject, text = JSON.stringify(data)): CallToolResult {
  return {
    content: [{ type: "text", text }, ...linksIn(data)],
    structuredContent: data,
  };
}

const MOST_LINKS = 10;

/** The members of results that are resources or lists of them. */
const linked: Readonly<Record<string, { type: string; plural: string }>> = {
  company: { type: "company", plural: "companies" },
  companies: { type: "company", plural: "companies" },
  contact: { type: "contact", plural: "contacts" },
  contacts: { type: "contact", plural: "contacts" },
  invoice: { type: "invoice", plural: "invoices" },
  invoices: { type: "invoice", plural: "invoices" },
};

function linksIn(data: JsonObject): CallToolResult["content"] {
  const links: CallToolResult["content"] = [];
  for (const [member, value] of Object.entries(data)) {
    const { type, plural } = linked[member] ?? {};
    if (type === undefined) continue;
    const resources = (Array.isArray(value) ? value.slice(0, MOST_LINKS) : [value]) as (JsonObject | null)[];
    for (const resource of resources) {
      const id = resource?.id;
      if (typeof id !== "number") continue;
      const [uri, name] = [`liaison://${plural}/${id}`, `${type} ${id}`];
      links.push({ type: "resource_link", uri, name, mimeType: "application/json" });
    }
  }
  return links;
}

/** A value as it is shown. An object whose texts or lists were cut says so. */
function shown(value: unknown, cut: Cut): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => shown(each, cut));
  if (typeof value !== "object" || value === null) return value;
  const members: Record<string, unknown> = {};
  let isCut = false;
  for (const [name, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    const kept = WHOLE.has(name) ? member : cutTo(member, cut);
    isCut ||= kept !== member;
    members[name] = shown(kept, cut);
  }
  return isCut ? { ...members, truncated: true } : members;
}

function cutTo(value: unknown, { text, items }: Cut): unknown {
  if (Array.isArray(value)) return value.length > items ? value.slice(0, items) : value;
  if (typeof value !== "string" || value.length <= text) return value;
  const characters = Array.from(value.slice(0, 2 * text));
  return characters.length > text ? characters.slice(0, text).join("") : value;
}
