import fs from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "../..");

/** The version of this program, and its commit if it runs from a checkout, else null. */
export function versionOf(): { version: string; commit: string | null } {
  const { version } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as { version: string };
  return { version, commit: commitOf(path.join(ROOT, ".git")) };
}

/** Read from the files of Git, which need not be installed. In a worktree `.git` is a file that names its directory. */
function commitOf(git: string): string | null {
  const readFile = (...names: string[]): string | null => {
    try {
      return fs.readFileSync(path.resolve(...names), "utf8").trim();
    } catch {
      return null;
    }
  };
  const [, named = git] = /^gitdir: (.+)$/.exec(readFile(git) ?? "") ?? [];
  const own = path.resolve(path.dirname(git), named);
  const head = readFile(own, "HEAD");
  // Branches are those of the checkout that the worktree belongs to.
  const read = (name: string) => readFile(own, readFile(own, "commondir") ?? ".", name);
  const [, branch] = /^ref: (\S+)$/.exec(head ?? "") ?? [];
  if (branch === undefined) return head;
  const packed = read("packed-refs")
    ?.split("\n")
    .find((line) => line.endsWith(` ${branch}`));
  return read(branch) ?? packed?.split(" ")[0] ?? null;
}
