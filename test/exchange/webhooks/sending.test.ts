import assert from "node:assert/strict";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { after, mock, test } from "node:test";
import { followNews } from "../../../src/exchange/webhooks/sending/follow-news.ts";
import { readDue } from "../../../src/exchange/webhooks/sending/sending-queries.ts";
import { asTenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { statementsSent } from "../../statements-sent.ts";
import { startReceiver, verified, type Heard } from "./receiver.ts";
import { runsOf } from "./runs.ts";

/** What is sent to webhooks, in which order, and what becomes of it (docs/contract.md 19). */
const server = await startServer({ LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
const runs = runsOf(server);
const [WEBHOOKS, COMPANIES] = ["/api/v1/webhooks", "/api/v1/companies"];
/** The statement that wakes the webhooks of a tenant after its writes. */
const WAKE = "enqueue_webhooks_to_send";
const PAUSES_S = [5, 30, 120, 600, 3_600, 18_000, 43_200, 86_400, 108_000];

/** A tenant of its own with a webhook at a receiver of its own. */
async function situation(fields: object = {}) {
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  const made = await tenant.post(WEBHOOKS, { url: receiver.url, ...fields });
  assert.equal(made.status, 201, made.text);
  const { id, secret } = made.body.data as { id: number; secret: string };
  return { receiver, tenant, id, secret, at: `${WEBHOOKS}/${id}` };
}

const company = async (tenant: TestTenant, name: string) =>
  (await tenant.post(COMPANIES, { name })).body.data.id as number;
const deliveries = async (tenant: TestTenant, at: string) => (await tenant.get(`${at}/deliveries`)).body.data;
const told = ({ body }: Heard) => [body.type, body.data.resource_id, Object.values(body.data.changed).length];

test("with body=full a message has the resource as GET answers it, and null once it is gone", async () => {
  const { receiver, tenant, secret } = await situation({ body: "full" });
  const id = await company(tenant, "Full");
  await tenant.put(`${COMPANIES}/${id}`, { phone: "0722 000 000" });
  const { id: contact } = (await tenant.post(`${COMPANIES}/${id}/contacts`, { first_name: "Ana", last_name: "Pop" }))
    .body.data;
  await tenant.delete(`/api/v1/contacts/${contact}`);
  const [shown] = [(await tenant.get(`${COMPANIES}/${id}`)).body.data];
  await runs.run(tenant);
  const messages = receiver.heard.map((heard) => verified(secret, heard) as Heard["body"]);
  assert.equal(messages.length, 4);
  for (const { data } of messages) {
    assert.deepEqual(data.resource, data.type === "company" ? shown : null, `${data.type} ${data.action}`);
  }
});

test("a webhook receives a merge and its undo, as changes of each resource", async () => {
  const { receiver, tenant, secret } = await situation();
  const [kept, from] = [await company(tenant, "Kept"), await company(tenant, "Other")];
  const path = `${COMPANIES}/${from}`;
  const contact = await tenant.post(`${path}/contacts`, { first_name: "Ana", last_name: "Pop" });
  const address = await tenant.post(`${path}/addresses`, { address: "Strada Mare 1", type: "delivery" });
  const invoice = await tenant.post(`${path}/invoices`, { number: "M-1", total: "1.00", currency: "RON" });
  await tenant.put(path, { phone: "0722 000 000" });
  await runs.run(tenant);
  /** Changes of several resources may come in any order. */
  const news = async () => {
    receiver.heard.length = 0;
    await runs.run(tenant);
    const messages = receiver.heard.map((heard) => verified(secret, heard) as Heard["body"]);
    return messages.map(({ type, data }) => `${type} ${data.resource_id} ${JSON.stringify(data.changed)}`).toSorted();
  };
  const moved = (one: number, other: number) =>
    Object.entries({ address, contact, invoice }).map(([noun, { body }]) => {
      return `${noun}.updated ${body.data.id} {"company_id":{"from":${one},"to":${other}}}`;
    });
  const merged = await tenant.post(`${COMPANIES}/${kept}/merge`, { from });
  const { merge_id: merge } = merged.body.meta;
  const shown = JSON.stringify({ id: from, name: "Other", merge });
  const phone = `company.updated ${kept} {"phone":{"changed":true}}`;
  assert.deepEqual(
    await news(),
    [
      ...moved(from, kept),
      `company.merged ${from} {"into":{"from":null,"to":${kept}}}`,
      `company.updated ${kept} {"merged":{"from":null,"to":${shown}}}`,
      phone,
    ].toSorted(),
  );
  await tenant.post(`/api/v1/merges/${merge}/undo`);
  assert.deepEqual(
    await news(),
    [
      ...moved(kept, from),
      `company.restored ${from} {"into":{"from":${kept},"to":null}}`,
      `company.updated ${kept} {"merged":{"from":${shown},"to":null}}`,
      phone,
    ].toSorted(),
  );
});

test("a webhook with children hears of contacts and addresses that go and return with their company", async () => {
  const types = ["company.deleted", "company.restored", "contact.hidden", "contact.shown"];
  const { receiver, tenant, secret, at } = await situation({ types, children: true });
  const every = await startReceiver();
  await tenant.post(WEBHOOKS, { url: every.url });
  const id = await company(tenant, "With a contact");
  const { id: contact } = (await tenant.post(`${COMPANIES}/${id}/contacts`, { first_name: "Ana", last_name: "Pop" }))
    .body.data;
  await tenant.delete(`${COMPANIES}/${id}`);
  await tenant.post(`${COMPANIES}/${id}/restore`);
  await runs.run(tenant);
  const messages = receiver.heard.map((heard) => verified(secret, heard) as Heard["body"]);
  const of = (type: string) => messages.filter((message) => message.data.type === type);
  assert.deepEqual(
    of("company").map(({ type }) => type),
    ["company.deleted", "company.restored"],
  );
  assert.deepEqual(
    of("contact").map(({ type, data }) => [type, data.action, data.resource_id, data.company_id]),
    [
      ["contact.hidden", "hidden", contact, id],
      ["contact.shown", "shown", contact, id],
    ],
  );
  assert.ok(!every.heard.some(({ body }) => /hidden|shown/.test(String(body.type))), "`*` alone has none");

  assert.equal((await tenant.get(at)).body.data.children, true);
  for (const refused of [
    await tenant.put(at, { children: false }),
    await tenant.post(WEBHOOKS, { url: receiver.url, types }),
  ]) {
    const { status, body } = refused;
    const wrong = Object.fromEntries([2, 3].map((at) => [`types.${at}`, [`The selected types.${at} is invalid.`]]));
    assert.deepEqual([status, body.errors], [422, wrong]);
  }
  const without = await tenant.put(at, { children: false, types: ["*"] });
  assert.deepEqual([without.status, "children" in without.body.data], [200, false]);
});

test("each change is posted once, signed, as the history has it", async () => {
  const { receiver, tenant, secret, at } = await situation();
  const id = await company(tenant, 'Ață \'n "ac" \\ SRL');
  await tenant.put(`${COMPANIES}/${id}`, { city: "Turda", phone: "0722" });
  await tenant.post(`${COMPANIES}/${id}/contacts`, { first_name: "Ana", last_name: "Pop" });
  await tenant.delete(`${COMPANIES}/${id}`);
  await runs.run(tenant);
  assert.deepEqual(receiver.heard.map(({ body }) => String(body.type)).toSorted(), [
    "company.created",
    "company.deleted",
    "company.updated",
    "contact.created",
  ]);
  const history = (await tenant.post(`${COMPANIES}/${id}/restore`)) && (await tenant.get(`${COMPANIES}/${id}/history`));
  const known = new Map(history.body.data.map((change: { id: number }) => [change.id, change]));
  for (const heard of receiver.heard) {
    const { type, timestamp, data } = verified(secret, heard) as Heard["body"];
    assert.deepEqual(Object.keys(heard.body), ["type", "timestamp", "data"]);
    assert.equal(type, `${data.type}.${data.action}`);
    assert.equal(timestamp, data.at);
    assert.equal(heard.headers["webhook-id"], String(data.id));
    assert.equal(heard.headers["content-type"], "application/json");
    if (data.type === "company") assert.deepEqual(data, known.get(data.id));
  }
  const before = receiver.heard.length;
  for (const delivery of await deliveries(tenant, at)) {
    assert.deepEqual(
      [delivery.attempts, delivery.last_status, delivery.last_error, delivery.next_at],
      [1, 204, null, null],
    );
  }
  await runs.run(tenant);
  assert.equal(receiver.heard.length, before + 1, "the restoration");
});

test("a webhook receives the chosen events from its creation on", async () => {
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  const id = await company(tenant, "before");
  const types = ["company.updated", "contact.created"];
  await tenant.post(WEBHOOKS, { url: receiver.url, types });
  await company(tenant, "another");
  await tenant.put(`${COMPANIES}/${id}`, { city: "Turda" });
  const contact = { first_name: "Ana", last_name: "Pop" };
  const made = await tenant.post(`${COMPANIES}/${id}/contacts`, contact);
  await tenant.delete(`/api/v1/contacts/${made.body.data.id}`);
  await runs.run(tenant);
  assert.deepEqual(
    new Set(receiver.heard.map(told)),
    new Set([
      ["company.updated", id, 1],
      ["contact.created", made.body.data.id, 5],
    ]),
  );
});

test("the changes of a resource come in their order, and one that fails keeps back those behind it, and no other's", async () => {
  const { receiver, tenant, at } = await situation();
  const [one, another] = [await company(tenant, "one"), await company(tenant, "another")];
  for (const city of ["A", "B", "C"]) {
    await tenant.put(`${COMPANIES}/${one}`, { city });
    await tenant.put(`${COMPANIES}/${another}`, { city });
  }
  receiver.answers(({ body }, response) => response.writeHead(body.data.resource_id === one ? 500 : 200).end());
  await runs.run(tenant);
  const of = (id: number) => receiver.heard.filter(({ body }) => body.data.resource_id === id);
  const cities = (all: Heard[]) => all.map(({ body }) => body.data.changed.city?.to ?? null);
  assert.deepEqual([cities(of(one)), cities(of(another))], [[null], [null, "A", "B", "C"]]);
  const listed = await deliveries(tenant, at);
  const waiting = listed.find(({ attempts }: { attempts: number }) => attempts === 0);
  const failed = listed.find(({ last_status: status }: { last_status: number }) => status === 500);
  assert.equal(waiting.next_at, failed.next_at, "it is tried when the one before it is");
  receiver.answers(200);
  await runs.run(tenant);
  assert.equal(of(one).length, 1, "its pause is not over");
  await runs.runAfterPauses(tenant);
  assert.deepEqual(cities(of(one)), [null, null, "A", "B", "C"]);
  assert.equal(of(one)[0]?.headers["webhook-id"], of(one)[1]?.headers["webhook-id"]);
});

test("a delivery has ten tries in three days, each pause up to a fifth longer; then the next of the resource has its turn", async () => {
  const { receiver, tenant, at } = await situation();
  const id = await company(tenant, "A");
  await tenant.put(`${COMPANIES}/${id}`, { city: "Turda" });
  receiver.answers(503);
  for (const [index, pause] of PAUSES_S.entries()) {
    mock.method(Math, "random", () => (index % 2 === 0 ? 0 : 1 - Number.EPSILON));
    await runs.runAfterPauses(tenant).finally(() => mock.restoreAll());
    const [{ seconds, attempts, last_error: error }] = (await server.sql(
      `select extract(epoch from next_at - now()) as seconds, attempts, last_error from webhook_deliveries
      where tenant_id = $1 and next_at is not null`,
      [tenant.id],
    )) as [Record<string, unknown>];
    const expected = pause * (index % 2 === 0 ? 1 : 1.2);
    assert.ok(Number(seconds) <= expected && Number(seconds) > expected - 5, `${String(seconds)} for ${expected}`);
    assert.deepEqual([attempts, error], [index + 1, "status"]);
  }
  await runs.runAfterPauses(tenant);
  const [updated, created] = await deliveries(tenant, at);
  assert.deepEqual([created.attempts, created.next_at, created.delivered_at], [10, null, null]);
  assert.equal(created.last_error, "The answer was 503.");
  assert.equal(updated.attempts, 1);
  assert.equal(receiver.heard.length, 11);
});

test("Retry-After makes the planned pause longer, up to a day, and never shorter", async () => {
  const { receiver, tenant } = await situation();
  await company(tenant, "A");
  for (const [header, seconds] of [
    ["1", 5],
    ["7200", 7_200],
    ["0", 120],
    ["Sun, 06 Nov 1994 08:49:37 GMT", 600],
    ["864000", 86_400],
    ["soon", 18_000],
  ] as const) {
    receiver.answers((_heard, response) => response.writeHead(503, { "retry-after": header }).end());
    mock.method(Math, "random", () => 0);
    await runs.runAfterPauses(tenant).finally(() => mock.restoreAll());
    const [row] = await server.sql(
      "select extract(epoch from next_at - now()) as left from webhook_deliveries where tenant_id = $1",
      [tenant.id],
    );
    assert.ok(Number(row?.left) <= seconds && Number(row?.left) > seconds - 5, `${String(row?.left)} for ${header}`);
  }
});

test("410 switches a webhook off and gives up what is pending; switched on, it begins with what happens from then on", async () => {
  const { receiver, tenant, at } = await situation();
  const id = await company(tenant, "A");
  await tenant.put(`${COMPANIES}/${id}`, { city: "Turda" });
  receiver.answers(410);
  await runs.run(tenant);
  const off = (await tenant.get(at)).body.data;
  assert.deepEqual([off.active, off.switched_off, receiver.heard.length], [false, "gone", 1]);
  await company(tenant, "unheard");
  receiver.answers(200);
  await runs.runAfterPauses(tenant);
  assert.equal(receiver.heard.length, 1);
  for (const delivery of await deliveries(tenant, at))
    assert.deepEqual([delivery.next_at, delivery.delivered_at], [null, null]);
  const on = (await tenant.put(at, { active: true })).body.data;
  assert.deepEqual([on.active, on.switched_off], [true, null]);
  const heard = await company(tenant, "heard");
  await runs.runAfterPauses(tenant);
  assert.deepEqual(receiver.heard.slice(1).map(told), [["company.created", heard, 3]]);
  const given = (await deliveries(tenant, at)).find(({ attempts }: { attempts: number }) => attempts === 0);
  const again = await tenant.post(`${at}/deliveries/${given.id}/redeliver`);
  assert.equal(again.status, 202, again.text);
  await runs.run(tenant);
  assert.deepEqual(receiver.heard.slice(2).map(told), [["company.updated", id, 1]]);
});

test("410 from an earlier address does not switch off a webhook that has another one by then", async () => {
  const { receiver, tenant, at } = await situation();
  const moved = await startReceiver();
  const id = await company(tenant, "A");
  receiver.answers(async (_heard, response) => {
    await tenant.put(at, { url: moved.url });
    response.writeHead(410).end();
  });
  await runs.run(tenant);
  const { active, switched_off: why } = (await tenant.get(at)).body.data;
  assert.deepEqual([active, why], [true, null]);
  await runs.runAfterPauses(tenant);
  assert.deepEqual(moved.heard.map(told), [["company.created", id, 3]]);
});

test("a webhook that is switched off by hand is sent nothing, and neither tests nor deliveries are sent again", async () => {
  const { receiver, tenant, at } = await situation();
  await company(tenant, "A");
  receiver.answers(500);
  await runs.run(tenant);
  await tenant.put(at, { active: false });
  await company(tenant, "B");
  receiver.answers(200);
  await runs.runAfterPauses(tenant);
  assert.equal(receiver.heard.length, 1);
  const [{ id }] = await deliveries(tenant, at);
  for (const path of [`${at}/test`, `${at}/deliveries/${id}/redeliver`]) {
    const refused = await tenant.post(path);
    assert.deepEqual([refused.status, refused.body], [422, { error: "The webhook is switched off." }]);
  }
  await tenant.put(at, { active: true });
  await runs.runAfterPauses(tenant);
  assert.equal(receiver.heard.length, 1);
});

test("five days of nothing but failures switch a webhook off, and one success begins them anew", async () => {
  const { receiver, tenant, at } = await situation();
  const failFor = async (interval: string) => {
    await server.sql("update webhooks set failing_since = now() - $2::interval where tenant_id = $1", [
      tenant.id,
      interval,
    ]);
    await runs.runAfterPauses(tenant);
    return (await tenant.get(at)).body.data;
  };
  await company(tenant, "A");
  receiver.answers(500);
  await runs.run(tenant);
  assert.ok((await tenant.get(at)).body.data.failing_since !== null);
  assert.equal((await failFor("4 days 23 hours")).active, true);
  receiver.answers(200);
  assert.equal((await failFor("4 days 23 hours")).failing_since, null);
  await company(tenant, "B");
  receiver.answers(500);
  await runs.run(tenant);
  const off = await failFor("5 days 1 minute");
  assert.deepEqual([off.active, off.switched_off], [false, "failing"]);
  const [by] = await server.sql(
    "select changed_by from changes where tenant_id = $1 and type = 'webhook' order by id desc limit 1",
    [tenant.id],
  );
  assert.equal(by?.changed_by, "worker");
});

test("a change that no longer exists is given up, and is no failure of its receiver", async () => {
  const { receiver, tenant, at } = await situation();
  const id = await company(tenant, "A");
  receiver.answers(500);
  await runs.run(tenant);
  receiver.answers(200);
  await company(tenant, "B");
  await runs.run(tenant);
  await server.sql("delete from changes where tenant_id = $1 and resource_id = $2", [tenant.id, id]);
  await runs.runAfterPauses(tenant);
  const given = (await deliveries(tenant, at)).map(({ next_at: next }: { next_at: string | null }) => next);
  assert.deepEqual([given, (await tenant.get(at)).body.data.failing_since], [[null, null], null]);
});

test("a delivery is sent again at once and from the beginning, whatever became of it", async () => {
  const { receiver, tenant, at } = await situation();
  await company(tenant, "A");
  await runs.run(tenant);
  const [{ id }] = await deliveries(tenant, at);
  const again = await tenant.post(`${at}/deliveries/${id}/redeliver`);
  assert.deepEqual([again.status, again.body.data.attempts, again.body.data.delivered_at], [202, 0, null]);
  await runs.run(tenant);
  const ids = receiver.heard.map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual([ids.length, ids[0]], [2, ids[1]]);
  assert.equal((await deliveries(tenant, at)).length, 1);
});

test("a webhook's new address holds for what is pending", async () => {
  const { receiver, tenant, at } = await situation();
  await company(tenant, "A");
  receiver.answers(500);
  await runs.run(tenant);
  const elsewhere = await startReceiver();
  await tenant.put(at, { url: elsewhere.url });
  await runs.runAfterPauses(tenant);
  assert.deepEqual([receiver.heard.length, elsewhere.heard.length], [1, 1]);
});

test("a redirect is a failure, and followed by nobody", async () => {
  const elsewhere = await startReceiver();
  const { receiver, tenant, at } = await situation();
  await company(tenant, "A");
  receiver.answers((_heard, response) => response.writeHead(307, { location: elsewhere.url }).end());
  await runs.run(tenant);
  const [delivery] = await deliveries(tenant, at);
  assert.equal(delivery.last_error, "The answer was 307: redirects are not followed.");
  assert.equal(elsewhere.heard.length, 0);
});

test("an answer of any size counts by its status, and nobody reads it", async () => {
  const { receiver, tenant, at } = await situation();
  let sent = 0;
  receiver.answers((_heard, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
    };
    response.on("drain", more).on("error", () => {});
    more();
  });
  await company(tenant, "A");
  await runs.run(tenant);
  const [delivery] = await deliveries(tenant, at);
  assert.deepEqual([delivery.last_status, delivery.next_at], [200, null]);
  assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes`);
});

test("changes are read as far as they are short together, and all are sent", async () => {
  const { receiver, tenant, id } = await situation();
  const text = "".padEnd(65_000, "ă");
  const items = Array.from({ length: 12 }, (_, index) => ({
    name: `C${index}`,
    delivery_notes: text,
    invoice_notes: text,
  }));
  assert.equal((await tenant.post(`${COMPANIES}/batch`, { items })).status, 200);
  receiver.answers(500);
  await runs.run(tenant);
  await server.sql("update webhook_deliveries set next_at = now() where tenant_id = $1", [tenant.id]);
  const { deliveries: some } = await readDue(tenant.id, server.deps.database, String(id), [], 20);
  assert.ok(some.length > 1 && some.length < 12, `${some.length} at once`);
  receiver.answers(204);
  await runs.run(tenant);
  const names = (heard: Heard[]) => heard.map(({ body }) => String(body.data.changed.name.to)).toSorted();
  assert.deepEqual(names(receiver.heard.slice(12)), names(receiver.heard.slice(0, 12)));
  assert.equal(new Set(names(receiver.heard)).size, 12);
});

test("a receiver in a private network that nobody names is not called, whatever its spelling", async () => {
  const walled = await startServer();
  const receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const tenant = await walled.createTenant();
  const own = runsOf(walled);
  for (const host of [
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "x.localhost",
    "169.254.169.254",
  ]) {
    const { id } = (await tenant.post(WEBHOOKS, { url: `http://${host}:${port}/` })).body.data;
    await tenant.post(`${WEBHOOKS}/${id}/test`);
    await own.run(tenant);
    const [delivery] = await deliveries(tenant, `${WEBHOOKS}/${id}`);
    assert.deepEqual([delivery.last_error, delivery.attempts], ["The address is not allowed.", 1], host);
    await tenant.delete(`${WEBHOOKS}/${id}`);
  }
  assert.equal(receiver.heard.length, 0);
});

test("silent receivers, broken ones and others without HTTP have different reasons, and are tried again", async () => {
  let says = "SSH-2.0\r\n";
  const raw = net.createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(says)));
  raw.listen(0, "127.0.0.1");
  await once(raw, "listening");
  after(() => raw.close());
  const { receiver, tenant, at } = await situation();
  await company(tenant, "A");
  const errors: string[] = [];
  const run = async () => {
    await runs.runAfterPauses(tenant);
    errors.push((await deliveries(tenant, at))[0].last_error);
  };
  receiver.answers((_heard, response) => response.destroy());
  await run();
  await tenant.put(at, { url: `http://127.0.0.1:${(raw.address() as AddressInfo).port}/` });
  await run();
  says = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n";
  await run();
  await receiver.close();
  await tenant.put(at, { url: receiver.url });
  await run();
  await tenant.put(at, { url: "http://no-such-name.invalid/" });
  await run();
  assert.deepEqual(errors, [
    "The connection broke before there was an answer.",
    "The answer was no HTTP.",
    "The connection broke before there was an answer.",
    "No connection could be opened.",
    "The name has no address.",
  ]);
});

