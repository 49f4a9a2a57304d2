import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "../logger.ts";
import { NOBODY } from "../sharing/caller.ts";
import { createSharing } from "../sharing/sharing.ts";
import { Coalescer } from "./coalescer.ts";
import { Costs } from "./costs.ts";
import { Lanes } from "./lanes.ts";
import type { Call } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";

const TENANT = "1" as TenantId;
const ASKED = 8;

test("of what takes long, a tenant among others has one transaction under way; of what is quick, as many as it may", async () => {
  const { presence, places } = createSharing();
  const costs = new Costs(presence);
  const lanes = new Lanes({}, places.quickReads, createLogger("silent"));
  presence.note("2");
  presence.note(TENANT);
  for (let n = 0; n < 10; n++) {
    costs.note(TENANT, "long", 4);
    costs.note(TENANT, "quick", 0.1);
  }
  const most = async (name: string) => {
    const end = Promise.withResolvers<void>();
    let [underWay, mostUnderWay] = [0, 0];
    const coalescer = new Coalescer({
      places: lanes.places,
      costs,
      weightOf: lanes.weightOf,
      async attempt(_tenant, calls, answered) {
        mostUnderWay = Math.max(mostUnderWay, ++underWay);
        await end.promise;
        underWay--;
        for (const index of calls.keys()) answered(index, [], 0.1);
      },
      alone: async (_tenant, _calls, attempted) => (await attempted) ?? [],
      aside: async () => await Promise.reject(new Error("nothing here is too slow")),
      mayRepeat: () => true,
      early: true,
      atOnce: 4,
    });
    const call: Call = { statement: { name, text: "" }, parameters: [] };
    const asked: Promise<unknown>[] = [];
    for (let n = 0; n < ASKED; n++) {
      asked.push(coalescer.run(TENANT, "", [call], NOBODY));
      // It is sent before the next is asked for.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    }
    end.resolve();
    await Promise.all(asked);
    return mostUnderWay;
  };
  assert.deepEqual([await most("long"), await most("quick")], [1, 4]);
});
