import assert from "node:assert/strict";
import { test } from "node:test";
import { bulkWrites } from "../../../src/kit/bulk-queries.ts";
import { maskOf } from "../../../src/platform/fields/sql.ts";
import type { Call } from "../../../src/platform/postgres/statement.ts";

const names = Array.from({ length: 53 }, (_, index) => `field_${index}`);

test("each set of names has a number of its own, up to the last bit of a number", () => {
  const [first = "", last = ""] = [names[0], names.at(-1)];
  const sets = [[], [first], [last], [first, last], names.slice(1), names];
  const masks = sets.map((set) => maskOf(names, set));
  assert.equal(new Set(masks).size, sets.length);
  assert.ok(masks.every(Number.isSafeInteger));
});

test("more names than a number has bits for are refused: two of their sets would share a number", () => {
  const more = [...names, "one_more"];
  assert.throws(() => maskOf(more, []), /54 names/);
});

test("an update of the same columns is the same statement, in whatever order they are named", async () => {
  const { update } = bulkWrites({
    table: "things",
    fields: [
      { name: "a", kind: "string" },
      { name: "b", kind: "string" },
    ],
  });
  const calls: Call[] = [];
  const run = async (call: Call) => {
    calls.push(call);
    return [];
  };
  for (const columns of [
    ["b", "a"],
    ["a", "b"],
  ])
    await update(columns)(run, "[]");
  assert.equal(calls.length, 2);
  assert.deepEqual(calls[0], calls[1]);
});
