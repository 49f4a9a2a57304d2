import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { protocolErrors } from "./http-error.ts";
import { whenCutOff } from "./short-chunks.ts";

/** The largest body accepted, in bytes. */
export const BODY_LIMIT = 1024 * 1024;
/**
 * The same for a form that needs no session. Such forms are short, and no share of the sender's network limits them.
 */
export const SIGNED_OUT_FORM_LIMIT = 64 * 1024;

/** Chunks are joined in groups of this number: each is a separate object. */
const JOINED_AT_ONCE = 256;

/** Makes the bodies of a scope's routes arrive as bytes, whatever their Content-Type, up to the limit of each route. */
export function acceptBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", async ({ headers, routeOptions }: FastifyRequest, body: Readable) => {
    return await collectBody(body, Number(headers["content-length"] ?? 0), routeOptions.bodyLimit);
  });
}

/**
 * The bytes of a body. Throws bodyTooLarge above the limit, and badRequest for a body that is cut off, or that arrives
 * in short chunks whose reading costs more than their content.
 */
async function collectBody(body: Readable, declared: number, limit: number): Promise<Buffer> {
  if (declared > limit) throw protocolErrors.bodyTooLarge();
  return await new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const collect = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limit) {
        // The rest is not read: the answer closes the connection.
        body.off("data", collect).pause();
        return reject(protocolErrors.bodyTooLarge());
      }
      chunks.push(chunk);
      if (chunks.length >= JOINED_AT_ONCE) chunks = [Buffer.concat(chunks)];
    };
    body.on("data", collect);
    body.once("end", () => resolve(Buffer.concat(chunks)));
    whenCutOff(body, () => reject(protocolErrors.badRequest()));
    body.once("error", () => reject(protocolErrors.badRequest()));
  });
}
