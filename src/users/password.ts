import { randomInt } from "node:crypto";
import fs from "node:fs";
import { PASSWORD_MAX } from "../platform/passwords/password-hash.ts";
import { codePoints, isStorable, normalized } from "../platform/text.ts";

/** Code points. */
const MIN_LENGTH = 12;
/** A word of up to so many characters that is repeated is as short as the word. */
const SHORTEST_REPEATED = 4;

/** The characters that nobody mistakes for one another: no 0 and O, 1, I and l. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const GENERATED_LENGTH = 20;

/** The e-mail address that a password is for, and the slug of the workspace; null for an operator, who has none. */
export type PasswordOwner = { email: string; workspace: string | null };

/** The complaint about a new password, as a sentence; null where there is none (docs/decisions/0029-signing-in.md). */
export function passwordComplaint(password: string, { email, workspace }: PasswordOwner): string | null {
  const composed = normalized(password, PASSWORD_MAX);
  if (composed === null) return `The password field must not be greater than ${PASSWORD_MAX} characters.`;
  if (codePoints(password) < MIN_LENGTH) return `The password field must be at least ${MIN_LENGTH} characters.`;
  if (!isStorable(password) || /\p{Cc}/u.test(password)) return "The password field contains invalid characters.";
  const known = new Set([email, email.split("@")[0] ?? "", workspace ?? ""].map((text) => text.toLowerCase()));
  const forms = formsOf(composed.toLowerCase());
  if (forms.some((form) => known.has(form))) {
    return "The password field must not be the e-mail address or the workspace.";
  }
  return forms.some(isCommon) ? "The password field must not be one of the commonest passwords." : null;
}

/** A random password of some 116 bits, of letters and digits. */
export function generatePassword(): string {
  return Array.from({ length: GENERATED_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

/**
 * The words that guessers make a password of: itself, the word that it repeats, and the word inside that makes up half of it or more,
 * with digits and signs around.
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

/** Read when it is first asked for: most processes never do. */
function commonPasswords(): ReadonlySet<string> {
  const file = new URL("common-passwords.txt", import.meta.url);
  return (common ??= new Set(
    fs
      .readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#")),
  ));
}
