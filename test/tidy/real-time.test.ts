import assert from "node:assert/strict";
import { test } from "node:test";
import { written } from "./checkout.ts";

/** They measure, or run on a machine of their own. `poll` itself has a deadline, of minutes. */
const MAY_MEASURE = /\.long\.ts$|^test\/(?:citus|mutation|replay|orders\/wms\/chaos)\/|^test\/program\.ts$/;

/** What is compared with an end, or with a bound: `Date.now() < deadline`, `performance.now() - since < 5_000`. */
const FORMS = [
  /\b(?:Date|performance)\.now\(\) *[<>]=? *(?:deadline|end)\b/g,
  /\b(?:Date|performance)\.now\(\) - \w+\)* *(?:\/ *\w+ *)?<=? *[\w.]+/g,
  /\bpoll\([^;\n]*, (?:[12]?\d)(?:\.\d+)?\);/g,
];

test("no test compares the time that passed with a bound, which a busy machine exceeds", () => {
  const complaints = written
    .filter(({ name }) => name.startsWith("test/") && !MAY_MEASURE.test(name) && name !== "test/tidy/real-time.test.ts")
    .flatMap(({ name, text }) =>
      FORMS.flatMap((form) => [...text.matchAll(form)].map(([found]) => `${name}: ${found}`)),
    );
  assert.deepEqual(complaints, [], "poll() the condition, move the clock, or compare counts and orders of events");
});
