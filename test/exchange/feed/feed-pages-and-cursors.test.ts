import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { request, startServer, type TestTenant } from "../../harness.ts";
import { nounTypes } from "../../nouns.ts";
import { page, readOn, type Page, type Told } from "./follower.ts";

/** The promises of docs/contract.md 18 about pages and cursors. */
const server = await startServer({ LIAISON_RATE_LIMIT: "0" });

test("the feed has the same changes of each resource as its history, in their order", async () => {
  const tenant = await server.createTenant();
  const made = await make(tenant, ["Company", "Contact", "Address", "Invoice"]);
  const paths = [
    `/api/v1/companies/${made.Company}`,
    `/api/v1/contacts/${made.Contact}`,
    `/api/v1/addresses/${made.Address}`,
    `/api/v1/invoices/${made.Invoice}`,
  ];
  await tenant.put(paths[0] ?? "", { name: "B", phone: "2" });
  await tenant.put(paths[1] ?? "", { first_name: "B" });
  await tenant.delete(paths[2] ?? "");
  await tenant.post(`${paths[2]}/restore`);
  await tenant.put(paths[0] ?? "", { name: "B" });

  const { told } = await readOn(tenant);
  const histories = await Promise.all(paths.map(async (path) => (await tenant.get(`${path}/history`)).body.data));
  assert.equal(told.length, 8);
  assert.deepEqual(told.map(({ type, action }) => `${type} ${action}`).slice(4), [
    "company updated",
    "contact updated",
    "address deleted",
    "address restored",
  ]);
  for (const [index, type] of ["company", "contact", "address", "invoice"].entries()) {
    assert.deepEqual(
      told.filter((change) => change.type === type),
      histories[index].toReversed(),
    );
  }
});

test("pages of any size are the same feed, cut elsewhere, and a cursor goes on behind what it was given with", async () => {
  const tenant = await tenantWithCompanies(25);
  const { told, next } = await readOn(tenant);
  assert.equal(told.length, 25);
  for (const limit of ["1", "7", "24", "25", "26"]) {
    assert.deepEqual((await readOn(tenant, "", { limit })).told, told, limit);
  }
  const first = await page(tenant, { limit: "10" });
  assert.deepEqual([first.data, first.more], [told.slice(0, 10), true]);
  assert.deepEqual((await readOn(tenant, first.next)).told, told.slice(10));
  assert.deepEqual((await page(tenant, { after: next })).data, []);
});

test("limit and wait beyond their bounds become the bound, and what is no integer the default", async () => {
  const tenant = await tenantWithCompanies(101);
  for (const [limit, rows] of [
    ["0", 1],
    ["-3", 1],
    ["1001", 101],
    ["99999999999999999999", 101],
    ["x", 100],
    ["1.5", 100],
    ["", 100],
  ] as const) {
    assert.equal((await page(tenant, { limit })).data.length, rows, limit);
  }
  const { next } = await readOn(tenant);
  for (const wait of ["-1", "x", "0"]) assert.deepEqual((await page(tenant, { after: next, wait })).data, []);
});

test("types leaves out the others, and a walk over many of them goes on behind them", async () => {
  const tenant = await tenantWithCompanies(12);
  const made = await make(tenant, ["Contact", "Invoice"]);
  const { told } = await readOn(tenant);
  const of = (...types: string[]) => told.filter(({ type }) => types.includes(type));
  for (const [types, expected] of [
    ["contact", of("contact")],
    ["invoice, contact", of("contact", "invoice")],
    ["contact,company,invoice,address", told],
    ["contact,contact", of("contact")],
    ["wms_order", []],
    ["wms", []],
    [" ", told],
  ] as const) {
    assert.deepEqual((await readOn(tenant, "", { types })).told, expected, types);
  }
  const { next } = await page(tenant, { types: "address" });
  assert.deepEqual((await readOn(tenant, next)).told, []);
  await tenant.put(`/api/v1/contacts/${made.Contact}`, { first_name: "New" });
  assert.equal((await readOn(tenant, next, { types: "address" })).told.length, 0);
  assert.equal((await readOn(tenant, next)).told.length, 1);
});

test("a type that no change has is refused, and the answer names those that there are", async () => {
  const tenant = await tenantWithCompanies(1);
  for (const types of ["companies", "contact,companies", "Company", ",", "contact,", "company.created", "*"]) {
    const answer = await tenant.get(`/api/v1/changes?${new URLSearchParams({ types }).toString()}`);
    assert.equal(answer.status, 422, types);
    assert.deepEqual(answer.body, {
      error: "Unknown type of change.",
      details: `Types are ${[...nounTypes, "wms_order", "wms"].join(", ")}.`,
    });
  }
});

