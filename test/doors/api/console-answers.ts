import assert from "node:assert/strict";

/** The address that a page gives its server. */
const LOCAL = "http://127.0.0.1:3000";
/**
 * Where a page leaves out, folds a line, or prints what no two servers have alike: moments, ids of requests, tags,
 * cursors.
 */
const INEXACT =
  /(?<elision>\s*\.\.\.\s*)|(?<fold>\s*\n)|\d{4}-\d\d-\d\dT[\d:.]+Z|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<=etag: "|"next_cursor":"|"next":")[^"]+/g;

/**
 * Compares what a page prints with what is answered to its commands, one after the other, and learns what stands for
 * what.
 */
export function createReader(url: string) {
  const learned = new Map<string, string>();

  return {
    /** The text of a page, as it is said to this server. */
    translated: (text: string): string =>
      [...learned].reduce((said, [printed, actual]) => said.replaceAll(printed, actual), text.replaceAll(LOCAL, url)),

    /**
     * Fails unless the page prints what was answered. What it prints alike has to be alike, and what differs different.
     */
    compare(printed: string, actual: string): void {
      const { pattern, names } = patternOf(printed.replaceAll(LOCAL, url), learned);
      const found = pattern.exec(actual.trim());
      if (found === null) assert.equal(actual.trim(), printed);
      for (const [index, name] of names.entries()) learned.set(name, found?.[index + 1] ?? "");
      assert.equal(new Set(learned.values()).size, learned.size, "what is printed differently differs");
    },
  };
}

function patternOf(printed: string, learned: ReadonlyMap<string, string>): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  let source = "";
  let at = 0;
  for (const match of printed.matchAll(INEXACT)) {
    const [text] = match;
    source += RegExp.escape(printed.slice(at, match.index));
    at = match.index + text.length;
    const known = learned.get(text);
    if (match.groups?.elision !== undefined) source += "[^]*?";
    else if (match.groups?.fold !== undefined) source += String.raw`\s*`;
    else if (known !== undefined) source += RegExp.escape(known);
    else if (names.includes(text)) source += `\\${names.indexOf(text) + 1}`;
    else {
      source += String.raw`([\w:.-]+)`;
      names.push(text);
    }
  }
  return { pattern: new RegExp(`^${source}${RegExp.escape(printed.slice(at))}$`), names };
}
