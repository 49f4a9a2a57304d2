import assert from "node:assert/strict";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import { test } from "node:test";
import { createInstallation } from "../cli/installation.ts";
import { poll, start } from "../program.ts";
import { createDataDirectory } from "./data-directory.ts";
import { childrenOf, signal } from "./process-list.ts";

test("a port that is taken is noticed before the database is made", async () => {
  const holder = net.createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as net.AddressInfo;
  const dataDir = createDataDirectory();
  const { code, stderr } = await start(["serve"], { LIAISON_DATA_DIR: dataDir, PORT: String(port) }).finished();
  holder.close();
  assert.deepEqual([code, fs.existsSync(dataDir)], [1, false]);
  assert.match(stderr, /^PORT \d+ is in use on 127\.0\.0\.1: .*\n$/);
});

test("a metrics port that equals PORT is named as such", async () => {
  const settings = { LIAISON_DATA_DIR: createDataDirectory(), PORT: "26409", LIAISON_METRICS_PORT: "26409" };
  const { code, stderr } = await start(["serve"], settings).finished();
  assert.equal(code, 1);
  assert.equal(stderr, "LIAISON_METRICS_PORT and PORT are both 26409: set another LIAISON_METRICS_PORT.\n");
});

test("the start names unknown settings with the nearest known one, and where it listens behind its public address", async () => {
  const { environment } = await createInstallation();
  const settings = {
    LIAISON_WMS_URI: "secret-value",
    LIAISON_FLAVOUR: "x",
    LIAISON_SERVICE_HOST: "10.0.0.1",
    LIAISON_PUBLIC_URL: "https://crm.example.com",
  };
  const program = start(["serve"], { ...environment, ...settings });
  await poll("the start", () => program.output().includes("Liaison is ready"));
  assert.equal(
    program.complaints(),
    "Unknown settings are ignored: LIAISON_WMS_URI (LIAISON_WMS_URL?), LIAISON_FLAVOUR.\n",
  );
  assert.match(program.output(), /ready at https:\/\/crm\.example\.com .* It listens at http:\/\/127\.0\.0\.1:\d+\./);
  program.process.kill("SIGTERM");
  assert.equal(await program.ended, 0);
});

test("a SIGTERM to the whole start, while PostgreSQL's files are made, ends it without an error", async () => {
  const program = start(["serve"], { LIAISON_DATA_DIR: createDataDirectory() });
  const pid = program.process.pid ?? 0;
  const making = () => childrenOf(pid);
  await poll("initdb", () => making().length > 0 || program.process.exitCode !== null);
  signal([pid, ...making()], "SIGTERM");
  const { code, stderr } = await program.finished();
  assert.deepEqual([code, stderr], [0, ""]);
});
