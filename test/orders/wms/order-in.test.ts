import assert from "node:assert/strict";
import { test } from "node:test";
import { startWithWarehouse } from "./warehouse.ts";

/** What of an invoice, its company and the company's addresses becomes the warehouse's order. */
const server = await startWithWarehouse();
const tenant = await server.createTenant();
let instances = 0;

const own = {
  address: "Str. Firmei 1",
  city: "Cluj",
  county: "Cluj",
  country: "Austria",
  postal_code: "400001",
  phone: "+40 264 000 001",
};
const ownDelivery = { ...own, notes: "Ring twice." };
const nothing = { city: null, county: null, country: "Romania", postal_code: null, phone: null, notes: null };
const all = { city: "Turda", county: "Alba", country: "Hungary", postal_code: "1", phone: "+40 264 000 002" };

type Address = { type: string; address: string; is_default?: boolean; isDeleted?: boolean };
const addresses: [name: string, addresses: Address[], delivery: object][] = [
  ["no address: the company's own", [], { name: "Firm", ...ownDelivery }],
  [
    "none for deliveries: the company's own",
    [
      { type: "office", address: "Office", is_default: true },
      { type: "fiscal", address: "Fiscal", is_default: true },
    ],
    { name: "Firm", ...ownDelivery },
  ],
  [
    "one for deliveries that is no default, beside a default of another type: nothing of the company's own is mixed in",
    [
      { type: "billing", address: "Billing", is_default: true },
      { type: "delivery", address: "Delivery" },
    ],
    { name: "Firm", address: "Delivery", ...nothing },
  ],
  [
    "two for deliveries: the default one",
    [
      { type: "delivery", address: "First" },
      { type: "delivery", address: "Default", is_default: true },
    ],
    { name: "Firm", address: "Default", ...nothing },
  ],
  [
    "a default one that is deleted: the other",
    [
      { type: "delivery", address: "Deleted", is_default: true, isDeleted: true },
      { type: "delivery", address: "Left" },
    ],
    { name: "Firm", address: "Left", ...nothing },
  ],
  [
    "one with everything",
    [{ type: "delivery", address: "Full", contact_name: "Radu Ilie", delivery_notes: "Ramp 3", ...all } as Address],
    { name: "Radu Ilie", address: "Full", ...all, notes: "Ramp 3" },
  ],
];

for (const [name, given, delivery] of addresses) {
  test(`delivery: ${name}`, async () => {
    const { company, instance } = await connected({ name: "Firm", ...own, delivery_notes: "Ring twice." });
    for (const { isDeleted, ...address } of given) {
      const { body } = await tenant.post(`/api/v1/companies/${company}/addresses`, address);
      if (isDeleted === true) await tenant.delete(`/api/v1/addresses/${body.data.id}`);
    }
    assert.deepEqual((await orderOf(company, instance, {})).delivery, delivery);
  });
}

test("an order that is sent has null for what is not known, lines numbered from 1 whatever positions a file gave them, and amounts as the invoice's texts", async () => {
  const { company, instance } = await connected({ name: "Bare", tax_id: null, address: null });
  const lines = [
    { description: "Second ș", quantity: "0.000001", unit_price: "-2.50" },
    { sku: "A", description: "Third", quantity: "3.0", unit_price: 12.5 },
  ];
  const { external_order_id: _id, external_source: _source, ...order } = await orderOf(company, instance, { lines });
  const { invoice_reference: number, delivery, ...rest } = order;
  assert.equal(number, `of-${instance}`);
  assert.deepEqual(delivery, { name: "Bare", address: null, ...nothing });
  assert.deepEqual(rest, {
    client_cui: null,
    client_name: "Bare",
    issued_on: null,
    currency: null,
    total: null,
    lines: [
      { position: 1, sku: null, description: "Second ș", quantity: "0.000001", unit_price: "-2.50" },
      { position: 2, sku: "A", description: "Third", quantity: "3.0", unit_price: "12.5" },
    ],
  });
});

async function connected(fields: object): Promise<{ company: string; instance: string }> {
  const instance = `o${++instances}`;
  const company = await server.connect(tenant, instance, { automatically: true });
  const { status, text } = await tenant.put(`/api/v1/companies/${company}`, fields);
  assert.equal(status, 200, text);
  return { company, instance };
}

/** The order that a new invoice became. Its lines have the positions 10, 20 and so on, as a file may give them. */
async function orderOf(company: string, instance: string, fields: object): Promise<Record<string, unknown>> {
  const invoice = { number: `of-${instance}`, status: "draft", ...fields };
  const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, invoice);
  await server.sql(
    `update invoices set lines = (select json_agg(jsonb_set(line, '{position}', to_jsonb(10 * (line ->> 'position')::int)) order by line -> 'position')
    from jsonb_array_elements(lines::jsonb) line)::text where id = $1 and lines is not null`,
    [body.data.id],
  );
  await tenant.put(`/api/v1/invoices/${body.data.id}`, { status: "issued" });
  await server.until(tenant, body.data.id, ({ state }) => state === "sent");
  const [order] = await server.orders(instance);
  assert.ok(order);
  return order.sent;
}
