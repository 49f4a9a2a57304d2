import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTraceparent, traceparent } from "../../src/platform/trace.ts";

const ID = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

const taken: [header: string, flags: string][] = [
  [`00-${ID}-${PARENT}-01`, "01"],
  [`00-${ID}-${PARENT}-00`, "00"],
  [`00-${ID}-${PARENT}-02`, "02"],
  [`00-${ID}-${PARENT}-ff`, "03"],
  [`cc-${ID}-${PARENT}-01`, "01"],
  [`cc-${ID}-${PARENT}-01-what-will-come`, "01"],
];

for (const [header, flags] of taken) {
  test(`${header} is a trace`, () => assert.deepEqual(parseTraceparent(header), { id: ID, flags }));
}

const ignored = [
  "",
  "nonsense",
  `00-${ID}-${PARENT}`,
  `00-${ID}-${PARENT}-0`,
  `00-${ID}-${PARENT}-01-more`,
  `00-${ID}-${PARENT}-01-`,
  `cc-${ID}-${PARENT}-01.more`,
  `ff-${ID}-${PARENT}-01`,
  `0-${ID}-${PARENT}-01`,
  `00-${"0".repeat(32)}-${PARENT}-01`,
  `00-${ID}-${"0".repeat(16)}-01`,
  `00-${ID.toUpperCase()}-${PARENT}-01`,
  `00-${ID}-${PARENT.toUpperCase()}-01`,
  `00-${ID.slice(1)}-${PARENT}-01`,
  `00-${ID}-${PARENT}-zz`,
  ` 00-${ID}-${PARENT}-01`,
  // As several headers arrive.
  `00-${ID}-${PARENT}-01, 00-${ID}-${PARENT}-01`,
];

for (const header of ignored) {
  test(`"${header}" counts as not sent`, () => assert.equal(parseTraceparent(header), null));
}

test("a trace that is passed on has its id and flags, and an id of its own for each who does", () => {
  const passed = [1, 2].map(() => traceparent({ id: ID, flags: "01" }));
  for (const header of passed) assert.match(header, new RegExp(`^00-${ID}-[0-9a-f]{16}-01$`));
  assert.equal(new Set(passed).size, 2);
});
