import assert from "node:assert/strict";
import { after, mock, test } from "node:test";
import pg from "pg";
import { attemptJob } from "../../../src/kit/jobs/attempt-job.ts";
import { finishing, holding } from "../../../src/kit/jobs/job-queries.ts";
import { saveConnection } from "../../../src/orders/wms/connection/connection-queries.ts";
import { warehouseStatus } from "../../../src/orders/wms/sending/warehouse-status.ts";
import { jobKinds } from "../../../src/worker.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { importText } from "../../exchange/imports/import-server.ts";
import { startServer, type TestServer } from "../../harness.ts";
import { queueOf } from "../../kit/jobs/queue.ts";
import { poll } from "../../program.ts";
import { startStubWarehouse, type StubAnswer } from "./stub-warehouse.ts";

/** What an answer makes of an invoice, and when it is tried again, over HTTP and by the database's clock. */
const KIND = "send-invoice";
const RETRY_MS = 60_000;
const MINUTE_MS = 60_000;
const warehouse = await startStubWarehouse();
after(() => warehouse.close());
const server = await startServer({
  LIAISON_WMS_URL: warehouse.template,
  LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.1",
  LIAISON_WMS_SOURCE: "erp.2",
  LIAISON_WMS_SETTLE: "90",
  LIAISON_WMS_RETRY_MS: String(RETRY_MS),
});
const queue = queueOf(server);
const tenant = await server.createTenant();
const subdomain = "north";
const company = String((await tenant.post("/api/v1/companies", { name: "Dacia Tools", tax_id: "RO1" })).body.data.id);
const key = server.deps.keyring.encrypt(tenant.id, "companies.wms_api_key", "key-of-warehouse");
await server.sql("update companies set wms_subdomain = $2, wms_api_key = $3 where id = $1", [company, subdomain, key]);
let numbers = 0;

const orderTo = (id: number) => ({
  order_id: 1_000 + id,
  order_number: `WO-${id}`,
  status: "new",
  external_source: `erp.2/${tenant.slug}`,
  external_order_id: String(id),
});

const failure = { status: 503, body: {} };
const refusal = (seconds: string) => ({ status: 429, headers: { "retry-after": seconds } });

type Case = {
  name: string;
  answer: StubAnswer;
  /** The attempts before this one that counted. */
  tries?: number;
  /** The dice of the delay; what falls is just below 1 unless told. */
  dice?: number;
  state: string;
  /** Null: it does not come again. */
  afterMs: number | null;
  /** The attempts that have counted since. */
  counted?: number;
  error: string | null;
};

const asksToWait = "The warehouse asked us to retry later.";
const gaveUp = "Given up after 20 attempts.";
const cases: Case[] = [
  ...[
    [0, 1],
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 15],
    [18, 15],
  ].map(([tries = 0, minutes = 0]) => ({
    name: `a failure after ${tries} others`,
    answer: { status: 404, body: {} },
    tries,
    state: "queued",
    afterMs: minutes * MINUTE_MS,
    counted: tries + 1,
    error: "The warehouse's address takes no orders (404).",
  })),
  {
    name: "a failure at whose delay the dice fall to 0",
    answer: { status: 404, body: {} },
    tries: 10,
    dice: 0,
    state: "queued",
    afterMs: 0,
    counted: 11,
    error: "The warehouse's address takes no orders (404).",
  },
  {
    name: "the twentieth failure",
    answer: { status: 404, body: {} },
    tries: 19,
    state: "failed",
    afterMs: null,
    error: `${gaveUp} The warehouse's address takes no orders (404).`,
  },
  { name: "an unknown outcome", answer: failure, state: "unknown", afterMs: MINUTE_MS, counted: 1, error: null },
  {
    name: "the twentieth unknown outcome",
    answer: failure,
    tries: 19,
    state: "failed",
    afterMs: null,
    error: `${gaveUp} Nobody knows whether the last attempt reached the warehouse; its order is looked up first.`,
  },
  {
    name: "Retry-After in seconds",
    answer: refusal("420"),
    tries: 5,
    state: "queued",
    afterMs: 7 * MINUTE_MS,
    counted: 5,
    error: asksToWait,
  },
  {
    name: "403 with Retry-After",
    answer: { status: 403, headers: { "retry-after": "420" } },
    state: "queued",
    afterMs: 7 * MINUTE_MS,
    counted: 0,
    error: asksToWait,
  },
  {
    name: "a Retry-After of more than an hour",
    answer: refusal("86400"),
    state: "queued",
    afterMs: 60 * MINUTE_MS,
    counted: 0,
    error: asksToWait,
  },
  {
    name: "Retry-After at the twentieth attempt, which does not count",
    answer: refusal("420"),
    tries: 19,
    state: "queued",
    afterMs: 7 * MINUTE_MS,
    counted: 19,
    error: asksToWait,
  },
  {
    name: "a Retry-After of nothing, which would be a call without a pause",
    answer: refusal("0"),
    state: "queued",
    afterMs: RETRY_MS,
    counted: 0,
    error: asksToWait,
  },
  {
    name: "429 without Retry-After",
    answer: { status: 429 },
    tries: 1,
    state: "queued",
    afterMs: 2 * MINUTE_MS,
    counted: 2,
    error: asksToWait,
  },
  {
    name: "the twentieth 429 without Retry-After",
    answer: { status: 429 },
    tries: 19,
    state: "failed",
    afterMs: null,
    error: `${gaveUp} ${asksToWait}`,
  },
  ...[401, 403].map((status) => ({
    name: `${status}`,
    answer: { status, body: {} },
    state: "failed",
    afterMs: null,
    error: "The warehouse refused the credentials.",
  })),
  {
    name: "422",
    answer: { status: 422, body: { error: "No such client." } },
    state: "failed",
    afterMs: null,
    error: "No such client.",
  },
];

