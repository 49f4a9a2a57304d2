import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";
import { poll } from "../../program.ts";
import { statementsSent } from "../../statements-sent.ts";
import { startReceiver } from "./receiver.ts";
import { runsOf } from "./runs.ts";

// On a cluster the locks would be at the tenant's node.
test("changes that another process numbers for long are sent once it has ended, and readers are answered meanwhile", async () => {
  const server = await startServer({ LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
  const receiver = await startReceiver();
  const tenant = await server.createTenant();
  assert.equal((await tenant.post("/api/v1/webhooks", { url: receiver.url })).status, 201);
  const locks = [7_261_962, 7_261_964].map((lock) => `pg_advisory_xact_lock(${lock}, hashint8(${tenant.id}))`);
  await untilLetGo(server, `select ${locks.join()}`, async (letGo) => {
    await tenant.post("/api/v1/companies", { name: "Waits" });
    const before = statementsSent("read_feed");
    const running = runsOf(server).run(tenant);
    await poll("a read of the feed as it is", () => statementsSent("read_feed") > before);
    assert.equal((await tenant.get("/api/v1/changes?after=")).status, 200);
    assert.deepEqual(receiver.heard, []);
    await letGo();
    await running;
  });
  assert.deepEqual(
    receiver.heard.map(({ body }) => body.type),
    ["company.created"],
  );
});
