import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { capabilities, withImplied } from "../../../src/people/api-keys/capability.ts";
import { startServer } from "../../harness.ts";
import { connect, connectEarlier, type Told } from "./clients.ts";
import { makeResources, specifiedTools } from "./every-tool.ts";

/** Which tools a key sees, and what each of them answers. */
const server = await startServer();
const tenant = await server.createTenant();
const there = await makeResources(tenant);
await server.sql("update companies set wms_subdomain = 'alfa', wms_api_key = 'x' where tenant_id = $1", [tenant.id]);

const eras = { "2026": connect, "2025": connectEarlier };

for (const [era, connectTo] of Object.entries(eras)) {
  test(`${era}: a key with one capability sees exactly the tools that it allows, and cannot call another`, async () => {
    for (const capability of [null, ...capabilities]) {
      const { token } = await tenant.createKey({ capabilities: capability === null ? [] : [capability] });
      const assistant = await connectTo(server.url, token);
      const has = withImplied(capability === null ? [] : [capability]);
      const seen = specifiedTools.filter(({ oneOf }) => oneOf.length === 0 || oneOf.some((needed) => has.has(needed)));
      assert.deepEqual(
        await assistant.tools(),
        seen.map(({ name }) => name),
        `with ${String(capability)}`,
      );
      for (const { name, given } of specifiedTools) {
        if (seen.some((tool) => tool.name === name)) continue;
        await assert.rejects(assistant.call(name, given(there)), { code: -32_602 }, `${name} with ${capability}`);
      }
    }
  });

  test(`${era}: a key with every capability can call every tool, in the form that the tool announces`, async () => {
    const assistant = await connectTo(server.url, tenant.token);
    // The clients check structured content against the output schemas that they listed.
    const { tools } = await assistant.client.listTools();
    for (const { name, isReadOnly, given } of specifiedTools) {
      const tool = tools.find((each) => each.name === name);
      assert.equal(tool?.annotations?.readOnlyHint, isReadOnly, name);
      assert.ok(tool?.title, name);
      assert.equal(tool.inputSchema.required?.includes("request_id"), !isReadOnly, name);
      const { isError, data, text, bytes } = await assistant.call(name, given(there));
      assert.deepEqual(JSON.parse(text), data, name);
      assert.ok(bytes <= 25_600, `${name}: ${bytes} bytes`);
      if (name === "apply_batch") assert.equal(data.code, "validation_failed");
      else if (name === "cancel_order") assert.equal(data.code, "order_not_cancellable");
      else assert.ok(!isError, `${name}: ${text}`);
    }
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
    assert.deepEqual(
      destructive.map(({ name }) => name),
      ["cancel_order", "apply_batch", "delete_company", "merge_companies"],
    );
  });
}

test("one capability of several is not enough for the others' part", async () => {
  const { token } = await tenant.createKey({ capabilities: ["companies:read", "contacts:write"] });
  const assistant = await connect(server.url, token);
  const refused = async (name: string, given: Record<string, unknown>) => {
    const { isError, data } = await assistant.call(name, given);
    assert.deepEqual([isError, data.code], [true, "capability_missing"], `${name} ${JSON.stringify(given)}`);
  };
  await refused("get_company", { id: there.company, include: ["invoices"] });
  await refused("find", { query: "alfa", types: ["invoices"] });
  await refused("history", { type: "invoice", id: there.invoice });
  await refused("preview_batch", { kind: "companies", items: [{ name: "X" }] });
  const { data } = await assistant.call("find", { query: "alfa" });
  assert.deepEqual(Object.keys(data), ["companies", "contacts"]);
});

test("a foreign tenant finds nothing, and changes nothing", async () => {
  const assistant = await connect(server.url, (await server.createTenant()).token);
  await makeResources(tenant);
  const before = await tenant.get(`/api/v1/companies/${there.company}`);
  for (const { name, given } of specifiedTools.slice(1)) {
    const asked = given(there);
    const { isError, data } = await assistant.call(name, asked);
    const named = ["id", "company", "invoice"].some((each) => each in asked);
    if (named) assert.deepEqual([isError, data.code], [true, "resource_missing"], name);
    else assert.doesNotMatch(JSON.stringify(data), /Alfa|Beta/, name);
  }
  for (const uri of ["companies", "contacts", "invoices"].map((type) => `liaison://${type}/1`)) {
    await assert.rejects(assistant.client.readResource({ uri }), { code: -32_602 });
  }
  assert.equal((await tenant.get(`/api/v1/companies/${there.company}`)).text, before.text);
});

test("lists have 10 rows, 50 at most, and go on behind `more` without gaps", async () => {
  const other = await server.createTenant();
  const items = Array.from({ length: 65 }, (_, index) => ({ name: `Firm ${index}` }));
  await other.post("/api/v1/companies/batch", { items });
  const assistant = await connect(server.url, other.token);
  const { data: first } = await assistant.call("search_companies");
  assert.deepEqual([first.companies.length, first.total], [10, 65]);
  const seen: string[] = [];
  for (let cursor: string | undefined; ;) {
    const { data } = await assistant.call("search_companies", { limit: 50, ...(cursor !== undefined && { cursor }) });
    seen.push(...data.companies.map(({ name }: { name: string }) => name));
    cursor = data.more;
    if (cursor === undefined) break;
  }
  assert.deepEqual(
    seen,
    items.map(({ name }) => name),
  );
  for (const limit of [0, 51, 2.5]) {
    const { data } = await assistant.call("search_companies", { limit });
    assert.deepEqual([data.code, Object.keys(data.errors)], ["validation_failed", ["limit"]]);
  }
});

