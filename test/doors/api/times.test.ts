import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";

const server = await startServer();
const tenant = await server.createTenant();

const TRACE = "0af7651916cd43dd8448eb211c80319c";

type Times = { db: number; total: number };

function timesOf(headers: Headers): Times {
  const [, db, total] = /^db;dur=(\S+), total;dur=(\S+)$/.exec(headers.get("server-timing") ?? "") ?? [];
  return { db: Number(db), total: Number(total) };
}

test("every answer of a route says how long it took and how long it was at the database", async () => {
  const { body } = await tenant.post("/api/v1/companies", { name: "A" });
  for (const path of ["", "?search=a", `/${body.data.id}`, "/0", "/x/contacts"]) {
    const { db, total } = timesOf((await tenant.get(`/api/v1/companies${path}`)).headers);
    assert.ok(db >= 0 && total >= db, `${path}: ${db} of ${total}`);
  }
  for (const token of ["", "a.b"]) {
    const { db, total } = timesOf((await tenant.get("/api/v1/companies", { token })).headers);
    assert.ok(db >= 0 && total >= db, `${token}: ${db} of ${total}`);
  }
});

test("the wait for a lock is the database's, and what else a request takes is not", async () => {
  const { body } = await tenant.post("/api/v1/companies", { name: "A" });
  const path = `/api/v1/companies/${body.data.id}`;
  const began = performance.now();
  const { headers } = await untilLetGo(
    server,
    `update companies set name = 'B' where id = ${body.data.id}`,
    async (letGo) => {
      const done = tenant.put(path, { name: "C" });
      await server.untilWaiting(1);
      await letGo();
      return await done;
    },
  );
  const { db, total } = timesOf(headers);
  assert.ok(db > 0 && db <= total && total <= performance.now() - began, `${db} of ${total}`);
  assert.deepEqual(timesOf((await tenant.post("/api/v1/companies", {})).headers).db, 0, "422 without a question");
});

test("a trace is answered under an id of our own, by every answer", async () => {
  const sent = `00-${TRACE}-b7ad6b7169203331-01`;
  for (const path of ["/api/v1/companies", "/api/v1/companies/0", "/api/v1/foo", "/health/live", "/sign-in"]) {
    const { headers } = await tenant.get(path, { headers: { traceparent: sent } });
    const answered = headers.get("traceparent") ?? "";
    assert.match(answered, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`), path);
    assert.notEqual(answered, sent);
  }
});

test("a malformed trace, and none, are not answered", async () => {
  for (const headers of [{}, { traceparent: "" }, { traceparent: `00-${TRACE}-0000000000000000-01` }]) {
    assert.equal((await tenant.get("/api/v1/companies", { headers })).headers.get("traceparent"), null);
  }
});
