import { crc32, deflateSync } from "node:zlib";

/** A PNG of one colour, half of it transparent. @param data the rows, if they are not those that it declares */
export function png(width: number, height: number, data = rows(width, height)): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits of red, green, blue and alpha.
  head.set([8, 6], 8);
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(data)), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), ...parts]));
}

function rows(width: number, height: number): Buffer {
  return Buffer.alloc((width * 4 + 1) * height);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
