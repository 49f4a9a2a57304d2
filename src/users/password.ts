import { argon2, randomBytes, randomInt } from "node:crypto";
import { promisify } from "node:util";
import { codePoints, isStorable } from "../platform/text.ts";

const MIN_LENGTH = 8;
const MAX_LENGTH = 1_000;

// RFC 9106, the recommendation for when 2 GiB a password are too much: 64 MiB, three passes, four lanes.
const MEMORY_KIB = 65_536;
const PASSES = 3;
const PARALLELISM = 4;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** The characters that nobody mistakes for one another: no 0 and O, 1, I and l. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const GENERATED_LENGTH = 20;

/** The complaint about a password, as a sentence; null where there is none. Lengths are in code points. */
export function passwordComplaint(password: string): string | null {
  const length = codePoints(password);
  if (length < MIN_LENGTH) return `The password must have at least ${MIN_LENGTH} characters.`;
  if (length > MAX_LENGTH) return `The password must not have more than ${MAX_LENGTH} characters.`;
  return isStorable(password) && !/\p{Cc}/u.test(password) ? null : "The password contains invalid characters.";
}

/** A random password of some 116 bits, of letters and digits. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

/**
 * The password's argon2id hash as a PHC string. Its parameters and salt are in it, so that they can be raised later.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await promisify(argon2)("argon2id", {
    // The same characters, however a keyboard composes them (RFC 8265).
    message: password.normalize("NFC"),
    nonce: salt,
    parallelism: PARALLELISM,
    tagLength: TAG_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${base64(salt)}$${base64(tag)}`;
}

/** As the PHC string format writes it: without padding. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
