import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import fs from "node:fs";
import { PassThrough, type Transform } from "node:stream";
import { Refusal } from "../platform/refusal.ts";
import { normalized } from "../platform/text.ts";

/** A file that a passphrase encrypts begins so; behind it are salt and nonce, the content by AES-256-GCM, and its tag. */
const MAGIC = Buffer.from("liaison-encrypted 1\n");
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PREAMBLE_BYTES = MAGIC.length + SALT_BYTES + NONCE_BYTES;
const CIPHER = "aes-256-gcm";
/** Code points of a passphrase. */
const PASSPHRASE_MAX = 10_000;
/** 128 MiB and half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };

/** A step of a pipeline that encrypts what passes; without a passphrase nothing is. */
export async function* encrypting(content: AsyncIterable<Buffer>, passphrase: string | null): AsyncGenerator<Buffer> {
  if (passphrase === null) return yield* content;
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv(CIPHER, keyOf(passphrase, salt), nonce, { authTagLength: TAG_BYTES });
  yield Buffer.concat([MAGIC, salt, nonce]);
  for await (const piece of content) yield cipher.update(piece);
  yield cipher.final();
  yield cipher.getAuthTag();
}

/** The bytes of a file that have its content, and the step of a pipeline that makes them clear. */
export type Decryption = { start: number; end: number; step: Transform };

/**
 * @param last the place of a file's last byte that may be content
 * @param passphrase where it is another than the file's, the step makes what cannot be read, and fails at the end. Null: only a file in
 *   clear can be read; of another this is null
 */
export async function decrypting(file: string, last: number, passphrase: string | null): Promise<Decryption | null> {
  if (!(await bytesOf(file, 0, MAGIC.length - 1)).equals(MAGIC))
    return { start: 0, end: last, step: new PassThrough() };
  if (passphrase === null) return null;
  const preamble = await bytesOf(file, 0, PREAMBLE_BYTES - 1);
  const salt = preamble.subarray(MAGIC.length, MAGIC.length + SALT_BYTES);
  const nonce = preamble.subarray(MAGIC.length + SALT_BYTES);
  const step = createDecipheriv(CIPHER, keyOf(passphrase, salt), nonce, { authTagLength: TAG_BYTES });
  step.setAuthTag(await bytesOf(file, last - TAG_BYTES + 1, last));
  return { start: PREAMBLE_BYTES, end: last - TAG_BYTES, step };
}

function keyOf(passphrase: string, salt: Buffer): Buffer {
  const composed = normalized(passphrase, PASSPHRASE_MAX);
  if (composed === null) throw new Refusal(`The passphrase has more than ${PASSPHRASE_MAX} characters.`);
  return scryptSync(composed, salt, 32, COST);
}

async function bytesOf(file: string, start: number, end: number): Promise<Buffer> {
  return Buffer.concat((await fs.createReadStream(file, { start, end }).toArray()) as Buffer[]);
}
