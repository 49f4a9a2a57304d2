import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

/** docs/contract.md 7.6. */
const server = await startServer();

async function created(tenant: TestTenant, path: string, body: object): Promise<number> {
  const answer = await tenant.post(`/api/v1${path}`, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.id;
}

async function twoOfOne(tenant: TestTenant): Promise<{ company: number; kept: number; from: number }> {
  const company = await created(tenant, "/companies", { name: "Panificația SA" });
  const kept = await created(tenant, `/companies/${company}/contacts`, {
    first_name: "Ioana",
    last_name: "Pop",
    email: "ioana@a.example",
    phone: "0264 555 010",
    notes: "ours",
    external: { crm: "K1" },
  });
  const from = await created(tenant, `/companies/${company}/contacts`, {
    first_name: "Ioana",
    last_name: "Popescu",
    email: "ioana@b.example",
    mobile: "0722 555 011",
    notes: "theirs",
    external: { crm: "F1", shop: "S1" },
  });
  await server.sql(
    `insert into activities (tenant_id, company_id, contact_id, kind, note, at, changed_by) values ($1, $2, $3, 'call', 'said', now(), 'command')`,
    [tenant.id, company, from],
  );
  await server.sql(
    `insert into planned_calls (tenant_id, company_id, contact_id, due_on, created_at, updated_at, changed_by) values ($1, $2, $3, '2027-01-04', now(), now(), 'command')`,
    [tenant.id, company, from],
  );
  return { company, kept, from };
}

/** What the API and the database know of the contacts of a tenant, without versions. */
async function stateOf(tenant: TestTenant, ids: readonly number[]): Promise<unknown[]> {
  const shown = [];
  for (const id of ids) {
    const { data } = (await tenant.get(`/api/v1/contacts/${id}?include=external`)).body;
    shown.push({ ...data, updated_at: null });
  }
  const rows = await server.sql(
    `select 'activity' as kind, contact_id from activities where tenant_id = $1
     union all select 'call', contact_id from planned_calls where tenant_id = $1
     union all select type || source || external_id, resource_id from external_ids where tenant_id = $1 order by 1, 2`,
    [tenant.id],
  );
  return [...shown, rows];
}

test("a merged contact leads to the kept one, with what belonged to it, and back", async () => {
  const tenant = await server.createTenant();
  const { company, kept, from } = await twoOfOne(tenant);
  const before = await stateOf(tenant, [kept, from]);
  const cursor = (await tenant.get("/api/v1/changes?limit=1000")).body.next;
  const path = `/api/v1/contacts/${kept}/merge`;

  const tried = await tenant.post(path, { from, fields: { last_name: "from" }, dry_run: true });
  assert.equal(tried.status, 200, tried.text);
  assert.deepEqual([tried.body.data.last_name, tried.body.meta.merge_id], ["Popescu", null]);
  assert.deepEqual(await stateOf(tenant, [kept, from]), before);

  const merged = await tenant.post(`${path}?include=external`, { from, fields: { last_name: "from" } });
  assert.equal(merged.status, 200, merged.text);
  const { last_name, email, mobile, notes, external } = merged.body.data;
  assert.deepEqual(
    { last_name, email, mobile, notes, external },
    {
      last_name: "Popescu",
      email: "ioana@a.example",
      mobile: "0722 555 011",
      notes: "ours\n\ntheirs",
      external: { crm: "K1", shop: "S1" },
    },
  );
  assert.deepEqual(merged.body.meta.moved, { activities: 1, planned_calls: 1 });

  const gone = await tenant.get(`/api/v1/contacts/${from}`);
  assert.deepEqual([gone.status, gone.headers.get("x-merged-into")], [404, String(kept)]);
  const restored = await tenant.post(`/api/v1/contacts/${from}/restore`);
  assert.deepEqual([restored.status, restored.headers.get("x-error-code")], [422, "contact_merged"], restored.text);
  const items = [{ id: from, restore: true }];
  const { results } = (await tenant.post("/api/v1/contacts/batch", { items })).body;
  assert.deepEqual(results, [{ index: 0, outcome: "rejected", id: from, ...restored.body }]);
  const upserted = await tenant.post("/api/v1/contacts/batch", {
    items: [{ external: { crm: "F1" }, company_id: company, job_title: "Buyer" }],
  });
  assert.equal(upserted.body.results?.[0]?.id, kept, upserted.text);
  assert.deepEqual((await tenant.get(`/api/v1/contacts/${kept}?include=external`)).body.data.external, external);

  const { data: changes } = (await tenant.get(`/api/v1/changes?cursor=${cursor}`)).body;
  const told = changes.map((each: Record<string, string>) => `${each.type} ${each.resource_id} ${each.action}`);
  assert.ok(told.includes(`contact ${from} merged`), told.join());
  assert.ok(told.includes(`contact ${kept} updated`), told.join());

  // An edit since stays; the rest returns.
  const undo = `/api/v1/merges/${merged.body.meta.merge_id}/undo`;
  await tenant.put(`/api/v1/contacts/${kept}`, { last_name: "Pop", job_title: null });
  const undone = await tenant.post(undo);
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual(undone.body.restored, { fields: 3, activities: 1, planned_calls: 1 });
  assert.deepEqual(undone.body.left, { fields: 1, activities: 0, planned_calls: 0 });
  assert.deepEqual(await stateOf(tenant, [kept, from]), before);
  assert.equal((await tenant.post(undo)).status, 422);
});

test("only contacts of one company that are there are merged, and only by a key that may write contacts", async () => {
  const tenant = await server.createTenant();
  const { kept, from } = await twoOfOne(tenant);
  const { from: elsewhere } = await twoOfOne(await server.createTenant());
  const other = await created(tenant, "/companies", { name: "Another" });
  const stranger = await created(tenant, `/companies/${other}/contacts`, { first_name: "Dan", last_name: "Rus" });
  const path = `/api/v1/contacts/${kept}/merge`;
  for (const wrong of [stranger, elsewhere, kept, 999_999_999]) {
    const refused = await tenant.post(path, { from: wrong });
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["from"]], refused.text);
  }
  for (const fields of [{ is_accounting: "from" }, { first_name: "both" }, "from"]) {
    assert.equal((await tenant.post(path, { from, fields })).status, 422, JSON.stringify(fields));
  }
  assert.equal((await tenant.post(`/api/v1/contacts/${elsewhere}/merge`, { from })).status, 404);
  const outdated = await tenant.post(path, { from }, { headers: { "if-match": '"1"' } });
  assert.equal(outdated.status, 412, outdated.text);

  const merged = await tenant.post(path, { from });
  const { token } = await tenant.createKey({ capabilities: ["companies:write"] });
  const undone = await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`, {}, { token });
  assert.deepEqual([undone.status, undone.body.error], [403, "Missing capability: contacts:write"]);
});

test("the merges of contacts are undone in order, also those that went into one that was deleted with its company", async () => {
  const tenant = await server.createTenant();
  const { company, kept, from } = await twoOfOne(tenant);
  const third = await created(tenant, `/companies/${company}/contacts`, { first_name: "I.", last_name: "Pop" });
  const mergeInto = async (into: number, of: number): Promise<number> => {
    const merged = await tenant.post(`/api/v1/contacts/${into}/merge`, { from: of });
    assert.equal(merged.status, 200, merged.text);
    return merged.body.meta.merge_id;
  };
  const first = await mergeInto(kept, from);
  const second = await mergeInto(third, kept);
  assert.equal((await tenant.get(`/api/v1/contacts/${from}`)).headers.get("x-merged-into"), String(third));
  const early = await tenant.post(`/api/v1/merges/${first}/undo`);
  assert.deepEqual([early.status, early.body.details.includes(String(second))], [422, true], early.text);

  // The ids of a hidden contact are free; they return with the company.
  assert.equal((await tenant.delete(`/api/v1/companies/${company}`)).status, 200);
  const ids = async () =>
    await server.sql("select source, external_id from external_ids where tenant_id = $1 order by 1, 2", [tenant.id]);
  assert.deepEqual(await ids(), []);
  assert.equal((await tenant.post(`/api/v1/merges/${second}/undo`)).status, 422);
  assert.equal((await tenant.post(`/api/v1/companies/${company}/restore`)).status, 200);
  assert.deepEqual(
    (await ids()).map(({ external_id: id }) => id),
    ["F1", "K1", "S1"],
  );
  for (const merge of [second, first]) assert.equal((await tenant.post(`/api/v1/merges/${merge}/undo`)).status, 200);
  assert.equal((await tenant.get(`/api/v1/companies/${company}/contacts`)).body.total, 3);
});

test("a person who is erased is erased in what was merged away, too", async () => {
  const tenant = await server.createTenant();
  const { kept, from } = await twoOfOne(tenant);
  const merged = await tenant.post(`/api/v1/contacts/${kept}/merge`, { from });
  const earlier = await tenant.post(`/api/v1/contacts/${from}/erase`);
  assert.deepEqual([earlier.status, earlier.headers.get("x-merged-into")], [404, String(kept)], "the other has it all");
  const erased = await tenant.post(`/api/v1/contacts/${kept}/erase`);
  assert.equal(erased.status, 200, erased.text);
  assert.deepEqual([erased.body.erased.contacts, erased.body.erased.merges], [2, 1]);
  assert.deepEqual(await server.sql("select 1 from contacts where tenant_id = $1", [tenant.id]), []);
  assert.equal((await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`)).status, 404);
  assert.deepEqual(await server.sql("select 1 from external_ids where tenant_id = $1", [tenant.id]), []);
});

