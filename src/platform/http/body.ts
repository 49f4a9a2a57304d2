import type { Readable } from "node:stream";
import type { Input } from "../fields/fields.ts";
import { protocolErrors, type HttpError } from "./http-error.ts";

/** The largest body accepted, in bytes. */
export const BODY_LIMIT = 1024 * 1024;

/** The deepest nesting accepted, the body itself being level 1. */
export const DEPTH_LIMIT = 32;

const EMPTY: Input = Object.freeze({});
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a request body as a JSON object. Any other body (malformed, an array, a scalar, nested too deep, invalid
 * UTF-8) counts as empty and falls to field validation (docs/contract.md 3.1).
 */
export function parseBody(bytes: Buffer | undefined): Input {
  if (bytes === undefined || bytes.length === 0) return EMPTY;
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    return EMPTY;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return EMPTY;
  return isDeeperThan(value, DEPTH_LIMIT) ? EMPTY : (value as Input);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}

/** Chunks that nobody counts; behind them, chunks of a body must be this long on average, in bytes. */
const FREE_CHUNKS = 1_000;
const SHORT_CHUNK = 64;
/** Chunks are joined this many at a time: each is an object of its own. */
const JOINED_AT_ONCE = 256;

/**
 * The bytes of a body. Throws bodyTooLarge above the limit, and requestMalformed for one that is cut off, or comes in so
 * many short chunks that they cost more than they carry.
 */
export async function collectBody(body: Readable, declared: number, limit: number): Promise<Buffer> {
  if (declared > limit) throw protocolErrors.bodyTooLarge();
  return await new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let count = 0;
    let bytes = 0;
    const refuse = (error: HttpError): void => {
      body.off("data", take).resume();
      reject(error);
    };
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      count++;
      if (bytes > limit) return refuse(protocolErrors.bodyTooLarge());
      if (count > FREE_CHUNKS && bytes < count * SHORT_CHUNK) return refuse(protocolErrors.requestMalformed());
      chunks.push(chunk);
      if (chunks.length >= JOINED_AT_ONCE) chunks = [Buffer.concat(chunks)];
    };
    body.on("data", take);
    body.once("end", () => resolve(Buffer.concat(chunks)));
    body.once("error", () => reject(protocolErrors.requestMalformed()));
  });
}
