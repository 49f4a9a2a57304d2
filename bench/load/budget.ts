import fs from "node:fs";
import path from "node:path";

const readme = fs.readFileSync(path.join(import.meta.dirname, "..", "README.md"), "utf8");

/** The most processor time of a request of each kind, divided by the ideal server's: a table of the README. */
export const budget: ReadonlyMap<string, number> = new Map(
  Array.from(readme.matchAll(/^\| ([\w ]+) \| ([\d.]+) \|$/gm), ([, kind = "", most]) => [kind, Number(most)]),
);
