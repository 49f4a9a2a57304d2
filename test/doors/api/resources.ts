import assert from "node:assert/strict";
import type { TestTenant } from "../../harness.ts";

/** The models that paths name by an id. A new one needs an entry in `makers`. */
export type Model =
  | "Company"
  | "Contact"
  | "Address"
  | "Invoice"
  | "Payment"
  | "Webhook"
  | "Delivery"
  | "Merge"
  | "Custom field"
  | "Other";

/** The ids of the created resources. */
export type Made = Partial<Record<Model, number>>;

type Maker = {
  /** What it belongs to. */
  parent?: Model;
  /** Where it is created. */
  collection: (made: Made) => string;
  /** Where it is by its id. */
  resource: string;
  /** A new one each time: some names are taken once only. */
  body: (tenant: TestTenant) => object | Promise<object>;
};

let invoices = 0;
let fields = 0;

const makers: Record<Model, Maker> = {
  Company: {
    collection: () => "/api/v1/companies",
    resource: "/api/v1/companies",
    body: () => ({ name: "A", phone: "1" }),
  },
  Contact: {
    parent: "Company",
    collection: ({ Company }) => `/api/v1/companies/${Company}/contacts`,
    resource: "/api/v1/contacts",
    body: () => ({ first_name: "Ana", last_name: "Pop" }),
  },
  Address: {
    parent: "Company",
    collection: ({ Company }) => `/api/v1/companies/${Company}/addresses`,
    resource: "/api/v1/addresses",
    body: () => ({ address: "Strada Lungă 1" }),
  },
  Invoice: {
    parent: "Company",
    collection: ({ Company }) => `/api/v1/companies/${Company}/invoices`,
    resource: "/api/v1/invoices",
    body: () => ({
      number: `MADE-${++invoices}`,
      total: "12.50",
      lines: [{ description: "A", quantity: "1", unit_price: "12.50" }],
    }),
  },
  Payment: {
    parent: "Invoice",
    collection: ({ Invoice }) => `/api/v1/invoices/${Invoice}/payments`,
    resource: "/api/v1/payments",
    body: () => ({ amount: "1.50" }),
  },
  Webhook: {
    collection: () => "/api/v1/webhooks",
    resource: "/api/v1/webhooks",
    body: () => ({ url: "https://hooks.example/made" }),
  },
  "Custom field": {
    collection: () => "/api/v1/custom-fields",
    resource: "/api/v1/custom-fields",
    body: () => ({ noun: "company", label: `Field ${++fields}`, kind: "text" }),
  },
  Delivery: {
    parent: "Webhook",
    collection: ({ Webhook }) => `/api/v1/webhooks/${Webhook}/test`,
    resource: "/api/v1/webhooks",
    body: () => ({}),
  },
  /** A second company. */
  Other: {
    collection: () => "/api/v1/companies",
    resource: "/api/v1/companies",
    body: () => ({ name: "B" }),
  },
  Merge: {
    parent: "Company",
    collection: ({ Company }) => `/api/v1/companies/${Company}/merge`,
    resource: "/api/v1/merges",
    body: async (tenant) => ({ from: (await make(tenant, ["Company"])).Company }),
  },
};

/** A test's delivery answers that it is queued, a merge with the company that was kept. */
const MADE = new Set([200, 201, 202]);

/** One of each of these models, and what they belong to. */
export async function make(tenant: TestTenant, models: readonly Model[], made: Made = {}): Promise<Made> {
  for (const model of models) {
    const { parent, collection, body } = makers[model];
    if (parent !== undefined && made[parent] === undefined) await make(tenant, [parent], made);
    const answer = await tenant.post(collection(made), await body(tenant));
    assert.ok(MADE.has(answer.status), answer.text);
    made[model] = answer.body.meta?.merge_id ?? answer.body.data.id;
  }
  return made;
}

/** Deletes the one of the model. */
export async function remove(tenant: TestTenant, model: Model, made: Made): Promise<void> {
  if (model === "Custom field") await tenant.put(`${makers[model].resource}/${idIn(made, model)}`, { archived: true });
  const answer = await tenant.delete(`${makers[model].resource}/${idIn(made, model)}`);
  assert.equal(answer.status, 200, answer.text);
}

/** What the model belongs to. */
export function parentOf(model: Model): Model | undefined {
  return makers[model].parent;
}

export function idIn(made: Made, model: Model): number {
  const id = made[model];
  assert.ok(id !== undefined, `no ${model} was made`);
  return id;
}
