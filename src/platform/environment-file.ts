import fs from "node:fs";
import { getSystemErrorMessage } from "node:util";

const ENTRY = /^([A-Za-z_]\w*)=(.*)$/;
const QUOTED = /^(["'])(.*)\1$/;
/** The mode bit of a file that every user may read. */
const OF_OTHERS = 0o004;

/** A file of settings; `isOpen`: every user of the machine may read it. */
export type EnvironmentFile = { entries: Map<string, string>; isOpen: boolean };

/**
 * Reads lines of `NAME=VALUE`, empty lines and comments (# or ;). A value may be in quotation marks: systemd reads such
 * a file in the same way (EnvironmentFile). Null without a file.
 * @param refuse makes the error from a place and a complaint, neither of which contains a value
 */
export function readEnvironmentFile(
  file: string,
  refuse: (place: string, complaint: string) => Error,
): EnvironmentFile | null {
  const text = contentOf(file, refuse);
  if (text === null) return null;
  const entries = new Map<string, string>();
  for (const [index, line] of text.split("\n").entries()) {
    const place = `${file}, line ${index + 1},`;
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    const [, name = "", value = ""] = ENTRY.exec(line.trim()) ?? [];
    if (name === "") throw refuse(place, "must be NAME=VALUE, a comment (#) or empty");
    if (entries.has(name)) throw refuse(place, `sets ${name} a second time`);
    const unquoted = QUOTED.exec(value.trim())?.[2] ?? value.trim();
    if (/^["']/.test(value.trim()) && unquoted === value.trim())
      throw refuse(place, "has a quotation mark that is not closed");
    if (value.includes("\\") && !value.trim().startsWith("'"))
      throw refuse(place, "has a backslash, which systemd removes: put the value in single quotation marks");
    entries.set(name, unquoted);
  }
  return { entries, isOpen: (fs.statSync(file).mode & OF_OTHERS) !== 0 };
}

/** The text of a file; null without a file. */
export function contentOf(file: string, refuse: (place: string, complaint: string) => Error): string | null {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code, errno = 0 } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw refuse(file, `cannot be read: ${getSystemErrorMessage(errno)}`);
  }
}
