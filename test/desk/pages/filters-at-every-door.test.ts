import assert from "node:assert/strict";
import { test } from "node:test";
import { companyFilters } from "../../../src/customers/companies/company-filters.ts";
import { companyFields } from "../../../src/customers/companies/company.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** A filter works alike in the API, numbered and behind a cursor, in the list for people and in its export. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const owner = await tenant.createUser();

for (const { name, example } of companyFields) {
  if (!Object.hasOwn(companyFilters, name)) continue;
  test(`${name}: every door filters companies by it`, async () => {
    const value = name === "assigned_to" ? owner : (example as string | number);
    const status = name === "status" ? "churned" : "active";
    const [one, other] = [`With ${name}`, `Without ${name}`];
    const { body } = await tenant.post("/api/v1/companies", { name: one, [name]: value });
    await tenant.post("/api/v1/companies", { name: other, status });
    const filter = `${name}=${encodeURIComponent(String(value))}`;
    const shown: [string, string][] = [];
    for (const query of [
      "",
      "&cursor=",
      "&sort=name&cursor=",
      "&updated_since=2020-01-01T00:00:00Z",
      `&ids=${body.data.id}`,
    ]) {
      shown.push([query, (await tenant.get(`/api/v1/companies?${filter}${query}`)).text]);
    }
    for (const path of ["", "/export"]) shown.push([path, (await member.get(`/companies${path}?${filter}`)).text]);
    for (const [of, text] of shown) {
      assert.ok(text.includes(one), `${of}: ${text.slice(0, 500)}`);
      assert.ok(!text.includes(other), `${of}: the other company is there`);
    }
  });
}
