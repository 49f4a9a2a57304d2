import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { test } from "node:test";
import { createInstallation } from "../cli/installation.ts";
import { request, type Answer } from "../harness.ts";
import { poll, serve, start, type Server } from "../program.ts";
import { accepts } from "../wire.ts";
import { connectTo, createDataDirectory, postmasterOf, serveFrom, usedDataDirectory } from "./data-directory.ts";
import { openConnection } from "./persistent-connection.ts";

const { environment } = await createInstallation();

/** Connections that wait for a lock of the querying one: others may wait for others at any time. */
const WAIT_FOR_US = "select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))";

test("SIGTERM lets a request in flight finish, closes idle connections, and exits 0", async () => {
  const { dataDir, token } = await usedDataDirectory();
  const server = await serveFrom(dataDir);
  const agent = new http.Agent({ keepAlive: true });
  await keepAlive(server, agent);
  const silent = net.connect(Number(new URL(server.url).port), "127.0.0.1");
  await new Promise((resolve) => silent.once("connect", resolve));
  silent.on("error", () => {});

  const owner = await connectTo(dataDir);
  await owner.query("begin; update companies set notes = notes where id = 1");
  const slow = rename(server, token, "Finished all the same");
  await poll("the request to wait for the lock", async () => {
    const { rows } = await owner.query(WAIT_FOR_US);
    return rows.length === 1;
  });
  server.process.kill("SIGTERM");
  await poll("the end of accepting", async () => !(await accepts(server.url)));
  server.process.kill("SIGTERM");
  server.process.kill("SIGINT");
  await owner.query("commit");
  await owner.end();

  const answer = await slow;
  assert.equal(answer.status, 200);
  assert.equal(answer.body.data.name, "Finished all the same");
  assert.equal(await server.ended, 0, server.complaints());
  assert.equal(postmasterOf(dataDir), null);
  assert.equal(server.complaints(), "");
  agent.destroy();
  silent.destroy();
});

for (const options of [[], ["--processes", "2"]]) {
  test(`a server at SIGTERM sends clients elsewhere first, and still serves them: serve ${options.join(" ")}`, async () => {
    const server = await serve({ ...environment, LIAISON_DRAIN_SECONDS: "300" }, [], options);
    const kept = await openConnection(server.url);
    assert.doesNotMatch((await kept.get("/health/ready")).head, /^connection: close/im);
    server.process.kill("SIGTERM");
    await poll(
      "the word that it stops",
      async () => (await request(server.url, "GET", "/health/ready")).status === 503,
    );
    const { status, head } = await kept.get("/health/live");
    assert.equal(status, 200);
    assert.match(head, /^connection: close\r?$/im);
    await poll("the end of the connection", () => !kept.isOpen());
    for (let client = 0; client < 20; client++) {
      const { get } = await openConnection(server.url);
      const answer = await get("/health/live");
      assert.equal(answer.status, 200);
      assert.match(answer.head, /^connection: close\r?$/im);
    }
    server.process.kill("SIGINT");
    assert.equal(await server.ended, 0, server.complaints());
    assert.equal(await accepts(server.url), false);
  });

  test(`a server at SIGTERM ends when its drain is over: serve ${options.join(" ")}`, async () => {
    const server = await serve({ ...environment, LIAISON_DRAIN_SECONDS: "1" }, [], options);
    server.process.kill("SIGTERM");
    assert.equal(await server.ended, 0, server.complaints());
  });

  test(`SIGINT ends at once, also a server that drains: serve ${options.join(" ")}`, async () => {
    for (const signals of [["SIGINT"], ["SIGTERM", "SIGINT"]] as const) {
      const server = await serve({ ...environment, LIAISON_DRAIN_SECONDS: "300" }, [], options);
      for (const signal of signals) server.process.kill(signal);
      assert.equal(await server.ended, 0, server.complaints());
    }
  });
}

test("SIGTERM closes idle connections at once, cuts half-sent requests after 10 seconds, and exits 0", async () => {
  const { dataDir, token } = await usedDataDirectory();
  const server = await serveFrom(dataDir);
  const closed: string[] = [];
  const [half, idle] = ["half-sent", "idle"].map((name) => {
    const socket = net.connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.on("error", () => {});
    return { socket, end: new Promise((resolve) => socket.once("close", () => resolve(closed.push(name)))) };
  });
  assert.ok(half !== undefined && idle !== undefined);
  await once(idle.socket, "connect");
  half.socket.write(
    `POST /api/v1/companies HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{"na`,
  );
  assert.equal((await request(server.url, "GET", "/health/live")).status, 200);
  const told = performance.now();
  server.process.kill("SIGTERM");
  await Promise.all([half.end, idle.end]);
  assert.deepEqual(closed, ["idle", "half-sent"]);
  const waited = performance.now() - told;
  assert.ok(waited > 9_000, `cut after ${waited} ms`);
  assert.equal(await server.ended, 0, server.complaints());
});

test("SIGTERM during the start ends cleanly", async () => {
  const dataDir = createDataDirectory();
  const server = start(["serve"], { LIAISON_DATA_DIR: dataDir });
  await poll("PostgreSQL's start", () => postmasterOf(dataDir) !== null);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
  assert.equal(postmasterOf(dataDir), null);
  assert.equal(server.complaints(), "");
});

test("SIGTERM ends a server that still waits for its database", async () => {
  const database = net.createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  const asked = new Promise((resolve) => database.once("connection", resolve));
  await new Promise((resolve) => database.once("listening", resolve));
  const { port } = database.address() as net.AddressInfo;
  const server = start(["serve"], {
    DATABASE_URL: `postgres://someone@127.0.0.1:${port}/x`,
    LIAISON_DATA_DIR: createDataDirectory(),
  });
  await asked;
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
  assert.equal(server.complaints(), "");
  database.close();
});

async function rename(server: Server, token: string, name: string): Promise<Answer> {
  return await request(server.url, "PUT", "/api/v1/companies/1", { name }, { token });
}

/** Leaves an idle connection behind. */
async function keepAlive(server: Server, agent: http.Agent): Promise<void> {
  await new Promise<void>((resolve) => {
    http.get(`${server.url}/health/live`, { agent }, (response) => response.resume().on("end", () => resolve()));
  });
}
