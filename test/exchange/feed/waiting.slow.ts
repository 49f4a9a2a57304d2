import assert from "node:assert/strict";
import { test } from "node:test";
import { revokeApiKey } from "../../../src/people/api-keys/api-key-queries.ts";
import { setSuspended } from "../../../src/people/tenants/tenant-queries.ts";
import { make } from "../../doors/api/resources.ts";
import { startServer, type TestServer, type TestTenant } from "../../harness.ts";
import { poll, serve } from "../../program.ts";
import { statementsSent } from "../../statements-sent.ts";
import { startImportServer } from "../imports/import-server.ts";
import { page, readOn } from "./follower.ts";

/** The promises of docs/contract.md 18.3 about `wait`. */
const server = await startServer({ LIAISON_RATE_LIMIT: "0" });
/** As many as a tenant may have wait. */
const MOST = 500;

test("a request that waits is answered with what happens then, or with nothing when its time is over", async () => {
  const tenant = await server.createTenant();
  const { next } = await readOn(tenant);
  const nothing = await page(tenant, { after: next, wait: "1" });
  assert.deepEqual([nothing.data, nothing.more], [[], false]);
  const waiting = page(tenant, { after: nothing.next, wait: "30" });
  await untilWaiting(server, tenant, 1);
  await make(tenant, ["Company"]);
  assert.deepEqual(
    (await waiting).data.map(({ action }) => action),
    ["created"],
  );
});

test("a follower of some types gets no other changes, and goes on waiting behind them", async () => {
  const tenant = await server.createTenant();
  const waiting = page(tenant, { types: "contact", wait: "30" });
  await untilWaiting(server, tenant, 1);
  const made = await make(tenant, ["Company", "Address"]);
  await make(tenant, ["Contact"], made);
  assert.deepEqual(
    (await waiting).data.map(({ type }) => type),
    ["contact"],
  );
});

test("changes that were there before are answered at once, though the request would wait", async () => {
  const tenant = await server.createTenant();
  await make(tenant, ["Company", "Contact"]);
  const { data, next, more } = await page(tenant, { wait: "30", limit: "1" });
  assert.deepEqual([data.length, more], [1, true]);
  assert.equal((await page(tenant, { after: next, wait: "30" })).data.length, 1);
});

test("requests that wait for a change keep none of the tenant's others from being worked on, and all hear of it", async () => {
  const tenant = await server.createTenant();
  const followers = Array.from({ length: 150 }, async () => await page(tenant, { wait: "30" }));
  await untilWaiting(server, tenant, followers.length);
  const { Company } = await make(tenant, ["Company"]);
  for (const { data } of await Promise.all(followers)) assert.equal(data[0]?.resource_id, Company);
});

test("who waits while the key is revoked, or the tenant suspended, is refused as who comes then", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  const { id, token } = await tenant.createKey();
  const waiting = [
    tenant.get("/api/v1/changes?wait=30", { token }),
    tenant.get("/api/v1/changes?wait=30&types=company", { token }),
    other.get("/api/v1/changes?wait=30"),
  ];
  await untilWaiting(server, tenant, 2);
  await untilWaiting(server, other, 1);
  await revokeApiKey(tenant.id, server.deps.database, String(id), "command");
  await setSuspended(server.deps.database, other.slug, true);
  const answers = await Promise.all(waiting);
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers.get("x-error-code")]),
    [
      [403, "key_inactive"],
      [403, "key_inactive"],
      [403, "tenant_suspended"],
    ],
  );
});

test("fifty followers at one position share the reads, also when they return one after the other", async () => {
  const tenant = await server.createTenant();
  const { next } = await readOn(tenant);
  const [followers, changes] = [50, 20];
  let heard = 0;
  const before = statementsSent("read_feed");
  const all = Array.from({ length: followers }, async () => {
    for (let [after, count] = [next, 0]; count < changes;) {
      const told = await page(tenant, { after, wait: "30" });
      after = told.next;
      count += told.data.length;
      heard += told.data.length;
    }
  });
  for (let change = 0; change < changes; change++) {
    await poll(`${change} heard by all`, () => heard === followers * change);
    await make(tenant, ["Company"]);
  }
  await Promise.all(all);
  const read = statementsSent("read_feed") - before;
  assert.ok(read < (followers * changes) / 10, `${read} pages were read for ${followers * changes} answers`);
});

test("a follower without a place to wait is answered at once, and one that hangs up releases its place", async () => {
  const tenant = await server.createTenant();
  const hangUp = new AbortController();
  const url = `${server.url}/api/v1/changes?wait=30`;
  const headers = { authorization: `Bearer ${tenant.token}` };
  const gone = fetch(url, { headers, signal: hangUp.signal }).catch(() => null);
  await untilWaiting(server, tenant, 1);
  const { followers } = server.deps.sharing.places;
  assert.ok(followers.tryAcquire(tenant.id, MOST - 1));
  assert.deepEqual((await page(tenant, { wait: "30" })).data, []);
  hangUp.abort();
  await gone;
  await poll("the place of who has hung up", () => followers.tryAcquire(tenant.id));
  followers.release(tenant.id, MOST);
});

test("when the server stops those who wait are answered at once, and their cursors go on elsewhere", async () => {
  const stopping = await startServer();
  const tenant = await stopping.createTenant();
  await make(tenant, ["Company"]);
  const { next } = await readOn(tenant);
  const waiting = page(tenant, { after: next, wait: "30" });
  await untilWaiting(stopping, tenant, 1);
  const closed = stopping.server.close();
  const last = await waiting;
  stopping.server.server.closeIdleConnections();
  await closed;
  assert.deepEqual([last.data, last.more], [[], false]);
});

test("what one process writes is heard in another, and its cursors hold there", async () => {
  const shared = await startImportServer();
  const environment = { ...shared.environment, LIAISON_WORKER: "off" };
  const [one, other] = await Promise.all([serve(environment), serve(environment)]);
  const tenant = await shared.createTenant();
  const ask = async (url: string, path: string, init: RequestInit = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      ...init,
      headers: { authorization: `Bearer ${tenant.token}` },
    });
    return (await response.json()) as { data: { resource_id: number }[]; next: string };
  };
  const { next } = await ask(one.url, "/changes");
  for (const [reader, writer] of [
    [one, other],
    [other, one],
  ] as const) {
    const waiting = ask(reader.url, `/changes?wait=30&after=${next}`);
    await ask(writer.url, "/companies", { method: "POST", body: JSON.stringify({ name: "A" }) });
    assert.ok((await waiting).data.length > 0);
  }
});

/** Resolves when this number of a tenant's requests wait. */
async function untilWaiting({ deps }: TestServer, tenant: TestTenant, count: number): Promise<void> {
  const { followers } = deps.sharing.places;
  const beyond = MOST + 1 - count;
  await poll(`${count} that wait`, () => {
    if (!followers.tryAcquire(tenant.id, beyond)) return true;
    followers.release(tenant.id, beyond);
    return false;
  });
}
