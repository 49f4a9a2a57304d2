import type { Encoding } from "./reading.ts";

/** Converts a file to UTF-8 as a stream. Invalid bytes become the replacement character. */
export async function* transcode(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  if (encoding === "utf-8") return yield* chunks;
  const letters = LETTERS[encoding];
  if (letters !== undefined) {
    for await (const chunk of chunks) yield Buffer.from(ofPage(chunk, letters));
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** The letters from byte 128 on of an encoding of one byte for each letter. */
export function lettersOf(encoding: Encoding): string {
  const bytes = Uint8Array.from({ length: 128 }, (_none, at) => 128 + at);
  return LETTERS[encoding] ?? new TextDecoder(encoding).decode(bytes);
}

const MAC = new TextDecoder("macintosh").decode(Uint8Array.from({ length: 128 }, (_none, at) => 128 + at));
const MAC_ROMANIAN: Readonly<Record<string, string>> = { Æ: "Ă", Ø: "Ș", æ: "ă", ø: "ș", ﬁ: "Ț", ﬂ: "ț" };

/** The letters of the encodings that TextDecoder does not know. */
const LETTERS: Partial<Record<Encoding, string>> = {
  "x-mac-romanian": MAC.replaceAll(/[ÆØæøﬁﬂ]/g, (letter) => MAC_ROMANIAN[letter] ?? letter),
  cp852:
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0",
  "x-mac-ce":
    "ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅņŃ¬√ńŇ∆«»…\u00a0ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ",
};

function ofPage(chunk: Uint8Array, letters: string): string {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1");
  return text.replaceAll(/[\u0080-\u00ff]/g, (byte) => letters.charAt(byte.charCodeAt(0) - 128));
}