for (const { name, answer, tries = 0, dice = 1 - Number.EPSILON, state, afterMs, counted, error } of cases) {
  test(`${name}: ${state}${afterMs === null ? "" : `, again after ${afterMs / MINUTE_MS} minutes at most`}`, async () => {
    const id = await queuedInvoice();
    // The company was connected with another warehouse while the job ran.
    await server.sql("update jobs set tries = $2, lane = 'wms/before' where subject = $1", [id, tries]);
    warehouse.answerWith(answer);
    mock.method(Math, "random", () => dice);
    const { from, to } = await attempt(id).finally(() => mock.restoreAll());
    const wms = await wmsOf(id);
    assert.deepEqual([wms.state, wms.error, wms.order_id], [state, error, null]);
    const job = await jobOf(id);
    if (afterMs === null) return assert.equal(job, null);
    assert.deepEqual([job?.tries, job?.lane], [counted, `wms/${subdomain}`]);
    within(job?.runAt, [from + afterMs, to + afterMs]);
    // Where it is certain that nothing was executed the order is not looked up.
    assert.deepEqual(await nextCalls(id), state === "unknown" ? ["GET"] : ["POST"]);
  });
}

test("a key that is saved while the one before it is being refused is tried", async () => {
  const id = await queuedInvoice();
  warehouse.answerWith(async () => {
    const stored = { subdomain, instance: null, sendsAutomatically: false, by: "worker" };
    assert.ok(await saveConnection(tenant.id, server.deps.database, company, { ...stored, key }));
    return { status: 401, body: {} };
  });
  await attempt(id);
  assert.deepEqual([(await wmsOf(id)).state, (await wmsOf(id)).error], ["queued", null]);
  // Others that were refused before are queued again too.
  await server.sql("delete from jobs where tenant_id = $1 and subject <> $2", [tenant.id, id]);
  assert.deepEqual(await nextCalls(id), ["POST"]);
  assert.equal((await wmsOf(id)).state, "sent");
});

