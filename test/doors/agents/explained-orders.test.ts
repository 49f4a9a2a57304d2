import assert from "node:assert/strict";
import { test } from "node:test";
import { administer } from "../../orders/wms/instance-calls.ts";
import { startWithWarehouse } from "../../orders/wms/warehouse.ts";
import { connect } from "./clients.ts";

/** The explanations of orders, beside a real warehouse. */
const server = await startWithWarehouse();
const tenant = await server.createTenant();
const FIRST = 50_001;

async function linked(company: string, number: string, orderId: number): Promise<number> {
  const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number, total: "10.00" });
  await server.sql("update invoices set wms_order_id = $2 where id = $1", [body.data.id, orderId]);
  return body.data.id;
}

test("the evidence says whether number, fiscal id and total of the order agree with the invoice", async () => {
  const company = await server.connect(tenant, "evidence");
  await tenant.put(`/api/v1/companies/${company}`, { tax_id: "RO18547290" });
  const [same, other] = [await linked(company, "E-1", FIRST), await linked(company, "E-2", FIRST + 1)];
  const add = async (order: object) => await administer(server.simulator, "POST", "/orders/evidence", order);
  await add({ invoice_reference: "E-1", client_cui: "18547290", total: "10.00" });
  await add({ invoice_reference: "E-2", client_cui: "RO999", total: "11.00" });
  const { token } = await tenant.createKey({ capabilities: ["wms-orders:read"] });
  const assistant = await connect(server.url, token);
  const { data } = await assistant.call("explain_order", { invoice: same });
  const agreeing = { number_agrees: true, fiscal_id_agrees: true, total_agrees: true };
  const { evidence, order, state, next } = data;
  assert.deepEqual({ ...evidence, ...agreeing }, evidence);
  assert.deepEqual([evidence.instance, evidence.order_id, order.order_id], ["evidence.localhost", FIRST, FIRST]);
  assert.equal(state, "to_be_confirmed");
  assert.match(next, /confirms the order's warehouse/);
  const differing = (await assistant.call("explain_order", { invoice: other })).data.evidence;
  assert.deepEqual([differing.fiscal_id_agrees, differing.total_agrees], [false, false]);
});

test("a warehouse without an answer is said to be one, and delays the call by seconds at most", async () => {
  const company = await server.connect(tenant, "silent");
  const invoice = await linked(company, "S-1", FIRST);
  await administer(server.simulator, "PUT", "/faults?instance=silent", { hang: 1 });
  const assistant = await connect(server.url, tenant.token);
  const { isError, data } = await assistant.call("explain_order", { invoice });
  assert.equal(isError, false);
  assert.deepEqual([data.evidence.grade, data.evidence.failure.code], ["none", "unanswered"]);
});
