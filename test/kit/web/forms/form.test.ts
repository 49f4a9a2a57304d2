import assert from "node:assert/strict";
import { test } from "node:test";
import { parseForm } from "../../../../src/kit/web/forms/form.ts";

test("a form has each value that was posted, decoded, with line breaks of one character", () => {
  const form = parseForm("name=Foods+SRL&role=a&role=b%26c&notes=one%0D%0Atwo&empty=&__proto__=x");
  assert.deepEqual([form.get("name"), form.get("role"), form.all("role")], ["Foods SRL", "b&c", ["a", "b&c"]]);
  assert.deepEqual([form.get("notes"), form.get("empty"), form.get("missing")], ["one\ntwo", "", undefined]);
  assert.deepEqual([form.has("empty"), form.has("missing"), form.all("missing")], [true, false, []]);
  assert.deepEqual(
    form.input(["role", "missing", "__proto__"]),
    Object.fromEntries([
      ["role", "b&c"],
      ["__proto__", "x"],
    ]),
  );
});

test("a form has 1,300 values, and one of more is refused", () => {
  const ofValues = (length: number) => Array.from({ length }, (_, index) => `n${index}=${index}`).join("&");
  assert.equal(parseForm(ofValues(1_300)).get("n1299"), "1299");
  for (const length of [1_301, 200_000]) assert.throws(() => parseForm(ofValues(length)), { status: 422 });
});
