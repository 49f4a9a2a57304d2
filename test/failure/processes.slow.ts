import assert from "node:assert/strict";
import { after, test } from "node:test";
import { advisoryLocks } from "../../src/platform/postgres/advisory-locks.ts";
import { createInstallation } from "../cli/installation.ts";
import { request, waitingForLocks } from "../harness.ts";
import { freePort, poll, serve, start, type Server } from "../program.ts";
import { accepts } from "../wire.ts";
import {
  connectTo,
  createDataDirectory,
  isAlive,
  postmasterOf,
  serveFrom,
  usedDataDirectory,
  type UsedDirectory,
} from "./data-directory.ts";
import { openConnection, type PersistentConnection } from "./persistent-connection.ts";
import { childrenOf } from "./process-list.ts";

const TWO = ["--processes", "2"];
/** The default for failed authentication. */
const LIMIT = 1_000;
const installation = await createInstallation();
const paused = new Set<number>();

after(() => {
  for (const pid of paused) process.kill(pid, "SIGKILL");
});

test("a server process that is killed takes along its own connections only, and another takes its place; so when all are", async () => {
  const server = await serve(installation.environment, [], TWO);
  const [killed = 0, other = 0] = serversOf(server);
  const connections = await openConnections(server.url, 4);
  process.kill(killed, "SIGKILL");
  await poll("the end of its connections", () => connections.some(({ isOpen }) => !isOpen()));
  // The end of one may be noticed before that of the next.
  const open = connections.filter(({ isOpen }) => isOpen());
  const answers = await Promise.allSettled(open.map(({ get }) => get("/health/ready")));
  const left = open.filter((_connection, at) => answers[at]?.status === "fulfilled");
  assert.ok(left.length > 0, "the other process has connections too");
  assert.deepEqual(
    left,
    connections.filter(({ isOpen }) => isOpen()),
    "and answers on all that are open",
  );

  let unanswered = 0;
  await poll("its successor", async () => {
    if (!(await isReady(server))) unanswered++;
    return serversOf(server).length === 2;
  });
  assert.ok(unanswered <= 1, "but for one that was on its way to it, requests go on being answered");
  process.kill(other, "SIGKILL");
  await poll("the end of the other", () => left.every(({ isOpen }) => !isOpen()));
  await poll("an answer of a successor", async () => await isReady(server));
  await poll("the other's successor", () => serversOf(server).length === 2);

  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
  const log = server.complaints().trim().split("\n");
  assert.deepEqual(
    log.map((line) => JSON.parse(line)).map(({ level, ended, signal }) => ({ level, ended, signal })),
    [killed, other].map((pid) => ({ level: 50, ended: pid, signal: "SIGKILL" })),
  );
});

test("while all server processes are gone the port stays open: new connections are answered by a successor", async () => {
  const server = await serve(installation.environment, [], TWO);
  const connections = await openConnections(server.url, 4);
  const killed = serversOf(server);
  for (const pid of killed) process.kill(pid, "SIGKILL");
  await poll("the end of their connections", () => connections.every(({ isOpen }) => !isOpen()));
  // What is handed to a process whose end its parent has not heard of yet is lost with it.
  await poll("the parent's hearing of it", () => serversOf(server).every((pid) => !killed.includes(pid)));
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => await (await openConnection(server.url)).get("/health/live")),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
});

test("a connection that was on its way to a process when it was killed is closed, and not forgotten", async () => {
  const server = await serve(installation.environment, [], TWO);
  const [killed = 0] = serversOf(server);
  paused.add(killed);
  process.kill(killed, "SIGSTOP");
  const connections = await Promise.all(Array.from({ length: 4 }, async () => await openConnection(server.url)));
  const waiting = new Set(connections);
  for (const connection of connections) {
    connection.get("/health/live").then(
      () => waiting.delete(connection),
      () => {},
    );
  }
  await poll("the other process's answers", () => waiting.size === 1);
  process.kill(killed, "SIGKILL");
  paused.delete(killed);
  await poll("the end of the one that nobody took", () => [...waiting].every(({ isOpen }) => !isOpen()));
  for (const { close } of connections) close();
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
});

