import assert from "node:assert/strict";
import { test } from "node:test";
import { previousReleases } from "../migrations/previous-release.ts";
import { compare, described } from "./compare.ts";
import { ROOT } from "./stage.ts";

/** A replay of fewer requests has lost some. */
const REQUESTS = 7_520;

/**
 * Before the first release there is nothing to compare with. Then both installations are of this checkout: what differs
 * between them would be noise in the comparison with a release.
 */
const [released] = previousReleases();
const title =
  released === undefined
    ? "no release is stored yet: two installations of this checkout answer all requests of the replay alike"
    : "the last release and this checkout answer all requests of the replay alike, but for growth";

test(title, async () => {
  const { requests, open, decided } = await compare(released ?? ROOT, ROOT);
  assert.ok(requests >= REQUESTS, `${requests} requests`);
  assert.ok(released !== undefined || decided === 0, "a decision cannot explain what one checkout answers differently");
  assert.equal(open.map(described).join("\n\n"), "");
});
