import { randomInt } from "node:crypto";
import fs from "node:fs";
import type { FieldReason } from "../../platform/fields/field-reasons.ts";
import { PASSWORD_MAX } from "../../platform/passwords/password-hash.ts";
import { codePoints, isStorable, normalized } from "../../platform/text.ts";

/** Code points. */
const MIN_LENGTH = 12;
/** A repeated word with fewer characters is common, whatever it is. */
const SHORTEST_REPEATED = 4;

/** Without characters that look alike: 0 and O, 1, I and l. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const GENERATED_LENGTH = 20;

/** The e-mail address that a password is for, and the slug of the workspace; null for an operator, who has none. */
export type PasswordOwner = { email: string; workspace: string | null };

/** The reason why a new password is refused, or null (docs/decisions/0029-signing-in.md). */
export function passwordComplaint(password: string, { email, workspace }: PasswordOwner): FieldReason | null {
  const composed = normalized(password, PASSWORD_MAX);
  if (composed === null) return { code: "tooLong", bound: PASSWORD_MAX };
  if (codePoints(password) < MIN_LENGTH) return { code: "tooShort", bound: MIN_LENGTH };
  if (!isStorable(password) || /\p{Cc}/u.test(password)) return { code: "notStorable" };
  const known = new Set([email, email.split("@")[0] ?? "", workspace ?? ""].map((text) => text.toLowerCase()));
  const forms = formsOf(composed.toLowerCase());
  if (forms.some((form) => known.has(form))) return { code: "passwordOfOwner" };
  return forms.some(isCommon) ? { code: "passwordCommon" } : null;
}

/** A random password of some 116 bits, of letters and digits. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

/**
 * The words that guessers make a password of: itself, the word that it repeats, and the word inside that makes up half
 * of it or more, with digits and signs around.
 */
function formsOf(password: string): string[] {
  const repeated = /^(.+?)\1+$/u.exec(password)?.[1];
  const inner = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return [
    password,
    ...(repeated === undefined ? [] : [repeated]),
    ...(2 * inner.length >= password.length ? [inner] : []),
  ];
}

function isCommon(form: string): boolean {
  return codePoints(form) < SHORTEST_REPEATED || commonPasswords().has(form);
}

let common: ReadonlySet<string> | null = null;

/** Read at the first use, because most processes never need it. */
function commonPasswords(): ReadonlySet<string> {
  const file = new URL("common-passwords.txt", import.meta.url);
  return (common ??= new Set(
    fs
      .readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#")),
  ));
}
