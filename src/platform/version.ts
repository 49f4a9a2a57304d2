import fs from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "../..");

/** A version, and the oldest one whose servers work with its schema: the release before it. */
export type Release = { version: string; upgradesFrom: string };

export function releaseOf(): Release {
  const { version, upgradesFrom } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as Release;
  return { version, upgradesFrom };
}

/** The version of this program, and its commit: of the checkout, or of the release. Else the commit is null. */
export function versionOf(): { version: string; commit: string | null } {
  const { version } = releaseOf();
  return { version, commit: commitOf(path.join(ROOT, ".git")) ?? commitOfRelease() };
}

/** A release has its commit in a file (release/tree.ts). */
function commitOfRelease(): string | null {
  const file = path.join(ROOT, "release.json");
  if (!fs.existsSync(file)) return null;
  return (JSON.parse(fs.readFileSync(file, "utf8")) as { commit: string }).commit;
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
