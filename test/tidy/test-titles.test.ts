import assert from "node:assert/strict";
import { test } from "node:test";
import { written } from "./checkout.ts";

test("the title of a test names its subject, and so means something alone", () => {
  const referring = /\btest\(\s*["`](?:it|its|they|their|these|those|the same|so|nor|one that) [^"`]*/gi;
  const complaints = written
    .filter(({ name }) => name !== "test/tidy/test-titles.test.ts")
    .flatMap(({ name, text }) => [...text.matchAll(referring)].map(([title]) => `${name}: ${title}`));
  assert.deepEqual(complaints, [], "write out what each is about");
});
