import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createRequestCounts } from "../../../src/people/api-keys/count-requests.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";

const server = await startServer();
const MINUTE = 60_000;

test("what could not be written down is counted with what comes after it", async () => {
  const tenants = [await server.createTenant(), await server.createTenant()];
  const keys = await Promise.all(tenants.map(async (tenant) => ({ tenant: tenant.id, ...(await tenant.createKey()) })));
  const complaints: string[] = [];
  const logger = createLogger("warn", { write: (line) => void complaints.push(line) });
  mock.timers.enable({ apis: ["setInterval"] });
  const counts = createRequestCounts(server.deps.database, logger);
  const minuteWithRequests = () => {
    for (const { tenant, id } of keys) counts.add(tenant, String(id));
    mock.timers.tick(MINUTE);
  };

  await server.sql("alter table key_requests rename to elsewhere");
  minuteWithRequests();
  await poll("a failure for each tenant", () => complaints.length === tenants.length);
  await server.sql("alter table elsewhere rename to key_requests");
  minuteWithRequests();
  await poll("both minutes' requests of each", async () => {
    const rows = await server.sql("select requests::int as n from key_requests");
    return rows.length === keys.length && rows.every(({ n }) => n === 2);
  });
  counts.close();
  mock.timers.reset();
  assert.equal(complaints.length, tenants.length);
});
