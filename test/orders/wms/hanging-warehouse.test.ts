import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { administer } from "./instance-calls.ts";
import { startWithWarehouse } from "./warehouse.ts";

const server = await startWithWarehouse({ LIAISON_WMS_TIMEOUT: "300", LIAISON_WMS_CONCURRENCY: "4" });
let numbers = 0;

test("a warehouse that hangs slows no other, of its tenant and of others", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  await administer(server.simulator, "PUT", "/faults?instance=stuck", { hang: 1 });
  const waiting = await send(tenant, "stuck");
  const hanging = async () => {
    const { struck } = (await administer(server.simulator, "GET", "/faults")) as { struck: Record<string, number> };
    return struck["hang"];
  };
  await poll("as many calls that hang as there may be", async () => (await hanging()) === 4);
  // Two tenants name one warehouse, and share what it bears.
  const sharing = await send(other, "stuck");

  for (const [owner, instance] of [
    [tenant, "north"],
    [other, "south"],
  ] as const) {
    for (const id of await send(owner, instance)) await server.until(owner, id, ({ state }) => state === "sent");
  }

  // A worker that is killed now is found out half a minute later.
  const leases = await server.sql(
    "select lease_until - now() between '0' and '30 seconds' as fits from jobs where state = 'running'",
  );
  assert.deepEqual(leases, [{ fits: true }, { fits: true }, { fits: true }, { fits: true }]);
  // None of them has ended: what was sent since then waited for none.
  assert.equal(await hanging(), 4);
  const counted = async (of: TestTenant, ids: number[]) => {
    const states = ids.map(async (id) => (await of.get(`/api/v1/invoices/${id}`)).body.data.wms.state);
    const byState = Object.groupBy(await Promise.all(states), (state) => String(state));
    return [byState.sending?.length, byState.queued?.length];
  };
  assert.deepEqual(
    [await counted(tenant, waiting), await counted(other, sharing)],
    [
      [4, 26],
      [undefined, 30],
    ],
  );
});

/** Thirty invoices of a company that sends by itself. */
async function send(tenant: TestTenant, instance: string): Promise<number[]> {
  const company = await server.connect(tenant, instance, { automatically: true });
  const invoices = Array.from({ length: 30 }, async () => {
    const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `INV-${++numbers}` });
    return Number(body.data.id);
  });
  return await Promise.all(invoices);
}