test("SIGTERM, to the parent or to all, lets requests in flight finish, closes the database, and exits 0", async () => {
  const used = await usedDataDirectory();
  const { dataDir } = used;
  const server = await serveFrom(dataDir, {}, TWO);
  const slow = await writesInFlight(server, used);
  const servers = serversOf(server);
  server.process.kill("SIGTERM");
  await poll("the end of accepting", async () => !(await accepts(server.url)));
  server.process.kill("SIGINT");
  for (const pid of servers) process.kill(pid, "SIGINT");
  assert.deepEqual(await slow.finish(), [200, 200]);
  assert.equal(await server.ended, 0, server.complaints());
  assert.deepEqual(servers.filter(isAlive), []);
  assert.equal(postmasterOf(dataDir), null);
  assert.equal(server.complaints(), "");
});

test("a parent that is killed leaves nothing behind: its processes finish what is in flight, and end", async () => {
  const used = await usedDataDirectory();
  const { dataDir } = used;
  const server = await serveFrom(dataDir, {}, TWO);
  const slow = await writesInFlight(server, used);
  const servers = serversOf(server);
  server.process.kill("SIGKILL");
  await poll("the end of accepting", async () => !(await accepts(server.url)));
  assert.deepEqual(await slow.finish(), [200, 200]);
  await poll("the end of the processes", () => !servers.some(isAlive));
  assert.equal(postmasterOf(dataDir), null);
  assert.equal(server.complaints(), "");
});

test("SIGTERM during the start of the first process ends cleanly", async () => {
  const dataDir = createDataDirectory();
  const server = start(["serve", ...TWO], { LIAISON_DATA_DIR: dataDir });
  await poll("PostgreSQL's start", () => postmasterOf(dataDir) !== null);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
  assert.equal(postmasterOf(dataDir), null);
  assert.equal(server.complaints(), "");
});

test("SIGTERM while the first process has the database open starts no further one, and ends it", async () => {
  const PORT = String(await freePort());
  const writing = await installation.client();
  await writing.query("begin; lock table settings in share mode");
  const server = installation.start(["serve", ...TWO], { environment: { PORT } });
  await poll("its wait", async () => (await installation.sql(waitingForLocks)).length > 0);
  server.process.kill("SIGTERM");
  await poll("the end of accepting", async () => !(await accepts(`http://127.0.0.1:${PORT}`)));
  await writing.query("rollback");
  assert.equal(await server.ended, 0, server.complaints());
});

test("the other server processes start once the first has brought the database up to date", async () => {
  const migrating = await installation.client();
  await migrating.query("select pg_advisory_lock($1)", [advisoryLocks.migration]);
  const server = installation.start(["serve", "--processes", "3"]);
  await poll("the first one to ask for the lock", async () => {
    const asking =
      "select from pg_stat_activity where datname = current_database() and query like 'select pg_try_advisory_lock%'";
    return (await installation.sql(asking)).length === 1;
  });
  assert.equal(childrenOf(server.process.pid ?? 0).length, 1);
  await migrating.query("select pg_advisory_unlock($1)", [advisoryLocks.migration]);
  await poll("the start", () => server.output().includes("Liaison is ready"));
  assert.equal(childrenOf(server.process.pid ?? 0).length, 3);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
});

test("several processes are ready once all of them serve", async () => {
  const PORT = String(await freePort());
  const server = installation.start(["serve", "--processes", "3"], { environment: { PORT, LOG_LEVEL: "info" } });
  const url = `http://127.0.0.1:${PORT}`;
  const pids = () => childrenOf(server.process.pid ?? 0);
  await poll("the second process", () => pids().length > 1);
  const [late = 0] = pids().slice(-1);
  paused.add(late);
  process.kill(late, "SIGSTOP");
  const ready = async () => await request(url, "GET", "/health/ready");
  await poll("the third process", () => pids().length === 3);
  for (let times = 0; times < 20; times++) assert.deepEqual((await ready()).body, { status: "starting" });
  assert.equal((await ready()).status, 503);
  assert.equal((await request(url, "GET", "/health/live")).status, 200);
  assert.doesNotMatch(server.output() + server.complaints(), /Liaison is ready/);
  process.kill(late, "SIGCONT");
  paused.delete(late);
  await poll("the start", () => server.output().includes("Liaison is ready"));
  for (let times = 0; times < 6; times++) assert.equal((await ready()).status, 200);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
});

