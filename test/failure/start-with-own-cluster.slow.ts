import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { readConfig } from "../../src/kit/config.ts";
import { openDeps } from "../../src/kit/deps.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { request } from "../harness.ts";
import type { Server } from "../program.ts";
import {
  createDataDirectory,
  demoToken,
  migratedDataDirectory,
  postmasterOf,
  serveFrom,
  usedDataDirectory,
} from "./data-directory.ts";
import { refuses, stopped } from "./refused-starts.ts";

for (const name of [`with 'quotes', "commas" and spaces`, `${"long".repeat(50)}/${"path".repeat(20)}`]) {
  test(`a data directory may be called ${name.slice(0, 40)}`, async () => {
    const server = await serveFrom(createDataDirectory(name), { LIAISON_DEMO: "off" });
    assert.equal((await request(server.url, "GET", "/health/ready")).status, 200);
    await stopped(server);
  });
}

test("two servers that begin on one data directory at once both serve, and the last one out stops the cluster", async () => {
  const dataDir = createDataDirectory();
  const [first, second] = await Promise.all([serveFrom(dataDir), serveFrom(dataDir)]);
  const token = demoToken(first.output().includes("Bearer") ? first : second);
  const companies = async (server: Server) =>
    await request(server.url, "GET", "/api/v1/companies", undefined, { token });
  assert.equal((await companies(first)).body.total, 60, "one demo, whole");
  assert.equal((await companies(second)).body.total, 60);
  await stopped(first);
  assert.equal((await companies(second)).status, 200, "the other's end is not ours");

  const config = readConfig({ LIAISON_DATA_DIR: dataDir });
  const visitor = await openDeps(config, createLogger("silent"));
  await visitor.close();
  assert.equal((await companies(second)).status, 200, "nor is a command's");
  await stopped(second);
  assert.equal(postmasterOf(dataDir), null);
});

test("LIAISON_DEMO=off starts empty, and the demo is not created in a database that has tenants", async () => {
  const dataDir = await migratedDataDirectory();
  const empty = await serveFrom(dataDir, { LIAISON_DEMO: "off" });
  assert.doesNotMatch(empty.output(), /Bearer/);
  await stopped(empty);
  const deps = await openDeps(readConfig({ LIAISON_DATA_DIR: dataDir }), createLogger("silent"));
  assert.deepEqual(await deps.database.readShared({ name: "count_tenants", text: "select count(*) from tenants" }), [
    ["0"],
  ]);
  await deps.database.owner([
    {
      statement: { name: "insert_own", text: "insert into tenants (slug, name) values ('own', 'Own')" },
      parameters: [],
    },
  ]);
  await deps.close();
  const next = await serveFrom(dataDir);
  assert.doesNotMatch(next.output(), /Bearer/);
  await stopped(next);
});

test("the embedded PostgreSQL's cache is an eighth of the memory, from 256 MiB to 1 GiB", async () => {
  const deps = await openDeps(readConfig({ LIAISON_DATA_DIR: await migratedDataDirectory() }), createLogger("silent"));
  const cache = await deps.database.readShared({
    name: "cache",
    text: "select pg_size_bytes(current_setting('shared_buffers')) / 1024 / 1024",
  });
  await deps.close();
  const memory = Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 1024 ** 2;
  assert.deepEqual(cache, [[String(Math.floor(Math.min(Math.max(memory / 8, 256), 1024)))]]);
});

test("a lost key file, a foreign one and foreign keys in the environment stop the start with one line", async () => {
  const { dataDir } = await usedDataDirectory();
  const keyFile = path.join(dataDir, "encryption.keys");
  assert.equal(fs.statSync(keyFile).mode & 0o777, 0o600);
  const keys = fs.readFileSync(keyFile);
  const foreign = `k1:${randomBytes(32).toString("base64")}`;

  fs.rmSync(keyFile);
  await refuses({ LIAISON_DATA_DIR: dataDir }, /encryption\.keys is missing/);
  assert.equal(fs.existsSync(keyFile), false, "no new one is made");
  fs.writeFileSync(keyFile, foreign);
  await refuses({ LIAISON_DATA_DIR: dataDir }, /encryption\.keys does not hold the keys of this database/);
  fs.writeFileSync(keyFile, "rubbish");
  await refuses({ LIAISON_DATA_DIR: dataDir }, /encryption\.keys must be comma-separated/);
  fs.writeFileSync(keyFile, keys);
  const said = await refuses(
    { LIAISON_DATA_DIR: dataDir, LIAISON_ENCRYPTION_KEYS: foreign },
    /^LIAISON_ENCRYPTION_KEYS does not/,
  );
  assert.equal(said.includes(foreign.slice(3)), false, "the key is not shown");
  assert.equal(postmasterOf(dataDir), null, "a refused start leaves no server behind");
  await stopped(await serveFrom(dataDir));
});

test("a port in use stops the start with one line, and leaves no server behind", async () => {
  const { dataDir } = await usedDataDirectory();
  const server = await serveFrom(dataDir);
  const { port } = new URL(server.url);
  const other = await migratedDataDirectory();
  await refuses({ LIAISON_DATA_DIR: other, PORT: port }, new RegExp(`^PORT ${port} is in use`));
  assert.equal(postmasterOf(other), null);
  await stopped(server);
});
