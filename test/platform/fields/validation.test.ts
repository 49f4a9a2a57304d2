import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldTable } from "../../../src/platform/fields/fields.ts";
import { inFieldOrder, validate } from "../../../src/platform/fields/validation.ts";
import { fc } from "../../properties.ts";

const number: FieldTable = [{ name: "n", kind: "integer" }];
const MAX = Number.MAX_SAFE_INTEGER;

test("an integer is accepted as a number and as its plain decimal text", () => {
  fc.assert(
    fc.property(fc.integer({ min: -MAX, max: MAX }), (n) => {
      const sign = n >= 0 ? "+" : "";
      for (const sent of [n, String(n), `${sign}${n}`, ` ${n}\t`]) {
        assert.deepEqual(validate(number, { n: sent }, "create"), { values: { n }, errors: null });
      }
      for (const sent of [`${n}.0`, `${n}e0`, n + 0.5, `0x${n}`, `${n} ${n}`, [n], { n }]) {
        if (Number.isInteger(sent)) continue;
        const { errors } = validate(number, { n: sent }, "create");
        assert.deepEqual(errors, { n: [{ code: "notInteger" }] }, JSON.stringify(sent));
      }
    }),
  );
});

test("nothing but an integer, null and blanks passes for an integer, and nothing throws", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (n) => {
      const { values, errors } = validate(number, { n }, "update");
      if (errors === null) assert.ok(values.n === null || Number.isSafeInteger(values.n));
    }),
  );
});

const amount: FieldTable = [{ name: "n", kind: "decimal" }];

test("a decimal is kept as it is written, and a JSON number as its shortest text", () => {
  const digits = (max: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${max}}$`));
  const sign = fc.constantFrom("", "-");
  fc.assert(
    fc.property(sign, fc.nat({ max: 10 ** 9 }), fc.option(digits(6)), (sign, whole, fraction) => {
      const n = `${sign}${whole}${fraction === null ? "" : `.${fraction}`}`;
      assert.deepEqual(validate(amount, { n }, "create"), { values: { n }, errors: null });
      assert.deepEqual(validate(amount, { n: Number(n) }, "create").values, { n: String(Number(n)) });
      for (const sent of [`+${n}`, `${sign}0${whole}`, `${n}e0`, `${whole}.`, `.${whole}`, `${n} ${n}`, [n], { n }]) {
        const { errors } = validate(amount, { n: sent }, "create");
        assert.deepEqual(errors, { n: [{ code: "notDecimal" }] }, JSON.stringify(sent));
      }
    }),
  );
});

test("an input is read by the table's own names only", () => {
  const fields: FieldTable = [
    { name: "constructor", kind: "string", max: 9 },
    { name: "n", kind: "integer" },
  ];
  assert.deepEqual(validate(fields, {}, "update"), { values: {}, errors: null });
  assert.deepEqual(validate(fields, { toString: 1, n: 2 }, "update"), { values: { n: 2 }, errors: null });
});

test("errors come in the order of the fields", () => {
  const fields: FieldTable = ["a", "b", "c"].map((name) => ({ name, kind: "integer" }));
  const ordered = inFieldOrder(fields, {
    c: [{ code: "notText" }],
    a: [{ code: "required" }],
    other: [{ code: "notUrl" }],
  });
  assert.deepEqual(Object.entries(ordered), [
    ["a", [{ code: "required" }]],
    ["c", [{ code: "notText" }]],
  ]);
});
