import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseBody } from "./body.ts";

test("a JSON object is read as it is; whatever else there is in a body is empty", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 40 }), (json) => {
      const value: unknown = JSON.parse(json);
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value) && depthOf(value) <= 32;
      assert.deepEqual(parseBody(Buffer.from(json)), isObject ? value : {});
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => typeof parseBody(Buffer.from(bytes)) === "object"),
  );
});

test("a key like __proto__ is a key", () => {
  const input = parseBody(Buffer.from('{"__proto__":{"name":"A"}}'));
  assert.equal(Object.hasOwn(input, "name"), false);
  assert.equal(input.name, undefined);
});

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
