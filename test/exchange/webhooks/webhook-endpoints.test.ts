import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { mock, test } from "node:test";
import { request, startServer } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";
import { nounTypes } from "../../nouns.ts";
import { isVerified, startReceiver, verified, type Heard } from "./receiver.ts";
import { runsOf } from "./runs.ts";

/** Webhooks as their endpoints make, show and change them (docs/contract.md 19). */
const server = await startServer({ LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
const runs = runsOf(server);
const WEBHOOKS = "/api/v1/webhooks";
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

test("a webhook is made with its defaults, and shows its secret this once", async () => {
  const tenant = await server.createTenant();
  const made = await tenant.post(WEBHOOKS, { url: " https://erp.example/hooks?a=b " });
  assert.equal(made.status, 201, made.text);
  const { secret, ...shown } = made.body.data;
  assert.match(secret, SECRET);
  const { id, created_at: at } = shown;
  assert.deepEqual(shown, {
    id,
    url: "https://erp.example/hooks?a=b",
    types: ["*"],
    active: true,
    description: null,
    failing_since: null,
    switched_off: null,
    created_at: at,
    updated_at: at,
  });
  const others = [await tenant.get(`${WEBHOOKS}/${id}`), await tenant.put(`${WEBHOOKS}/${id}`, { description: "B" })];
  for (const { status, text } of others) {
    assert.equal(status, 200);
    assert.doesNotMatch(text, /secret|whsec/);
  }
  const list = await tenant.get(`${WEBHOOKS}?per_page=1`);
  assert.deepEqual([list.body.total, list.body.per_page, list.body.data[0].description], [1, 1, "B"]);
  assert.doesNotMatch(list.text, /secret|whsec/);
});

test("a wrong value of a webhook gets the message of its field, on POST and PUT", async () => {
  const tenant = await server.createTenant();
  const wrong: [object, object][] = [
    [{}, { url: ["The url field is required."] }],
    ...["nowhere", "ftp://a.example", "//a.example", "http://", "https://user:pass@a.example/", "http://a b", 5].map(
      (url): [object, object] => [{ url }, { url: ["The url field must be a valid URL."] }],
    ),
    [
      { url: `https://a.example/${"x".repeat(1_983)}` },
      { url: ["The url field must not be greater than 2000 characters."] },
    ],
    [{ url: "https://a.example", types: "*" }, { types: ["The types field must be an array."] }],
    [{ url: "https://a.example", types: [] }, { types: ["The types field is required."] }],
    [
      { url: "https://a.example", types: ["company.created", "company", 5] },
      { "types.1": ["The selected types.1 is invalid."], "types.2": ["The selected types.2 is invalid."] },
    ],
    [{ url: "https://a.example", active: "yes" }, { active: ["The active field must be true or false."] }],
    [
      { url: "https://a.example", description: "x".repeat(256) },
      { description: ["The description field must not be greater than 255 characters."] },
    ],
  ];
  for (const [body, errors] of wrong) {
    const answer = await tenant.post(WEBHOOKS, body);
    assert.deepEqual([answer.status, answer.body.errors], [422, errors], JSON.stringify(body));
  }
  assert.equal((await tenant.post(WEBHOOKS, { url: `https://a.example/${"x".repeat(1_982)}` })).status, 201);
  const { id } = (await tenant.post(WEBHOOKS, { url: "https://a.example" })).body.data;
  for (const [body, errors] of [
    [{ url: null }, { url: ["The url field is required."] }],
    [{ types: null }, { types: ["The types field must be an array."] }],
    [{ active: null }, { active: ["The active field must be true or false."] }],
  ] as const) {
    const answer = await tenant.put(`${WEBHOOKS}/${id}`, body);
    assert.deepEqual([answer.status, answer.body.errors], [422, errors], JSON.stringify(body));
  }
});

/** The events that docs/contract.md 13.1, 19.2 and 19.6 list. */
const contract = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/contract.md"), "utf8");
const [, chapter = ""] = /^### 13\.1 ([^]*?)^### /m.exec(contract) ?? [];
const [, ofOrders = ""] = /^### 19\.6 ([^]*?)^### /m.exec(contract) ?? [];
const changeEvents = [...chapter.matchAll(/^ *\| `(\w+)` \| (`\w+`, .*`) \|$/gm)].flatMap(([, type, actions = ""]) =>
  actions.split(", ").map((action) => `${type}.${action.slice(1, -1)}`),
);
const orderEvents = [...ofOrders.matchAll(/`(invoice\.order_\w+)`/g)].map(([, name = ""]) => name);
const childEvents = [...contract.matchAll(/`((?:contact|address)\.(?:hidden|shown))`/g)].map(([, name = ""]) => name);
const eventNames = [...changeEvents, ...childEvents, ...orderEvents];

test("a webhook hears of events that there are, and another one is refused with the list of them", async () => {
  const tenant = await server.createTenant();
  const url = "https://a.example/";
  const every = await tenant.post(WEBHOOKS, { url, types: eventNames, children: true });
  assert.deepEqual([every.status, every.body.data?.types], [201, eventNames], every.text);
  assert.equal(eventNames.length, 33);
  assert.deepEqual([...new Set(changeEvents.map((event) => event.split(".")[0]))], nounTypes);
  const at = `${WEBHOOKS}/${every.body.data.id}`;
  for (const type of [
    "company.wms",
    "company.erased",
    "address.erased",
    "invoice.restored",
    "wms_order.created",
    "a",
  ]) {
    for (const refused of [
      await tenant.post(WEBHOOKS, { url, types: ["*", type] }),
      await tenant.put(at, { types: ["*", type] }),
    ]) {
      assert.deepEqual(
        [refused.status, refused.body],
        [
          422,
          {
            error: "Validation failed.",
            errors: { "types.1": ["The selected types.1 is invalid."] },
            details: `Events are *, ${eventNames.join(", ")}.`,
          },
        ],
        type,
      );
    }
  }
  assert.equal((await tenant.post(WEBHOOKS, { url: "a", types: ["*"] })).body.details, undefined);
  assert.equal((await tenant.put(`${WEBHOOKS}/999`, { types: ["company.wms"] })).status, 404);
});

test("of two changes at once that together ask for events which the webhook does not hear, the second is refused", async () => {
  const tenant = await server.createTenant();
  const { id } = (await tenant.post(WEBHOOKS, { url: "https://a.example/", children: true })).body.data;
  const at = `${WEBHOOKS}/${id}`;
  const held = `select from webhooks where tenant_id = ${tenant.id} and id = ${id} for update`;
  await untilLetGo(server, held, async (letGo) => {
    const asking = tenant.put(at, { types: ["contact.hidden"] });
    await server.untilWaiting(1);
    const closing = tenant.put(at, { children: false });
    await server.untilWaiting(2);
    await letGo();
    assert.deepEqual([(await asking).status, (await closing).status], [200, 422]);
  });
  const { types, children } = (await tenant.get(at)).body.data;
  assert.deepEqual([types, children], [["contact.hidden"], true]);
});

test("a webhook's address is stored as it is asked, however it is written", async () => {
  const tenant = await server.createTenant();
  const longest = `https://a.example/${"x".repeat(1_982)}`;
  for (const [sent, stored] of [
    ["HTTPS://ERP.Example:443", "https://erp.example/"],
    ["http://erp.example:80/a/../b/./c?d=é#e", "http://erp.example/b/c?d=%C3%A9#e"],
    ["https://münchen.example/ț", "https://xn--mnchen-3ya.example/%C8%9B"],
    ["http://erp.example\\a", "http://erp.example/a"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
    [longest, longest],
  ] as const) {
    const made = await tenant.post(WEBHOOKS, { url: sent });
    assert.deepEqual([made.status, made.body.data?.url], [201, stored], made.text);
    const at = `${WEBHOOKS}/${made.body.data.id}`;
    assert.equal((await tenant.get(at)).body.data.url, stored);
    // The same address again changes nothing.
    const again = await tenant.put(at, { url: sent });
    assert.deepEqual(again.body.data, (await tenant.get(at)).body.data);
    assert.equal(again.body.data.updated_at, made.body.data.updated_at);
  }
  // Each letter is six stored characters.
  const long = await tenant.post(WEBHOOKS, { url: `https://a.example/${"ț".repeat(400)}` });
  assert.deepEqual(long.body.errors, { url: ["The url field must not be greater than 2000 characters."] });
});

test("a webhook's secrets are stored encrypted, and stand in no history", async () => {
  const tenant = await server.createTenant();
  const { id, secret } = (await tenant.post(WEBHOOKS, { url: "https://a.example" })).body.data;
  const rotated = (await tenant.post(`${WEBHOOKS}/${id}/rotate-secret`)).body.data.secret;
  await tenant.put(`${WEBHOOKS}/${id}`, { url: "https://b.example", active: false });
  await tenant.delete(`${WEBHOOKS}/${id}`);
  const rows = await server.sql(
    `select w::text as text from webhooks w where tenant_id = $1
     union all select h::text from changes h where tenant_id = $1 union all select k::text from kept_answers k where tenant_id = $1`,
    [tenant.id],
  );
  for (const { text } of rows) {
    for (const clear of [secret, rotated]) assert.ok(!String(text).includes(clear.slice("whsec_".length)));
  }
  const history = await server.sql(
    "select action, changed::json as changed, changed_by from changes where tenant_id = $1 and type = 'webhook' order by id",
    [tenant.id],
  );
  assert.deepEqual(
    history.map(({ action, changed, changed_by: by }) => [
      action,
      Object.keys(changed as object),
      String(by).split(":")[0],
    ]),
    [
      ["created", ["url", "types", "active", "body", "children"], "key"],
      ["updated", ["previous_until"], "key"],
      ["updated", ["url", "active"], "key"],
      ["updated", ["deleted"], "key"],
    ],
  );
});

test("after a rotation both secrets sign, and a day later the new one alone", async () => {
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  const { id, secret } = (await tenant.post(WEBHOOKS, { url: receiver.url })).body.data;
  const rotated = await tenant.post(`${WEBHOOKS}/${id}/rotate-secret`);
  assert.equal(rotated.status, 200);
  const next = rotated.body.data.secret;
  assert.match(next, SECRET);
  assert.notEqual(next, secret);
  await tenant.post(`${WEBHOOKS}/${id}/test`);
  await runs.run(tenant);
  const [both] = receiver.heard;
  assert.ok(both !== undefined);
  for (const each of [secret, next]) verified(each, both);
  await server.sql("update webhooks set previous_until = now() where id = $1", [id]);
  await tenant.post(`${WEBHOOKS}/${id}/test`);
  await runs.run(tenant);
  const [, one] = receiver.heard;
  assert.ok(one !== undefined);
  verified(next, one);
  assert.throws(() => verified(secret, one));
});

test("each secret that is replaced signs for its own day, however many there are", async () => {
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  const made = (await tenant.post(WEBHOOKS, { url: receiver.url })).body.data as { id: number; secret: string };
  const at = `${WEBHOOKS}/${made.id}`;
  const hour = 3_600_000;
  const atHour = async <T>(hours: number, work: () => Promise<T>): Promise<T> => {
    const begin = Date.now();
    mock.method(Date, "now", () => begin + hours * hour);
    return await work().finally(() => mock.restoreAll());
  };
  const secrets = [made.secret];
  for (const hours of [0, 1, 2])
    secrets.push(
      await atHour(hours, async () => (await tenant.post(`${at}/rotate-secret`)).body.data.secret as string),
    );
  for (const [hours, count] of [
    [3, 4],
    [24.1, 3],
    [25.1, 2],
    [26.1, 1],
  ] as const) {
    await tenant.post(`${at}/test`);
    const isSigning = await atHour(hours, async () => {
      await runs.run(tenant);
      const heard = receiver.heard.at(-1);
      assert.ok(heard !== undefined);
      return secrets.map((secret) => isVerified(secret, heard));
    });
    assert.deepEqual(
      isSigning,
      secrets.map((_, index) => index >= secrets.length - count),
      `after ${hours} hours`,
    );
  }
});

test("an eleventh rotation within a day is refused, and says what to do; nothing is lost by it", async () => {
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  const { id, secret } = (await tenant.post(WEBHOOKS, { url: receiver.url })).body.data;
  const secrets = [secret];
  for (let replaced = 0; replaced < 10; replaced++)
    secrets.push((await tenant.post(`${WEBHOOKS}/${id}/rotate-secret`)).body.data.secret);
  const refused = await tenant.post(`${WEBHOOKS}/${id}/rotate-secret`);
  assert.deepEqual([refused.status, refused.body.error], [422, "The webhook has too many secrets."]);
  await tenant.post(`${WEBHOOKS}/${id}/test`);
  await runs.run(tenant);
  for (const each of secrets) verified(each, receiver.heard[0] as Heard);
});

test("a webhook's test is an event of its own kind, with an id of its own", async () => {
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  const { id, secret } = (await tenant.post(WEBHOOKS, { url: receiver.url, types: ["invoice.updated"] })).body.data;
  const queued = await tenant.post(`${WEBHOOKS}/${id}/test`);
  assert.equal(queued.status, 202, queued.text);
  const { change_id: change, type, attempts, delivered_at: at } = queued.body.data;
  assert.deepEqual([change, type, attempts, at], [null, "webhook.test", 0, null]);
  await runs.run(tenant);
  const [heard] = receiver.heard;
  assert.ok(heard !== undefined);
  verified(secret, heard);
  assert.match(String(heard.headers["webhook-id"]), /^test_[0-9a-f]{24}$/);
  assert.deepEqual([heard.body.type, heard.body.data], ["webhook.test", { webhook_id: id }]);
  const [delivery] = (await tenant.get(`${WEBHOOKS}/${id}/deliveries`)).body.data;
  assert.deepEqual([delivery.id, delivery.last_status, delivery.attempts], [queued.body.data.id, 204, 1]);
  assert.ok(delivery.delivered_at >= delivery.created_at);
});

test("a deleted webhook is sent nothing more, and goes with its deliveries", async () => {
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  const { id } = (await tenant.post(WEBHOOKS, { url: receiver.url })).body.data;
  await tenant.post("/api/v1/companies", { name: "A" });
  await runs.run(tenant);
  await tenant.post("/api/v1/companies", { name: "B" });
  assert.equal((await tenant.delete(`${WEBHOOKS}/${id}`)).status, 200);
  await runs.run(tenant);
  assert.equal(receiver.heard.length, 1);
  for (const at of ["", "/deliveries"]) assert.equal((await tenant.get(`${WEBHOOKS}/${id}${at}`)).status, 404);
  await runs.forget(tenant);
  const left = await server.sql(
    "select id from webhooks where tenant_id = $1 union all select id from webhook_deliveries where tenant_id = $1",
    [tenant.id],
  );
  assert.deepEqual(left, []);
});

test("deliveries are kept for thirty days", async () => {
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  const { id } = (await tenant.post(WEBHOOKS, { url: receiver.url })).body.data;
  for (const name of ["A", "B"]) await tenant.post("/api/v1/companies", { name });
  await runs.run(tenant);
  const [newer, older] = (await tenant.get(`${WEBHOOKS}/${id}/deliveries`)).body.data;
  const age = "update webhook_deliveries set created_at = now() - $2::interval where id = $1";
  await server.sql(age, [newer.id, "29 days 23 hours"]);
  await server.sql(age, [older.id, "30 days 1 hour"]);
  await runs.forget(tenant);
  const { data, total } = (await tenant.get(`${WEBHOOKS}/${id}/deliveries`)).body;
  assert.deepEqual([total, data[0].id], [1, newer.id]);
});

test("a webhook with body=full needs the capabilities to read, and only its answers have the member", async () => {
  const tenant = await server.createTenant();
  const url = "https://a.example/";
  const plain = await tenant.post(WEBHOOKS, { url, body: "change" });
  assert.ok(!("body" in plain.body.data));
  const full = await tenant.post(WEBHOOKS, { url, body: "full" });
  assert.deepEqual([full.status, full.body.data.body], [201, "full"]);
  const at = `${WEBHOOKS}/${full.body.data.id}`;
  assert.equal((await tenant.get(at)).body.data.body, "full");
  assert.ok(!("body" in (await tenant.put(at, { body: "change" })).body.data));
  const wrong = await tenant.post(WEBHOOKS, { url, body: "everything" });
  assert.deepEqual([wrong.status, wrong.body.errors], [422, { body: ["The selected body is invalid."] }]);

  const { token } = await tenant.createKey({ capabilities: ["webhooks:write", "companies:read", "contacts:read"] });
  for (const [method, path] of [
    ["POST", WEBHOOKS],
    ["PUT", at],
  ] as const) {
    for (const body of ["full", " full\t"]) {
      const refused = await request(server.url, method, path, { url, body }, { token });
      assert.deepEqual([refused.status, refused.body], [403, { error: "Missing capability: addresses:read" }]);
    }
    assert.equal((await request(server.url, method, path, { url }, { token })).status, method === "POST" ? 201 : 200);
  }
  // A new address of a full webhook is a way to what it sends.
  await tenant.put(at, { body: "full" });
  const moved = { url: "https://b.example/" };
  assert.equal((await request(server.url, "PUT", at, moved, { token })).status, 403);
  assert.equal((await tenant.get(at)).body.data.url, url);
  // So is a new secret, in the hands of its receiver.
  assert.equal((await request(server.url, "POST", `${at}/rotate-secret`, undefined, { token })).status, 403);
  assert.equal((await request(server.url, "PUT", at, { ...moved, body: "change" }, { token })).status, 200);
});
