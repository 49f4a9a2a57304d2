import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { request, startServer } from "../../harness.ts";

/**
 * The promises of docs/contract.md 6.8 and 7.4 about restoring, and of 4.5 about PATCH, but for what every route has in
 * common.
 */
const server = await startServer();
const tenant = await server.createTenant();
const MANY = 8;

test("a company comes back as it was, with what was deleted with it and not what was deleted before", async () => {
  const { Company } = await make(tenant, ["Company"]);
  const at = `/api/v1/companies/${Company}`;
  const person = { first_name: "Ana", last_name: "Pop", phone: "+40 264 555 010", is_primary: true };
  const kept = (await tenant.post(`${at}/contacts`, person)).body.data;
  const address = (await tenant.post(`${at}/addresses`, { address: "Strada Lungă 1", phone: "2" })).body.data;
  const gone = (await tenant.post(`${at}/contacts`, { ...person, first_name: "Ion" })).body.data;
  const paths = [
    at,
    `${at}/contacts`,
    `${at}/addresses`,
    `/api/v1/contacts/${kept.id}`,
    `/api/v1/addresses/${address.id}`,
  ];
  await tenant.delete(`/api/v1/contacts/${gone.id}`);
  const before = await Promise.all(paths.map(async (path) => (await tenant.get(path)).body));
  const tag = (await tenant.get(`/api/v1/contacts/${kept.id}`)).headers.get("etag");

  assert.equal((await tenant.delete(at)).status, 200);
  for (const path of [`contacts/${kept.id}`, `contacts/${gone.id}`, `addresses/${address.id}`]) {
    assert.equal((await tenant.post(`/api/v1/${path}/restore`)).status, 404, "its company is deleted");
  }
  const restored = await tenant.post(`${at}/restore`);
  assert.equal(restored.status, 200, restored.text);
  const [company, ...others] = await Promise.all(paths.map(async (path) => (await tenant.get(path)).body));
  assert.deepEqual(others, before.slice(1));
  assert.equal((await tenant.get(`/api/v1/contacts/${kept.id}`)).headers.get("etag"), tag);
  const { updated_at } = company.data;
  assert.ok(updated_at > before[0].data.updated_at);
  assert.deepEqual({ ...company.data, updated_at: before[0].data.updated_at }, before[0].data);
  const { contacts_count: _contacts, addresses_count: _addresses, ...shown } = company.data;
  assert.deepEqual(restored.body, { data: shown });

  assert.equal((await tenant.get(`/api/v1/contacts/${gone.id}`)).status, 404);
  const contact = await tenant.post(`/api/v1/contacts/${gone.id}/restore`);
  assert.deepEqual({ ...contact.body.data, updated_at: "" }, { ...gone, updated_at: "" });

  const actions = async (path: string) =>
    (await tenant.get(`${path}/history`)).body.data.map(({ action }: { action: string }) => action);
  assert.deepEqual(await actions(at), ["restored", "deleted", "created"]);
  assert.deepEqual(await actions(`/api/v1/contacts/${kept.id}`), ["created"]);
  assert.deepEqual(await actions(`/api/v1/contacts/${gone.id}`), ["restored", "deleted", "created"]);
});

test("a restore leaves a resource that is not deleted as it is, and of many at once one restores it", async () => {
  const { Company, Contact, Address } = await make(tenant, ["Company", "Contact", "Address"]);
  for (const at of [`companies/${Company}`, `contacts/${Contact}`, `addresses/${Address}`].map((p) => `/api/v1/${p}`)) {
    const { data } = (await tenant.get(at)).body;
    const again = await tenant.post(`${at}/restore`);
    assert.deepEqual([again.status, again.body.data.updated_at], [200, data.updated_at]);
    assert.equal((await tenant.get(`${at}/history`)).body.total, 1);
    await tenant.delete(at);
    const answers = await Promise.all(Array.from({ length: MANY }, async () => await tenant.post(`${at}/restore`)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ body }) => body.data.updated_at)).size, 1);
    assert.equal((await tenant.get(`${at}/history`)).body.total, 3);
  }
  assert.equal(
    (await tenant.get("/api/v1/companies")).body.data.filter(({ id }: { id: number }) => id === Company).length,
    1,
  );
});

test("a company whose tax id was taken since stays deleted until it is free", async () => {
  const { id } = (await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO-BACK" })).body.data;
  await tenant.delete(`/api/v1/companies/${id}`);
  const holder = (await tenant.post("/api/v1/companies", { name: "B", tax_id: "ro-back" })).body.data;
  const refused = await tenant.post(`/api/v1/companies/${id}/restore`);
  assert.equal(refused.status, 409);
  assert.deepEqual(refused.body.data, { id: holder.id, name: "B", tax_id: "ro-back" });
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).status, 404);
  await tenant.put(`/api/v1/companies/${holder.id}`, { tax_id: null });
  const restored = await tenant.post(`/api/v1/companies/${id}/restore`);
  assert.deepEqual([restored.status, restored.body.data.tax_id], [200, "RO-BACK"]);
});

test("PATCH of a company is PUT: it writes, and answers, the same", async () => {
  const { Company } = await make(tenant, ["Company"]);
  const at = `/api/v1/companies/${Company}`;
  const patch = async (body: unknown) => await request(server.url, "PATCH", at, body, { token: tenant.token });
  const answers = [await patch({ city: "Turda" }), await tenant.put(at, { city: "Turda" }), await patch("[")];
  assert.deepEqual(new Set(answers.map(({ text }) => text)).size, 1);
  assert.equal((await patch({ name: null })).text, (await tenant.put(at, { name: null })).text);
  assert.equal((await tenant.get(`${at}/history`)).body.total, 2);
});