test("a page ends where its changes are long together, and none is cut", async () => {
  const tenant = await server.createTenant();
  const notes = Array.from({ length: 12 }, (_, index) => String(index).padEnd(65_000, "ă"));
  const items = notes.map((text) => ({ name: "A", delivery_notes: text, invoice_notes: text }));
  assert.equal((await tenant.post("/api/v1/companies/batch", { items })).status, 200);
  const first = await page(tenant);
  assert.ok(first.more && first.data.length < 12, `${first.data.length} in the first page`);
  const { told } = await readOn(tenant);
  assert.deepEqual(
    told.map(({ changed }) => changed.delivery_notes?.to),
    notes,
  );
});

test("what is no cursor of a feed is refused, and its absence and an empty one are the beginning", async () => {
  const tenant = await tenantWithCompanies(2);
  const { next } = await page(tenant, { limit: "1" });
  const list = (await tenant.get("/api/v1/companies?per_page=1&cursor=")).body.next_cursor as string;
  for (const after of ["x", `${next} `, ` ${next}`, next.slice(0, -1), next.slice(1), list, "\0"]) {
    const answer = await tenant.get(`/api/v1/changes?${new URLSearchParams({ after }).toString()}`);
    assert.deepEqual([answer.status, answer.body], [422, { error: "Invalid cursor." }], after);
  }
  for (const query of ["", "after=", `after=x&after=`]) {
    assert.equal((await tenant.get(`/api/v1/changes?${query}`)).body.data.length, 2, query);
  }
});

test("a cursor of another feed is none that one can go on from, whatever stands at its place in one's own", async () => {
  const [one, other] = [await tenantWithCompanies(3), await tenantWithCompanies(3)];
  const { next } = await page(one, { limit: "2" });
  const answer = await other.get(`/api/v1/changes?${new URLSearchParams({ after: next }).toString()}`);
  assert.deepEqual([answer.status, answer.body.error], [410, "This cursor is too old."]);
  assert.equal((await page(one, { after: next })).data.length, 1);
});

test("tenants have feeds of their own, whatever the others write", async () => {
  const [one, other] = [await tenantWithCompanies(3), await tenantWithCompanies(5)];
  assert.equal((await readOn(one)).told.length, 3);
  assert.equal((await readOn(other)).told.length, 5);
  const nobody = await server.createTenant();
  const { told, next } = await readOn(nobody);
  assert.deepEqual(told, []);
  await make(nobody, ["Company"]);
  assert.equal((await readOn(nobody, next)).told.length, 1);
});

test("the feed has neither the workspace's own changes nor writes that changed nothing", async () => {
  const tenant = await tenantWithCompanies(1);
  const { next } = await readOn(tenant);
  await tenant.createUser("Ana", "admin");
  await tenant.invite();
  await tenant.createKey({ name: "ERP" });
  const [company] = (await tenant.get("/api/v1/companies")).body.data;
  await tenant.put(`/api/v1/companies/${company.id}`, { name: company.name });
  await tenant.put(`/api/v1/companies/${company.id}`, { name: "" });
  assert.deepEqual((await readOn(tenant, next)).told, []);
});

async function tenantWithCompanies(count: number): Promise<TestTenant> {
  const tenant = await server.createTenant();
  const items = Array.from({ length: count }, (_, index) => ({ name: `Company ${index}` }));
  assert.equal((await tenant.post("/api/v1/companies/batch", { items })).status, 200);
  return tenant;
}

