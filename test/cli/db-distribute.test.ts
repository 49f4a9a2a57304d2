import assert from "node:assert/strict";
import { test } from "node:test";
import { createInstallation } from "./installation.ts";

const { run } = await createInstallation();

test("a database without Citus is not distributed", async () => {
  const { code, stdout, stderr } = await run(["db", "distribute", "--json"]);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
  assert.match(stderr, /^This database has no extension citus[^\n]+\n$/);
});
