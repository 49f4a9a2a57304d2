import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { request, startServer } from "../harness.ts";
import { poll } from "../program.ts";
import { head } from "../wire.ts";

/** What is promised, and the same for a test. */
const PROMISED_MS = 60_000;
const SHORTER = 40;
/** A look comes late on a machine that does much else. */
const LATE_MS = 900;
const CLIENTS = 10;

const server = await startServer();
const { timeout } = server.server.server;
server.server.server.setTimeout(timeout / SHORTER);

test("clients that take nothing of their answers are all cut off within a minute", async () => {
  // One of each tenant, whose memory an answer may take for itself.
  const tenants = await Promise.all(Array.from({ length: CLIENTS }, () => server.createTenant()));
  await server.sql(
    `insert into companies (tenant_id, name, country, notes, delivery_notes)
    select t.id, 'Company ' || n, 'Romania', repeat('ș', 65535), repeat('ț', 65535) from tenants t, generate_series(1, 60) n`,
  );
  const { hostname, port } = new URL(server.url);
  const sockets: net.Socket[] = [];
  server.server.server.on("connection", (socket: net.Socket) => sockets.push(socket));
  for (const { token } of tenants) {
    const client = net.connect(Number(port), hostname).on("error", () => {});
    client.write(head("GET /api/v1/companies?per_page=200 HTTP/1.1", token));
    client.once("readable", () => {});
  }
  await poll("all answers", () => sockets.filter(({ bytesWritten }) => bytesWritten > 0).length === CLIENTS);
  // What is given to a connection moves for as long as the buffers on the way take something.
  const moved = sockets.map(() => ({ bytes: 0, at: 0, cutAfter: 0 }));
  await poll("the end of all connections", () => {
    for (const [at, socket] of sockets.entries()) {
      const one = moved[at];
      if (one === undefined || one.cutAfter > 0) continue;
      if (socket.destroyed) one.cutAfter = performance.now() - one.at;
      else if (socket.bytesWritten > one.bytes)
        Object.assign(one, { bytes: socket.bytesWritten, at: performance.now() });
    }
    return moved.every(({ cutAfter }) => cutAfter > 0);
  });
  for (const { cutAfter } of moved) {
    assert.ok(cutAfter < PROMISED_MS / SHORTER + LATE_MS, `cut off after ${cutAfter} ms`);
  }
});

test("a request that is worked on for more than half a minute is answered", async () => {
  const tenant = await server.createTenant();
  const { body } = await tenant.post("/api/v1/companies", { name: "Acme" });
  const lock = await server.deps.database.ownerTransaction(async (run) => {
    await run({ name: "lock", text: "lock table companies in access exclusive mode" });
    const answer = request(server.url, "GET", `/api/v1/companies/${body.data.id}`, undefined, { token: tenant.token });
    const since = performance.now();
    await poll("three quarters of a minute", () => performance.now() - since > (0.75 * PROMISED_MS) / SHORTER);
    return { answer };
  });
  assert.equal((await lock.answer).status, 200);
});
