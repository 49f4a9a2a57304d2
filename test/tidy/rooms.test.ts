import assert from "node:assert/strict";
import { test } from "node:test";
import { production, roomOf, wingOf } from "./checkout.ts";

/** Rooms of kit/ that know none of its other rooms but these. */
const ROOMS_OF_KIT: Record<string, string[]> = {
  warehouse: [],
  "errors.ts": [],
  "actor.ts": [],
  "config.ts": ["backup-schedule.ts", "warehouse"],
  "deps.ts": ["config.ts", "warehouse"],
  "endpoint.ts": ["actor.ts", "deps.ts", "errors.ts"],
  openapi: ["errors.ts"],
  jobs: ["config.ts", "deps.ts"],
  web: ["actor.ts", "deps.ts"],
  tables: ["actor.ts", "deps.ts", "endpoint.ts", "errors.ts", "web"],
};

test("the rooms of kit/ import one way: tables, web and the other tools, deps, config, warehouse", () => {
  const complaints = production.flatMap(({ name, imports }) => {
    const allowed = ROOMS_OF_KIT[roomOf(name).replace("kit/", "")];
    if (wingOf(name) !== "kit" || allowed === undefined) return [];
    return imports
      .map((imported) => ({ imported, to: roomOf(imported) }))
      .filter(({ to }) => to.startsWith("kit/") && to !== roomOf(name) && !allowed.includes(to.replace("kit/", "")))
      .map(({ imported }) => `${name} imports ${imported}: what knows that room belongs into it, or above both`);
  });
  assert.deepEqual(complaints, []);
});
