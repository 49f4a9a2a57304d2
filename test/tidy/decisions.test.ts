import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT, read } from "./checkout.ts";

test("a decision says what was to be solved, what was chosen, and what that costs, in this order", () => {
  const parts = ["Context", "Decision", "Consequences"];
  const pages = fs.readdirSync(path.join(ROOT, "docs/decisions")).filter((name) => /^\d/.test(name));
  const others = pages.filter((name) => {
    const told = [...read(`docs/decisions/${name}`).matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part = ""]) => part);
    return told.filter((part) => parts.includes(part)).join() !== parts.join();
  });
  assert.deepEqual(others, [], "bring them into the form that docs/decisions/README.md has");
});

test("the index of decisions has every page once, and nothing else, by number and title", () => {
  const index = read("docs/decisions/README.md");
  const pages = fs
    .readdirSync(path.join(ROOT, "docs/decisions"))
    .filter((name) => name !== "README.md")
    .toSorted();
  const complaints = pages.flatMap((name) => {
    const [, number, title] = /^# (\d+)\. (.+)$/m.exec(read(`docs/decisions/${name}`)) ?? [];
    const line = `- [${number}](${name}) ${title}`;
    return index.includes(`${line}\n`) ? [] : [`docs/decisions/README.md lacks the line "${line}"`];
  });
  assert.deepEqual(complaints, []);
  const listed = [...index.matchAll(/^- \[\d+\]\(([^)]+)\)/gm)].map(([, name]) => name);
  assert.deepEqual(new Set(listed), new Set(pages), "docs/decisions/README.md has these lines");
  assert.equal(listed.length, pages.length, "docs/decisions/README.md has each line once");
});
