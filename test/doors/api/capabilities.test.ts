import assert from "node:assert/strict";
import { test } from "node:test";
import { routes } from "../../../src/doors/routes.ts";
import { capabilities } from "../../../src/people/api-keys/capability.ts";
import type { Capability } from "../../../src/people/api-keys/capability.ts";
import { request, startServer } from "../../harness.ts";
import { nounPaths } from "../../nouns.ts";
import { everyRoute } from "./every-route.ts";
import { assertEveryRouteHasItsRow, nameOf, pathOf, pathWith, situationFor } from "./route-situations.ts";

const server = await startServer();
const tenant = await server.createTenant();
const other = await server.createTenant();

test("every route has a row in the test's table, with the capability that the program asks for", () => {
  assertEveryRouteHasItsRow(routes);
});

test("the capabilities are to read and to write each noun, to orders and webhooks, to see reports, to follow changes and to erase contacts", () => {
  const areas = [...nounPaths, "wms-orders", "webhooks"];
  const named = areas.flatMap((area) => [`${area}:read`, `${area}:write`]);
  assert.deepEqual(
    [...capabilities].toSorted(),
    [...named, "reports:read", "changes:read", "contacts:erase"].toSorted(),
  );
});

for (const row of everyRoute) {
  const { method, capability, models, body, status } = row;
  if (capability === null) {
    test(`${nameOf(row)} is open to a key without capabilities`, async () => {
      const { token } = await tenant.createKey({ capabilities: [] });
      const path = pathOf(row, await situationFor(row, server, tenant));
      assert.equal((await request(server.url, method, path, undefined, { token })).status, status);
    });
    continue;
  }
  const [area, action] = capability.split(":");
  const implying = action === "read" ? `${area}:write` : capability;
  // A key that reads companies reads what their custom fields are.
  const readers =
    capability === "custom-fields:read"
      ? ["companies", "contacts", "invoices"].flatMap((area) => [`${area}:read`, `${area}:write`])
      : [];
  const letThrough = [capability, implying, ...readers].filter((name) => capabilities.includes(name as Capability));

  test(`${nameOf(row)} is refused to a key without ${capability}, alike whether the resource exists`, async () => {
    const own = await situationFor(row, server, tenant);
    const foreign = await situationFor(row, server, other);
    const paths = new Set([
      pathOf(row, own),
      pathOf(row, foreign),
      ...[999_999, "abc"].map((id) =>
        pathWith(
          row,
          models.map(() => id),
        ),
      ),
    ]);
    const unrelated = capabilities.filter((name) => !letThrough.includes(name));
    for (const held of [[], unrelated]) {
      const { token } = await tenant.createKey({ capabilities: held });
      for (const path of paths) {
        for (const sent of body === "none" ? [undefined] : [body.passes, body.fails, "{"]) {
          const answer = await request(server.url, method, path, sent, { token });
          const expected: object = { error: `Missing capability: ${capability}` };
          assert.deepEqual([answer.status, answer.body], [403, expected], `${path} with ${held.join(",")}`);
          assert.ok(answer.headers.has("x-ratelimit-remaining"));
        }
      }
    }
  });

  test(`${nameOf(row)} is open to ${letThrough.join(" and to ")} alone`, async () => {
    for (const held of new Set(letThrough)) {
      const { token } = await tenant.createKey({ capabilities: [held as Capability] });
      const path = pathOf(row, await situationFor(row, server, tenant));
      const answer = await request(server.url, method, path, body === "none" ? undefined : body.passes, { token });
      assert.equal(answer.status, status, `${held}: ${answer.text}`);
    }
  });
}
