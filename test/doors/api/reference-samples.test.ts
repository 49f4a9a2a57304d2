import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { everyRoute } from "./every-route.ts";
import { here, samplesOfReference, testSamples } from "./reference-samples.ts";

const server = await startServer();
const found = await samplesOfReference(server);

test("every route has a sample in four languages, and three of these run here", () => {
  const rows = everyRoute.filter(({ method, path }) => {
    const isPut = method === "PUT" && everyRoute.some((other) => other.path === path && other.method === "PATCH");
    return !isPut;
  });
  const sampled = new Set(found.map(({ method, route }) => `${method} ${route}`));
  assert.deepEqual(
    rows.map(({ method, path }) => `${method} ${path}`).filter((name) => !sampled.has(name)),
    [],
  );
  for (const { title, samples } of found) {
    assert.deepEqual([...samples.keys()], ["curl", "TypeScript", "Python", "PHP"], title);
    // PHP would send a form, with a notice. Not every machine has PHP to run it.
    const php = samples.get("PHP") ?? "";
    assert.equal(php.includes('"content" =>'), php.includes('"Content-Type: application/json"'), title);
  }
  assert.ok(here.includes("TypeScript") && here.includes("Python"), here.join(", "));
});

const EVERY = 15;
// test:slow runs all.
testSamples(
  server,
  found.filter((_, at) => at % EVERY === 0),
);
