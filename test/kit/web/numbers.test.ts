import assert from "node:assert/strict";
import { test } from "node:test";
import { lineAmount, readNumber, sumOf, writtenNumber } from "../../../src/kit/web/assets/numbers.js";

test("a line's amount is exact to the cent, however large", () => {
  for (const [quantity, price, amount] of [
    ["2", "6.25", "12.50"],
    ["0.1", "0.2", "0.02"],
    ["3", "0.005", "0.02"],
    ["1", "0.004999", "0.00"],
    ["-1", "0.001", "0.00"],
    ["-2", "6.25", "-12.50"],
    ["999999999999999.999999", "999999999999999.999999", "999999999999999999998000000000.00"],
    ["", "1", null],
    ["1", "x", null],
  ] as const) {
    assert.equal(lineAmount(quantity, price), amount, `${quantity} x ${price}`);
  }
});

test("a sum is rounded once", () => {
  const third = { quantity: "1", unit_price: "0.333333" };
  assert.equal(sumOf([third, third, third]), "1.00");
  assert.equal(sumOf([]), "0.00");
});

test("a number that a form shows is read as the same number, in either language", () => {
  const values = [
    "0",
    "7",
    "0.5",
    "0.500",
    "1.234",
    "12.345",
    "123.456",
    "-1.234",
    "1234.5",
    "1234.567",
    "1000",
    "-12.50",
  ];
  for (const language of ["en", "ro"] as const) {
    for (const value of values) {
      const text = writtenNumber(value, language);
      assert.equal(Number(readNumber(text, language)?.value), Number(value), `${text} in ${language}`);
    }
  }
});
