import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { zstdDecompressSync } from "node:zlib";

const ROOT = path.join(import.meta.dirname, "../..");
/** The previous release, as `keep-release.ts` has stored it under the number of its last migration. */
const ARCHIVE = fs.readdirSync(import.meta.dirname).find((name) => /^\d{4}\.tar\.zst$/.test(name)) ?? "none";

/** The number of the release's last migration. Migrations with a higher number run beside it. */
export const RELEASED = ARCHIVE.slice(0, 4);

/** The previous release in a directory of its own, with the packages of this one, until the test file ends. */
export function previousRelease(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-released-"));
  after(() => fs.rmSync(directory, { recursive: true }));
  fs.chmodSync(directory, 0o755);
  const archive = fs.readFileSync(path.join(import.meta.dirname, ARCHIVE));
  execFileSync("tar", ["-x", "-C", directory], { input: zstdDecompressSync(archive) });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(directory, "node_modules"));
  return directory;
}
