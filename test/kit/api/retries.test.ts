import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import pg from "pg";
import { buildApp } from "../../../src/doors/app.ts";
import { everyRoute } from "../../doors/api/every-route.ts";
import { nameOf, pathOf, situationFor } from "../../doors/api/route-situations.ts";
import { isCluster, request, startServer, type Answer } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";
import { nounTables } from "../../nouns.ts";
import { head, sendRaw } from "../../wire.ts";

/** The promises of docs/contract.md 16: a request with a key of its own is done once, however often it comes. */
const server = await startServer();
const tenant = await server.createTenant();
const COMPANIES = "/api/v1/companies";

/** Another process at the same database, as far as requests can tell. */
const { server: other } = buildApp(server.deps);
const otherUrl = await other.listen({ host: "127.0.0.1", port: 0 });
after(async () => await other.close());

const keyed = (key: string, headers: Record<string, string> = {}) => ({
  headers: { "idempotency-key": key, ...headers },
});

const REUSED = { error: "Idempotency-Key was used for another request." };
const IN_PROGRESS = { error: "A request with this Idempotency-Key is in progress." };

for (const row of everyRoute.filter(({ method }) => method !== "GET")) {
  const { method, body, status } = row;

  test(`${nameOf(row)} with a key is done once, and answered alike by every process`, async () => {
    const at = pathOf(row, await situationFor(row, server, tenant));
    const sent = body === "none" ? undefined : body.passes;
    const options = { token: tenant.token, ...keyed(randomUUID()) };
    const first = await request(server.url, method, at, sent, options);
    assert.equal(first.status, status, first.text);
    assert.equal(first.headers.get("idempotency-replayed"), null);
    const done = await changes();
    for (const url of [server.url, otherUrl]) {
      const again = await request(url, method, `${at}?page=2`, sent, options);
      assert.equal(again.headers.get("idempotency-replayed"), "true");
      assertSame(again, first);
    }
    assert.equal(await changes(), done);
    const refused = await request(server.url, method, at, { another: "body" }, options);
    assert.deepEqual([refused.status, refused.body], [422, REUSED]);
    // A batch is a transaction of several parts, whose rows are of no xid of its own (batch.test.ts).
    if (!row.path.endsWith("/batch")) await assertKeptWithItsWrite();
  });
}

test("sending an invoice again by another key is kept too, though there is nothing to write", async () => {
  const row = everyRoute.find(({ path }) => path.endsWith("/wms-order"));
  assert.ok(row !== undefined);
  const at = pathOf(row, await situationFor(row, server, tenant));
  await tenant.post(at);
  const key = randomUUID();
  const first = await tenant.post(at, undefined, keyed(key));
  assert.equal(first.status, 200);
  await server.sql("update invoices set wms_state = 'failed', wms_error = 'x' where tenant_id = $1", [tenant.id]);
  const again = await tenant.post(at, undefined, keyed(key));
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assertSame(again, first);
});

test("of many that had nothing to write at the same moment each keeps its answer", async () => {
  const row = everyRoute.find(({ path }) => path.endsWith("/wms-order"));
  assert.ok(row !== undefined);
  const at = pathOf(row, await situationFor(row, server, tenant));
  await tenant.post(at);
  const keys = Array.from({ length: 12 }, () => randomUUID());
  await Promise.all(keys.map(async (key) => tenant.post(at, undefined, keyed(key))));
  const kept = await server.sql("select key from kept_answers where key = any($1)", [keys]);
  assert.equal(kept.length, keys.length);
});

test("a key is 1 to 255 visible characters of ASCII, bare or quoted", async () => {
  for (const key of ["a", '"', "!~", "x".repeat(255), `"${"y".repeat(255)}"`]) {
    const answer = await tenant.post(COMPANIES, { name: "A" }, keyed(key));
    assert.equal(answer.status, 201, key);
  }
  const key = randomUUID();
  const bare = await tenant.post(COMPANIES, { name: "A" }, keyed(key));
  const quoted = await tenant.post(COMPANIES, { name: "A" }, keyed(`"${key}"`));
  assertSame(quoted, bare);
  for (const wrong of ["", '""', "a b", "x".repeat(256), "é", "a\tb"]) {
    const answer = await tenant.put(`${COMPANIES}/999999`, { name: "A" }, keyed(wrong));
    assert.deepEqual([answer.status, answer.body], [422, { error: "Invalid Idempotency-Key." }], wrong);
    assert.equal(answer.headers.get("x-error-code"), "idempotency_key_invalid");
  }
});

