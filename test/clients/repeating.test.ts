import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import {
  createClient,
  NoAnswerError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  type Company,
  type LiaisonClient,
} from "../../clients/typescript/src/index.ts";
import { startServer, type TestTenant } from "../harness.ts";
import { poll } from "../program.ts";
import { startProxy, type Proxy } from "./proxy.ts";

/** The TypeScript client repeats what was not answered, and nothing is done twice. */
const server = await startServer();

type Setup = { tenant: TestTenant; proxy: Proxy; client: LiaisonClient; rows: () => Promise<number> };

async function setup(options: { tries?: number } = {}): Promise<Setup> {
  const tenant = await server.createTenant();
  const proxy = await startProxy(server.url);
  const client = createClient({ url: proxy.url, token: tenant.token, ...options });
  const rows = async () => (await tenant.get("/api/v1/companies")).body.total as number;
  return { tenant, proxy, client, rows };
}

for (const fate of ["lost", "half"] as const) {
  test(`a write of which the answer is ${fate} is one row`, async () => {
    const { tenant, proxy, client, rows } = await setup();
    proxy.next(fate, fate);
    const company = await client.companies.create({ name: "Once" });
    assert.equal(await rows(), 1);
    assert.deepEqual(company, (await tenant.get("/api/v1/companies")).body.data[0]);
    const [first, ...again] = proxy.requests;
    assert.deepEqual(again, [first, first], "the same request with the same key, done by the server each time");
    assert.equal(proxy.requests[0]?.status, 201);
  });
}

test("a change, a deletion and a batch whose answers are lost are repeated", async () => {
  const { proxy, client, rows } = await setup();
  proxy.next("lost");
  const { results } = await client.companies.batch([{ name: "A" }, { name: "B", tax_id: "RO1" }]);
  assert.equal(await rows(), 2);
  const [id = 0, other = 0] = results.map((result) => result.id ?? 0);
  proxy.next("lost");
  assert.equal((await client.companies.update(id, { city: "Dej" })).city, "Dej");
  proxy.next("lost");
  // Without its key the second would be 404.
  await client.companies.delete(other);
  assert.equal(await rows(), 1);
});

test("two calls that are alike are two rows, but for those that the caller gives one key", async () => {
  const { client, rows } = await setup();
  const create = async (idempotencyKey?: string): Promise<Company> =>
    await client.companies.create({ name: "Alike" }, idempotencyKey === undefined ? {} : { idempotencyKey });
  await create();
  await create();
  const [first, second] = [await create("order-1"), await create("order-1")];
  assert.equal(first.id, second.id);
  assert.equal(await rows(), 3);
});

test("a read without a usable answer is repeated", async () => {
  const { proxy, client } = await setup();
  const { id } = await client.companies.create({ name: "Read" });
  proxy.next("lost", "half", { status: 502, body: "<html>" });
  assert.equal((await client.companies.get(id)).name, "Read");
});

test("a call goes on behind 503 and 429, and not before Retry-After", async () => {
  const { proxy, client, rows } = await setup();
  proxy.next({ status: 503 }, { status: 429, headers: { "retry-after": "1" } });
  const began = performance.now();
  await client.companies.create({ name: "Late" });
  assert.ok(performance.now() - began >= 1_250);
  assert.equal(await rows(), 1);
});

test("a call waits for an earlier one with its key, however long that takes", async () => {
  const { tenant, proxy, client, rows } = await setup();
  const options = { idempotencyKey: "order-2" };
  const holder = new pg.Client(server.connection);
  await holder.connect();
  await holder.query("begin");
  await holder.query("lock table companies in exclusive mode");
  const direct = createClient({ url: server.url, token: tenant.token });
  const earlier = direct.companies.create({ name: "Held" }, options);
  await server.untilWaiting(1);
  const later = client.companies.create({ name: "Held" }, options);
  await poll("the 409", () => proxy.requests.some(({ status }) => status === 409));
  await holder.query("rollback");
  await holder.end();
  assert.equal((await later).id, (await earlier).id);
  assert.equal(await rows(), 1);
});

test("a call that is refused is not repeated", async () => {
  const { proxy, client } = await setup();
  await assert.rejects(client.companies.get(999), NotFoundError);
  await assert.rejects(client.companies.create({ name: "" }), { status: 422 });
  proxy.next({ status: 500 });
  await assert.rejects(client.companies.create({ name: "A" }), ServerError);
  assert.equal(proxy.requests.length, 3);
});

test("a call that was never answered is found out about by its key", async () => {
  const { proxy, client, rows } = await setup({ tries: 2 });
  proxy.next("lost", "lost");
  const failed = await client.companies.create({ name: "Unknown" }).catch((error: unknown) => error);
  assert.ok(failed instanceof NoAnswerError && failed.idempotencyKey !== null);
  assert.equal(proxy.requests.length, 2);
  await client.companies.create({ name: "Unknown" }, { idempotencyKey: failed.idempotencyKey });
  assert.equal(await rows(), 1);
});

test("a requested pause of an hour is reported to the caller", async () => {
  const { proxy, client } = await setup();
  proxy.next({ status: 429, headers: { "retry-after": "3600", "x-error-code": "rate_limited" } });
  await assert.rejects(client.companies.create({ name: "A" }), (error) => {
    assert.ok(error instanceof RateLimitedError);
    assert.equal(error.retryAfter, 3_600);
    return true;
  });
});

test("a signal ends a call in its pause", { timeout: 30_000 }, async () => {
  const { proxy, client, rows } = await setup();
  proxy.next({ status: 503, headers: { "retry-after": "60" } });
  const reason = new Error("enough");
  const ending = new AbortController();
  const call = client.companies.create({ name: "A" }, { signal: ending.signal });
  await poll("the first try", () => proxy.requests.length === 1);
  ending.abort(reason);
  await assert.rejects(call, reason);
  assert.equal(await rows(), 0);
});

test("a redirect is not followed, which would take the token along", async () => {
  const { proxy, client } = await setup();
  const elsewhere = await startProxy(server.url);
  proxy.next({ status: 307, headers: { location: `${elsewhere.url}/api/v1/companies` } });
  await assert.rejects(client.companies.create({ name: "A" }), { status: 307 });
  assert.equal(elsewhere.requests.length, 0);
});

test("a token that no header can have is not in the complaint about it", () => {
  assert.throws(
    () => createClient({ url: server.url, token: "secret\n" }),
    (error) => error instanceof TypeError && !error.message.includes("secret"),
  );
});
