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
    ["2025", "2026"],
    ["2026", "2027"],
    ["11", "12"],
    ["A-11", "A-12"],
    ["8-11", "8-12"],
    [`X${"9".repeat(30)}`, `X1${"0".repeat(30)}`],
    ["INV", null],
    ["", null],
  ] as const) {
    assert.equal(nextNumber(number, ["2026-11-25", "2026-12-01"]), next, number);
  }
});

test("a year, a month or a date in the number is not counted, nor is a version", () => {
  for (const [number, next] of [
    ["0042/2026", "0043/2026"],
    ["F-0042-2026", "F-0043-2026"],
    ["F0042_2026", "F0043_2026"],
    ["AB 12 / 26", "AB 13 / 26"],
    ["0999/26", "1000/26"],
    ["0042/11/2026", "0043/11/2026"],
    ["0042/11", "0043/11"],
    ["0042/25.11.2026", "0043/25.11.2026"],
    ["0042/1.12.2026", "0043/1.12.2026"],
    ["25.11.2026/0042", "25.11.2026/0043"],
    ["0042 din 25.11.26", "0043 din 25.11.26"],
    ["0042/25.11", "0043/25.11"],
    ["0042-2026-11-25", "0043-2026-11-25"],
    ["0042-20261125", "0043-20261125"],
    ["0042-202611", "0043-202611"],
    ["F0042 (v2)", "F0043 (v2)"],
    ["F0042/2026 rev. 3", "F0043/2026 rev. 3"],
    ["2026-0042", "2026-0043"],
    ["2026-2026", "2026-2027"],
    ["2026-11", "2026-12"],
    ["11/2026", "12/2026"],
    ["12/12/2026", "13/12/2026"],
    ["0042/2024", "0042/2025"],
  ] as const) {
    assert.equal(nextNumber(number, ["2026-11-25", "2026-12-01"]), next, number);
  }
});

test("a series that began again in January keeps its width, and the year of its last invoice", () => {
  assert.equal(nextNumber("0001/2027", ["2027-01-04"]), "0002/2027");
  assert.equal(nextNumber("0042/2026", ["2026-12-30", "2027-01-04"]), "0043/2026");
});
