import assert from "node:assert/strict";
import net from "node:net";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { startServer, type TestTenant } from "../harness.ts";
import { poll } from "../program.ts";

/** Answers and bodies that are large, and clients that do not take them. */

const server = await startServer({ LIAISON_RATE_LIMIT: "0", LIAISON_TRUSTED_PROXIES: "127.0.0.1/32" });
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

type Client = { socket: net.Socket; hasHeard: () => boolean };

/** Sends the head of a request, and takes no more of the answer than its beginning. */
function sendWithoutReading({ token }: { token: string }, requestLine: string, ...headers: string[]): Client {
  const { hostname, port } = new URL(server.url);
  const socket = net.connect(Number(port), hostname);
  let hasHeard = false;
  socket.on("error", () => {});
  socket.once("data", () => {
    hasHeard = true;
    socket.pause();
  });
  const lines = [`${requestLine} HTTP/1.1`, "Host: a", `Authorization: Bearer ${token}`, ...headers];
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  after(() => socket.destroy());
  return { socket, hasHeard: () => hasHeard };
}

/** What a list of 200 reserves fits three times into a tenant's share. */
const LISTS_AT_ONCE = 3;

async function connections(): Promise<number> {
  return await new Promise((resolve) => server.server.server.getConnections((_error, count) => resolve(count)));
}

test("lists that nobody takes keep the next large ones of their tenant waiting, and no other tenant's", async () => {
  const tenant = await withLongTexts();
  const other = await withLongTexts();
  const clients = Array.from({ length: 8 }, () => sendWithoutReading(tenant, `GET ${PATH}`));
  const begun = () => clients.filter(({ hasHeard }) => hasHeard()).length;
  await poll("the first answers", () => begun() >= LISTS_AT_ONCE, 30);
  for (let i = 0; i < 2; i++) assert.equal((await other.get(PATH)).body.data.length, 80);
  assert.equal((await tenant.get(`${PATH}&per_page=1`)).body.data.length, 1, "a small one goes on");
  assert.equal(begun(), LISTS_AT_ONCE);
  for (const { socket } of clients.filter(({ hasHeard }) => hasHeard())) socket.destroy();
  await poll("the next answers", () => begun() === 2 * LISTS_AT_ONCE, 30);
  for (const { socket } of clients) socket.destroy();
  assert.equal((await tenant.get(PATH)).body.data.length, 80);
});

test("a client that takes nothing of its answer is cut off", async () => {
  const tenant = await withLongTexts();
  // A client without movement is cut off after one or two of these: within a minute.
  assert.equal(server.server.server.timeout, 30_000);
  // As the server's own, but so short that a test can wait for it.
  server.server.server.timeout = 300;
  try {
    const { socket, hasHeard } = sendWithoutReading(tenant, `GET ${PATH}`);
    await poll("the beginning of the answer", hasHeard, 30);
    const before = await connections();
    await poll("the end of the connection", async () => (await connections()) < before, 30);
    socket.destroy();
  } finally {
    server.server.server.timeout = 30_000;
  }
  assert.equal((await tenant.get(PATH)).body.data.length, 80);
});

test("large bodies of one tenant wait for each other, and not for another tenant's", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  const small = { name: "Small" };
  for (const one of [tenant, other]) assert.equal((await one.post("/api/v1/companies", small)).status, 201);
  const { id } = (await tenant.post("/api/v1/companies", small)).body.data;
  // The sixteen of a tenant's share: each got "100 Continue", and sends nothing more.
  const clients = Array.from({ length: 16 }, () =>
    sendWithoutReading(tenant, "POST /api/v1/companies", "Content-Length: 1048576", "Expect: 100-continue"),
  );
  await poll("the server's readiness for the bodies", () => clients.every(({ hasHeard }) => hasHeard()), 30);
  const large = { name: "A", ignored: "x".repeat(900_000) };
  let isAnswered = false;
  const waiting = tenant.post("/api/v1/companies", large).then((answer) => ((isAnswered = true), answer));
  for (let i = 0; i < 3; i++) assert.equal((await other.post("/api/v1/companies", large)).status, 201);
  assert.equal((await tenant.post("/api/v1/companies", small)).status, 201);
  assert.equal((await tenant.delete(`/api/v1/companies/${id}`)).status, 200, "it has no body");
  assert.equal(isAnswered, false);
  for (const { socket } of clients) socket.destroy();
  assert.equal((await waiting).status, 201);
});

test("large bodies that have a large answer each are all answered, whatever they hold together", async () => {
  const tenant = await server.createTenant();
  // 8 MiB, of which two are a tenant's share; each item's mistake makes the answer large.
  const items = Array.from({ length: 1_000 }, () => ({ notes: "n".repeat(8_370) }));
  const both = await Promise.all([0, 1].map(async () => await tenant.post("/api/v1/companies/batch", { items })));
  for (const { status, body } of both) assert.deepEqual([status, body.rejected], [200, 1_000]);
});

test("a packed body whose length nobody says is read, though it holds all that its tenant may", async () => {
  const tenant = await server.createTenant();
  const items = Array.from({ length: 1_000 }, (_, at) => ({ name: `Company ${at}`, notes: "n".repeat(100) }));
  const packed = gzipSync(JSON.stringify({ items }));
  const answer = await fetch(`${server.url}/api/v1/companies/batch`, {
    method: "POST",
    headers: { authorization: `Bearer ${tenant.token}`, "content-encoding": "gzip" },
    body: new Blob([packed]).stream(),
    duplex: "half",
  });
  const { created } = (await answer.json()) as { created: number };
  assert.deepEqual([answer.status, created], [200, 1_000]);
});

/** The largest answer that needs no key. */
const CONTRACT = "GET /api/v1/openapi.json";

function askForContract(from: string): Client {
  return sendWithoutReading({ token: "nobody.x" }, CONTRACT, `X-Forwarded-For: ${from}`);
}

test("the contract's copies wait for each other on their way to one network, and not on that to another", async () => {
  const greedy = Array.from({ length: 24 }, () => askForContract("192.0.2.1"));
  // More than the buffers of a connection hold.
  const more = `${CONTRACT} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n`.repeat(30);
  for (const { socket } of greedy) socket.write(more);
  const answerOfOthers = async () => {
    // During twelve requests, one after the other, the next of the greedy would have had its turn if nothing else made
    // it wait.
    for (let i = 0; i < 12; i++) {
      const other = askForContract("192.0.3.1");
      await poll("the other network's answer", other.hasHeard, 30);
    }
  };
  // Another address of the same network: who has a whole one asks from all of them.
  let next = askForContract("192.0.2.77");
  await answerOfOthers();
  for (let tries = 0; tries < 50 && next.hasHeard(); tries++) {
    next = askForContract("192.0.2.77");
    await answerOfOthers();
  }
  assert.equal(next.hasHeard(), false);
  for (const { socket } of greedy) socket.destroy();
  await poll("the next answer", next.hasHeard, 30);
});

test("the contract's copies leave to one network one by one, whether or not their connections could take them", async () => {
  const greedy = Array.from({ length: 100 }, () => askForContract("192.0.9.1"));
  const heard = () => greedy.filter(({ hasHeard }) => hasHeard()).length;
  await poll("the first file", () => heard() > 0, 30);
  let others = 0;
  for (; others < 300 && heard() < 50; others++) {
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 200);
  }
  assert.ok(others >= 50, `${others} others were answered while ${heard()} files left`);
  for (const { socket } of greedy) socket.destroy();
});