test("include=resource adds each resource as GET answers it, of the types that the key may read", async () => {
  const tenant = await server.createTenant();
  const made = await make(tenant, ["Company", "Contact", "Address", "Invoice"]);
  const paths: Record<string, string> = {
    company: `/api/v1/companies/${made.Company}`,
    contact: `/api/v1/contacts/${made.Contact}`,
    address: `/api/v1/addresses/${made.Address}`,
    invoice: `/api/v1/invoices/${made.Invoice}`,
  };
  await tenant.put(String(paths.company), { city: "Cluj", phone: "0722 000 000" });
  await tenant.delete(String(paths.address));
  type WithResource = Told & { resource?: unknown };
  const { data } = await page(tenant, { include: "resource", limit: "1000" });
  assert.equal(data.length, 6);
  for (const { resource, type, ...change } of data as WithResource[]) {
    const { status, body } = await tenant.get(String(paths[type]));
    assert.deepEqual(resource, status === 404 ? null : body.data, `${type} ${change.action}`);
  }
  const external = { crm: "7" };
  await tenant.put(String(paths.company), { external });
  const [last] = (await page(tenant, { include: "resource,external", types: "company" })).data.slice(-1);
  assert.deepEqual((last as WithResource & { resource: { external: object } }).resource.external, external);
  const before = (await page(tenant)).data.slice(0, 6);
  const plain = data.map((change) =>
    Object.fromEntries(Object.entries(change).filter(([name]) => name !== "resource")),
  );
  assert.deepEqual(before, plain, "without it, nothing is added");

  const { token } = await tenant.createKey({ capabilities: ["changes:read", "contacts:read"] });
  const { body } = await request(server.url, "GET", "/api/v1/changes?include=resource", undefined, { token });
  const shown = (body as unknown as Page).data.slice(0, 6).map((change) => [change.type, "resource" in change]);
  assert.deepEqual(
    shown,
    data.map(({ type }) => [type, type === "contact"]),
  );
});

test("a page with resources has at most 200 changes, and waits for them too", async () => {
  const tenant = await tenantWithCompanies(201);
  const { data, more, next } = await page(tenant, { include: "resource", limit: "1000" });
  assert.deepEqual([data.length, more], [200, true]);
  const last = await page(tenant, { include: "resource", after: next, wait: "5" });
  assert.equal(last.data.length, 1);
  const [change] = last.data as (Told & { resource: { name: string } })[];
  assert.equal(typeof change?.resource.name, "string");
});

test("up to 20 changes with resources are one text, and more are sent in groups as they are read", async () => {
  const tenant = await tenantWithCompanies(21);
  for (const [limit, length] of [
    ["20", "content-length"],
    ["21", "transfer-encoding"],
  ] as const) {
    const answer = await tenant.get(`/api/v1/changes?include=resource&limit=${limit}`, {
      headers: { "accept-encoding": "identity" },
    });
    assert.equal(answer.body.data.length, Number(limit));
    assert.ok(answer.headers.has(length), limit);
  }
});

test("children=true adds a change for each contact and address that goes and returns with its company", async () => {
  const tenant = await server.createTenant();
  const made = await make(tenant, ["Company", "Contact", "Address"]);
  const other = await make(tenant, ["Company", "Contact"]);
  const at = `/api/v1/companies/${made.Company}`;
  const gone = (await tenant.post(`${at}/contacts`, { first_name: "Ion", last_name: "Pop" })).body.data.id;
  await tenant.delete(`/api/v1/contacts/${gone}`);
  const [before, history] = [await readOn(tenant), (await tenant.get(`/api/v1/contacts/${made.Contact}/history`)).text];
  await tenant.delete(at);
  await tenant.post(`${at}/restore`);

  const plain = await readOn(tenant, before.next);
  const told = (changes: readonly Told[]) => changes.map(({ type, resource_id: id, action }) => [type, id, action]);
  const company = (action: string) => ["company", made.Company, action];
  assert.deepEqual(told(plain.told), [company("deleted"), company("restored")], "one change each, as before");
  const all = [
    company("deleted"),
    ["contact", made.Contact, "hidden"],
    ["address", made.Address, "hidden"],
    company("restored"),
    ["contact", made.Contact, "shown"],
    ["address", made.Address, "shown"],
  ];
  for (const limit of ["1", "2", "100"]) {
    const { told: read } = await readOn(tenant, before.next, { children: "true", limit });
    assert.deepEqual(told(read), all, limit);
    assert.equal(new Set(read.map(({ id }) => id)).size, all.length);
    for (const change of read) {
      const { company_id: companyId, changed, by } = change as Told & { company_id: number; by: { kind: string } };
      assert.deepEqual([companyId, changed, by.kind], [made.Company, {}, "key"]);
    }
  }
  const contacts = await readOn(tenant, before.next, { children: "true", types: "contact" });
  assert.deepEqual(told(contacts.told), [all[1], all[4]]);
  assert.deepEqual((await readOn(tenant, before.next, { types: "contact" })).told, []);
  assert.equal((await tenant.get(`/api/v1/contacts/${made.Contact}/history`)).text, history);
  assert.ok(other.Contact !== undefined);
});