test("a look-up that finds nothing counts once LIAISON_WMS_SETTLE seconds have passed since the attempt ended", async () => {
  const id = await queuedInvoice();
  warehouse.answerWith(failure);
  const { from, to } = await attempt(id);
  warehouse.answerWith(({ method }) => (method === "GET" ? { status: 200, body: { data: [] } } : failure));
  await attempt(id);
  const { tries, runAt } = (await jobOf(id)) ?? {};
  assert.equal(tries, 1, "a look-up that has to wait is no attempt");
  // The database counts the age of the attempt in microseconds, and the job's time is some statements later.
  within(runAt, [from + 90_000, to + 91_000]);
  assert.equal(posts(id), 1);

  const open = "update invoices set wms_open_since = wms_open_since - $2 * interval '1 second' where id = $1";
  await server.sql(open, [id, 80]);
  await attempt(id);
  assert.equal(posts(id), 1, "ten seconds too early");
  await server.sql(open, [id, 11]);
  warehouse.answerWith(({ method }) =>
    method === "GET" ? { status: 200, body: { data: [] } } : { status: 201, body: { data: orderTo(id) } },
  );
  const sent = await attempt(id);
  const wms = await wmsOf(id);
  assert.deepEqual([wms.state, wms.order_id, posts(id)], ["sent", 1_000 + id, 2]);
  within(Date.parse(wms.synced_at), [Math.floor(sent.from), sent.to]);
});

test("an order of the installation's own source is sent and found by it", async () => {
  const id = await queuedInvoice();
  warehouse.answerWith(failure);
  await attempt(id);
  warehouse.answerWith(({ method }) => (method === "GET" ? { status: 200, body: { data: [orderTo(id)] } } : failure));
  await attempt(id);
  assert.deepEqual((await wmsOf(id)).state, "sent");
  const [post, look] = warehouse.heard.slice(-2);
  const source = `erp.2/${tenant.slug}`;
  assert.equal(post?.headers["idempotency-key"], `${source}/${id}`);
  assert.equal(JSON.parse(post?.body ?? "").external_source, source);
  assert.equal(look?.url, `/api/v1/orders?external_source=${encodeURIComponent(source)}&external_order_id=${id}`);
});

test("an open attempt is looked up under the source that it was made under, and another's order there is none of ours", async () => {
  const { config } = server.deps;
  const renamed = { ...server.deps, config: { ...config, wms: { ...config.wms, source: "erp.3" } } };
  for (const reference of [null, "ANOTHER"]) {
    const id = await queuedInvoice();
    warehouse.answerWith(failure);
    await attempt(id);
    const before = warehouse.heard.length;
    const own = { ...orderTo(id), external_source: `erp.3/${tenant.slug}` };
    warehouse.answerWith(({ method }) =>
      method === "GET"
        ? { status: 200, body: { data: [{ ...orderTo(id), invoice_reference: reference }] } }
        : { status: 201, body: { data: own } },
    );
    await attempt(id, renamed);
    assert.equal((await wmsOf(id)).state, "sent");
    const [look, ...posted] = warehouse.heard.slice(before);
    assert.match(String(look?.url), /external_source=erp\.2%2F/);
    assert.deepEqual(
      posted.map(({ headers }) => headers["idempotency-key"]),
      reference === null ? [] : [`erp.3/${tenant.slug}/${id}`],
    );
  }
});

test("a clock of the database that is set back has the settling begin anew", async () => {
  const id = await queuedInvoice();
  warehouse.answerWith(failure);
  await attempt(id);
  await server.sql("update invoices set wms_open_since = now() + interval '1 day' where id = $1", [id]);
  warehouse.answerWith(({ method }) => (method === "GET" ? { status: 200, body: { data: [] } } : failure));
  const { from, to } = await attempt(id);
  within((await jobOf(id))?.runAt, [from + 90_000, to + 91_000]);
  const [row] = await server.sql("select wms_open_since <= now() as is_past from invoices where id = $1", [id]);
  assert.deepEqual([row?.is_past, posts(id)], [true, 1]);
});

