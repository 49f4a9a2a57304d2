import assert from "node:assert/strict";
import { test } from "node:test";
import { startImportServer } from "./import-server.ts";

const server = await startImportServer();
const by = { kind: "import", id: null, name: null };

test("an import's rows have a history like a request's: what it creates and what it changes, and nothing of what it repeats", async () => {
  const tenant = await server.createTenant();
  const rows = (await tenant.post("/api/v1/companies", { name: "Known", tax_id: "RO1", phone: "1" })).body.data;
  const csv = "name,tax_id,city,phone\nKnown,RO1,Turda,1\nNew,RO2,Cluj,2\n";
  assert.deepEqual(await server.importing(tenant, "companies", csv), { created: 1, updated: 1, rejected: [] });
  await server.importing(tenant, "companies", csv);

  const known = (await tenant.get(`/api/v1/companies/${rows.id}/history`)).body;
  assert.equal(known.total, 2);
  assert.deepEqual([known.data[0].changed, known.data[0].by], [{ city: { from: null, to: "Turda" } }, by]);
  assert.equal(known.data[1].by.kind, "key");

  const [created] = (await tenant.get("/api/v1/companies?search=new")).body.data;
  const { body } = await tenant.get(`/api/v1/companies/${created.id}/history`);
  assert.equal(body.total, 1);
  const [{ action, changed, by: writer }] = body.data;
  assert.deepEqual([action, writer], ["created", by]);
  assert.deepEqual([changed.city, changed.phone], [{ from: null, to: "Cluj" }, { changed: true }]);
});

test("contacts and addresses by the hundred have a change each, with their company", async () => {
  const tenant = await server.createTenant();
  await tenant.post("/api/v1/companies", { name: "Parent", tax_id: "RO1" });
  const people = Array.from({ length: 700 }, (_, index) => `RO1,Ana,Pop ${index}`);
  await server.importText(tenant, "contacts", ["company_tax_id,first_name,last_name", ...people].join("\n"));
  await server.importText(tenant, "addresses", "company_tax_id,address\nRO1,Strada 1\n");
  const kept = await server.sql(
    `select h.type, h.changed_by, count(distinct h.resource_id)::int as resources, count(*)::int as changes
     from changes h join companies c on c.tenant_id = h.tenant_id and c.id = h.company_id
     where h.tenant_id = $1 and h.type <> 'company' group by h.type, h.changed_by order by h.type`,
    [tenant.id],
  );
  assert.deepEqual(kept, [
    { type: "address", changed_by: "import", resources: 1, changes: 1 },
    { type: "contact", changed_by: "import", resources: 700, changes: 700 },
  ]);
});
