import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startSimulator } from "../../../../wms-simulator/simulator.ts";
import { call } from "../instance-calls.ts";
import type { Stage } from "./stage.ts";
import { judge, report } from "./verdict.ts";

test("a verdict names the pair of a double with its calls, and keeps the file of all calls", async () => {
  const callsFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "liaison-calls-")), "calls.jsonl");
  const simulator = await startSimulator({ callsFile, faults: { duplicates: 1, late: 1 }, slowMs: 1 });
  const order = {
    external_source: "liaison/a",
    external_order_id: "7",
    invoice_reference: "INV-7",
    client_name: "A",
    delivery: {},
    lines: [],
  };
  const headers = { "idempotency-key": "liaison/a/7" };
  for (let n = 0; n < 2; n++) await call(simulator, "nord", "POST", "/orders", { body: order, headers });
  // The invoice as the database would have it.
  const sql = () => Promise.resolve([{ number: "INV-7", state: "sent", pair: "liaison/a/7", link: "none" }]);
  const stage = { simulator, callsFile, sql, people: [] } as unknown as Stage;
  const judged = await judge(stage, ["INV-7", "INV-8"]);
  await simulator.close();
  const lines: string[] = [];
  assert.equal(
    report(stage, judged, simulator.lateness(), (line) => lines.push(line)),
    false,
  );
  assert.deepEqual(judged.verdict, { dup: 1, lost: 1, mismatched: 1, unknown: 0 });
  assert.match(lines.find((line) => line.startsWith("dup")) ?? "", /^dup: liaison\/a\/7: invoice INV-7 is sent/);
  assert.equal(lines.filter((line) => /POST \/orders.*"struck":\["late".*"status":201/.test(line)).length, 4);
  assert.ok(lines.at(-1)?.endsWith(callsFile));
  fs.rmSync(path.dirname(callsFile), { recursive: true });
});

test("a run is void if the simulator may have executed a call after LIAISON_WMS_SETTLE", () => {
  const callsFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "liaison-calls-")), "calls.jsonl");
  const late = { behindCaller: 3_000, ofLoop: 600 };
  const lines: string[] = [];
  const clean = { verdict: { dup: 0, lost: 0, mismatched: 0, unknown: 0 }, wrong: [] };
  assert.ok(report({ callsFile }, clean, late, (line) => lines.push(line)));
  assert.match(lines[0] ?? "", /4100 of 4000 ms/);
  assert.equal(fs.existsSync(path.dirname(callsFile)), false);
});