test("two contacts are compared, merged and taken apart again on pages", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const { kept, from } = await twoOfOne(tenant);
  await tenant.post("/api/v1/custom-fields", { noun: "contact", label: "Likes tea", kind: "yes_no" });
  await tenant.put(`/api/v1/contacts/${kept}`, { custom: { likes_tea: true } });
  await tenant.put(`/api/v1/contacts/${from}`, { custom: { likes_tea: false } });
  assert.match((await member.get(`/contacts/${kept}`)).text, new RegExp(`href="/contacts/${kept}/merge"`));
  const found = await member.get(`/contacts/${kept}/merge`);
  assert.match(found.text, new RegExp(`href="/contacts/${kept}/merge\\?with=${from}"`));
  assert.ok(!found.text.includes(`?with=${kept}"`), "itself is not offered");

  const { text } = await member.get(`/contacts/${kept}/merge?with=${from}`);
  assert.match(text, /Merge Ioana Popescu into Ioana Pop\?/);
  assert.match(text, /1 activity and 1 call to come/);
  assert.match(text, /empty here: Mobile\./);
  assert.match(text, /name="choice-email" value="from" checked/, "the newer e-mail is proposed");
  assert.match(
    text,
    /<legend>Likes tea<[^]*?value="keep"> Yes [^]*?value="from" checked> No /,
    "so is the workspace's own",
  );

  const choices = { "choice-email": "from", "choice-custom.likes_tea": "from" };
  const merged = await member.post(`/contacts/${kept}/merge?with=${from}`, choices);
  assert.equal(merged.location, `/contacts/${kept}`, merged.text);
  assert.deepEqual((await tenant.get(`/api/v1/contacts/${kept}`)).body.data.metadata, { likes_tea: false });
  const after = await member.get(`/contacts/${kept}`);
  assert.match(after.text, /Merged with Ioana Popescu: 1 activity and 1 call to come moved\./);
  assert.match(after.text, /ioana@b\.example/);
  const [, undo] = /href="(\/merges\/\d+\/undo)"/.exec(after.text) ?? [];
  assert.ok(undo, "the page of the kept contact leads to the undo");
  assert.equal((await member.get(`/contacts/${from}`)).location, `/contacts/${kept}`);
  assert.equal((await member.post(`/contacts/${from}/restore`, {})).location, undo);
  assert.equal((await member.post(undo, {})).location, `/contacts/${from}`);
  assert.match((await member.get(`/contacts/${from}`)).text, /The merge was undone\./);
});
