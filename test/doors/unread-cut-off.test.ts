import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { request, startServer } from "../harness.ts";
import { poll } from "../program.ts";
import { head } from "../wire.ts";

/** What is promised, and the same for a test. */
const PROMISED_MS = 60_000;
const SHORTER = 40;
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
  const looksAt = new Map<net.Socket, number>();
  server.server.server.on("connection", (socket: net.Socket) => {
    sockets.push(socket);
    socket.on("timeout", () => looksAt.set(socket, (looksAt.get(socket) ?? 0) + 1));
  });
  for (const { token } of tenants) {
    const client = net.connect(Number(port), hostname).on("error", () => {});
    client.write(head("GET /api/v1/companies?per_page=200 HTTP/1.1", token));
    client.once("readable", () => {});
  }
  await poll("all answers", () => sockets.filter(({ bytesWritten }) => bytesWritten > 0).length === CLIENTS);
  await poll("the end of all connections", () => sockets.every(({ destroyed }) => destroyed));
  // The server looks at a connection whenever nothing moved for this time, and gives it up at the second look.
  assert.ok(2 * timeout <= PROMISED_MS, `${timeout} ms`);
  for (const looks of looksAt.values()) assert.ok(looks <= 2, `${looks} looks`);
});

test("a request that is worked on for more than half a minute is answered", async () => {
  const tenant = await server.createTenant();
  const { body } = await tenant.post("/api/v1/companies", { name: "Acme" });
  const lock = await server.deps.database.ownerTransaction(async (run) => {
    const statement = { name: "lock", text: "lock table companies in access exclusive mode" };
    await run({ statement, parameters: [] });
    const answer = request(server.url, "GET", `/api/v1/companies/${body.data.id}`, undefined, { token: tenant.token });
    const since = performance.now();
    await poll("three quarters of a minute", () => performance.now() - since > (0.75 * PROMISED_MS) / SHORTER);
    return { answer };
  });
  assert.equal((await lock.answer).status, 200);
});
