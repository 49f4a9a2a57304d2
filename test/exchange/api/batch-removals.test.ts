import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, type TestTenant } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";

/** docs/contract.md 17.3: items that delete and restore. */
const server = await startServer();

type Result = { index: number; outcome: string; id: number | null; error?: string; details?: string; errors?: object };
type Told = { deleted?: number; restored?: number; rejected: number; results: Result[] };

async function batch(tenant: TestTenant, noun: string, items: unknown[], more: object = {}, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  const answer = await tenant.post(`/api/v1/${noun}/batch`, { items, ...more }, { headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Told;
}

async function create(tenant: TestTenant, path: string, fields: object): Promise<number> {
  const answer = await tenant.post(`/api/v1/${path}`, fields);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id;
}

const outcomes = ({ results }: Told) => results.map(({ outcome, error }) => error ?? outcome);
const missing = (model: string, name: string | number | undefined) => `No query results for model [${model}] ${name}`;

test("items delete companies by id, tax id and external id, with the blockers of a DELETE", async () => {
  const tenant = await server.createTenant();
  const a = await create(tenant, "companies", { name: "A", tax_id: "RO1" });
  const b = await create(tenant, "companies", { name: "B", tax_id: "RO2" });
  const c = await create(tenant, "companies", { name: "C", external: { erp: "c" } });
  const kept = await create(tenant, "companies", { name: "Kept", tax_id: "RO4" });
  await create(tenant, `companies/${kept}/invoices`, { number: "1" });
  const refusal = await tenant.delete(`/api/v1/companies/${kept}`);
  const { results, ...counts } = await batch(tenant, "companies", [
    { id: a, delete: true },
    { tax_id: " ro2 ", delete: true, city: "Ignored" },
    { external: { erp: "c" }, delete: true },
    { id: kept, delete: true },
    { id: a, delete: true },
    { id: 888_888, delete: true },
    { tax_id: "RO9", delete: true },
    { external: { erp: "unknown" }, delete: true },
    { delete: true },
    { id: kept, tax_id: "RO4", city: "Cluj", delete: false },
    { id: kept, delete: "perhaps" },
  ]);
  assert.deepEqual(counts, { created: 0, updated: 1, unchanged: 0, deleted: 3, restored: 0, rejected: 7 });
  assert.deepEqual(results, [
    { index: 0, outcome: "deleted", id: a },
    { index: 1, outcome: "deleted", id: b },
    { index: 2, outcome: "deleted", id: c },
    { index: 3, outcome: "rejected", id: kept, ...refusal.body },
    { index: 4, outcome: "rejected", id: null, error: missing("Company", a) },
    { index: 5, outcome: "rejected", id: null, error: missing("Company", 888_888) },
    { index: 6, outcome: "rejected", id: null, error: missing("Company", "RO9") },
    { index: 7, outcome: "rejected", id: null, error: missing("Company", "erp:unknown") },
    { index: 8, outcome: "rejected", id: null, errors: { id: ["The id field is required."] } },
    { index: 9, outcome: "updated", id: kept },
    { index: 10, outcome: "rejected", id: null, errors: { delete: ["The delete field must be true or false."] } },
  ]);
  const left = (await tenant.get("/api/v1/companies")).body.data;
  assert.deepEqual(
    left.map(({ id, city }: { id: number; city: string }) => [id, city]),
    [[kept, "Cluj"]],
  );
});

test("the names of a company that was merged delete nothing: it is gone, and the kept one stays", async () => {
  const tenant = await server.createTenant();
  const kept = await create(tenant, "companies", { name: "Kept", tax_id: "RO1", external: { erp: "a" } });
  const from = await create(tenant, "companies", { name: "From", tax_id: "RO2", external: { erp: "b" } });
  assert.equal((await tenant.post(`/api/v1/companies/${kept}/merge`, { from })).status, 200);
  const named = [{ external: { erp: "b" } }, { tax_id: "RO2" }, { tax_id: "RO2", external: { erp: "b" } }];
  const each = async (more: object) =>
    await batch(
      tenant,
      "companies",
      named.map((names) => Object.assign({}, names, more)),
    );
  const gone = await each({ delete: true });
  const [erp, tax] = [missing("Company", "erp:b"), missing("Company", "RO2")];
  assert.deepEqual(outcomes(gone), [erp, tax, erp]);
  const updated = await each({ city: "Cluj" });
  assert.deepEqual(
    updated.results.map(({ id }) => id),
    [kept, kept, kept],
  );
  const byOwn = await batch(tenant, "companies", [{ external: { erp: "a" }, delete: true }]);
  assert.deepEqual(outcomes(byOwn), ["deleted"]);
});

test("each deletion and restore is one change, of this key, as the single requests make it", async () => {
  const tenant = await server.createTenant();
  const alone = await create(tenant, "companies", { name: "A" });
  const among = await create(tenant, "companies", { name: "A" });
  await tenant.delete(`/api/v1/companies/${alone}`);
  await tenant.post(`/api/v1/companies/${alone}/restore`, {});
  await batch(tenant, "companies", [
    { id: among, delete: true },
    { id: among, restore: true },
    { id: among, restore: true },
  ]);
  const changesOf = async (id: number) => {
    const { data } = (await tenant.get(`/api/v1/companies/${id}/history`)).body;
    return data.map(({ action, changed, by }: Record<string, unknown>) => ({
      action,
      by,
      of: Object.keys(changed ?? {}),
    }));
  };
  const changes = await changesOf(among);
  assert.deepEqual(changes, await changesOf(alone));
  assert.deepEqual(
    changes.map(({ action }: { action: string }) => action),
    ["restored", "deleted", "created"],
  );
});

test("a restore is by id, leaves what is not deleted as it is, and does not take a tax id from another", async () => {
  const tenant = await server.createTenant();
  const ids: number[] = [];
  for (const tax_id of ["RO1", "RO1", "RO2", "RO3"]) {
    const id = await create(tenant, "companies", { name: tax_id, tax_id });
    ids.push(id);
    if (tax_id !== "RO3") await tenant.delete(`/api/v1/companies/${id}`);
  }
  const [first, second, third, live] = ids;
  const before = (await tenant.get(`/api/v1/companies/${live}`)).text;
  const told = await batch(tenant, "companies", [
    { id: second, restore: true },
    { id: first, restore: true },
    { id: third, restore: true },
    { id: live, restore: true },
    { tax_id: "ro3", restore: true },
    { tax_id: "RO9", restore: true },
    { id: "7x", restore: true },
  ]);
  const taken = "Company with this tax_id already exists.";
  assert.deepEqual(outcomes(told), [
    "restored",
    taken,
    "restored",
    "restored",
    "restored",
    missing("Company", "RO9"),
    missing("Company", "7x"),
  ]);
  assert.deepEqual([told.deleted, told.restored, told.rejected], [0, 4, 3]);
  assert.deepEqual(told.results[4]?.id, live);
  assert.equal((await tenant.get(`/api/v1/companies/${live}`)).text, before);
});

test("items of every kind are executed in their order", async () => {
  const tenant = await server.createTenant();
  const id = await create(tenant, "companies", { name: "A", tax_id: "RO1" });
  const told = await batch(tenant, "companies", [
    { id, city: "1" },
    { tax_id: "RO1", delete: true },
    { id, city: "2" },
    { tax_id: "RO1", name: "New" },
    { id, restore: true },
    { tax_id: "RO1", delete: true },
    { id, restore: true },
    { id, city: "3" },
  ]);
  assert.deepEqual(outcomes(told), [
    "updated",
    "deleted",
    missing("Company", id),
    "created",
    "Company with this tax_id already exists.",
    "deleted",
    "restored",
    "updated",
  ]);
  const { data } = (await tenant.get("/api/v1/companies")).body;
  assert.deepEqual([data.length, data[0].id, data[0].city], [1, id, "3"]);
});

test("contacts and addresses are deleted and restored, but not those of a deleted company", async () => {
  const tenant = await server.createTenant();
  for (const [noun, model, fields] of [
    ["contacts", "Contact", { first_name: "Ana", last_name: "Pop", external: { erp: "1" } }],
    ["addresses", "Address", { address: "Str. Mare 1", external: { erp: "1" } }],
  ] as const) {
    const company = await create(tenant, "companies", { name: "A" });
    const id = await create(tenant, `companies/${company}/${noun}`, fields);
    const removed = await batch(tenant, noun, [{ external: { erp: "1" }, delete: true }]);
    assert.deepEqual(removed.results, [{ index: 0, outcome: "deleted", id }]);
    assert.equal((await tenant.get(`/api/v1/${noun}/${id}`)).status, 404);
    assert.deepEqual(
      outcomes(
        await batch(tenant, noun, [
          { id, restore: true },
          { id, restore: true },
        ]),
      ),
      ["restored", "restored"],
    );
    assert.equal((await tenant.get(`/api/v1/${noun}/${id}`)).status, 200);
    await tenant.delete(`/api/v1/companies/${company}`);
    const hidden = await batch(tenant, noun, [
      { id, delete: true },
      { id, restore: true },
    ]);
    assert.deepEqual(outcomes(hidden), [missing(model, id), missing(model, id)]);
  }
});

test("items with both members, with the names of two resources, and of invoices, are rejected", async () => {
  const tenant = await server.createTenant();
  const a = await create(tenant, "companies", { name: "A", tax_id: "RO1", external: { erp: "a" } });
  const b = await create(tenant, "companies", { name: "B", tax_id: "RO2", external: { erp: "b" } });
  const told = await batch(tenant, "companies", [
    { id: a, delete: true, restore: true },
    { id: a, tax_id: "RO2", delete: true },
    { id: a, external: { erp: "b" }, delete: true },
    { external: { erp: "b" }, tax_id: "RO1", delete: true },
  ]);
  const taken = "Company with this tax_id already exists.";
  assert.deepEqual(outcomes(told), [
    "An item cannot have both delete and restore.",
    taken,
    "Another company has this external id.",
    taken,
  ]);
  const number = await create(tenant, `companies/${b}/invoices`, { number: "1" });
  const invoices = await batch(tenant, "invoices", [
    { number: "1", delete: true },
    { id: number, restore: true },
    { id: number, due_on: "2026-12-24" },
  ]);
  const stay = "Invoices cannot be deleted or restored.";
  assert.deepEqual(outcomes(invoices), [stay, stay, "updated"]);
});

test("answers without such items have no new members", async () => {
  const tenant = await server.createTenant();
  const told = await batch(tenant, "companies", [{ name: "A", delete: false }]);
  assert.deepEqual(Object.keys(told), ["created", "updated", "unchanged", "rejected", "results"]);
});

test("a dry run deletes and restores nothing, and a repeated key answers again", async () => {
  const tenant = await server.createTenant();
  const a = await create(tenant, "companies", { name: "A" });
  const b = await create(tenant, "companies", { name: "B" });
  await tenant.delete(`/api/v1/companies/${b}`);
  const items = [
    { id: a, delete: true },
    { id: b, restore: true },
    { name: "C", tax_id: "RO3" },
    { tax_id: "RO3", delete: true },
  ];
  const tried = await batch(tenant, "companies", items, { dry_run: true });
  assert.equal((await tenant.get(`/api/v1/companies/${a}`)).status, 200);
  assert.equal((await tenant.get(`/api/v1/companies/${b}`)).status, 404);
  const done = await batch(tenant, "companies", items, {}, "night-1");
  const unknown = done.results.map((result) => (result.index < 2 ? result : { ...result, id: null }));
  assert.deepEqual(tried, { ...done, results: unknown });
  await tenant.post(`/api/v1/companies/${a}/restore`, {});
  assert.deepEqual(await batch(tenant, "companies", items, {}, "night-1"), done);
  assert.equal((await tenant.get(`/api/v1/companies/${a}`)).status, 200, "nothing is done again");
});

test("batches that write and delete the same in opposite orders wait for each other, and never both", async () => {
  // Two that wait for each other would wait until a lock is given up, and be answered 503.
  const patient = await startServer({}, { deadlock_timeout: "1h" });
  const tenant = await patient.createTenant();
  const ids: number[] = [];
  for (let n = 0; n < 3; n++) ids.push(await create(tenant, "companies", { name: "A" }));
  const [first, second, third] = ids;
  const held = `select from companies where tenant_id = ${tenant.id} and id = ${second} for update`;
  const told = await untilLetGo(patient, held, async (letGo) => {
    const both = [
      [
        { id: third, city: "B" },
        { id: second, delete: true },
        { id: first, city: "B" },
      ],
      [
        { id: first, city: "C" },
        { id: second, delete: true },
        { id: third, city: "C" },
      ],
    ].map(async (items) => await batch(tenant, "companies", items));
    await patient.untilWaiting(2);
    await letGo();
    return await Promise.all(both);
  });
  assert.equal(
    told.reduce((sum, { deleted = 0 }) => sum + deleted, 0),
    1,
  );
});

test("a thousand are deleted and restored at once", async () => {
  const tenant = await server.createTenant();
  const made = await batch(
    tenant,
    "companies",
    Array.from({ length: 1_000 }, (_, at) => ({ name: "A", tax_id: `T${at}` })),
  );
  const ids = made.results.map(({ id }) => id);
  const deleted = await batch(
    tenant,
    "companies",
    ids.map((id) => ({ id, delete: true })),
  );
  assert.equal(deleted.deleted, 1_000);
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 0);
  const restored = await batch(
    tenant,
    "companies",
    ids.map((id) => ({ id, restore: true })),
  );
  assert.equal(restored.restored, 1_000);
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 1_000);
});
