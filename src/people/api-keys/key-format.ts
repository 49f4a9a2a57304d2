import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const FORMAT = /^lsn_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/**
 * A new key: `lsn_`, 256 random bits in base62, and their checksum (docs/contract.md 2.3). The checksum detects
 * an invalid key without a query.
 */
export function generateKey(): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString("hex")}`), SECRET_LENGTH);
  return `lsn_${secret}${checksum(secret)}`;
}

/** Whether the text can be a key at all; a wrong checksum answers like an unknown key. */
export function isWellFormedKey(key: string): boolean {
  const [, secret, sum] = FORMAT.exec(key) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}

/** The SHA-256 of a key, which is all that is stored of it: 256 random bits need no salt and no slow hash. */
export function hashKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function checksum(secret: string): string {
  return base62(BigInt(crc32(secret)), CHECKSUM_LENGTH);
}

function base62(number: bigint, length: number): string {
  let text = "";
  for (let rest = number; rest > 0n; rest /= 62n) text = ALPHABET.charAt(Number(rest % 62n)) + text;
  return text.padStart(length, "0");
}
