import fs from "node:fs";
import path from "node:path";

/** The files of the checkout that the rules of this folder read. Each failure says where the thing belongs instead. */

export const ROOT = path.join(import.meta.dirname, "../..");

export type SourceFile = { name: string; text: string; imports: string[] };

export const source = filesUnder("src");
export const written = [...source, ...["test", "bench", "clients", "wms-simulator"].flatMap(filesUnder)];
export const production = source.filter(({ name }) => !name.endsWith(".test.ts"));

/** The pages for people. */
export const documents = fs
  .globSync(["*.md", "docs/**/*.md", "{migrations,bench,clients/*}/*.md"], { cwd: ROOT })
  .map((name) => ({ name: name.split(path.sep).join("/"), text: read(name) }));

/** The folder in src that a file belongs to; of a file directly in src the file itself. */
export function roomOf(name: string): string {
  return name.split("/")[1] ?? name;
}

function filesUnder(folder: string): SourceFile[] {
  if (!fs.existsSync(path.join(ROOT, folder))) return [];
  return (
    fs
      .readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:(?<!\.d\.)ts|js|mjs)$/.test(entry.name))
      .map(({ parentPath, name }) => path.relative(ROOT, path.join(parentPath, name)).split(path.sep).join("/"))
      // What a measurement installs or compiles is not ours.
      .filter((file) => !/\/(?:node_modules|vendor|results|build|dist)\//.test(file))
      .map((file) => {
        const text = read(file);
        const imports = [...text.matchAll(/(?:from|import) "(\.[^"]+)"/g)].map(([, to = ""]) =>
          path.posix.join(path.posix.dirname(file), to),
        );
        return { name: file, text, imports };
      })
  );
}

export function read(name: string): string {
  return fs.readFileSync(path.join(ROOT, name), "utf8");
}

export function lines(text: string): number {
  return text.split("\n").length - 1;
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

/** A citation may be broken after its page, in a comment too. */
export function withoutLineBreaks(text: string): string {
  return text.replace(/\n\s*(?:\*(?!\/)|\/\/)?\s*/g, " ");
}
