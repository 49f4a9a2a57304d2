import assert from "node:assert/strict";
import { test } from "node:test";
import { documents } from "./checkout.ts";

const NEWCOMER = new Set(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "migrations/README.md"]);
const LIMITS = [
  { of: "all documents", has: () => true, most: 75_000 },
  { of: "the four pages for a newcomer", has: (name: string) => NEWCOMER.has(name), most: 6_500 },
  { of: "ARCHITECTURE.md", has: (name: string) => name === "ARCHITECTURE.md", most: 2_500 },
  { of: "CHANGELOG.md", has: (name: string) => name === "CHANGELOG.md", most: 1_200 },
];

for (const { of, has, most } of LIMITS) {
  test(`at most ${most} words: ${of}`, () => {
    const texts = documents.filter(({ name }) => has(name)).map(({ text }) => text);
    const words = texts.reduce((sum, text) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
    assert.ok(words > most / 2, `${words} words are read`);
    assert.ok(words <= most, `remove ${words - most} words, such as a repetition, or what the code or a table says`);
  });
}