test("a worker that is late begins no attempt after another has the job, which would be left without one", async () => {
  const id = await queuedInvoice();
  warehouse.answerWith({ status: 201, body: { data: orderTo(id) } });
  const lock = new pg.Client(server.connection);
  await lock.connect();
  await lock.query("begin");
  await lock.query("select from invoices where id = $1 for update", [id]);
  const waiting = async (count: number) =>
    await poll("the statements that wait for the invoice", async () => {
      const rows = await server.sql(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length === count;
    });
  const late = attempt(id);
  await waiting(1);
  await server.sql("update jobs set lease_until = now() - interval '1 second' where subject = $1", [id]);
  await server.sql("update companies set wms_subdomain = null, wms_api_key = null where id = $1", [company]);
  const next = attempt(id);
  await waiting(2);
  await lock.query("commit");
  await lock.end();
  await Promise.all([late, next]);
  await server.sql("update companies set wms_subdomain = $2, wms_api_key = $3 where id = $1", [
    company,
    subdomain,
    key,
  ]);
  assert.deepEqual([(await wmsOf(id)).state, await jobOf(id), posts(id)], ["failed", null, 0]);
});

test("five failures close a warehouse for half a minute; refusals and throttling are answers, and open it", async () => {
  const lane = async () => {
    await queue.claim({ limits: {} });
    const [row] = await server.sql(
      "select failures, extract(epoch from closed_until) * 1000 as closed from lanes where tenant_id = $1 and name = $2",
      [tenant.id, `wms/${subdomain}`],
    );
    return { failures: Number(row?.failures), closed: row?.closed == null ? null : Number(row.closed) };
  };
  await queue.empty(tenant);
  const answers = [401, 403, 404, 422, 429].map((status) => ({ status, body: {} }));
  for (const answer of [failure, failure, failure, failure, ...answers]) {
    warehouse.answerWith(answer);
    await attempt(await queuedInvoice());
    if (answer !== failure) assert.deepEqual(await lane(), { failures: 0, closed: null }, String(answer.status));
  }
  warehouse.answerWith(failure);
  for (let n = 0; n < 4; n++) await attempt(await queuedInvoice());
  assert.deepEqual(await lane(), { failures: 4, closed: null });
  await attempt(await queuedInvoice());
  const from = await databaseMs();
  const { failures, closed } = await lane();
  assert.equal(failures, 5);
  within(closed, [from + 30_000, (await databaseMs()) + 30_000]);
  const { lanes } = await warehouseStatus(server.deps, tenant.id);
  assert.deepEqual(
    lanes.map(({ instance, running, waiting }) => ({ instance, running, waiting })),
    [{ instance: `${subdomain}.localhost`, running: 0, waiting: 1 }],
  );
  within(Date.parse(lanes[0]?.closedUntil ?? ""), [Math.floor(closed ?? 0), closed ?? 0]);
});

test("without its network a warehouse at a private address is not called", async () => {
  const walled = await startServer({ LIAISON_WMS_URL: warehouse.template });
  const id = await queuedInvoice();
  const before = warehouse.heard.length;
  await attempt(id, { ...server.deps, warehouse: walled.deps.warehouse });
  assert.equal((await wmsOf(id)).error, "The warehouse cannot be reached (address).");
  assert.equal(warehouse.heard.length, before);
  assert.deepEqual(await nextCalls(id), ["POST"]);
});

async function queuedInvoice(): Promise<number> {
  await server.sql("delete from jobs where tenant_id = $1", [tenant.id]);
  const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `INV-${++numbers}` });
  const { status, text } = await tenant.post(`/api/v1/invoices/${body.data.id}/wms-order`);
  assert.equal(status, 202, text);
  return body.data.id;
}

/** One attempt at the job of an invoice or a company; when it began and ended by the database's clock, in ms. */
async function attempt(
  id: number,
  deps: TestServer["deps"] = server.deps,
  kind = KIND,
): Promise<{ from: number; to: number }> {
  await queue.hasten(tenant, id, kind);
  // A claim folds in what the attempts before have told.
  await queue.claim({ limits: {} });
  await server.sql("update lanes set closed_until = null");
  const [claimed, ...others] = await queue.claim({ limits: { [kind]: 1 } });
  assert.ok(claimed !== undefined && others.length === 0 && claimed.subject === String(id));
  const from = await databaseMs();
  await attemptJob(deps, jobKinds, {
    ...claimed,
    signal: new AbortController().signal,
    stop: new AbortController().signal,
    leasedUntil: () => Infinity,
    hold: holding.bind(null, claimed),
    finish: finishing.bind(null, claimed),
  });
  return { from, to: await databaseMs() };
}

/** The calls of the next attempt, which the warehouse answers with the order. */
async function nextCalls(id: number): Promise<string[]> {
  const before = warehouse.heard.length;
  warehouse.answerWith(({ method }) =>
    method === "GET" ? { status: 200, body: { data: [orderTo(id)] } } : { status: 201, body: { data: orderTo(id) } },
  );
  await attempt(id);
  assert.equal((await wmsOf(id)).state, "sent");
  return warehouse.heard.slice(before).map(({ method }) => method);
}

