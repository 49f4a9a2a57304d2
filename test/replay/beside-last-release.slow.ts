import assert from "node:assert/strict";
import { test } from "node:test";
import { previousRelease } from "../migrations/previous-release.ts";
import { compare, described } from "./compare.ts";
import { ROOT } from "./stage.ts";

/** A replay of fewer requests has lost some. */
const REQUESTS = 7_520;

test("the last release and this checkout answer all requests of the replay alike, but for growth", async () => {
  const { requests, open } = await compare(previousRelease(), ROOT);
  assert.ok(requests >= REQUESTS, `${requests} requests`);
  assert.equal(open.map(described).join("\n\n"), "");
});
