import assert from "node:assert/strict";
import { test } from "node:test";
import { keysAndTriggersOf, withoutKeysAndTriggers } from "../../src/platform/postgres/distribution/dropped-keys.ts";
import { createInstallation } from "./installation.ts";

const { client, json, run } = await createInstallation();

test("a database without Citus is not distributed", async () => {
  const { code, stdout, stderr } = await run(["db", "distribute", "--json"]);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
  assert.match(stderr, /^This database has no extension citus[^\n]+\n$/);
});

test("the next command creates the keys and triggers that a killed distribution has dropped", async () => {
  await json(["migrate"]);
  const owner = await client();
  const found = async () => await keysAndTriggersOf(owner, ["companies"]);
  const before = await found();
  const killed = async () => {
    throw new Error("killed");
  };
  await assert.rejects(withoutKeysAndTriggers(owner, ["companies"], killed), /killed/);
  assert.deepEqual(await found(), []);
  await json(["migrate"]);
  assert.deepEqual(await found(), before);
});
