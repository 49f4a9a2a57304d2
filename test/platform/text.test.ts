import assert from "node:assert/strict";
import { test } from "node:test";
import { codePoints, isStorable, trim } from "../../src/platform/text.ts";
import { fc } from "../properties.ts";

const anyText = fc.string({ unit: "binary", maxLength: 50 });

test("trim cuts Unicode white space, zero-width characters and NUL off both ends, and nothing else", () => {
  const blank = /[\p{White_Space}\u200b-\u200d\u2060\ufeff\0]/u;
  for (let unit = 0; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit);
    assert.equal(trim(`${character}a${character}`) === "a", blank.test(character), unit.toString(16));
  }
  const blanks = fc.string({ unit: fc.constantFrom(" ", "\t", "\u00a0", "\u3000", "\ufeff", "\0"), maxLength: 5 });
  fc.assert(
    fc.property(blanks, anyText, blanks, (before, text, after) => {
      const trimmed = trim(before + text + after);
      assert.equal(trimmed, trim(text));
      assert.ok(text.includes(trimmed));
      assert.equal(trim(trimmed), trimmed);
    }),
  );
});

test("trim takes linear time on a long run of blanks inside", () => {
  const text = `a${" ".repeat(1_000_000)}a`;
  assert.equal(trim(text), text);
});

test("codePoints counts as iterating does", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 }), (units) => {
      const text = String.fromCharCode(...units);
      assert.equal(codePoints(text), Array.from(text).length);
    }),
  );
});

test("text is storable without NUL and lone surrogates", () => {
  fc.assert(
    fc.property(anyText, (text) => assert.equal(isStorable(text), !text.includes("\0") && text.isWellFormed())),
  );
  assert.ok(isStorable("😀"));
  assert.ok(!isStorable("\ud83d"));
  assert.ok(!isStorable("a\0"));
});
