import { inflateSync } from "node:zlib";

/** Pixels: four times those of a page's width at 300 dots an inch, squared. */
const MOST_PIXELS = 6_000_000;

const [SIGNATURE, CHUNK_HEAD, CHUNK_END] = [8, 8, 4];
/** The samples of a pixel, by the type of colour. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Whether a picture can be printed. The pixels of a PNG are unpacked for it, so its size has to be what it declares: a
 * small file may unpack to gigabytes, and a broken one to nothing. A JPEG is copied as it is.
 */
export function isPrintable(picture: Buffer): boolean {
  if (picture[0] === 0xff) return true;
  try {
    const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
    const samples = SAMPLES[picture[25] ?? -1];
    if (samples === undefined || width * height === 0 || width * height > MOST_PIXELS) return false;
    const parts: Buffer[] = [];
    for (let at = SIGNATURE; at < picture.length;) {
      const length = picture.readUInt32BE(at);
      const type = picture.toString("latin1", at + 4, at + 8);
      const from = at + CHUNK_HEAD;
      if (type === "IEND") break;
      if (type === "IDAT") parts.push(picture.subarray(from, from + length));
      at = from + length + CHUNK_END;
    }
    // Interlaced rows have up to seven more bytes of filters for each row.
    const bytes = Math.ceil((width * samples * (picture[24] ?? 8)) / 8) * height;
    const pixels = inflateSync(Buffer.concat(parts), { maxOutputLength: bytes + 8 * (height + 8) + 8 * width });
    return pixels.length >= bytes;
  } catch {
    return false;
  }
}
