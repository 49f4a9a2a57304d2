import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { codePoints } from "../../src/platform/text.ts";
import { ROOT } from "./checkout.ts";

const MOST_CHARACTERS = 72;

test(`the subject of a commit has at most ${MOST_CHARACTERS} characters`, () => {
  const complaints = subjectsSinceThisRule()
    .filter((subject) => codePoints(subject) > MOST_CHARACTERS)
    .map((subject) => `"${subject}" has ${codePoints(subject)} characters: git commit --amend, or git rebase -i`);
  assert.deepEqual(complaints, []);
});

/** Of the commits that have the one that added this file behind them; none where there is no git or no history. */
function subjectsSinceThisRule(): string[] {
  const [added = ""] = git("log", "--diff-filter=A", "-1", "--format=%H", "--", import.meta.filename);
  return added === "" ? [] : git("log", "--no-merges", "--format=%s", "--ancestry-path", `${added}..HEAD`);
}

function git(...argv: string[]): string[] {
  try {
    const output = execFileSync("git", argv, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return output.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}
