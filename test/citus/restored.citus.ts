import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { leftOut } from "../../src/operation/backup/left-out-of-backup.ts";
import { requester } from "../cli/installation.ts";
import { miscounted, open, stateOf } from "../operation/backup/databases.ts";
import { answersOf, createSeeded } from "../operation/backup/seeded.ts";
import { databaseUrl, serve } from "../program.ts";
import { createCitusDatabase, createDistributedDatabase } from "./distributed-database.ts";
import type { Node } from "./nodes.ts";

const nodes = JSON.parse(process.env.LIAISON_TEST_NODES ?? "[]") as Node[];
const source = await createSeeded({ LIAISON_WORKER: "off" });

test("a cluster's backup is restored, distributed and resumed on a cluster: it has the same rows and answers, and goes on", async () => {
  const file = path.join(source.dataDir, "cluster.backup");
  await source.json(["backup", file]);
  const connection = await createCitusDatabase(nodes);
  const environment = { ...source.environment, DATABASE_URL: databaseUrl(connection) };
  const run = async (...args: string[]) => await source.json(args, { environment });
  await run("restore", file);
  const { distributed } = await run("db", "distribute");
  assert.ok(distributed.includes("tenants") && distributed.includes("companies"), distributed.join(" "));
  assert.deepEqual(await run("db", "distribute"), { distributed: [] });

  const [owner, copy] = [await source.client(), await open(connection)];
  const [before, after] = [await stateOf(owner), await stateOf(copy)];
  for (const name of leftOut.keys()) for (const state of [before, after]) state.delete(name);
  assert.deepEqual([...after], [...before]);
  assert.deepEqual(await miscounted(copy), []);
  const server = await serve(environment);
  const { url } = server;
  for (const token of source.tokens) {
    assert.deepEqual(await answersOf(url, token), await answersOf(source.url, token));
  }
  const { findings, calls_held: held } = JSON.parse((await source.run(["doctor", "--json"], { environment })).stdout);
  assert.deepEqual([findings, held], [[], true]);
  await run("resume", "--after-loss");
  const api = requester(url, source.tokens[0] ?? "");
  const made = await api("POST", "/api/v1/companies", { name: "Since" });
  assert.equal(made.status, 201, server.complaints());
  assert.ok(made.body.data.id > 1_000_000, made.text);
  assert.equal((await api("PUT", `/api/v1/companies/${made.body.data.id}`, { status: "active" })).status, 200);
  assert.deepEqual(await miscounted(copy), []);
  const drawn = "select max(id & ((1::bigint << 48) - 1)) > 1000000 as is_raised from changes where id >> 48 > 0";
  assert.deepEqual((await copy.query(drawn)).rows, [{ is_raised: true }]);
});

test("a tenant of a cluster is restored on a new one, and goes on", async () => {
  const file = path.join(source.dataDir, "cluster.tenant");
  await source.json(["tenant", "suspend", "acme"]);
  await source.json(["tenant", "backup", "acme", file]);
  await source.json(["tenant", "resume", "acme"]);
  const connection = await createDistributedDatabase(nodes);
  const environment = {
    ...source.environment,
    DATABASE_URL: databaseUrl(connection),
    LIAISON_DATA_DIR: `${source.dataDir}/new`,
  };
  await source.json(["tenant", "restore", file], { environment });
  await source.json(["tenant", "resume", "acme"], { environment });
  const server = await serve(environment);
  const api = requester(server.url, source.tokens[0] ?? "");
  for (let n = 0; n < 20; n++) {
    const made = await api("POST", "/api/v1/companies", { name: `Since ${n}` });
    assert.equal(made.status, 201, server.complaints());
  }
});
