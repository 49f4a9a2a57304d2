import assert from "node:assert/strict";
import { test } from "node:test";
import { nextNumber } from "../../../src/orders/invoices/next-number.ts";

test("the next number has the last run of digits plus one, of the same width", () => {
  for (const [number, next] of [
    ["7", "8"],
    ["0042", "0043"],
    ["0999", "1000"],
    ["999", "1000"],
    ["INV-2026-0042", "INV-2026-0043"],
    ["2026/17 B", "2026/18 B"],
    ["A1B2C", "A1B3C"],
    [`X${"9".repeat(30)}`, `X1${"0".repeat(30)}`],
    ["INV", null],
    ["", null],
  ] as const) {
    assert.equal(nextNumber(number), next, number);
  }
});
