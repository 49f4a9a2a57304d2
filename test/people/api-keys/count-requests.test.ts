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

test("counts of 35 days ago are deleted with the next count of their workspace, and later ones are not", async () => {
  const tenant = await server.createTenant();
  const { id } = await tenant.createKey();
  await server.sql(
    `insert into key_requests (tenant_id, day, key_id, requests)
     select $1, current_date - n, $2, 1 from unnest(array[34, 35, 400]) n`,
    [tenant.id, id],
  );
  mock.timers.enable({ apis: ["setInterval"] });
  const counts = createRequestCounts(server.deps.database, createLogger("warn"));
  counts.add(tenant.id, String(id));
  mock.timers.tick(MINUTE);
  const days = async () =>
    (
      await server.sql("select (current_date - day)::int as ago from key_requests where tenant_id = $1 order by day", [
        tenant.id,
      ])
    ).map(({ ago }) => ago);
  await poll("today's count", async () => (await days()).includes(0));
  assert.deepEqual(await days(), [34, 0]);
  counts.close();
  mock.timers.reset();
});
