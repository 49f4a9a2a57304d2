import assert from "node:assert/strict";
import { test } from "node:test";
import { asTenantId, type TenantId } from "../../../src/platform/postgres/tenant-id.ts";
import { TenantMemory } from "../../../src/platform/postgres/tenant-memory.ts";
import { startServer } from "../../harness.ts";

const { database } = (await startServer()).deps;
const [one, other] = [asTenantId("1"), asTenantId("2")];

test("each tenant has its own value; callers share a reading, and read again what failed or was forgotten", async () => {
  const read: TenantId[] = [];
  let isAway = true;
  const memory = new TenantMemory(async (tenant) => {
    read.push(tenant);
    if (isAway) throw new Error("the database is away");
    return await Promise.resolve(`of ${tenant}`);
  });
  const of = (...tenants: TenantId[]) => tenants.map(async (tenant) => await memory.of(tenant, database));
  const failed = await Promise.allSettled(of(one, one));
  assert.deepEqual([failed.map(({ status }) => status), read.splice(0)], [["rejected", "rejected"], [one]]);
  isAway = false;
  assert.deepEqual(await Promise.all(of(one, other, one)), ["of 1", "of 2", "of 1"]);
  assert.deepEqual(
    [await Promise.all(of(other, one)), read.splice(0)],
    [
      ["of 2", "of 1"],
      [one, other],
    ],
  );
  memory.forget(other, database);
  assert.deepEqual([await Promise.all(of(one, other)), read], [["of 1", "of 2"], [other]]);
});
