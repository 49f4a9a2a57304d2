import type { Encoding } from "./reading.ts";

/** The bytes of a text in UTF-8, as they come. What is no text in its encoding becomes the character that says so. */
export async function* transcode(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  if (encoding === "utf-8") return yield* chunks;
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}