test("two headers of the name are an invalid one", async () => {
  for (const [one, another] of [
    ["a", "b"],
    ["a", "a"],
    ["", ""],
    ["a", ""],
  ]) {
    const headers = { "Idempotency-Key": String(one), "idempotency-key": String(another) };
    const { status, body } = await sendRaw(
      server.url,
      head(`DELETE ${COMPANIES}/999999 HTTP/1.1`, tenant.token, headers),
    );
    assert.deepEqual([status, body], [422, '{"error":"Invalid Idempotency-Key."}']);
  }
});

test("a key without the capability learns nothing of a key, and a read pays no heed to it", async () => {
  const { token } = await tenant.createKey({ capabilities: ["companies:read"] });
  const refused = await tenant.post(COMPANIES, { name: "A" }, { token, ...keyed("not a key") });
  assert.equal(refused.status, 403);
  assert.equal((await tenant.get(COMPANIES, keyed("not a key"))).status, 200);
});

test("a key belongs to the API key that used it", async () => {
  const key = randomUUID();
  const { token } = await tenant.createKey();
  const [mine, theirs] = [
    await tenant.post(COMPANIES, { name: "A" }, keyed(key)),
    await tenant.post(COMPANIES, { name: "B" }, { token, ...keyed(key) }),
  ];
  assert.deepEqual([mine.status, theirs.status], [201, 201]);
  assert.notEqual(mine.body.data.id, theirs.body.data.id);
});

test("a key that was used answers a request of the same method, path and bytes, and refuses others", async () => {
  const key = randomUUID();
  const { id } = (await tenant.post(COMPANIES, { name: "A" }, keyed(key))).body.data;
  const refused = [
    await tenant.post(COMPANIES, '{"name": "A"}', keyed(key)),
    await tenant.put(`${COMPANIES}/${id}`, { name: "A" }, keyed(key)),
    await tenant.delete(`${COMPANIES}/${id}`, keyed(key)),
    await tenant.post(`${COMPANIES}/${id}/contacts`, { name: "A" }, keyed(key)),
  ];
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body], [422, REUSED]);
    assert.equal(headers.get("x-error-code"), "idempotency_key_reused");
  }
  for (const path of [`${COMPANIES}/`, `${COMPANIES}?a=b`, "/api/v1/%63ompanies", "/%61pi/v1/compani%65s/"]) {
    const written = await tenant.post(path, { name: "A" }, keyed(key));
    assert.deepEqual([written.status, written.body.data.id], [201, id], path);
  }
  assert.equal((await tenant.get(`${COMPANIES}/${id}`)).body.data.name, "A");
});

test("a request is the same however the id in its path is written", async () => {
  const { id } = (await tenant.post(COMPANIES, { name: "A" })).body.data;
  const key = randomUUID();
  const first = await tenant.put(`${COMPANIES}/${id}`, { name: "B" }, keyed(key));
  await tenant.put(`${COMPANIES}/${id}`, { name: "C" });
  const encoded = String(id).replaceAll(/\d/g, (digit) => `%3${digit}`);
  const again = await tenant.put(`${COMPANIES}/${encoded}`, { name: "B" }, keyed(key));
  assert.equal(again.headers.get("idempotency-replayed"), "true");
  assertSame(again, first);
  const another = await tenant.put(`${COMPANIES}/${id}%20`, { name: "B" }, keyed(key));
  assert.deepEqual([another.status, another.body], [422, REUSED]);
});

