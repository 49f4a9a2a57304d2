import { hash } from "node:crypto";
import { errors } from "../errors.ts";

/** A request that is to be done once: by its API key, and the key that it brought with it. */
export type Once = {
  apiKey: string;
  key: string;
  /** A digest of the request, in hexadecimal: another one's differs. */
  request: string;
  /** The status that a success has which tells of a write. */
  status: number;
  /** Whether doing it again would cost much more than looking for its answer first. */
  isLarge: boolean;
};

/** Bytes of a body from which on its answer is looked for first: reading a smaller one costs less than a look-up. */
const LARGE_BYTES = 64 * 1024;

/** Visible ASCII. Two headers arrive joined by a comma and a space, and so as none. */
const KEY = /^[\x21-\x7E]{1,255}$/;
const QUOTED = /^"(.*)"$/s;

/**
 * A request, as far as it is to be the same when it comes again: its path is the route's, with what is named in it decoded, so that each way
 * of writing it is the same; its body is unpacked.
 */
type RequestParts = {
  apiKey: string;
  method: string;
  path: string;
  params: Readonly<Record<string, string>>;
  bytes: Buffer | undefined;
  status: number;
};

/** The request with the key of its Idempotency-Key header, bare or in quotation marks; null where it has none. */
export function onceOf(
  header: string | string[] | undefined,
  { apiKey, method, path, params, bytes, status }: RequestParts,
): Once | null {
  if (header === undefined) return null;
  const text = String(header);
  const key = QUOTED.exec(text)?.[1] ?? text;
  if (!KEY.test(key)) throw errors.idempotencyKeyInvalid();
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const asked = Buffer.concat([Buffer.from(`${method} ${named}\n`), bytes ?? Buffer.alloc(0)]);
  const isLarge = (bytes?.length ?? 0) >= LARGE_BYTES;
  return { apiKey, key, request: hash("sha256", asked, "hex"), status, isLarge };
}