test("errors have the API's code and sentence, and the next step", async () => {
  const assistant = await connect(server.url, tenant.token);
  const { body } = await tenant.get(`/api/v1/companies/${there.company}`);
  const request_id = () => randomUUID();
  const expected: [Told, string, RegExp][] = [
    [
      await assistant.call("upsert_company", { request_id: request_id(), name: "X", tax_id: body.data.tax_id }),
      "tax_id_taken",
      new RegExp(`Company ${there.company} has this tax id: use upsert_company with id ${there.company}`),
    ],
    [await assistant.call("get_company", { id: 999_999 }), "resource_missing", /find/],
    [await assistant.call("upsert_company", { request_id: request_id() }), "validation_failed", /named fields/],
    [
      await assistant.call("upsert_company", {
        request_id: request_id(),
        id: there.company,
        etag: '"1-a-b"',
        city: "X",
      }),
      "resource_changed",
      /new etag/,
    ],
    [await assistant.call("search_companies", { cursor: "nonsense" }), "cursor_invalid", /without the cursor/],
    [await assistant.call("upsert_company", { name: "X" }), "validation_failed", /Correct/],
    [await assistant.call("upsert_company", { request_id: "7", name: "X" }), "validation_failed", /Correct/],
  ];
  for (const [{ isError, data }, code, next] of expected) {
    assert.deepEqual([isError, data.code], [true, code]);
    assert.ok(data.error.length > 5);
    assert.match(data.next, next);
  }
});

test("a mistake in the arguments names the argument, and says what it may be", async () => {
  const assistant = await connect(server.url, tenant.token);
  const company = there.company;
  for (const [name, given, argument, said] of [
    ["search_companies", { limit: 51 }, "limit", /<= 50/],
    ["search_companies", { name: "Alfa" }, "name", /no argument of this tool; there are search, .*\blimit\b/],
    ["search_companies", { external: { source: "a", id: "b", name: "c" } }, "external.name", /there are source, id$/],
    ["search_companies", { status: "none" }, "status", /active, inactive, prospect, churned$/],
    ["list_invoices", { company, status: null }, "status", /must be string/],
    ["search_companies", { external: { source: "erp" } }, "external.id", /required/],
    ["list_invoices", { company, wms_state: "none" }, "wms_state", /one of not_sent, queued/],
    ["upsert_company", { name: "X" }, "request_id", /required/],
    ["get_company", {}, "id", /when tax_id or external is not present/],
    ["get_contact", {}, "id", /when external is not present/],
    ["get_invoice", { company }, "id", /when company or number is not present/],
    ["find", { query: "alfa", ["x".repeat(900_000)]: 1 }, `${"x".repeat(60)}…`, /no argument/],
  ] as const) {
    const { isError, data } = await assistant.call(name, given);
    assert.deepEqual([isError, data.code, Object.keys(data.errors)], [true, "validation_failed", [argument]], name);
    assert.match(data.errors[argument][0], said);
  }
});

test("recent changes begin with the newest, and go on in their order after `next`", async () => {
  const assistant = await connect(server.url, tenant.token);
  const city = async (value: string) => await tenant.put(`/api/v1/companies/${there.company}`, { city: value });
  for (const value of ["Turda", "Dej", "Gherla"]) await city(value);
  const cities = ({ data }: Told) => data.changes.map((change: Told["data"]) => change.changed.city.to);
  const latest = await assistant.call("recent_changes", { limit: 3, types: ["company"] });
  assert.deepEqual(cities(latest), ["Gherla", "Dej", "Turda"]);
  assert.equal(latest.data.more, false);
  assert.deepEqual(cities(await assistant.call("recent_changes", { limit: 2 })), ["Gherla", "Dej"]);
  const ofContacts = await assistant.call("recent_changes", { limit: 1, types: ["contact"] });
  assert.deepEqual(
    ofContacts.data.changes.map(({ type }: { type: string }) => type),
    ["contact"],
    "behind newer ones of other types",
  );
  const { next } = latest.data;
  assert.deepEqual((await assistant.call("recent_changes", { after: next })).data.changes, []);
  for (const value of ["Cluj-Napoca", "Aiud"]) await city(value);
  assert.deepEqual(cities(await assistant.call("recent_changes", { after: next })), ["Cluj-Napoca", "Aiud"]);
});

test("the members of hits, changes and activities are in the output schemas", async () => {
  const assistant = await connect(server.url, tenant.token);
  const { tools } = await assistant.client.listTools();
  type Listed = { items?: Listed; properties?: Record<string, Listed> };
  const membersOf = (name: string, at: string) => {
    const output = tools.find((tool) => tool.name === name)?.outputSchema as Listed;
    const member = output.properties?.[at];
    return new Set(Object.keys((member?.items ?? member)?.properties ?? {}));
  };
  const note = { request_id: randomUUID(), company: there.company, contact: there.contact, kind: "call", note: "Yes" };
  for (const [name, at, given] of [
    ["find", "companies", { query: "alfa" }],
    ["history", "changes", { type: "company", id: there.company }],
    ["recent_changes", "changes", {}],
    ["log_activity", "activity", note],
  ] as const) {
    const { data } = await assistant.call(name, given);
    const [first] = [data[at]].flat();
    assert.ok(Object.keys(first).length > 2, name);
    for (const member of Object.keys(first)) assert.ok(membersOf(name, at).has(member), `${name}: ${member}`);
  }
});
