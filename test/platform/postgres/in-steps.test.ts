import assert from "node:assert/strict";
import { test } from "node:test";
import { inSteps } from "../../../src/platform/postgres/in-steps.ts";
import type { Call } from "../../../src/platform/postgres/statement.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";

const STEP = { statement: { name: "step", text: "" }, parameters: ["a"] };

/** The parameters of steps that find these numbers of rows. The worker stops while the last one is at work. */
async function stepsOf(...rows: number[]): Promise<{ asked: unknown[]; failure: unknown }> {
  const controller = new AbortController();
  const asked: unknown[] = [];
  const write = async (_tenant: string, [call]: Call[]) => {
    const found = rows[asked.push(call?.parameters) - 1] ?? 0;
    if (asked.length === rows.length) controller.abort("stopped");
    return await Promise.resolve([Array.from({ length: found }, () => ["1"])]);
  };
  const end = inSteps(asTenantId("1"), { write }, STEP, controller.signal);
  const failure: unknown = await end.then(
    () => null,
    (error: unknown) => error,
  );
  return { asked, failure };
}

test("steps of a thousand rows go on until one has fewer, and a stop ends them after the one at work", async () => {
  const step = ["a", 1_000];
  assert.deepEqual(await stepsOf(1_000, 1_000, 999), { asked: [step, step, step], failure: null });
  assert.deepEqual(await stepsOf(1_000, 1_000), { asked: [step, step], failure: "stopped" });
});
