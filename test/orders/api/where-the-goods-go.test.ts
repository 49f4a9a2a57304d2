import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startWithWarehouse } from "../wms/warehouse.ts";

/** An invoice's goods go to the chosen address, until the order is sent; then the invoice has what was sent. */
const server = await startWithWarehouse();
const tenant = await server.createTenant();
let instances = 0;

async function place(fields: object = {}) {
  const instance = `d${++instances}`;
  const company = await server.connect(tenant, instance);
  await tenant.put(`/api/v1/companies/${company}`, { address: "Own 1", city: "Cluj", ...fields });
  const address = async (sent: object) =>
    (await tenant.post(`/api/v1/companies/${company}/addresses`, { type: "delivery", ...sent })).body.data.id as number;
  return {
    instance,
    company,
    north: await address({ address: "North 1" }),
    south: await address({ address: "South 2" }),
  };
}

async function invoice(company: string, fields: object = {}) {
  return await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `D-${Math.random()}`, ...fields });
}

const sentTo = async (instance: string) => (await server.orders(instance))[0]?.sent["delivery"] as { address: string };

async function send(id: number) {
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  await server.until(tenant, id, ({ state }) => state === "sent");
}

test("the order goes to the chosen address as it is when it is sent; the invoice then keeps what the warehouse got", async () => {
  const { instance, company, south } = await place();
  const { body } = await invoice(company, { delivery_address_id: south });
  assert.partialDeepStrictEqual(body.data, { delivery_address_id: south, delivered_to: null });
  const { id } = body.data;
  await tenant.put(`/api/v1/addresses/${south}`, {
    address: "South 22",
    contact_name: "Ion",
    phone: "+40 721 555 100",
  });
  await send(id);
  await tenant.put(`/api/v1/addresses/${south}`, { address: "Elsewhere" });
  const delivery = await sentTo(instance);
  assert.partialDeepStrictEqual(delivery, { name: "Ion", address: "South 22", phone: "+40 721 555 100" });
  const shown = await tenant.get(`/api/v1/invoices/${id}`);
  assert.deepEqual(shown.body.data.delivered_to, delivery);
  const [stored] = await server.sql("select delivered_to from invoices where id = $1", [id]);
  assert.doesNotMatch(String(stored?.delivered_to), /South|Ion|555/);
  const history = await tenant.get(`/api/v1/invoices/${id}/history`);
  assert.doesNotMatch(JSON.stringify(history.body), /delivered_to/);
  const { body: list } = await tenant.get(`/api/v1/companies/${company}/invoices`);
  assert.equal("delivered_to" in list.data[0], false);
  assert.equal(list.data[0].delivery_address_id, south);
});

test("without a chosen address, or once it is deleted, the default one gets the goods", async () => {
  const { instance, company, north, south } = await place();
  const { body } = await invoice(company, { delivery_address_id: south });
  await tenant.delete(`/api/v1/addresses/${south}`);
  const same = await tenant.put(`/api/v1/invoices/${body.data.id}`, { delivery_address_id: south });
  assert.equal(same.status, 200, "what an invoice has may be sent again");
  await send(body.data.id);
  assert.equal((await sentTo(instance)).address, "North 1");
  const other = await invoice(company, { delivery_address_id: north });
  assert.equal(
    (await tenant.put(`/api/v1/invoices/${other.body.data.id}`, { delivery_address_id: south })).status,
    422,
  );
  const cleared = await tenant.put(`/api/v1/invoices/${other.body.data.id}`, { delivery_address_id: null });
  assert.equal(cleared.body.data.delivery_address_id, null);
});

test("an address of another company, of another tenant or of nobody is a 422, alone and in a batch", async () => {
  const [{ company }, theirs] = [await place(), await place()];
  const { body } = await invoice(company);
  const errors = { delivery_address_id: ["The selected delivery address id is invalid."] };
  for (const address of [theirs.south, 999_999_999]) {
    const created = await invoice(company, { delivery_address_id: address });
    assert.deepEqual([created.status, created.body.errors], [422, errors]);
    const changed = await tenant.put(`/api/v1/invoices/${body.data.id}`, { delivery_address_id: address });
    assert.deepEqual([changed.status, changed.body.errors], [422, errors]);
    const items = [{ number: body.data.number, delivery_address_id: address }];
    const batch = await tenant.post("/api/v1/invoices/batch", { items });
    assert.deepEqual(batch.body.results?.[0]?.errors ?? batch.body, errors);
  }
  const stranger = await server.createTenant();
  const { body: firm } = await stranger.post("/api/v1/companies", { name: "Firm" });
  const used = await stranger.post(`/api/v1/companies/${firm.data.id}/invoices`, {
    number: "1",
    delivery_address_id: theirs.south,
  });
  assert.equal(used.status, 422);
});

test("a form offers the addresses of the company that are there, and no others", async () => {
  const member = await signedIn(server, tenant);
  const [{ company, south }] = [await place(), await place()];
  const { body } = await tenant.post(`/api/v1/companies/${company}/addresses`, { address: "Gone 3" });
  await tenant.delete(`/api/v1/addresses/${body.data.id}`);
  const { text } = await member.get(`/invoices/new?company=${company}`);
  const [, options = ""] = /<select[^>]* name="delivery_address_id".*?>(.*?)<\/select>/s.exec(text) ?? [];
  assert.deepEqual(
    [...options.matchAll(/<option value="(\d*)"/g)].map(([, id]) => id),
    // The first address gets the goods if none is chosen.
    ["", String(south)],
  );
});

test("the address is locked like the lines, and the status draft is a 422 of its field", async () => {
  const { company, north, south } = await place();
  const { body } = await invoice(company, { delivery_address_id: south });
  await send(body.data.id);
  const path = `/api/v1/invoices/${body.data.id}`;
  const changed = await tenant.put(path, { delivery_address_id: north });
  assert.deepEqual(changed.body, { error: "Cannot change an invoice that was sent to the warehouse." });
  const draft = await tenant.put(path, { status: "draft" });
  const errors = { status: ["The status cannot be draft, because the invoice is with the warehouse."] };
  assert.deepEqual([draft.status, draft.body.errors], [422, errors]);
  const batch = await tenant.post("/api/v1/invoices/batch", { items: [{ id: body.data.id, status: "draft" }] });
  assert.deepEqual(batch.body.results?.[0]?.errors ?? batch.body, errors);
});