test("what a request's key answers comes before an invalid body, a missing resource and a taken tax id", async () => {
  const key = randomTaxId();
  const { id } = (await tenant.post(COMPANIES, { name: "A", tax_id: key }, keyed(key))).body.data;
  const reused = [
    await tenant.post(COMPANIES, { name: 5 }, keyed(key)),
    await tenant.put(`${COMPANIES}/999999`, { name: "A" }, keyed(key)),
    await tenant.put(`${COMPANIES}/abc`, { name: 5 }, keyed(key)),
    await tenant.post(COMPANIES, { name: "B", tax_id: key }, keyed(key)),
  ];
  for (const { status, body } of reused) assert.deepEqual([status, body], [422, REUSED]);
  // The tax id is taken by what the first request made.
  assert.equal((await tenant.post(COMPANIES, { name: "A", tax_id: key }, keyed(key))).body.data.id, id);
  const gone = randomUUID();
  const deleted = await tenant.delete(`${COMPANIES}/${id}`, keyed(gone));
  assert.equal(deleted.status, 200);
  assertSame(await tenant.delete(`${COMPANIES}/${id}`, keyed(gone)), deleted);
});

test("a refusal is not kept: the request is executed when it comes again", async () => {
  const key = randomTaxId();
  const body = { name: "A", tax_id: key };
  const holder = (await tenant.post(COMPANIES, body)).body.data.id;
  assert.equal((await tenant.post(COMPANIES, body, keyed(key))).status, 409);
  await tenant.delete(`${COMPANIES}/${holder}`);
  assert.equal((await tenant.post(COMPANIES, body, keyed(key))).status, 201);
  for (const at of ["contacts", "addresses", "invoices"]) {
    const sent = { first_name: "A", last_name: "B", address: "C", number: key };
    assert.equal((await tenant.post(`${COMPANIES}/999999/${at}`, sent, keyed(`${key}${at}`))).status, 404);
  }
  const [kept] = await server.sql("select count(*)::int as n from kept_answers where key like $1 || '%'", [key]);
  assert.equal(kept?.n, 1);
});

test("a replay returns the first answer, whatever changed since", async () => {
  const key = randomUUID();
  const first = await tenant.post(COMPANIES, { name: "A", phone: "0722 1", notes: 'a "quoted" \\ line\n' }, keyed(key));
  const at = `${COMPANIES}/${first.body.data.id}`;
  await tenant.put(at, { name: "B", phone: "0722 2" });
  await tenant.delete(at);
  assertSame(
    await tenant.post(COMPANIES, { name: "A", phone: "0722 1", notes: 'a "quoted" \\ line\n' }, keyed(key)),
    first,
  );
});

test("a stored answer has nothing in clear that its noun's own table encrypts", async () => {
  const key = randomUUID();
  const secret = "+40 722 555 019";
  const { id } = (await tenant.post(COMPANIES, { name: "A", phone: secret }, keyed(key))).body.data;
  await tenant.post(
    `${COMPANIES}/${id}/contacts`,
    { first_name: "A", last_name: "B", phone: secret, mobile: secret },
    keyed(`${key}c`),
  );
  await tenant.delete(`${COMPANIES}/${id}`, keyed(`${key}d`));
  const rows = await server.sql(
    "select k.*, k::text as whole from kept_answers k where key like $1 || '%' order by key",
    [key],
  );
  assert.equal(rows.length, 3);
  for (const { whole } of rows) assert.doesNotMatch(String(whole), /555 019|deleted\./);
});

test("of requests with one key at once, by several processes, one is executed and all are answered alike", async () => {
  const key = randomUUID();
  const body = { name: key };
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      request(index % 2 === 0 ? server.url : otherUrl, "POST", COMPANIES, body, { token: tenant.token, ...keyed(key) }),
    ),
  );
  const [first] = answers as [Answer];
  for (const answer of answers) assertSame(answer, first);
  assert.equal(answers.filter(({ headers }) => headers.get("idempotency-replayed") === null).length, 1);
  const [made] = await server.sql("select count(*)::int as n from companies where name = $1", [key]);
  assert.equal(made?.n, 1);
});

test("while a request is running another with its key waits for it, and is answered as it was", async () => {
  const { id } = (await tenant.post(COMPANIES, { name: "A" })).body.data;
  for (const url of [server.url, otherUrl]) {
    const key = randomUUID();
    const options = { token: tenant.token, ...keyed(key) };
    const [first, second] = await untilLetGo(
      server,
      `select from companies where tenant_id = ${tenant.id} and id = ${id} for update`,
      async (letGo) => {
        const one = request(server.url, "PUT", `${COMPANIES}/${id}`, { name: key }, options);
        await server.untilWaiting(1);
        const two = request(url, "PUT", `${COMPANIES}/${id}`, { name: key }, options);
        await letGo();
        return await Promise.all([one, two]);
      },
    );
    assert.equal(first.status, 200, first.text);
    assertSame(second, first);
    const [made] = await server.sql(
      "select count(*)::int as n from changes where resource_id = $1 and changed like '%' || $2 || '%'",
      [id, key],
    );
    assert.equal(made?.n, 1);
  }
});

