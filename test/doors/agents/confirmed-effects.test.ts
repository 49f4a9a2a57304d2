import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { signedIn } from "../pages/visitor.ts";
import { connect } from "./clients.ts";
import { makeResources } from "./every-tool.ts";

/** A person confirms what the card or the preview said: all of it, and nothing else. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const admin = await signedIn(server, tenant, { role: "admin" });
const { token } = await tenant.createKey({ name: "Claude", confirmsOnPage: true });
const assistant = await connect(server.url, token);

/** A call of the assistant that waits, with its sentence on the page, and its end. */
async function waiting(tool: string, given: object) {
  const once = { request_id: randomUUID(), ...given };
  const call = async () => (await assistant.call(tool, once)).data;
  const data = await call();
  assert.equal(data.needs_confirmation, true, JSON.stringify(data));
  const [, request] = data.confirm_at.split("#request-");
  const effect = async (language = "en") => {
    const { text } = await member.get("/agents/pending", { "accept-language": language });
    return new RegExp(`id="request-${request}"><header><h2>(.*?)</h2>`).exec(text)?.[1];
  };
  const confirm = async () => {
    assert.equal((await member.post(`/agents/pending/${request}/confirm`)).status, 303);
    return await call();
  };
  return { preview: data.preview, effect, confirm };
}

/** A company with an invoice that has a number of its own. */
async function invoiced(fields: object = {}) {
  const { other: company } = await makeResources(tenant);
  const number = `F-${randomUUID().slice(0, 8)}`;
  const given = { number, total: "100.00", currency: "RON", ...fields };
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, given)).body.data;
  const stored = async () => (await tenant.get(`/api/v1/invoices/${id}`)).body.data;
  const payments = async () =>
    (await tenant.get(`/api/v1/invoices/${id}/payments`)).body.data.map(({ amount }: { amount: string }) => amount);
  return { company, id, number, stored, payments };
}

async function connectWarehouse(company: number, sends: boolean) {
  const connection = {
    wms_subdomain: "north",
    wms_api_key: "key-0123456789",
    ...(sends && { send_automatically: "1" }),
  };
  assert.equal((await admin.post(`/companies/${company}/warehouse`, connection)).status, 303);
}

test("a payment waits on while the order moves, but not once another payment is recorded", async () => {
  const { id, payments } = await invoiced();
  const first = await waiting("record_payment", { invoice: id, amount: "40.00" });
  assert.deepEqual([first.preview.request_id, first.preview.left], [undefined, "100.00"]);
  await server.sql(
    `update invoices set wms_order_id = 77, wms_instance = $2, wms_status = 'picking', updated_at = now()
    where id = $1`,
    [id, server.deps.warehouse?.instanceOf("alfa")],
  );
  const second = await waiting("record_payment", { invoice: id, amount: "40.00" });
  assert.equal((await first.confirm()).payment?.amount, "40.00");
  assert.equal((await second.confirm()).code, "resource_changed");
  assert.deepEqual(await payments(), ["40.00"]);
});

test("an invoice is not sent to another place than the one that was shown", async () => {
  const { id, company, stored } = await invoiced();
  await connectWarehouse(company, false);
  await tenant.put(`/api/v1/companies/${company}`, { address: "Strada Veche 1", city: "Dej" });
  const usual = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), id };
  const asked = (await usual.call("send_invoice", given)).data;
  assert.equal(asked.preview.deliver_to.address, "Strada Veche 1");
  const { confirm: confirmOnPage } = await waiting("send_invoice", { id });
  const shop = { type: "delivery", address: "Strada Nouă 2", city: "Turda", is_default: true };
  assert.equal((await tenant.post(`/api/v1/companies/${company}/addresses`, shop)).status, 201);
  const again = (await usual.call("send_invoice", { ...given, confirm: asked.confirm })).data;
  assert.equal(again.preview?.deliver_to.address, "Strada Nouă 2", "it is shown again");
  assert.equal((await confirmOnPage()).code, "resource_changed");
  assert.equal((await stored()).wms.state, "not_sent");
  assert.equal((await usual.call("send_invoice", { ...given, confirm: again.confirm })).data.state, "queued");
});

test("an invoice that is marked as paid is not sent, if the card said nothing of the warehouse", async () => {
  const { id, company, stored } = await invoiced({ status: "draft" });
  const { confirm } = await waiting("upsert_invoice", { id, status: "paid" });
  await connectWarehouse(company, true);
  assert.equal((await confirm()).code, "resource_changed");
  const { status, wms } = await stored();
  assert.deepEqual([status, wms.state], ["draft", "not_sent"]);
});
