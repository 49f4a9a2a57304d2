import assert from "node:assert/strict";
import type { Route } from "../../../src/doors/routes.ts";
import type { TestServer, TestTenant } from "../../harness.ts";
import { everyRoute } from "./every-route.ts";
import { idIn, make, remove, type Made, type Model } from "./resources.ts";
import type { EveryRoute } from "./route-row.ts";

/** Fails where the program's routes and the table's rows are not the same, and says what to do about it. */
export function assertEveryRouteHasItsRow(routes: readonly Route[]): void {
  const rows = new Map(everyRoute.map((row) => [nameOf(row), row]));
  const complaints = routes.flatMap((route) => {
    const { method, path, capability, reference } = route;
    const row = rows.get(nameOf(route));
    if (row === undefined) {
      const models =
        (path.match(/\{\w+\}/g) ?? []).length === 0 ? `on: "none", models: []` : `on: "live", models: [...]`;
      const body = reference.body === undefined ? `"none"` : "{ passes: {...}, fails: {...} }";
      return `add a row to test/doors/api/every-route.ts with { method: "${method}", path: "${path}", capability: "${capability}", ${models}, body: ${body}, status: ${reference.success.status} }`;
    }
    if (row.capability !== capability)
      return `${nameOf(row)}: the route asks for ${capability}, its row for ${row.capability}`;
    return [];
  });
  const named = new Set(routes.map(nameOf));
  const left = [...rows.keys()].filter((name) => !named.has(name));
  complaints.push(
    ...left.map((name) => `${name} has a row in test/doors/api/every-route.ts, but no line in src/doors/routes.ts`),
  );
  assert.deepEqual(complaints, []);
}

export function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`;
}

/** New resources in the state that the route works on, for one successful request. */
export async function situationFor(row: EveryRoute, server: TestServer, tenant: TestTenant): Promise<Made> {
  const made = await make(tenant, row.models);
  await row.prepare?.(server, tenant, made);
  if (row.on === "deleted") await remove(tenant, resourceOf(row), made);
  return made;
}

/** The model of the resource that the route acts on: the last that its path names. */
export function resourceOf({ path, models }: EveryRoute): Model {
  const model = models.at(-1);
  assert.ok(model !== undefined, `${path} names no resource`);
  return model;
}

/** The path with its ids filled in, in order. */
export function pathWith({ path }: EveryRoute, ids: readonly (number | string)[]): string {
  let place = 0;
  return path.replaceAll(/\{\w+\}/g, () => String(ids[place++]));
}

export function pathOf(row: EveryRoute, made: Made): string {
  return pathWith(row, idsOf(row, made));
}

/** The ids that the path names, in its order. */
export function idsOf({ models }: EveryRoute, made: Made): number[] {
  return models.map((model) => idIn(made, model));
}
