import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "./checkout.ts";

test("package-lock.json names no registry, so that everybody's own one serves", () => {
  const hosts = [...read("package-lock.json").matchAll(/"resolved": "(https?:\/\/[^/"]+)/g)].map(([, host]) => host);
  assert.deepEqual([...new Set(hosts)], [], "npm install with omit-lockfile-registry-resolved=true (.npmrc)");
});
