import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { protocolErrors } from "../../../platform/http/http-error.ts";
import { asLine, codePoints, composed, isStorable, trim } from "../../../platform/text.ts";
import { parseForm, type Form } from "./form.ts";

/** A file that a browser is uploading. */
export type ReceivedFile = {
  /** The browser's name of the file, without characters that cannot be shown. */
  name: string;
  chunks: AsyncIterable<Uint8Array>;
};

/**
 * Receives a form with a file, which is processed as a stream. `result` is null if the form has no file. `isTooLarge`
 * is true if the file was cut off.
 */
export type Receive = <T>(
  process: (file: ReceivedFile) => Promise<T>,
) => Promise<{ form: Form; result: T | null; isTooLarge: boolean }>;

/** Maximum bytes of a file, and of the other fields of its form. */
export const FILE_LIMIT = 50 * 1024 * 1024;
const REST_LIMIT = 64 * 1024;

/** The limits of a form with a file. */
export const receiveLimits = {
  throwFileSizeLimit: false,
  limits: {
    fileSize: FILE_LIMIT,
    files: 1,
    fields: 10,
    parts: 11,
    fieldSize: 1024,
    fieldNameSize: 100,
    headerPairs: 20,
  },
};

const NAME_MAX = 255;

/** The `receive` of a request to a route that accepts a file. */
export function receiving(request: FastifyRequest): Receive {
  return async (process) => {
    const fields = new URLSearchParams();
    // A form that declares too large a size is rejected before it is sent.
    const isAnnounced = Number(request.headers["content-length"] ?? 0) > FILE_LIMIT + REST_LIMIT;
    if (isAnnounced) return { form: parseForm(fields.toString()), result: null, isTooLarge: true };
    if (!request.isMultipart()) return { form: parseForm(fields.toString()), result: null, isTooLarge: false };
    let result: Awaited<ReturnType<typeof process>> | null = null;
    let isTooLarge = false;
    for await (const part of refusingMalformed(request.parts())) {
      if (part.type === "field") {
        fields.append(part.fieldname, String(part.value));
        continue;
      }
      // Browsers send a file without name and content if none was chosen.
      if (part.filename) result = await process({ name: nameOf(part), chunks: refusingMalformed(part.file) });
      else part.file.resume();
      isTooLarge ||= part.file.truncated;
    }
    return { form: parseForm(fields.toString()), result, isTooLarge };
  };
}

/** Passes the stream on; a malformed or incomplete form becomes the client's error. */
async function* refusingMalformed<T extends Uint8Array | MultipartFile | MultipartValue>(
  source: AsyncIterable<T>,
): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch(() => {
        throw protocolErrors.badRequest();
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

function nameOf({ filename }: MultipartFile): string {
  const shown = trim(asLine(filename));
  const name = composed(shown) ?? "";
  return name !== "" && codePoints(name) <= NAME_MAX && isStorable(name) ? name : "file.csv";
}
