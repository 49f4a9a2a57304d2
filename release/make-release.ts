import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeDeb, packed } from "./deb.ts";
import { makeTree, type Cpu } from "./tree.ts";

/**
 * `npm run release [-- TO [CPU]]`: makes the files of a release from the commit that is checked out, in `dist/` or the
 * folder that is named, for both processors or the one that is named. Publishes nothing.
 */
const CHECKOUT = path.join(import.meta.dirname, "..");
const DIST = path.join(CHECKOUT, "dist");
const [named = DIST, only] = process.argv.slice(2);
const to = path.resolve(named);
const CPUS: readonly Cpu[] = ["x64", "arm64"];
const cpus = CPUS.filter((cpu) => only === undefined || only === cpu);
if (cpus.length === 0) throw new Error(`The processor is ${CPUS.join(" or ")}.`);

const git = (...args: string[]) => execFileSync("git", args, { cwd: CHECKOUT, encoding: "utf8" }).trim();
if (git("status", "--porcelain") !== "") throw new Error("The checkout has changes: commit or remove them first.");
const { version } = JSON.parse(git("show", "HEAD:package.json")) as { version: string };
const at = git("show", "-s", "--format=%ct", "HEAD");

if (to === DIST) fs.rmSync(to, { recursive: true, force: true });
fs.mkdirSync(to, { recursive: true });
if (fs.readdirSync(to).length > 0) throw new Error(`${to} is not empty: name a new folder.`);
for (const cpu of cpus) {
  const name = `liaison-${version}-linux-${cpu}`;
  const tree = path.join(to, name);
  await makeTree(CHECKOUT, tree, cpu);
  fs.writeFileSync(`${tree}.tar.gz`, packed(to, at, name));
  makeDeb(tree, cpu, version, at, to);
  fs.copyFileSync(path.join(tree, "sbom.cdx.json"), `${tree}.cdx.json`);
  fs.copyFileSync(path.join(tree, "THIRD-PARTY-NOTICES"), path.join(to, "THIRD-PARTY-NOTICES"));
  fs.copyFileSync(path.join(tree, "NOTICE"), path.join(to, "NOTICE"));
  fs.rmSync(tree, { recursive: true });
}
fs.writeFileSync(path.join(to, `CHANGELOG-${version}.md`), changesOf(git("show", "HEAD:CHANGELOG.md"), version));
const files = fs.readdirSync(to).toSorted();
const sums = files.map((file) => {
  const sum = createHash("sha256").update(fs.readFileSync(path.join(to, file)));
  return `${sum.digest("hex")}  ${file}\n`;
});
fs.writeFileSync(path.join(to, "SHA256SUMS"), sums.join(""));
console.log(`${files.length} files of Liaison ${version} (${git("rev-parse", "--short=12", "HEAD")}) are in ${to}.`);

/** The section of a version. */
function changesOf(changelog: string, of: string): string {
  const section = changelog.split(/^(?=## )/m).find((part) => part.startsWith(`## ${of}\n`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section ${of}.`);
  return section;
}