async function databaseMs(): Promise<number> {
  const [row] = await server.sql("select extract(epoch from clock_timestamp()) * 1000 as ms");
  return Number(row?.ms);
}

async function jobOf(id: number): Promise<{ tries: number; lane: unknown; runAt: number } | null> {
  const [row] = await server.sql(
    "select tries, lane, extract(epoch from run_at) * 1000 as run_at from jobs where tenant_id = $1 and kind = $2 and subject = $3",
    [tenant.id, KIND, id],
  );
  return row === undefined ? null : { tries: Number(row.tries), lane: row.lane, runAt: Number(row.run_at) };
}

const wmsOf = async (id: number) => (await tenant.get(`/api/v1/invoices/${id}`)).body.data.wms;
const posts = (id: number) =>
  warehouse.heard.filter(({ method, body }) => method === "POST" && body.includes(`"external_order_id":"${id}"`))
    .length;

function within(value: number | null | undefined, [from, to]: [number, number]): void {
  // A millisecond for what is rounded on the way.
  assert.ok(value != null && value >= from - 1 && value <= to + 1, `${value} is not from ${from} to ${to}`);
}

test("an answer about an order says nothing of its invoice if that is meanwhile sent again", async () => {
  const id = await queuedInvoice();
  assert.deepEqual(await nextCalls(id), ["POST"]);
  const member = await signedIn(server, tenant);
  const gone: StubAnswer = { status: 200, body: { data: [] } };
  const follow = async () => {
    await server.sql("update invoices set wms_poll_at = now() where id = $1", [id]);
    await attempt(Number(company), server.deps, "follow-orders");
  };
  warehouse.answerWith(gone);
  await follow();
  assert.equal((await wmsOf(id)).error, "The warehouse no longer has this order.");
  warehouse.answerWith(async () => {
    await member.post(`/invoices/${id}/send-again`);
    return gone;
  });
  await follow();
  const { state, order_id, error } = await wmsOf(id);
  assert.deepEqual([state, order_id, error], ["queued", null, null]);
});

for (const [what, named, answer, order] of [
  ["another order", "7,", (id: number) => ({ status: 201, body: { data: orderTo(id) } }), (id: number) => 1_000 + id],
  ["the same order", null, (id: number) => ({ status: 201, body: { data: orderTo(id) } }), (id: number) => 1_000 + id],
  ["an order, and the warehouse refuses the invoice", "8,", () => ({ status: 422, body: { error: "No." } }), () => 8],
] as const) {
  test(`a file names ${what} while the attempt is under way: the order of the attempt counts, if there is one`, async () => {
    const id = await queuedInvoice();
    warehouse.answerWith(async () => {
      const cells = named ?? `${1_000 + id},${subdomain}.localhost`;
      await importText(server, tenant, "invoices", `number,wms_order_id,wms_instance\nINV-${numbers},${cells}\n`);
      return answer(id);
    });
    await attempt(id);
    const { state, order_id, error } = await wmsOf(id);
    assert.deepEqual([state, order_id, error, posts(id)], ["sent", order(id), null, 1]);
    const [row] = await server.sql("select wms_owns_order as owns, wms_poll_at from invoices where id = $1", [id]);
    const isOurs = order(id) === 1_000 + id;
    assert.deepEqual([row?.owns, row?.wms_poll_at !== null, await jobOf(id)], [isOurs, isOurs, null]);
  });
}

test("after a loss an order that only has the invoice's number gives way to one that a file names meanwhile", async () => {
  const id = await queuedInvoice();
  await server.sql("update tenants set orders_lost_at = now() - interval '1 hour' where id = $1", [tenant.id]);
  let isSearched = false;
  warehouse.answerWith(async ({ url }) => {
    if (!url.includes("invoice_reference")) return { status: 200, body: { data: [] } };
    isSearched = true;
    const csv = `number,wms_order_id,wms_instance\nINV-${numbers},7,${subdomain}.localhost\n`;
    await importText(server, tenant, "invoices", csv);
    const found = { ...orderTo(id), external_order_id: null, invoice_reference: `INV-${numbers}` };
    return { status: 200, body: { data: [found] } };
  });
  await attempt(id);
  await server.sql("update tenants set orders_lost_at = null where id = $1", [tenant.id]);
  const { state, order_id, error } = await wmsOf(id);
  assert.deepEqual([isSearched, state, order_id, error, posts(id)], [true, "sent", 7, null, 0]);
});

