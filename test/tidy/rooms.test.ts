import assert from "node:assert/strict";
import { test } from "node:test";
import { production, roomOf } from "./checkout.ts";

/** The tools and the frames below the features, which know none of them: what each may import beside platform/. */
const BELOW_FEATURES: Record<string, string[]> = {
  platform: [],
  warehouse: [],
  "errors.ts": [],
  "version.ts": [],
  "actor.ts": [],
  "config.ts": ["warehouse"],
  "deps.ts": ["config.ts", "warehouse"],
  "endpoint.ts": ["actor.ts", "deps.ts", "errors.ts"],
  openapi: ["errors.ts"],
  jobs: ["config.ts", "deps.ts"],
  web: ["actor.ts", "deps.ts"],
  tables: ["actor.ts", "deps.ts", "endpoint.ts", "errors.ts", "web"],
};

/** The rooms above the features, which nobody imports but those who put the program together. */
const ABOVE_FEATURES: Record<string, RegExp> = {
  "main.js": /^$/,
  cli: /^src\/(?:cli\/|main\.js$)/,
  doors: /^src\/(?:cli|doors)\//,
  "worker.ts": /^src\/cli\//,
};

test("imports point one way: main, cli, doors and worker, features, web and the tools, platform", () => {
  const complaints = production.flatMap(({ name, imports }) =>
    imports.flatMap((imported) => {
      const [from, to] = [roomOf(name), roomOf(imported)];
      if (from === to) return [];
      const allowed = BELOW_FEATURES[from];
      if (allowed !== undefined && to !== "platform" && !allowed.includes(to)) {
        return [`${name} imports ${imported}: what knows a feature belongs into that feature, not into ${from}`];
      }
      if (ABOVE_FEATURES[to]?.test(name) === false) {
        return [
          `${name} imports ${imported}: pass it what it needs; what others need as well belongs into its feature`,
        ];
      }
      return [];
    }),
  );
  assert.deepEqual(complaints, []);
});
