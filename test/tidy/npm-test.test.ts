import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { filesOf, isEntry, testFiles } from "../together.ts";
import { ROOT, read } from "./checkout.ts";

test("npm test runs every test file once, alone or together with others, and so does npm run test:slow", () => {
  const { entries, alone, slow } = testFiles();
  const run = [...entries, ...slow].flatMap((entry) => (isEntry(entry) ? filesOf(entry) : [entry])).concat(alone);
  assert.ok(run.length > 350, `${run.length} test files are run`);
  const twice = run.filter((file, index) => run.indexOf(file) !== index);
  assert.deepEqual(twice, [], "two together.ts run these files: remove one");
  const all = fs.globSync("test/**/*.{test,slow}.ts", { cwd: ROOT }).map((name) => path.join(ROOT, name));
  assert.deepEqual(run.toSorted(), all.filter((file) => !isEntry(file)).toSorted());
  const idle = [...entries, ...slow].filter((entry) => isEntry(entry) && filesOf(entry).length === 0);
  assert.deepEqual(idle, [], "these run no test file: remove them, or move them to their test files");
});

test("each line of test/citus/files.txt names test files", () => {
  const names = read("test/citus/files.txt").trim().split("\n");
  const gone = names.filter((name) => fs.globSync(name, { cwd: ROOT }).length === 0);
  assert.deepEqual(gone, [], "remove these lines, or write the new name");
});

const MOST_LETTERS = 300;

test(`no script of package.json is longer than ${MOST_LETTERS} letters`, () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const long = Object.entries(scripts).filter(([, script]) => script.length > MOST_LETTERS);
  assert.deepEqual(long, [], "move the list into a file, or the command into a program");
});
