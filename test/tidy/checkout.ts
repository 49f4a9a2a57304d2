import fs from "node:fs";
import path from "node:path";

/** The files of the checkout that the rules of this folder read. Each failure says where the thing belongs instead. */

export const ROOT = path.join(import.meta.dirname, "../..");

export type SourceFile = { name: string; text: string; imports: string[] };

export const production = filesUnder("src");
export const written = [
  ...production,
  ...["test", "bench", "clients", "wms-simulator", "lookup-simulator", "release"].flatMap(filesUnder),
];

/** The pages for people. */
export const documents = fs
  .globSync(["*.md", "docs/**/*.md", "{migrations,bench,clients/*}/*.md"], { cwd: ROOT })
  .map((name) => ({ name: name.split(path.sep).join("/"), text: read(name) }));

/** The wings of src/, and for each the wings that it may import. */
export const WINGS: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  kit: ["platform"],
  people: ["kit", "platform"],
  customers: ["people", "kit", "platform"],
  orders: ["customers", "kit", "platform"],
  exchange: ["people", "customers", "orders", "kit", "platform"],
  desk: ["exchange", "people", "customers", "orders", "kit", "platform"],
  operation: ["exchange", "people", "customers", "orders", "kit", "platform"],
  doors: ["desk", "exchange", "people", "customers", "orders", "kit", "platform"],
};

/** What is above the wings, and may import all of them. */
export const ABOVE_WINGS = ["cli", "main", "worker"];

/** The wing of a file of src/; of a file above the wings its entry of src/, such as `cli` or `main`. */
export function wingOf(name: string): string {
  return path.parse(name.split("/")[1] ?? name).name;
}

/** The folder of a wing that a file belongs to, such as `orders/wms`; of a loose file the file itself. */
export function roomOf(name: string): string {
  const wing = wingOf(name);
  return Object.hasOwn(WINGS, wing) ? name.split("/").slice(1, 3).join("/") : wing;
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
