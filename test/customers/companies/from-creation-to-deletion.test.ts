import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";

const server = await startServer();

test("a company that was created is shown as it was sent, with its counts", async () => {
  const tenant = await server.createTenant();
  const owner = await tenant.createUser("Ioana Pop");
  const sent = {
    name: " Brașov Tools ",
    tax_id: "RO1",
    phone: "+40 722 000 111",
    assigned_to: owner,
    callback_date: "2026-12-01",
  };
  const created = await tenant.post("/api/v1/companies", sent);
  assert.equal(created.status, 201, created.text);
  assert.match(created.body.data.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

  const shown = await tenant.get(`/api/v1/companies/${created.body.data.id}`);
  assert.equal(shown.status, 200, shown.text);
  assert.deepEqual(shown.body.data, { ...created.body.data, contacts_count: 0, addresses_count: 0 });
  const { name, phone, status, country, assigned_user } = shown.body.data;
  assert.deepEqual(
    { name, phone, status, country, assigned_user },
    {
      name: "Brașov Tools",
      phone: "+40 722 000 111",
      status: "prospect",
      country: "Romania",
      assigned_user: { id: owner, name: "Ioana Pop" },
    },
  );
});

test("an update changes what was sent, and nothing else", async () => {
  const tenant = await server.createTenant();
  const { body } = await tenant.post("/api/v1/companies", { name: "A", phone: "123", city: "Cluj" });
  const path = `/api/v1/companies/${body.data.id}`;
  const same = await tenant.put(path, { phone: "123", city: "Cluj" });
  assert.equal(same.status, 200, same.text);
  assert.deepEqual(same.body, body);
  const changed = await tenant.put(path, { phone: null, city: "Turda" });
  const { updated_at: updatedAt, ...rest } = changed.body.data;
  const { updated_at: createdAt, ...before } = body.data;
  assert.ok(updatedAt > createdAt);
  assert.deepEqual(rest, { ...before, phone: null, city: "Turda" });
});

test("search finds without case and accents, in any one of the named fields", async () => {
  const tenant = await server.createTenant();
  await tenant.post("/api/v1/companies", { name: "Brașov Tools", city: "Iași" });
  await tenant.post("/api/v1/companies", { name: "100%_x", city: "Cluj" });
  for (const [search, names] of [
    ["brasov", ["Brașov Tools"]],
    ["IAŞI", ["Brașov Tools"]],
    ["tools iasi", []],
    ["%25_", ["100%_x"]],
    ["0_", []],
  ] as const) {
    const { body } = await tenant.get(`/api/v1/companies?search=${search}`);
    assert.deepEqual(
      body.data.map(({ name }: { name: string }) => name),
      names,
      search,
    );
    assert.equal(body.total, names.length);
  }
});

test("a deleted company is missing, and so are its contacts", async () => {
  const tenant = await server.createTenant();
  const { body: company } = await tenant.post("/api/v1/companies", { name: "A" });
  const path = `/api/v1/companies/${company.data.id}`;
  const contact = await tenant.post(`${path}/contacts`, { first_name: "Ana", last_name: "Pop", mobile: "0722" });
  assert.equal(contact.status, 201, contact.text);
  assert.equal(contact.body.data.full_name, "Ana Pop");
  const shown = await tenant.get(`/api/v1/contacts/${contact.body.data.id}`);
  assert.deepEqual(shown.body.data.company, { id: company.data.id, name: "A" });
  const listed = await tenant.get(`${path}/contacts?search=an`);
  assert.deepEqual(listed.body.data, [contact.body.data]);
  assert.deepEqual((await tenant.delete(path)).body, { message: "Company deleted." });
  for (const gone of [path, `${path}/contacts`, `/api/v1/contacts/${contact.body.data.id}`, `${path}/wms-orders`]) {
    assert.equal((await tenant.get(gone)).status, 404, gone);
  }
});
