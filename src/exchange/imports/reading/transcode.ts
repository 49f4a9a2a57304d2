import type { Encoding } from "./reading.ts";

/** Converts a file to UTF-8 as a stream. Invalid bytes become the replacement character. */
export async function* transcode(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  if (encoding === "utf-8") return yield* chunks;
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}
