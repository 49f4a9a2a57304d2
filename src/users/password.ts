import { randomInt } from "node:crypto";
import { codePoints, isStorable } from "../platform/text.ts";

const MIN_LENGTH = 8;
const MAX_LENGTH = 1_000;

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
