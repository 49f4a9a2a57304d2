import assert from "node:assert/strict";
import { test } from "node:test";
import { capabilities } from "../../src/api-keys/capability.ts";
import type { Capability } from "../../src/api-keys/capability.ts";
import { routes } from "../../src/routes.ts";
import { request, startServer, type TestTenant } from "../harness.ts";
import { everyRoute, namesOf, pathOf } from "./every-route.ts";

const server = await startServer();
const tenant = await server.createTenant();
const other = await server.createTenant();
const own = await createOneOfEach(tenant);
const foreign = await createOneOfEach(other);

test("every route has a row in the test's table, with the capability that the program asks for", () => {
  assert.deepEqual(namesOf(routes), namesOf(everyRoute), "add the route to test/contract/every-route.ts");
  for (const { method, path, capability } of routes) {
    const row = everyRoute.find((candidate) => candidate.method === method && candidate.path === path);
    assert.equal(row?.capability, capability, `${method} ${path}`);
  }
});

test("these are all the capabilities", () => {
  const named = ["companies", "contacts", "addresses"].flatMap((area) => [`${area}:read`, `${area}:write`]);
  assert.deepEqual([...capabilities].toSorted(), [...named, "wms-orders:read"].toSorted());
});

for (const route of everyRoute) {
  const { method, capability, model, body, status } = route;
  const [area, action] = capability.split(":");
  const implying = action === "read" ? `${area}:write` : capability;
  const letThrough = [capability, implying].filter((name) => capabilities.includes(name as Capability));
  const paths = (model === null ? [0] : [own[model], 999_999, foreign[model], "abc"]).map((id) => pathOf(route, id));

  test(`${method} ${route.path} is refused to a key without ${capability}, alike whether the resource exists`, async () => {
    const unrelated = capabilities.filter((name) => !letThrough.includes(name));
    for (const held of [[], unrelated]) {
      const { token } = await tenant.createKey({ capabilities: held });
      for (const path of paths) {
        for (const sent of body === undefined ? [undefined] : [body, { name: 5, first_name: 5, address: 5 }, "{"]) {
          const answer = await request(server.url, method, path, sent, { token });
          const expected = { error: `Missing capability: ${capability}` };
          assert.deepEqual([answer.status, answer.body], [403, expected], `${path} with ${held.join(",")}`);
          assert.ok(answer.headers.has("x-ratelimit-remaining"));
        }
      }
    }
  });

  test(`${method} ${route.path} is open to ${letThrough.join(" and to ")} alone`, async () => {
    for (const held of new Set(letThrough)) {
      const { token } = await tenant.createKey({ capabilities: [held as Capability] });
      // A DELETE leaves nothing for the next key.
      const mine = method === "DELETE" ? await createOneOfEach(tenant) : own;
      const answer = await request(server.url, method, pathOf(route, model === null ? 0 : mine[model]), body, {
        token,
      });
      assert.equal(answer.status, status, `${held}: ${answer.text}`);
    }
  });
}

async function createOneOfEach(of: TestTenant): Promise<Record<"Company" | "Contact" | "Address", number>> {
  const Company = (await of.post("/api/v1/companies", { name: "A" })).body.data.id;
  const person = { first_name: "Ana", last_name: "Pop" };
  const Contact = (await of.post(`/api/v1/companies/${Company}/contacts`, person)).body.data.id;
  const Address = (await of.post(`/api/v1/companies/${Company}/addresses`, { address: "A" })).body.data.id;
  return { Company, Contact, Address };
}
