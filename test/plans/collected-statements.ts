import fs from "node:fs";
import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** A place where statements are made: `companies/company-queries.ts:41`. */
export type Site = { place: string; made: Map<string, MadeStatement> };
export type MadeStatement = { name: string; text: string };

const ROOT = path.join(import.meta.dirname, "..", "..", "src");
const sites = new Map<string, Site>();

declare global {
  var statementMade: (place: string, name: string, text: string) => string;
}
globalThis.statementMade = (place, name, text) => {
  sites.get(place)?.made.set(text, { name: name === "" ? place.replace(/:\d+$/, "") : name, text });
  return text;
};

// Each `name: ..., text: ...` in a file that knows of statements reports when it is made. A place where none was made
// is known too, so that no statement is left out.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith(`file://${ROOT}/`) || !url.endsWith(".ts")) return loaded;
    const file = fileURLToPath(url);
    const source = fs.readFileSync(file, "utf8");
    return KNOWS_OF_STATEMENTS.test(source) || file.endsWith(MAKER)
      ? { ...loaded, source: telling(path.relative(ROOT, file), source) }
      : loaded;
  },
});

const KNOWS_OF_STATEMENTS = /import [^;]*\b(?:Statement|Call)\b[^;]*postgres\/statement\.ts"/;
/** Makes the statements of `quickQuery` and its like, and those with named parameters, each kind at one place. */
const MAKER = "postgres/query.ts";

/** Loads every file of statements; the places where they are made, with what has been made there so far. */
export async function loadStatements(): Promise<readonly Site[]> {
  for (const file of fs.readdirSync(ROOT, { recursive: true, encoding: "utf8" })) {
    if (/-(?:queries|reads)\.ts$/.test(file)) await import(path.join(ROOT, file));
  }
  return [...sites.values()];
}

/** The source with each text changed to record itself. */
function telling(file: string, source: string): string {
  let told = "";
  let from = 0;
  for (const match of source.matchAll(/(?<=[{,]\s*|\/\/.*\n\s*)text(?::\s+|(?= \}|,))/g)) {
    const begin = match.index + match[0].length;
    const before = source.slice(0, match.index);
    const expression = match[0] === "text" ? "text" : expressionAt(source, begin);
    const name = /\bname(?:: ("[^"\n]*"|`[^`\n]*`|\w+))?,\s*(?:\/\/.*\s*)*$/.exec(before.slice(-500));
    // A type, or a parameter.
    if (expression.startsWith("(") || expression === "string") continue;
    const place = `${file}:${before.split("\n").length}`;
    if (name === null) throw new Error(`${place}: write the statement's name before its text, as a text or a variable`);
    sites.set(place, { place, made: new Map() });
    const shown = `text: globalThis.statementMade(${JSON.stringify(place)}, ${name[1] ?? "name"}, ${expression})`;
    told += source.slice(from, match.index) + shown;
    from = match[0] === "text" ? begin : begin + expression.length;
  }
  return told + source.slice(from);
}

/** The expression that begins at an offset, up to the comma or bracket that ends it. */
function expressionAt(source: string, begin: number): string {
  let depth = 0;
  for (let at = begin; at < source.length; at++) {
    const character = source[at] ?? "";
    if (character === '"' || character === "`") at = endOfQuoted(source, at);
    else if ("([{".includes(character)) depth++;
    else if (depth === 0 && ",)]}".includes(character)) return source.slice(begin, at).trimEnd();
    else if (")]}".includes(character)) depth--;
  }
  throw new Error("an expression does not end");
}

/** The offset of the quotation mark that ends what begins with the one at an offset. */
function endOfQuoted(source: string, begin: number): number {
  for (let at = begin + 1; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === source[begin]) return at;
    else if (source[begin] === "`" && source.startsWith("${", at)) at += 2 + expressionAt(source, at + 2).length;
  }
  throw new Error("a text does not end");
}
