import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { zstdDecompressSync } from "node:zlib";

/** The previous release itself, as `keep-release.ts` has kept it, by the number of its last migration. */
const ARCHIVE = fs.readdirSync(import.meta.dirname).find((name) => /^\d{4}\.tar\.zst$/.test(name)) ?? "";
const ROOT = path.join(import.meta.dirname, "../..");

/** The number of the last migration that a release has: what has a higher one runs beside that release. */
export const RELEASED = path.basename(ARCHIVE, ".tar.zst");

/** The previous release's programs and tests in a directory of their own, gone when the test file ends; with the packages of this one. */
export function unpackRelease(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-released-"));
  after(() => fs.rmSync(directory, { recursive: true }));
  fs.chmodSync(directory, 0o755);
  execFileSync("tar", ["-x", "-C", directory], {
    input: zstdDecompressSync(fs.readFileSync(path.join(import.meta.dirname, ARCHIVE))),
  });
  const migrations = fs.readdirSync(path.join(ROOT, "migrations")).filter((name) => name < `${RELEASED}_~`);
  fs.mkdirSync(path.join(directory, "migrations"));
  for (const name of migrations) fs.copyFileSync(path.join(ROOT, "migrations", name), path.join(directory, "migrations", name));
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(directory, "node_modules"));
  return directory;
}
