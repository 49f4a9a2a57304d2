import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { constants, zstdCompressSync } from "node:zlib";

/**
 * Keeps a release for the tests of the next one, in place of the one before:
 * `node test/migrations/keep-release.ts COMMIT`. It has its programs, and those of its tests that are run beside a
 * newer schema. package.json then names it as the release that the next one upgrades from.
 */
const TESTS = ["test", ":(exclude,glob)test/*/browser/**", ":!test/citus/*.citus.ts", ":!test/migrations"];
const KEPT = ["package.json", "src", "migrations", "wms-simulator", ...TESTS];
const MAX_BYTES = 64 * 1024 * 1024;

const [commit = "HEAD"] = process.argv.slice(2);
const git = (...args: string[]) => execFileSync("git", args, { maxBuffer: MAX_BYTES });
const migrations = git("ls-tree", "--name-only", commit, "migrations/").toString().match(/(?<=^migrations\/)\d{4}/gm) ?? [];
const params = { [constants.ZSTD_c_compressionLevel]: 22, [constants.ZSTD_c_windowLog]: 26 };
const archive = zstdCompressSync(git("archive", "--format=tar", commit, ...KEPT), { params });

for (const name of fs.readdirSync(import.meta.dirname).filter((name) => name.endsWith(".tar.zst"))) {
  fs.rmSync(path.join(import.meta.dirname, name));
}
fs.writeFileSync(path.join(import.meta.dirname, `${migrations.toSorted().at(-1)}.tar.zst`), archive);

const { version } = JSON.parse(git("show", `${commit}:package.json`).toString()) as { version: string };
const PACKAGE = path.join(import.meta.dirname, "../../package.json");
const text = fs.readFileSync(PACKAGE, "utf8").replace(/"upgradesFrom": ".*"/, `"upgradesFrom": "${version}"`);
fs.writeFileSync(PACKAGE, text);
