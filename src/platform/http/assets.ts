import { createHash, hash } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requestedEncoding, type ContentEncoding } from "./accept-encoding.ts";
import { varyBy } from "./answers.ts";
import type { Outgoing } from "./outgoing.ts";

export type Assets = {
  /** The path of a file. It contains the version of all files, so that browsers can cache it permanently. */
  pathOf(name: string): string;
  /** Registers a GET route for each file. */
  register(server: FastifyInstance, outgoing: Outgoing): void;
};

/** By the ends of the files' names. */
const CONTENT_TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Brotli's best quality takes twenty times as long as 6, for a tenth fewer bytes: for files that every page needs. */
const [QUALITY, BEST_QUALITY] = [6, 11];
const [brotlied, gzipped] = [promisify(brotliCompress), promisify(gzip)];
const ENCODERS = {
  br: async (body: Buffer, quality: number) =>
    await brotlied(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  gzip: async (body: Buffer) => await gzipped(body, { level: constants.Z_BEST_COMPRESSION }),
};

/** Browsers follow these headers for documents alone. On a style or a script they would only be bytes. */
const OF_DOCUMENTS = ["content-security-policy", "cross-origin-opener-policy", "referrer-policy"];
/** Files that a browser also opens as documents. */
const DOCUMENTS = new Set([".svg"]);

/** Files below `{prefix}/{version}/`, by their names. They stay as they are for as long as the process lives. */
export function createAssets(prefix: string, files: ReadonlyMap<string, Buffer>): Assets {
  const hash = createHash("sha256");
  for (const [name, body] of files) hash.update(`${name} ${body.length} `).update(body);
  const version = hash.digest("base64url").slice(0, 12);
  return {
    pathOf: (name) => `${prefix}/${version}/${name}`,
    register(server, outgoing) {
      for (const [name, body] of files) {
        const type = CONTENT_TYPES[path.extname(name)] ?? "application/octet-stream";
        const send = createSender(type, body, outgoing, BEST_QUALITY);
        server.get(`${prefix}/:version/${name}`, async (request, reply) => {
          const isThisVersion = (request.params as { version: string }).version === version;
          // During an update, a page of the other version may request this: it gets the current file, and must not
          // cache it.
          if (!DOCUMENTS.has(path.extname(name))) for (const header of OF_DOCUMENTS) reply.removeHeader(header);
          reply.header("cache-control", isThisVersion ? "public, max-age=31536000, immutable" : "no-store");
          return await send(request, reply);
        });
      }
    },
  };
}

/**
 * Sends a file in the requested encoding, or 304 if the client has it. It needs no session, so it is compressed once
 * and not for each request.
 */
export function createSender(contentType: string, body: Buffer, outgoing: Outgoing, quality = QUALITY) {
  const encoded: { [encoding in ContentEncoding]?: Promise<Buffer> } = {};
  // 96 bits, which differ between any two files. Each browser gets the tag of each file.
  const digest = hash("sha256", body, "base64url").slice(0, 16);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const encoding = requestedEncoding(request.headers["accept-encoding"]?.toString());
    varyBy(reply, "accept-encoding");
    reply.header("etag", `"${digest}${encoding === null ? "" : `-${encoding}`}"`);
    const known = request.headers["if-none-match"];
    if (known?.trim() === "*" || known?.includes(`"${digest}`)) return reply.code(304).send();
    const bytes = encoding === null ? body : await (encoded[encoding] ??= ENCODERS[encoding](body, quality));
    reply.header("content-type", contentType);
    if (encoding !== null) reply.header("content-encoding", encoding);
    return await outgoing(request, reply).send(bytes);
  };
}
