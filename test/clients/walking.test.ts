import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createClient,
  CursorTooOldError,
  type Change,
  type LiaisonClient,
} from "../../clients/typescript/src/index.ts";
import { startServer, type TestTenant } from "../harness.ts";
import { startProxy } from "./proxy.ts";

/** The TypeScript client reads bit by bit: lists by cursor, by number, and the feed. */
const server = await startServer({ LIAISON_RATE_LIMIT: "0" });

async function setup(): Promise<{ tenant: TestTenant; client: LiaisonClient }> {
  const tenant = await server.createTenant();
  return { tenant, client: createClient({ url: server.url, token: tenant.token }) };
}

const named = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `Company ${1_000 + index}` }));

test("a walk has every company once, though others come and go meanwhile", async () => {
  const { client } = await setup();
  const { results } = await client.companies.batch(named(450));
  const ids = results.map(({ id }) => id);
  const seen: number[] = [];
  for await (const { id } of client.companies.all()) {
    seen.push(id);
    // Numbered pages would skip a row for each.
    if (seen.length % 150 === 0) await client.companies.delete(id);
    if (seen.length === 150) await client.companies.create({ name: "New" });
  }
  assert.deepEqual(seen.slice(0, 450), ids);
  assert.equal(seen.length, 451);
});

test("a walk uses its filters and its order, and ends where its caller stops", async () => {
  const { client } = await setup();
  await client.companies.batch([...named(3), { name: "Other" }]);
  const found = await Array.fromAsync(client.companies.all({ search: "company", sort: "-name" }));
  assert.deepEqual(
    found.map(({ name }) => name),
    ["Company 1002", "Company 1001", "Company 1000"],
  );
  for await (const { name } of client.companies.all({ sort: "-name" })) {
    assert.equal(name, "Other");
    break;
  }
  const page = await client.companies.page({ per_page: 2, page: 2 });
  assert.deepEqual([page.data.length, page.total, page.last_page], [2, 4, 2]);
});

test("what a company has is walked under it", async () => {
  const { client } = await setup();
  const { id } = await client.companies.create({ name: "A" });
  await client.contacts.create(id, { first_name: "Ana", last_name: "Pop" });
  await client.contacts.create(id, { first_name: "Dan", last_name: "Rus" });
  await client.addresses.create(id, { address: "Str. Lungă 1" });
  await client.invoices.create(id, {
    number: "A-1",
    lines: [{ sku: "A", description: "A", quantity: "1", unit_price: "2" }],
  });
  const people = await Array.fromAsync(client.contacts.all(id, { search: "dan" }));
  assert.deepEqual(
    people.map(({ full_name }) => full_name),
    ["Dan Rus"],
  );
  assert.equal((await Array.fromAsync(client.addresses.all(id))).length, 1);
  assert.deepEqual(
    (await Array.fromAsync(client.invoices.all(id, { status: "issued" }))).map(({ number }) => number),
    ["A-1"],
  );
  assert.deepEqual(await Array.fromAsync(client.companies.wmsOrders(id)), []);
});

test("two companies are merged, and two again", async () => {
  const { client } = await setup();
  const [{ id }, other] = [await client.companies.create({ name: "A" }), await client.companies.create({ name: "B" })];
  await client.contacts.create(other.id, { first_name: "Ana", last_name: "Pop" });
  const { data, meta } = await client.companies.merge(id, { from: other.id, fields: { name: "from" } });
  assert.deepEqual([data.id, data.name, meta.moved.contacts], [id, "B", 1]);
  const { restored } = await client.merges.undo(meta.merge_id ?? 0);
  assert.equal(restored.contacts, 1);
  assert.equal((await client.companies.get(id)).name, "A");
});

test("each change of a history is returned once, though it grows meanwhile", async () => {
  const { client } = await setup();
  const { id } = await client.companies.create({ name: "A" });
  await client.companies.batch(Array.from({ length: 400 }, (_, index) => ({ id, city: `City ${index}` })));
  const seen: number[] = [];
  for await (const change of client.companies.history(id)) {
    seen.push(change.id);
    if (seen.length === 1) await client.companies.update(id, { city: "Another" });
  }
  assert.deepEqual([seen.length, new Set(seen).size], [401, 401]);
});

test("the feed is read to its end, page by page", async () => {
  const { client } = await setup();
  await client.companies.batch(named(25));
  const pages = await Array.fromAsync(client.changes.read({ limit: 10, types: ["company"] }));
  const names = pages.flatMap(({ data }) => data.map(nameIn));
  assert.deepEqual(
    names,
    named(25).map(({ name }) => name),
  );
  assert.ok(pages.length >= 3);
  const after = pages[0]?.next ?? "";
  const rest = (await Array.fromAsync(client.changes.read({ after }))).flatMap(({ data }) => data);
  assert.deepEqual(rest.map(nameIn), names.slice(pages[0]?.data.length));
  assert.equal(
    (await Array.fromAsync(client.changes.read({ types: ["contact"] }))).flatMap(({ data }) => data).length,
    0,
  );
});

test("a follower receives changes, also over connections that break, until it stops", async () => {
  const { tenant, client } = await setup();
  await client.companies.create({ name: "Before" });
  const proxy = await startProxy(server.url);
  const follower = createClient({ url: proxy.url, token: tenant.token });
  const ending = new AbortController();
  const heard: string[] = [];
  const after = await follower.changes.latest();
  await client.companies.create({ name: "First" });
  proxy.next("lost");
  const following = (async () => {
    for await (const { data } of follower.changes.follow({ after }, { signal: ending.signal })) {
      heard.push(...data.map(nameIn));
      if (heard.length === 1) {
        proxy.next("half");
        await client.companies.create({ name: "Second" });
      } else if (heard.length === 2) ending.abort(new Error("enough"));
    }
  })();
  await assert.rejects(following, /enough/);
  assert.deepEqual(heard, ["First", "Second"]);
});

test("a cursor whose change is gone is an error of its own", async () => {
  const { tenant, client } = await setup();
  await client.companies.create({ name: "Gone" });
  const after = await client.changes.latest();
  await server.sql("delete from feed where tenant_id = $1", [tenant.id]);
  await client.companies.create({ name: "Meanwhile" });
  await assert.rejects(client.changes.follow({ after }).next(), CursorTooOldError);
});

function nameIn({ changed }: Change): string {
  const { name } = changed;
  return name !== undefined && "to" in name ? String(name.to) : "";
}
