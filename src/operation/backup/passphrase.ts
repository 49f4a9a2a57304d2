import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import fs from "node:fs";
import { PassThrough, type Transform } from "node:stream";
import { promisify } from "node:util";
import { Refusal } from "../../platform/refusal.ts";
import { normalized } from "../../platform/text.ts";

/** The beginning of an encrypted file. Then come salt and nonce, the content by AES-256-GCM, and its tag. */
const MAGIC = Buffer.from("liaison-encrypted 1\n");
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PREAMBLE_BYTES = MAGIC.length + SALT_BYTES + NONCE_BYTES;
const CIPHER = "aes-256-gcm";
/** Maximum code points of a passphrase. */
const PASSPHRASE_MAX = 10_000;
/** 128 MiB and half a second per guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
// Asynchronous, because a server that makes a backup answers requests meanwhile.
const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt);

/** The passphrase in a file, without the line feed at its end. */
export function readPassphrase(file: string): string {
  const passphrase = fs.readFileSync(file, "utf8").replace(/\r?\n$/, "");
  if (passphrase === "") throw new Refusal(`${file} has no passphrase.`);
  return passphrase;
}

/** A pipeline step that encrypts its input; without a passphrase it passes it on. */
export async function* encrypting(content: AsyncIterable<Buffer>, passphrase: string | null): AsyncGenerator<Buffer> {
  if (passphrase === null) return yield* content;
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv(CIPHER, await keyOf(passphrase, salt), nonce, { authTagLength: TAG_BYTES });
  yield Buffer.concat([MAGIC, salt, nonce]);
  for await (const piece of content) yield cipher.update(piece);
  yield cipher.final();
  yield cipher.getAuthTag();
}

/** The byte range of a file's content, and the pipeline step that decrypts it. */
export type Decryption = { start: number; end: number; step: Transform };

/**
 * Returns null for an encrypted file without a passphrase.
 * @param last the offset of the last byte that may be content
 * @param passphrase with a wrong one, the step returns garbage and fails at the end; null reads only unencrypted files
 */
export async function decrypting(file: string, last: number, passphrase: string | null): Promise<Decryption | null> {
  if (!(await bytesOf(file, 0, MAGIC.length - 1)).equals(MAGIC))
    return { start: 0, end: last, step: new PassThrough() };
  if (passphrase === null) return null;
  const preamble = await bytesOf(file, 0, PREAMBLE_BYTES - 1);
  const salt = preamble.subarray(MAGIC.length, MAGIC.length + SALT_BYTES);
  const nonce = preamble.subarray(MAGIC.length + SALT_BYTES);
  const step = createDecipheriv(CIPHER, await keyOf(passphrase, salt), nonce, { authTagLength: TAG_BYTES });
  step.setAuthTag(await bytesOf(file, last - TAG_BYTES + 1, last));
  return { start: PREAMBLE_BYTES, end: last - TAG_BYTES, step };
}

async function keyOf(passphrase: string, salt: Buffer): Promise<Buffer> {
  const composed = normalized(passphrase, PASSPHRASE_MAX);
  if (composed === null) throw new Refusal(`The passphrase has more than ${PASSPHRASE_MAX} characters.`);
  return await derive(composed, salt, 32, COST);
}

async function bytesOf(file: string, start: number, end: number): Promise<Buffer> {
  return Buffer.concat((await fs.createReadStream(file, { start, end }).toArray()) as Buffer[]);
}
