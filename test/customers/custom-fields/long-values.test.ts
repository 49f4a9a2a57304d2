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

test("lists of contacts and invoices have long values too, with lines and embedded as well", async () => {
  const tenant = await server.createTenant();
  for (const noun of ["contact", "invoice"])
    for (const label of ["One", "Two", "Three"])
      await tenant.post("/api/v1/custom-fields", { noun, label, kind: "text" });
  const long = "😀".repeat(1_000);
  const custom = { one: long, two: long, three: long };
  const { id } = (await tenant.post(COMPANIES, { name: "A" })).body.data;
  const at = `${COMPANIES}/${id}`;
  await tenant.post(`${at}/contacts`, { first_name: "A", last_name: "B", custom });
  const lines = [{ description: "x".repeat(255), quantity: 1, unit_price: "1" }];
  await tenant.post(`${at}/invoices`, { number: "1", custom, lines });
  await tenant.post(`${at}/invoices`, { number: "2", custom, lines: Array.from({ length: 50 }, () => lines).flat() });
  for (const list of ["contacts", "invoices", "invoices?include=lines", "invoices?cursor="]) {
    const { data } = (await tenant.get(`${at}/${list}`)).body;
    for (const { metadata } of data) assert.deepEqual(metadata, custom, list);
    if (list.endsWith("lines"))
      assert.deepEqual(
        data.map(({ lines: own }: { lines: [] }) => own.length),
        [50, 1],
      );
  }
  const { contacts, invoices } = (await tenant.get(`${at}?include=contacts,invoices`)).body.data;
  for (const { metadata } of [...contacts.data, ...invoices.data]) assert.deepEqual(metadata, custom);
});