test("after a wait of three seconds for a request with the same key, the answer says that it is in progress", async () => {
  const key = randomUUID();
  const [apiKey] = await server.sql("select id from api_keys where tenant_id = $1 order by id limit 1", [tenant.id]);
  const holding = new pg.Client(server.connection);
  await holding.connect();
  try {
    const entries = JSON.stringify([{ kept_api_key: apiKey?.id, kept_key: key }]);
    await holding.query("begin");
    await holding.query("select claim_answers($1, $2)", [tenant.id, entries]);
    const refused = await tenant.post(COMPANIES, { name: key }, keyed(key));
    assert.deepEqual([refused.status, refused.body], [409, IN_PROGRESS]);
    assert.equal(refused.headers.get("retry-after"), "1");
    assert.equal(refused.headers.get("x-error-code"), "idempotency_key_in_progress");
    await holding.query("rollback");
  } finally {
    await holding.end();
  }
  assert.equal((await tenant.post(COMPANIES, { name: key }, keyed(key))).status, 201);
});

test("creates with keys that come at once share a statement, and each keeps its own answer", async () => {
  const keys = Array.from({ length: 30 }, () => randomUUID());
  const send = async () => Promise.all(keys.map(async (key) => tenant.post(COMPANIES, { name: key }, keyed(key))));
  const made = await send();
  const kept = await server.sql("select xmin::text as x from kept_answers where key = any($1)", [keys]);
  assert.equal(kept.length, keys.length);
  // As many as a transaction is expected to have time for, which on a cluster may be one.
  assert.ok(new Set(kept.map(({ x }) => x)).size <= (isCluster ? keys.length : keys.length / 2));
  for (const [index, again] of (await send()).entries()) {
    assert.equal(again.body.data.name, keys[index]);
    assertSame(again, made[index] as Answer);
  }
});

test("a create with a key that is refused, or answered already, leaves those that came with it as they are", async () => {
  const taken = randomTaxId();
  await tenant.post(COMPANIES, { name: "A", tax_id: taken }, keyed(taken));
  const answers = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      if (index === 3) return tenant.post(COMPANIES, { name: "A", tax_id: taken }, keyed(taken));
      if (index === 7) return tenant.post(COMPANIES, { name: "B", tax_id: taken }, keyed(randomUUID()));
      return tenant.post(COMPANIES, { name: "C" }, keyed(randomUUID()));
    }),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, index) => (index === 7 ? 409 : 201)),
  );
  assert.equal(answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true").length, 1);
});

/** How often something of the tenant's has been changed. */
async function changes(): Promise<number> {
  const [counted] = await server.sql("select count(*)::int as n from changes where tenant_id = $1", [tenant.id]);
  return Number(counted?.n);
}

/** The answer kept last is of the transaction of a write. */
async function assertKeptWithItsWrite(): Promise<void> {
  const [last] = await server.sql(
    "select xmin::text as x from kept_answers where tenant_id = $1 order by at desc limit 1",
    [tenant.id],
  );
  // An erased contact, and a refused pair, leave the change alone.
  const erased = "(select tenant_id, id, xmin from changes where action = 'erased' or changed like '%not_alike%') e";
  const written = await Promise.all(
    [...nounTables, "webhooks", "webhook_deliveries", erased].map(async (table) =>
      // A merge writes two companies, a payment also its invoice.
      server.sql(`select id from ${table} where tenant_id = $1 and xmin::text = $2 limit 1`, [tenant.id, last?.x]),
    ),
  );
  assert.notEqual(written.flat().length, 0);
}

function randomTaxId(): string {
  return randomUUID().slice(0, 13);
}

function assertSame(answer: Answer, first: Answer): void {
  assert.deepEqual([answer.status, answer.text], [first.status, first.text]);
  for (const name of ["etag", "location", "content-type"])
    assert.equal(answer.headers.get(name), first.headers.get(name));
}
