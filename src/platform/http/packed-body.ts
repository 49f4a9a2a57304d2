import { createGunzip, gunzipSync } from "node:zlib";
import type { FastifyRequest } from "fastify";
import { errorCode } from "../error-code.ts";
import type { Holder } from "../sharing/holder.ts";
import { PRICES } from "../sharing/prices.ts";
import type { Time } from "../sharing/time.ts";
import { LARGE_BODY } from "./answers.ts";
import { protocolErrors } from "./http-error.ts";
import type { ResponseWriter } from "./outgoing.ts";

/**
 * Reads the bytes of a request's body, and decodes its Content-Encoding; undefined without a body. Throws
 * encodingUnsupported for any encoding but gzip, badRequest for a body that does not unpack, and bodyTooLarge above the
 * route's limit, where unpacking stops (docs/contract.md 3.6).
 */
export type BytesReader = (request: FastifyRequest, holder: Holder, out: ResponseWriter) => Promise<Buffer | undefined>;

/** A large body is unpacked piece by piece, each of which waits for the holder's turn and is paid before. */
export function createBytesReader(time: Time): BytesReader {
  return async (request, holder, out) => {
    const encoding = request.headers["content-encoding"];
    const bytes = request.body as Buffer | undefined;
    if (encoding === undefined || bytes === undefined || !isGzip(encoding) || bytes.length === 0) return bytes;
    const { bodyLimit: limit } = request.routeOptions;
    await time.waitForTurn(holder, priceOf(LARGE_BODY), out);
    const small = unpackSmall(bytes);
    if (small !== null) return small;
    // There is no wait if the packed bytes are many, or their length was unknown: then memory for both is already
    // reserved (doors/checks.ts).
    await out.reserve(limit);
    return await unpackUpTo(limit, bytes, () => time.waitForTurn(holder, priceOf(LARGE_BODY), out));
  };
}

function isGzip(encoding: string): boolean {
  const names = encoding.split(",").map((name) => name.trim().toLowerCase());
  const [first, ...more] = names.filter((name) => name !== "" && name !== "identity");
  if (first === undefined) return false;
  if (more.length > 0 || (first !== "gzip" && first !== "x-gzip")) throw protocolErrors.encodingUnsupported();
  return true;
}

function priceOf(unpacked: number): number {
  return (PRICES.megabyteUnpacked * unpacked) / 2 ** 20;
}

/** Null if it contains more than a small body. */
function unpackSmall(bytes: Buffer): Buffer | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: LARGE_BODY });
  } catch (error) {
    if (errorCode(error) === "ERR_BUFFER_TOO_LARGE") return null;
    throw protocolErrors.badRequest();
  }
}

async function unpackUpTo(limit: number, bytes: Buffer, turn: () => Promise<void> | null): Promise<Buffer> {
  const gunzip = createGunzip({ chunkSize: LARGE_BODY });
  gunzip.end(bytes);
  const unpacking = gunzip[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for (;;) {
      await turn();
      const next = await unpacking.next().catch(() => {
        throw protocolErrors.badRequest();
      });
      if (next.done) return Buffer.concat(pieces, length);
      pieces.push(next.value);
      length += next.value.length;
      if (length > limit) throw protocolErrors.bodyTooLarge();
    }
  } finally {
    gunzip.destroy();
  }
}
