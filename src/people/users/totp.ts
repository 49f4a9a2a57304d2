import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** RFC 6238 as the applications on telephones know it: SHA-1, six digits, thirty seconds. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** The length of an SHA-1, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Clocks may be a step apart. */
const STEPS_AROUND = [0, -1, 1];
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret in base32, as applications take it. */
export function generateTotpSecret(): string {
  return base32(randomBytes(SECRET_BYTES));
}

/** The code of a secret at a step of thirty seconds since the epoch. */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, "0");
}

/**
 * The step that the code belongs to, now or a step before or after; null if the code fits no step.
 * @param time milliseconds since the epoch
 */
export function stepOfCode(secret: string, code: string, time: number): number | null {
  const step = Math.floor(time / STEP_MS);
  const around = STEPS_AROUND.find((steps) => isSame(totpCode(secret, step + steps), code));
  return around === undefined ? null : step + around;
}

/** The address that applications read from a QR code. */
export function otpauthUri(secret: string, workspace: string, email: string): string {
  const issuer = "Liaison";
  const label = `${issuer}:${email} (${workspace})`;
  return `otpauth://totp/${encodeURIComponent(label)}?secret=${secret}&issuer=${issuer}`;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** RFC 4648, of a multiple of five bytes: without padding. */
export function base32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32.charAt((value >> (bits - 5)) & 31);
  }
  return text;
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
