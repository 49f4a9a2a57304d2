import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedMap } from "../../src/platform/bounded-map.ts";

test("a bounded map forgets the entries that were not read lately, by what they weigh", () => {
  const map = new BoundedMap<string>(20, (text) => text.length);
  map.set("old", "12345");
  // The same entry again weighs nothing more.
  for (let times = 0; times < 10; times++) map.set("read", "12345");
  map.set("new", "1");
  assert.deepEqual([map.get("old"), map.get("read")], ["12345", "12345"]);
  map.set("large", "x".repeat(100));
  map.set("last", "1");
  assert.deepEqual(
    ["old", "new", "large", "last"].map((name) => map.get(name)?.length),
    [undefined, undefined, 100, 1],
  );
});
