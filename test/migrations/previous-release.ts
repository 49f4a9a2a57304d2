import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { BASELINE } from "../../src/platform/postgres/migrations/baseline.ts";

/**
 * The previous release as `keep-release.ts` has kept it, by the number of its last migration; undefined: nothing is
 * released.
 */
const ARCHIVE = fs.readdirSync(import.meta.dirname).find((name) => /^\d{4}\.tar\.zst$/.test(name));
const ROOT = path.join(import.meta.dirname, "../..");

/** Why tests of the previous release are skipped, or false. */
export const isUnreleased = ARCHIVE === undefined && "nothing is released yet: npm run keep-release";

/**
 * The number of the release's last migration. Those with a higher number run beside it. The baseline counts as
 * released.
 */
export const RELEASED = ARCHIVE?.slice(0, 4) ?? String(BASELINE.at(-1)?.slice(0, 4));

/** The previous release in a directory of its own, gone when the test file ends; with the packages of this one. */
export function unpackRelease(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-released-"));
  after(() => fs.rmSync(directory, { recursive: true }));
  fs.chmodSync(directory, 0o755);
  const archive = fs.readFileSync(path.join(import.meta.dirname, String(ARCHIVE)));
  execFileSync("tar", ["-x", "-C", directory], { input: zstdDecompressSync(archive) });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(directory, "node_modules"));
  return directory;
}
