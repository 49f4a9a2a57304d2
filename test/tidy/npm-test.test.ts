import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { ROOT, read, written } from "./checkout.ts";

test("npm test runs every test file once, alone or together with those of its folder", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { test: string } };
  const filesOf = (pattern: string) => fs.globSync(pattern, { cwd: ROOT });
  const run = [...scripts.test.matchAll(/'([^']+)'/g)]
    .flatMap(([, pattern = ""]) => filesOf(pattern))
    .flatMap((name) => (path.basename(name) === "together.ts" ? filesOf(`${path.dirname(name)}/*.test.ts`) : [name]));
  const all = written.map(({ name }) => name).filter((name) => name.endsWith(".test.ts"));
  assert.deepEqual(run.toSorted(), all.toSorted(), 'mend the patterns of the script "test" in package.json');
});
