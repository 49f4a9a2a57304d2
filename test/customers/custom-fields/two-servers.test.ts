import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { databaseUrl, poll, serve } from "../../program.ts";
import { afterFile } from "../../together.ts";

/** Definitions that another process has changed. */
const server = await startServer();

test("a definition is seen at once by the server that changed it, and by another one seconds later", async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-fields-"));
  afterFile(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const other = await serve({ DATABASE_URL: databaseUrl(server.connection), DATA_DIR: dataDir });
  const tenant = await server.createTenant();
  const send = async (method: string, body: object, at = "") => {
    const headers = { authorization: `Bearer ${tenant.token}`, "content-type": "application/json" };
    const url = `${other.url}/api/v1/companies${at}`;
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as { data: { metadata: unknown } } };
  };
  const custom = { route: "North" };
  assert.equal((await send("POST", { name: "A", custom })).status, 422);
  const made = await tenant.post("/api/v1/custom-fields", { noun: "company", label: "Route", kind: "text" });
  const here = await tenant.post("/api/v1/companies", { name: "Here", custom });
  assert.deepEqual(here.body.data.metadata, custom);
  let there = await send("PUT", { custom: { route: "South" } }, `/${here.body.data.id}`);
  await poll("the definition in the other server", async () => {
    there = await send("PUT", { custom: { route: "South" } }, `/${here.body.data.id}`);
    return there.status === 200;
  });
  assert.deepEqual(there.body.data.metadata, { route: "South" });
  await tenant.put(`/api/v1/custom-fields/${made.body.data.id}`, { archived: true });
  assert.equal((await tenant.put(`/api/v1/companies/${here.body.data.id}`, { custom })).status, 422);
  await poll("the archived definition in the other server", async () => {
    there = await send("PUT", { city: "Turda" }, `/${here.body.data.id}`);
    return there.body.data.metadata === null;
  });
  other.process.kill("SIGTERM");
  await other.ended;
});