test("the limit of a key, and that of failed authentication, hold over all processes", async () => {
  const url = await installation.serve(TWO);
  await installation.json(["tenant", "create", "acme", "--name", "Acme"]);
  const specification = ["--tenant", "acme", "--name", "n", "--capabilities", "contacts:read"];
  const { token } = await installation.json(["key", "create", ...specification, "--rate", String(LIMIT)]);

  for (const authorization of [`Bearer ${token}`, "Bearer acme.x"]) {
    const connections = await openConnections(url, 8);
    const spent = await Promise.all(connections.map(async (connection) => await spend(connection, authorization)));
    const answered = spent.flat().length;
    // Each process alone would answer the whole limit.
    assert.ok(answered >= LIMIT && answered < 1.5 * LIMIT, `${answered} answers of ${LIMIT}`);
    for (const remaining of spent)
      assert.deepEqual(
        remaining,
        remaining.toSorted((a, b) => b - a),
      );
    for (const { get, close } of connections) {
      assert.equal((await get("/api/v1/companies/1", { authorization })).status, 429);
      close();
    }
  }
});

test("a number of processes that cannot be, and a port that is taken, are refused with one line", async () => {
  for (const number of ["0", "65", "1.5"]) {
    const { code, stdout, stderr } = await installation.run(["serve", "--processes", number]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.equal(stderr, "--processes must be a whole number from 1 to 64.\n");
  }
  const { port } = new URL(await installation.serve());
  const { code, stdout, stderr } = await installation.run(["serve", ...TWO], { environment: { PORT: port } });
  assert.match(stderr, /^PORT \d+ is in use on 127\.0\.0\.1: .*\n$/);
  assert.deepEqual([code, stdout], [1, ""]);
});

/** The processes that serve. */
function serversOf({ process }: Server): number[] {
  return childrenOf(process.pid ?? 0);
}

/** Connections that were answered once, so that each belongs to a process. */
async function openConnections(url: string, count: number): Promise<PersistentConnection[]> {
  const connections: PersistentConnection[] = [];
  for (let i = 0; i < count; i++) {
    const connection = await openConnection(url);
    assert.equal((await connection.get("/health/live")).status, 200);
    connections.push(connection);
  }
  return connections;
}

/** Whether a new connection is taken and answered. */
async function isReady({ url }: Server): Promise<boolean> {
  try {
    const { get, close } = await openConnection(url);
    const { status } = await get("/health/ready");
    close();
    return status === 200;
  } catch {
    return false;
  }
}

/** Two writes that wait for a lock, and their statuses once it is given back. */
async function writesInFlight(
  server: Server,
  { dataDir, token }: UsedDirectory,
): Promise<{ finish(): Promise<number[]> }> {
  const owner = await connectTo(dataDir);
  await owner.query("begin; update companies set notes = notes where id = 1");
  const writes: Promise<{ status: number }>[] = [];
  for (const notes of ["One", "Two"]) {
    writes.push(request(server.url, "PUT", "/api/v1/companies/1", { notes }, { token }));
    await poll("the write to wait for the lock", async () => {
      const { rows } = await owner.query("select from pg_locks where not granted");
      return rows.length === writes.length;
    });
  }
  return {
    async finish() {
      await owner.query("commit");
      await owner.end();
      return (await Promise.all(writes)).map(({ status }) => status);
    },
  };
}

/** Asks until the answer is 429, and returns what the others said was left of the limit. */
async function spend({ get }: PersistentConnection, authorization: string): Promise<number[]> {
  const remaining: number[] = [];
  for (;;) {
    const { status, head } = await get("/api/v1/companies/1", { authorization });
    if (status === 429) return remaining;
    remaining.push(Number(/x-ratelimit-remaining: (\d+)/i.exec(head)?.[1] ?? 0));
  }
}
