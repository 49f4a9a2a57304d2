import fs from "node:fs";
import { codePoints } from "../../src/platform/text.ts";
import { documents, lines, production, read, ROOT, written } from "./checkout.ts";
import { IDIOMS } from "./idioms.ts";

/** A place that breaks a rule, and what to do about it. */
type Offence = { line: number; mend: string };
/** Of a rule, the offences in each file that has some. */
export type Offences = Map<string, Offence[]>;

/** Texts for people, and files with comments. A generated file is mended where it comes from. */
const prose = [...written.filter(({ name }) => !name.endsWith(".generated.ts")), ...documents, ...migrations()];

const MOST_COLUMNS = 120;
const MOST_LINES_OF_A_SLIVER = 20;
/** Other rules give these a file: SQL, and an endpoint or a page, which a reader finds by its route. */
const HAS_A_FILE = { name: /-queries\.ts$/, text: /^export const \w+(?:Endpoint|Page)\b/m };

/** The rules that were broken when they were made (bounds.ts). */
export const boundedRules: Record<"columns" | "idioms" | "slivers", () => Offences> = {
  columns: () => offencesIn(prose, ({ name, text }) => (name.endsWith(".md") ? longInPage(text) : longComments(text))),
  idioms: () => offencesIn(prose, ({ name, text }) => (name === "test/tidy/idioms.ts" ? [] : idiomsIn(text))),
  slivers: () => {
    // A file that a test imports keeps a promise by itself.
    const importers = Map.groupBy(
      written.flatMap(({ name, imports }) => imports.map((imported) => ({ name, imported }))),
      ({ imported }) => imported,
    );
    return offencesIn(production, ({ name, text }) => {
      const [first, ...others] = importers.get(name) ?? [];
      if (first === undefined || others.length > 0 || lines(text) > MOST_LINES_OF_A_SLIVER) return [];
      if (HAS_A_FILE.name.test(name) || HAS_A_FILE.text.test(text)) return [];
      if (/(?:\*|\/\/) A file of its own: \w/.test(text)) return [];
      const mend = `it has ${lines(text)} lines and one importer, ${first.name}: move them there, or into a file about the same thing; else give the reason in a comment that begins "A file of its own: "`;
      return [{ line: 1, mend }];
    });
  },
};

type Text = { name: string; text: string };

function offencesIn(files: readonly Text[], find: (file: Text) => Offence[]): Offences {
  return new Map(files.map((file) => [file.name, find(file)] as const).filter(([, found]) => found.length > 0));
}

/** A comment's lines that are too long. The formatter breaks code. */
function longComments(text: string): Offence[] {
  return tooLong(text.split("\n").map((line) => (/^\s*(?:\/\/|\/\*|\*|--)|\s(?:\/\/|--) /.test(line) ? [line] : [])));
}

/** A page's lines that are too long; of a table, whose row is one line, its cells. Code is left alone. */
function longInPage(text: string): Offence[] {
  let isCode = false;
  return tooLong(
    text.split("\n").map((line) => {
      const isFence = /^\s*```/.test(line);
      if (isFence) isCode = !isCode;
      if (isFence || isCode) return [];
      return /^\s*\|/.test(line) ? line.split(/(?<!\\)\|/).map((cell) => cell.trim()) : [line];
    }),
  );
}

/** @param parts of each line */
function tooLong(parts: readonly string[][]): Offence[] {
  return parts.flatMap((ofLine, index) =>
    ofLine
      // One word has no place where it could be broken.
      .filter((part) => codePoints(part) > MOST_COLUMNS && /\w\S* +\S*\w/.test(part))
      .map(() => ({ line: index + 1, mend: `shorten or break what has more than ${MOST_COLUMNS} columns` })),
  );
}

const plainWords = new Map(IDIOMS.flatMap(({ says, plainly }) => says.map((phrase) => [phrase, plainly] as const)));
/** Between two words: a space, or the end of a line and the mark of a comment. */
const GAP = String.raw`(?:[ \t]+|[ \t]*\n[ \t]*(?:\*(?!\/)|\/\/|--)?[ \t]*)`;
const anyIdiom = new RegExp(String.raw`\b(?:${[...plainWords.keys()].join("|").replaceAll(" ", GAP)})\b`, "gi");

function idiomsIn(text: string): Offence[] {
  return [...text.matchAll(anyIdiom)].map(({ 0: found, index }) => {
    const phrase = found.toLowerCase().replaceAll(/[^a-z']+/g, " ");
    return { line: lines(text.slice(0, index)) + 1, mend: `"${phrase}": ${plainWords.get(phrase)}` };
  });
}

function migrations(): Text[] {
  const names = fs.globSync("migrations/**/*.sql", { cwd: ROOT });
  return names.map((name) => ({ name, text: read(name) }));
}
