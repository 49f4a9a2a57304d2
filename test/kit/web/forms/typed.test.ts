import assert from "node:assert/strict";
import { test } from "node:test";
import { typedInput } from "../../../../src/kit/web/forms/typed.ts";

test("a day is understood as people write it, and any other text stays as it is", () => {
  const day = (text: string) => typedInput([{ name: "day", kind: "date" }], { day: text }, "ro").day;
  for (const text of ["25.11.2026", "25. 11. 2026", "25.11.2026.", " 25.11.2026 "])
    assert.equal(day(text), "2026-11-25");
  assert.equal(day("5.3.2026"), "2026-03-05");
  for (const text of ["2026-11-25", "25/11/2026", "25.11.26", "", "tomorrow"]) assert.equal(day(text), text);
});
