import assert from "node:assert/strict";
import fs from "node:fs";
import { after, test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { orderRequest } from "../../../src/kit/warehouse/order-request.ts";
import { startSimulator } from "../../../wms-simulator/simulator.ts";
import { CONTRACT_FILE, createContractChecker } from "./contract-document.ts";
import { call } from "./instance-calls.ts";
import { orderOf } from "./orders.ts";

const simulator = await startSimulator();
after(() => simulator.close());

test("the contract passes the linter without a complaint", async () => {
  const source = fs.readFileSync(CONTRACT_FILE, "utf8");
  assert.deepEqual(await lint(source), []);
  // The linter does look: a fault in an example is found.
  assert.notDeepEqual(await lint(source.replace("order_number: WO-51044", "order_number: 51044")), []);
});

test("what is sent is the contract's ORDER_IN, whatever is known of an invoice", () => {
  const contract = createContractChecker();
  contract.request("POST", "/orders", JSON.parse(orderRequest(orderOf(42))));
  const unknown = { name: null, address: null, city: null, county: null, country: null, postalCode: null };
  const bare = {
    ...orderOf(42),
    clientCui: null,
    issuedOn: null,
    currency: null,
    total: null,
    delivery: { ...unknown, phone: null, notes: null },
    lines: [],
  };
  contract.request("POST", "/orders", JSON.parse(orderRequest(bare)));
  assert.throws(() => contract.request("POST", "/orders", { external_order_id: 42 }));
});

test("the simulator answers as the contract says", async () => {
  const contract = createContractChecker();
  const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await call(simulator, "nord", method, path, { body, headers });
    contract.answer(method, path.split("?")[0] ?? path, answer.status, answer.body);
    return answer;
  };
  const sent = JSON.parse(orderRequest(orderOf(42))) as object;
  const idempotency = { "idempotency-key": "liaison/acme/42" };
  assert.equal((await ask("GET", "/ping")).status, 200);
  assert.equal((await ask("GET", "/ping", undefined, { authorization: "" })).status, 401);
  const created = await ask("POST", "/orders", sent, idempotency);
  assert.equal(created.status, 201);
  const { order_id: id } = (created.body as { data: { order_id: number } }).data;
  const again = await ask("POST", "/orders", sent, idempotency);
  assert.deepEqual([again.status, again.body], [200, created.body]);
  assert.equal((await ask("POST", "/orders", sent)).status, 422, "without the key");
  assert.equal((await ask("POST", "/orders", {}, { "idempotency-key": "a" })).status, 422);
  for (const [path, ids] of [
    ["/orders?external_source=liaison%2Facme&external_order_id=42", [id]],
    ["/orders?external_source=liaison%2Facme&external_order_id=43", []],
    ["/orders?invoice_reference=INV-42&client_cui=RO42", [id]],
    ["/orders?invoice_reference=INV-42&client_cui=RO43", []],
    [`/orders?order_ids=${id},${id + 1}`, [id]],
  ] as const) {
    const { body } = await ask("GET", path);
    const { data } = body as { data: { order_id: number }[] };
    assert.deepEqual(
      data.map(({ order_id }) => order_id),
      ids,
      path,
    );
  }
  assert.equal((await ask("GET", "/orders")).status, 400);
  assert.equal((await ask("GET", `/orders/${id}`)).status, 200);
  assert.equal((await ask("GET", `/orders/${id + 1}`)).status, 404);
  const elsewhere = await call(simulator, "sud", "GET", `/orders/${id}`);
  assert.equal(elsewhere.status, 404, "instances have nothing of each other");
});

/** By rule and place; each ruleset by itself, because together one switches off the other's rules. */
async function lint(source: string): Promise<string[]> {
  const complaints = [];
  for (const ruleset of ["recommended", "spec"]) {
    const config = await createConfig({ extends: [ruleset] });
    const problems = await lintFromString({ source, absoluteRef: "docs/wms-contract.yaml", config });
    complaints.push(
      ...problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    );
  }
  return complaints;
}
