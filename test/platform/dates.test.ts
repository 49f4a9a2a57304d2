import assert from "node:assert/strict";
import { test } from "node:test";
import { isoTimestamp, parseDate, parseTimestamp } from "../../src/platform/dates.ts";
import { fc } from "../properties.ts";

const two = (number: number) => String(number).padStart(2, "0");

test("a date is one that the calendar has", () => {
  const part = fc.nat({ max: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), part, part, (year, month, day) => {
      const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
      const date = new Date(`${text}T00:00:00Z`);
      const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
      assert.equal(parseDate(text), exists ? text : null);
    }),
  );
  assert.equal(parseDate("0000-01-01"), null);
});

test("of a date-time the date counts as written, whatever the zone", () => {
  const hour = fc.nat({ max: 30 });
  const minute = fc.nat({ max: 70 });
  const zone = fc.constantFrom("", "Z", "z", "+02:00", "-11:30");
  fc.assert(
    fc.property(hour, minute, fc.option(minute), zone, (hour, minute, second, zone) => {
      const text = `2026-12-01T${two(hour)}:${two(minute)}${second === null ? "" : `:${two(second)}`}${zone}`;
      const exists = hour < 24 && minute < 60 && (second ?? 0) < 60;
      assert.equal(parseDate(text), exists ? "2026-12-01" : null, text);
      const timestamp = /[Zz:]\d?\d?$/.test(zone) && zone !== "" ? text : `${text}Z`;
      assert.equal(parseTimestamp(text), exists ? timestamp : null, text);
    }),
  );
});

test("a timestamp whose year in UTC could have no four digits is none", () => {
  assert.equal(parseTimestamp("0001-01-01T00:00:00+23:00"), null);
  assert.equal(parseTimestamp("9999-12-31T23:59:59-23:00"), null);
  assert.equal(parseTimestamp("9999-12-31T23:59:59Z"), "9999-12-31T23:59:59Z");
});

test("a timestamp has six digits of microseconds and a Z, from PostgreSQL's text of it", () => {
  fc.assert(
    fc.property(fc.nat({ max: 999_999 }), (micros) => {
      const digits = String(micros).padStart(6, "0");
      const fraction = digits.replace(/0+$/, "");
      const stored = `2026-11-20 09:15:00${fraction === "" ? "" : `.${fraction}`}+00`;
      assert.equal(isoTimestamp(stored), `2026-11-20T09:15:00.${digits}Z`);
    }),
  );
});
