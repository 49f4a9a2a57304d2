import assert from "node:assert/strict";
import { test } from "node:test";
import { requestedEncoding } from "../../../src/platform/http/accept-encoding.ts";
import { fc } from "../../properties.ts";

/** An Accept-Encoding, and the encoding of the answer; null: as it is. */
const cases: [string | undefined, string | null][] = [
  [undefined, null],
  ["", null],
  ["identity", null],
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["BR", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["gzip ; q=0.2 , br ; q=0.9", "br"],
  ["br;q=0.5, gzip;q=0.5", "br"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0.000, *", "gzip"],
  ["gzip;q=0", null],
  ["*", "br"],
  ["*;q=0", null],
  ["*;q=0, gzip", "gzip"],
  ["br;q=0, gzip;q=0, *", null],
  ["identity;q=0, *", "br"],
  ["identity;q=0", null],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["identity, gzip;q=0.5", null],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["gzip;q=0.5, *", "br"],
  ["gzip;q=0.5, br;q=0.2, *", null],
  ["deflate", null],
  ["gzip;q=2", null],
  ["gzip;q=1.001", null],
  ["gzip;q=, br;q=x", null],
  ["gzip;level=9", "gzip"],
  [",,gzip,", "gzip"],
];

for (const [header, expected] of cases) {
  test(`an answer to somebody who accepts ${header ?? "nothing in particular"} is ${expected ?? "as it is"}`, () => {
    assert.equal(requestedEncoding(header), expected);
  });
}

test("what has the weight 0 is never chosen, and nobody is answered in what they did not name", () => {
  const name = fc.constantFrom("gzip", "br", "identity", "*", "deflate");
  const member = fc.tuple(name, fc.constantFrom("", ";q=0", ";q=0.5", ";q=1", ";q=0.001"));
  fc.assert(
    fc.property(fc.uniqueArray(member, { selector: ([named]) => named }), (members) => {
      const header = members.map((parts) => parts.join("")).join(", ");
      const chosen = requestedEncoding(header);
      if (chosen === null) return;
      const weights = new Map(members);
      const weight = weights.get(chosen) ?? weights.get("*");
      assert.ok(weight !== undefined && weight !== ";q=0", `${header}: ${chosen}`);
    }),
  );
});
