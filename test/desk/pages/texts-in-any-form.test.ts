import assert from "node:assert/strict";
import { test } from "node:test";
import { companyFields } from "../../../src/customers/companies/company.ts";
import { parseQuery } from "../../../src/platform/http/lists/pagination.ts";
import { equal, parseFilters } from "../../../src/platform/reads/filters.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** Texts are stored composed (docs/contract.md 3.4). Filters and typed values find them in any form. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { role: "admin" });
const [SKU, CURRENCY, LABEL] = ["Țeavă", "LÉU", "Iași"];
const sent = (text: string) => encodeURIComponent(text.normalize("NFD"));

test("orders are narrowed by a currency and an article in any Unicode form, and sales by a currency", async () => {
  const company = (await tenant.post("/api/v1/companies", { name: "Firm" })).body.data.id;
  const lines = [{ sku: SKU, description: "Pipe", quantity: "1", unit_price: "7" }];
  const invoice = { number: "I-7", currency: CURRENCY, lines, issued_on: "2026-03-02" };
  assert.equal((await tenant.post(`/api/v1/companies/${company}/invoices`, invoice)).status, 201);
  for (const filter of [`sku=${sent(SKU)}`, `currency=${sent(CURRENCY)}`]) {
    assert.match((await member.get(`/orders?${filter}`)).text, />I-7</, filter);
  }
  assert.doesNotMatch((await member.get(`/orders?sku=${sent("Țevi")}`)).text, />I-7</);
  const period = "from=2026-03-01&to=2026-03-31";
  const { data } = (await tenant.get(`/api/v1/reports/sales?${period}&currency=${sent(CURRENCY)}`)).body;
  assert.deepEqual(
    data.totals.map(({ currency }: { currency: string }) => currency),
    [CURRENCY],
  );
});

test("a choice is set, and filtered by, its label in any Unicode form and case", async () => {
  const options = [{ value: "is", label: LABEL }];
  await tenant.post("/api/v1/custom-fields", { noun: "company", label: "Town", kind: "choice", options });
  const { id } = (await tenant.post("/api/v1/companies", { name: "Town of choice", custom: {} })).body.data;
  const own_value = LABEL.toUpperCase().normalize("NFD");
  const changed = await member.post("/companies/bulk", { id: String(id), own_field: "custom.town", own_value });
  assert.equal(changed.status, 303, changed.text);
  assert.deepEqual((await tenant.get(`/api/v1/companies/${id}`)).body.data.metadata, { town: "is" });
  assert.match((await member.get(`/companies?custom[town]=${sent(LABEL)}`)).text, /Town of choice/);
});

test("the filter by a text looks for it as it is stored, in every list", () => {
  const filters = { city: equal(companyFields, "city") };
  assert.deepEqual(parseFilters(filters, parseQuery(`city=${sent(LABEL)}`)), { city: LABEL });
  assert.equal(parseFilters(filters, parseQuery(`city=a${"%CC%81".repeat(31)}`)), null);
});
