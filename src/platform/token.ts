import { createHash, randomBytes } from "node:crypto";

const TOKEN_BYTES = 32;

/** A new token of 256 random bits, as a cookie or a link carries it. */
export function generateToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Whether the text has the form of a token. */
export function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** The SHA-256 of a token, the only form in which it is stored: 256 random bits need no salt and no slow hash. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
