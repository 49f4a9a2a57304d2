import assert from "node:assert/strict";
import net from "node:net";
import { after, test } from "node:test";
import { startServer, type TestTenant } from "../harness.ts";
import { poll } from "../program.ts";

/** Answers and bodies that are large, and clients that do not take them. */

const server = await startServer({ LIAISON_RATE_LIMIT: "0" });
const PATH = "/api/v1/companies?per_page=200";

/** A tenant whose list of companies is more than the buffers of a connection hold. */
async function withLongTexts(): Promise<TestTenant> {
  const tenant = await server.createTenant();
  await server.sql(
    `insert into companies (tenant_id, name, country, notes, delivery_notes)
    select $1, 'Company ' || n, 'Romania', repeat('ș', 65535), repeat('ț', 65535) from generate_series(1, 80) n`,
    [tenant.id],
  );
  return tenant;
}

/** Asks for the list and takes nothing of the answer. */
function askWithoutReading({ token }: TestTenant): net.Socket {
  const { hostname, port } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.pause();
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  after(() => socket.destroy());
  return socket;
}

async function connections(): Promise<number> {
  return await new Promise((resolve) => server.server.server.getConnections((_error, count) => resolve(count)));
}

test("lists that nobody takes keep the next large ones of their tenant waiting, and no other tenant's", async () => {
  const tenant = await withLongTexts();
  const other = await withLongTexts();
  const deaf = Array.from({ length: 8 }, () => askWithoutReading(tenant));
  const before = await connections();
  await poll("the clients' connections", async () => (await connections()) >= 8, 10);
  assert.ok(before <= 8);
  // So many are under way that the next has to wait.
  let isAnswered = false;
  const waiting = tenant.get(PATH).then((answer) => ((isAnswered = true), answer));
  assert.equal((await other.get(PATH)).body.data.length, 80);
  assert.equal((await tenant.get(`${PATH}&per_page=1`)).body.data.length, 1, "a small one goes on");
  assert.equal(isAnswered, false);
  for (const socket of deaf) socket.destroy();
  assert.equal((await waiting).body.data.length, 80);
});

test("a client that takes nothing of its answer is cut off", async () => {
  const tenant = await withLongTexts();
  assert.equal(server.server.server.timeout, 60_000);
  // As the server's own, but so short that a test can wait for it.
  server.server.server.timeout = 300;
  after(() => (server.server.server.timeout = 60_000));
  const socket = askWithoutReading(tenant);
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  socket.once("connect", resolve);
  await connected;
  const before = await connections();
  await poll("the end of the connection", async () => (await connections()) < before, 10);
  assert.equal((await tenant.get(PATH)).body.data.length, 80);
});

test("large bodies of one tenant wait for each other, and not for another tenant's", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  const { hostname, port } = new URL(server.url);
  const open = Array.from({ length: 16 }, () => {
    const socket = net.connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(
      `POST /api/v1/companies HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tenant.token}\r\nContent-Length: 1048576\r\n\r\n{`,
    );
    after(() => socket.destroy());
    return socket;
  });
  const large = { name: "A", notes: "n".repeat(65_535), ignored: "x".repeat(900_000) };
  await poll("the clients' connections", async () => (await connections()) >= 16, 10);
  await poll("a body that waits", async () => {
    const probe = tenant.post("/api/v1/companies", large).then(({ status }) => status);
    return (await Promise.race([probe, other.get("/api/v1/companies").then(() => null)])) === null;
  });
  assert.equal((await other.post("/api/v1/companies", large)).status, 201);
  assert.equal((await tenant.post("/api/v1/companies", { name: "small" })).status, 201);
  for (const socket of open) socket.destroy();
  assert.equal((await tenant.post("/api/v1/companies", large)).status, 201);
});
