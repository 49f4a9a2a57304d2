import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startImportServer } from "../../exchange/imports/import-server.ts";
import { settled } from "../../exchange/pages/settled-import.ts";
import type { TestTenant } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";

/** Options that are archived or removed, and the records that have them (docs/contract.md 21.2). */
const server = await startImportServer();
runWorker(server);
const COMPANIES = "/api/v1/companies";
const TAX_IDS: Record<string, string> = { gold: "RO9042560", silver: "RO14399840" };
const FIELDS = "/api/v1/custom-fields";

async function choice(tenant: TestTenant): Promise<string> {
  const options = [{ value: "gold", label: "Gold list" }, { value: "silver" }];
  const made = await tenant.post(FIELDS, { noun: "company", label: "Price list", kind: "choice", options });
  assert.equal(made.status, 201, made.text);
  return `${FIELDS}/${made.body.data.id}`;
}

async function create(tenant: TestTenant, option: string): Promise<number> {
  const made = await tenant.post(COMPANIES, { name: "Acme", tax_id: TAX_IDS[option], custom: { price_list: option } });
  assert.equal(made.status, 201, made.text);
  return made.body.data.id;
}

test("an item of a batch and a row of a file may repeat the archived option of their record, and no other", async () => {
  const tenant = await server.createTenant();
  const field = await choice(tenant);
  const [gold, silver] = [await create(tenant, "gold"), await create(tenant, "silver")];
  await tenant.put(field, { options: [{ value: "gold", label: "Gold list", archived: true }, { value: "silver" }] });

  const items = [gold, silver].map((id) => ({ id, name: "Of a batch", custom: { price_list: "gold" } }));
  const { results } = (await tenant.post(`${COMPANIES}/batch`, { items: [...items, { ...items[0], id: undefined }] }))
    .body;
  const refused = { "custom.price_list": ["The selected custom.price_list is invalid."] };
  assert.deepEqual(
    results.map((result: { errors?: object }) => result.errors ?? null),
    [null, refused, refused],
  );
  const csv = `tax_id,name,custom.price_list\n${TAX_IDS.gold},Of a file,gold\n${TAX_IDS.silver},Of a file,gold\n`;
  const { updated, rejected } = await server.importing(tenant, "companies", csv);
  assert.deepEqual([updated, rejected.map(({ line, errors }) => [line, errors])], [1, [[3, refused]]]);
  const { metadata, name } = (await tenant.get(`${COMPANIES}/${gold}`)).body.data;
  assert.deepEqual([metadata, name], [{ price_list: "gold" }, "Of a file"]);

  // An exported file, as it is.
  const again = await server.importing(tenant, "companies", await server.exporting(tenant, "companies"));
  assert.deepEqual([again.updated, again.rejected], [2, []]);
});

test("an undo brings back an option that was removed since, and the record may be written with it", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const field = await choice(tenant);
  const id = await create(tenant, "gold");
  const form = { id: [String(id)], own_field: "custom.price_list", own_value: "silver" };
  await member.post("/companies/bulk", form);
  assert.equal((await tenant.put(field, { options: [{ value: "silver" }] })).status, 200);
  const [change] = await server.sql("select max(id) as id from imports where tenant_id = $1", [tenant.id]);
  const { location } = await member.post(`/imports/${String(change?.id)}/undo`);
  await settled(member, String(location));
  const { metadata } = (await tenant.get(`${COMPANIES}/${id}`)).body.data;
  assert.deepEqual(metadata, { price_list: "gold" });
  const again = await tenant.put(`${COMPANIES}/${id}`, { name: "Other", custom: metadata });
  assert.deepEqual([again.status, again.body.data?.metadata], [200, metadata], again.text);
  assert.equal((await tenant.post(COMPANIES, { name: "New", custom: metadata })).status, 422);
});

test("a file with an option of a field that has no other option says so", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const field = await choice(tenant);
  await tenant.put(field, { options: ["gold", "silver"].map((value) => ({ value, archived: true })) });
  const csv = "name,custom.price_list\nAcme,gold\n";
  const { location } = await member.upload("/imports", { kind: "companies" }, { "file.csv": csv });
  const text = await settled(member, String(location));
  assert.match(text, /Price list has no option that can be chosen; the file has “gold”/);
});
