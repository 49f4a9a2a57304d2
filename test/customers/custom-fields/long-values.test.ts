import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";

const server = await startServer();
const COMPANIES = "/api/v1/companies";

test("a list has long values too, although its statement leaves them out", async () => {
  const tenant = await server.createTenant();
  for (const label of ["One", "Two", "Three"]) {
    const made = await tenant.post("/api/v1/custom-fields", { noun: "company", label, kind: "text" });
    assert.equal(made.status, 201, made.text);
  }
  const long = "😀".repeat(1_000);
  const values = { one: long, two: long, three: long };
  const { id } = (await tenant.post(COMPANIES, { name: "Long", custom: values })).body.data;
  await tenant.post(COMPANIES, { name: "Short", custom: { one: "1" } });
  const { data } = (await tenant.get(`${COMPANIES}?include=contacts`)).body;
  assert.deepEqual(
    data.map(({ metadata }: { metadata: unknown }) => metadata),
    [values, { one: "1" }],
  );
  const page = await tenant.get(`${COMPANIES}?ids=${id}`);
  assert.deepEqual(page.body.data[0].metadata, values);
});
