import assert from "node:assert/strict";
import { test } from "node:test";
import {
  inLanguage,
  lineAmount,
  readNumber,
  sumOf,
  totalsOf,
  writtenNumber,
} from "../../../src/kit/web/assets/numbers.js";

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
    assert.equal(lineAmount(quantity, price, null), amount, `${quantity} x ${price}`);
  }
});

test("a sum is rounded once", () => {
  const third = { quantity: "1", unit_price: "0.333333" };
  assert.equal(sumOf([third, third, third], "RON"), "1.00");
  assert.equal(sumOf([], null), "0.00");
});

test("amounts of lines are rounded to the decimals of their currency: none of yen, three of dinars", () => {
  assert.equal(lineAmount("3", "1.234", "KWD"), "3.702");
  assert.equal(lineAmount("3", "0.5", "jpy"), "2");
  const line = { quantity: "3", unit_price: "1.2345", vat_rate: "5" };
  const rate = { rate: "5", net: "3.704", vat: "0.185" };
  assert.deepEqual(totalsOf([line], "KWD"), { net: "3.704", vat: "0.185", total: "3.889", byRate: [rate] });
  assert.deepEqual(sumOf([{ ...line, unit_price: "-100.5" }], "JPY"), "-317");
  assert.equal(sumOf([], "JPY"), "0");
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

test("an amount has the decimals of its currency, whether it is shown or typed", () => {
  for (const [value, currency, english, romanian] of [
    ["1500", "JPY", "1,500", "1.500"],
    ["-1500.00", "jpy", "-1,500", "-1.500"],
    ["1500.5", "JPY", "1,500.50", "1.500,50"],
    ["1.5", "KWD", "1.500", "1,500"],
    ["1250.5", "RON", "1,250.50", "1.250,50"],
    ["1250.5", null, "1,250.50", "1.250,50"],
  ] as const) {
    for (const [language, shown] of [
      ["en", english],
      ["ro", romanian],
    ] as const) {
      assert.equal(inLanguage(value, language, currency), shown);
      assert.equal(Number(readNumber(shown, language, currency)?.value), Number(value), `${shown} ${currency}`);
    }
  }
  assert.deepEqual(readNumber("1.500", "en", "RON")?.readings, ["1500", "1.500"]);
  assert.equal(readNumber("1.500", "en", "JPY")?.value, "1500");
  assert.equal(readNumber("1.500", "en", "KWD")?.value, "1.500");
});
