import { hash } from "node:crypto";
import { errors } from "../errors.ts";

/** A request with an idempotency key. */
export type KeyedRequest = {
  apiKey: string;
  key: string;
  /** The SHA-256 of the request, in hexadecimal. */
  request: string;
  /** The status of the answer after a successful write. */
  status: number;
  /** Whether to look for a stored answer before the work, because the work costs much more than the look-up. */
  isLarge: boolean;
};

/** The size of a large body, in bytes. Parsing a smaller one costs less than a look-up. */
const LARGE_BYTES = 64 * 1024;

/** Visible ASCII. Two headers arrive joined by a comma and a blank, which is no valid key. */
const KEY = /^[\x21-\x7E]{1,255}$/;
const QUOTED = /^"(.*)"$/s;

/**
 * The parts of a request that must be equal when it is sent again. The path is the route's, and its parameters are
 * decoded, so that every spelling of a path is equal. The body is decompressed.
 */
type RequestParts = {
  apiKey: string;
  method: string;
  path: string;
  params: Readonly<Record<string, string>>;
  bytes: Buffer | undefined;
  status: number;
};

/** The request with the key of its Idempotency-Key header, with or without quotation marks. Null without a header. */
export function keyedRequest(
  header: string | string[] | undefined,
  { apiKey, method, path, params, bytes, status }: RequestParts,
): KeyedRequest | null {
  if (header === undefined) return null;
  const text = String(header);
  const key = QUOTED.exec(text)?.[1] ?? text;
  if (!KEY.test(key)) throw errors.idempotencyKeyInvalid();
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const sent = Buffer.concat([Buffer.from(`${method} ${named}\n`), bytes ?? Buffer.alloc(0)]);
  const isLarge = (bytes?.length ?? 0) >= LARGE_BYTES;
  return { apiKey, key, request: hash("sha256", sent, "hex"), status, isLarge };
}
