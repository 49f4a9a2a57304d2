import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import { zstdDecompressSync } from "node:zlib";

/** The last migration of the baseline, which counts as released. */
const BASELINE = "0010";

/** The previous release, as `keep-release.ts` has stored it under the number of its last migration: none or one. */
const ARCHIVES = fs.readdirSync(import.meta.dirname).filter((name) => /^\d{4}\.tar\.zst$/.test(name));
const ROOT = path.join(import.meta.dirname, "../..");

/** For the end of a run; empty as soon as a release is stored. */
export const NO_RELEASE =
  ARCHIVES.length > 0
    ? ""
    : "No release is stored yet: no test ran beside the previous one, and test:slow compares two installations of this checkout.\n";

/** The number of the release's last migration. Migrations with a higher number run beside it. */
export const RELEASED = ARCHIVES[0]?.slice(0, 4) ?? BASELINE;

/**
 * The previous release in a directory of its own, with the packages of this one; empty before the first release. The
 * directory is removed when the test file ends.
 */
export function previousReleases(): string[] {
  return ARCHIVES.map((name) => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-released-"));
    after(() => fs.rmSync(directory, { recursive: true }));
    fs.chmodSync(directory, 0o755);
    const archive = fs.readFileSync(path.join(import.meta.dirname, name));
    execFileSync("tar", ["-x", "-C", directory], { input: zstdDecompressSync(archive) });
    fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(directory, "node_modules"));
    return directory;
  });
}