test("an invoice that is cancelled while its order is looked up gets none", async () => {
  const id = await queuedInvoice();
  warehouse.answerWith(failure);
  await attempt(id);
  await server.sql("update invoices set wms_open_since = now() - interval '1 hour' where id = $1", [id]);
  warehouse.answerWith(async ({ method }) => {
    if (method === "POST") return { status: 201, body: { data: orderTo(id) } };
    await tenant.put(`/api/v1/invoices/${id}`, { status: "cancelled" });
    return { status: 200, body: { data: [] } };
  });
  await attempt(id);
  assert.deepEqual([(await wmsOf(id)).state, posts(id)], ["unknown", 1]);
  await attempt(id);
  assert.deepEqual([(await wmsOf(id)).state, posts(id), await jobOf(id)], ["not_sent", 1, null]);
});

test("an invoice that is cancelled in the queue leaves it", async () => {
  const id = await queuedInvoice();
  const { body } = await tenant.put(`/api/v1/invoices/${id}`, { status: "cancelled" });
  assert.equal(body.data.wms.state, "not_sent");
  await attempt(id);
  assert.deepEqual([(await wmsOf(id)).state, posts(id), await jobOf(id)], ["not_sent", 0, null]);
});

test("an invoice that is cancelled while the warehouse refuses it is not sent, and not refused", async () => {
  const id = await queuedInvoice();
  warehouse.answerWith(async () => {
    await tenant.put(`/api/v1/invoices/${id}`, { status: "cancelled" });
    return { status: 422, body: { error: "No such client." } };
  });
  await attempt(id);
  const { state, error } = await wmsOf(id);
  assert.deepEqual([state, error, await jobOf(id)], ["not_sent", null, null]);
});

test("an invoice that is reopened while its order is looked up keeps the order", async () => {
  const id = await queuedInvoice();
  await nextCalls(id);
  const at = `/api/v1/invoices/${id}`;
  await tenant.put(at, { status: "cancelled" });
  assert.equal((await tenant.post(`${at}/wms-order/cancel`)).status, 202);
  const before = warehouse.heard.length;
  warehouse.answerWith(async () => {
    await tenant.put(at, { status: "issued" });
    return { status: 200, body: { data: orderTo(id) } };
  });
  await attempt(id, server.deps, "cancel-order");
  assert.deepEqual(
    warehouse.heard.slice(before).map(({ method }) => method),
    ["GET"],
  );
  assert.equal((await wmsOf(id)).status, "new");
});

const outcomes: { name: string; answer: StubAnswer; state: string; isCancelled?: boolean }[] = [
  { name: "an answer that is lost", answer: failure, state: "unknown" },
  { name: "an answer after which it is tried again", answer: { status: 404, body: {} }, state: "queued" },
  { name: "a refusal", answer: { status: 422, body: { error: "No such client." } }, state: "failed" },
  {
    name: "a look-up that finds nothing of a cancelled one",
    answer: { status: 200, body: { data: [] } },
    state: "not_sent",
    isCancelled: true,
  },
];
for (const { name, answer, state, isCancelled = false } of outcomes) {
  test(`${name} changes one invoice, and none of those whose attempt has the same number`, async () => {
    const [other, own] = [await queuedInvoice(), await queuedInvoice()];
    const sending = "update invoices set wms_state = 'sending', wms_attempt = 1 where id = $1";
    const open = "status = 'cancelled', wms_state = 'unknown', wms_open_since = now() - interval '1 hour'";
    if (isCancelled) await server.sql(`update invoices set ${open} where id = $1`, [own]);
    else await server.sql(sending, [other]);
    const before = await wmsOf(other);
    warehouse.answerWith(answer);
    await attempt(own);
    const [row] = await server.sql("select wms_attempt::int as attempt from invoices where id = $1", [own]);
    assert.deepEqual([row?.attempt, (await wmsOf(own)).state], [isCancelled ? 0 : 1, state]);
    assert.deepEqual(await wmsOf(other), before);
  });
}