test("another tenant's receiver hears nothing", async () => {
  const [mine, theirs] = [await situation(), await situation()];
  await company(mine.tenant, "A");
  await runs.run(theirs.tenant);
  await runs.run(mine.tenant);
  assert.deepEqual([mine.receiver.heard.length, theirs.receiver.heard.length], [1, 0]);
});

test("a receiver gets one request until it has answered, and ten at once after that", async () => {
  const { receiver, tenant } = await situation();
  const held: (() => void)[] = [];
  receiver.answers((_heard, response) => held.push(() => response.writeHead(204).end()));
  for (let n = 0; n < 30; n++) await company(tenant, `Held ${n}`);
  const running = runs.run(tenant);
  await receiver.untilHeard(1);
  let most = held.length;
  for (let answered = 0; answered < 30; answered++) {
    // One more is on its way than the answers allow, or nothing is left.
    await poll("the next requests", () => held.length >= Math.min(answered === 0 ? 1 : 10, 30 - answered));
    most = Math.max(most, held.length);
    if (answered === 0) assert.equal(most, 1);
    held.shift()?.();
  }
  await running;
  assert.deepEqual([most, receiver.heard.length], [10, 30]);
});

test("a write wakes its tenant's webhooks, and the wake no further one", async (t) => {
  const { tenant } = await situation();
  const stop = new AbortController();
  t.after(() => stop.abort());
  const before = statementsSent(WAKE);
  followNews(server.deps, stop.signal);
  await company(tenant, "Wakes");
  await poll("the wake", () => statementsSent(WAKE) > before);
  // Each of them is a statement on the same connections: a loop would wake again beside most of them. Requests note the
  // use of their key, which wakes too.
  for (let n = 0; n < 100; n++) await tenant.get(COMPANIES);
  const wakes = statementsSent(WAKE) - before;
  assert.ok(wakes <= 5, `${wakes} wakes`);
});

test("a process that stops wakes no more webhooks", async () => {
  const { tenant } = await situation();
  const stop = new AbortController();
  followNews(server.deps, stop.signal);
  stop.abort();
  const before = statementsSent(WAKE);
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const unlisten = server.deps.database.news.listen((tenants) => {
    if (tenants.includes(asTenantId(tenant.id))) resolve();
  });
  await company(tenant, "Wakes nobody");
  await told;
  unlisten();
  // A wake would be sent before these are answered.
  for (let n = 0; n < 20; n++) await tenant.get(COMPANIES);
  assert.equal(statementsSent(WAKE), before);
});
