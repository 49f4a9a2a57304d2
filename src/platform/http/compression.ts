import { pipeline, Readable } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";
import type { DoneFuncWithErrOrRes, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { PRICES } from "../sharing/prices.ts";
import type { Time } from "../sharing/time.ts";
import { requestedEncoding, type ContentEncoding } from "./accept-encoding.ts";
import { varyBy } from "./answers.ts";
import { callerOf } from "./caller.ts";

/** Bytes; compression would not reduce the number of packets of a smaller answer. */
const SMALL_ANSWER = 2 * 1024;
/** Bytes that are compressed at the event loop, in some milliseconds at most. */
const AT_ONCE = 256 * 1024;
const TEXTS = /^text\/|\/json\b|\bxml\b/;

const [brotlied, gzipped] = [promisify(brotliCompress), promisify(gzip)];

/**
 * The qualities of gzip and brotli: the fastest ones that compress well, and better ones for pages, which people wait
 * for (docs/decisions/0057-compressed-answers.md). With brotli's default window, an answer that the client does not
 * read would use 8 MB; with this one it uses 256 KB. A price is of a megabyte, in its holder's time.
 */
const ENCODERS = {
  page: { price: PRICES.megabyteOfPageCompressed, br: brotliOf(5), gzip: gzipOf(6) },
  data: { price: PRICES.megabyteCompressed, br: brotliOf(1), gzip: gzipOf(2) },
};

function brotliOf(quality: number) {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 18 } };
  return {
    atOnce: (body: WholeBody) => brotliCompressSync(body, options),
    inBackground: async (body: WholeBody) => await brotlied(body, options),
    inParts: () => createBrotliCompress(options),
  };
}

function gzipOf(level: number) {
  return {
    atOnce: (body: WholeBody) => gzipSync(body, { level }),
    inBackground: async (body: WholeBody) => await gzipped(body, { level }),
    inParts: () => createGzip({ level }),
  };
}

type WholeBody = string | Buffer;
type Payload = WholeBody | Readable | null | undefined;

/**
 * Compresses the answers of every scope, in the time of their holder. An answer in parts is compressed part by part. A
 * 304 has the same Vary as the answer that it replaces.
 */
export function compressAnswers(server: FastifyInstance, time: Time): void {
  /** The text that was compressed last: clients that wait for the same text are answered one after the other. */
  const latest = new Map<ContentEncoding, { text: string; compressed: Buffer }>();

  server.addHook("onSend", (request, reply, payload: Payload, next) => {
    if (reply.statusCode === 304) varyBy(reply, "accept-encoding");
    const encoding = isWorthIt(reply, payload) ? encodingFor(request, reply) : null;
    if (encoding === null || payload === null || payload === undefined) return next(null, payload);
    mark(reply, encoding);
    const isPage = String(reply.getHeader("content-type")).startsWith("text/html");
    const { price, [encoding]: encoder } = ENCODERS[isPage ? "page" : "data"];
    const spend = (bytes: number): Promise<void> | null =>
      time.waitForTurn(request.holder, (price * bytes) / 2 ** 20, callerOf(request));
    if (payload instanceof Readable) {
      // The last of these streams reports the end to its sender.
      return next(
        null,
        pipeline(payload, charged(spend), encoder.inParts(), () => {}),
      );
    }
    const known = latest.get(encoding);
    if (known?.text === payload) return next(null, known.compressed);
    const atOnce = () => {
      const compressed = encoder.atOnce(payload);
      if (typeof payload === "string") latest.set(encoding, { text: payload, compressed });
      return compressed;
    };
    const [turn, isShort] = [spend(payload.length), payload.length <= AT_ONCE];
    if (turn === null && isShort) return next(null, atOnce());
    void goOnWith(turn, () => (isShort ? atOnce() : encoder.inBackground(payload)), next);
  });
}

async function goOnWith(
  turn: Promise<void> | null,
  compress: () => Buffer | Promise<Buffer>,
  next: DoneFuncWithErrOrRes,
): Promise<void> {
  let compressed: Buffer;
  try {
    await turn;
    compressed = await compress();
  } catch (error) {
    return next(error as Error);
  }
  next(null, compressed);
}

function isWorthIt(reply: FastifyReply, payload: Payload): boolean {
  if (payload === null || payload === undefined) return false;
  if (!(payload instanceof Readable) && payload.length < SMALL_ANSWER) return false;
  return TEXTS.test(String(reply.getHeader("content-type"))) && !reply.hasHeader("content-encoding");
}

/** Also marks the answer for caches as one with several forms, whichever is sent. */
function encodingFor(request: FastifyRequest, reply: FastifyReply): ContentEncoding | null {
  varyBy(reply, "accept-encoding");
  return requestedEncoding(request.headers["accept-encoding"]?.toString());
}

/**
 * A compressed answer has other bytes, so it needs its own tag (entity-tag.ts recognizes it as that of the original).
 */
function mark(reply: FastifyReply, encoding: ContentEncoding): void {
  const tag = reply.getHeader("etag");
  if (typeof tag === "string") reply.header("etag", tag.replace(/"$/, `-${encoding}"`));
  reply.header("content-encoding", encoding).removeHeader("content-length");
}

function charged(spend: (bytes: number) => Promise<void> | null) {
  return async function* (parts: AsyncIterable<WholeBody>): AsyncGenerator<WholeBody> {
    for await (const part of parts) {
      await spend(part.length);
      yield part;
    }
  };
}
