import type { Input } from "../fields/fields.ts";

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
