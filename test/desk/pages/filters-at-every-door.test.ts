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
    shown.push(["all selected", await exportOfAll(`/companies?${filter}`)]);
    for (const [of, text] of shown) {
      assert.ok(text.includes(one), `${of}: ${text.slice(0, 500)}`);
      assert.ok(!text.includes(other), `${of}: the other company is there`);
    }
  });
}

test("all that a page shows is selected by what its address says, which may be a filter without a control", async () => {
  await tenant.post("/api/v1/companies", { name: "Of 2019" });
  await server.sql("update companies set updated_at = '2019-01-01' where tenant_id = $1 and name = 'Of 2019'", [
    tenant.id,
  ]);
  const text = await exportOfAll("/companies?updated_since=2020-01-01T00:00:00Z&page=1");
  assert.ok(text.includes("Without status") && !text.includes("Of 2019"), text);
});

test("a filter that only addresses set is shown and can be removed, with a result, without one, and of deleted ones", async () => {
  const [some, none] = ["2020-01-01T00:00:00Z", "2090-01-01T00:00:00Z"];
  const said = { [some]: "1 Jan 2020, 02:00", [none]: "1 Jan 2090, 02:00" };
  const chosen = (since: string) =>
    new RegExp(`Changed since <select name="updated_since">.*?<option value="${since}" selected>${said[since]}<`);
  for (const since of [some, none]) {
    const { text } = await member.get(`/companies?status=active&updated_since=${since}`);
    assert.equal(text.includes("No company fits these filters."), since === none);
    const chip = new RegExp(`<a class="chip" href="/companies\\?status=active">.*?Changed since: ${said[since]}<`);
    assert.match(text, chip);
    assert.match(text, chosen(since));
  }
  const deleted = await member.get(`/companies?deleted=1&updated_since=${none}`);
  assert.match(deleted.text, /No company fits these filters\./);
  assert.match(deleted.text, chosen(none));
  const wrong = await member.get("/companies?updated_since=yesterday");
  assert.match(wrong.text, /class="chip"[^>]*>.*?Changed since: yesterday<.*/s);
  assert.doesNotMatch((await member.get("/companies")).text, /updated_since/);
});

/** The file of all companies that a page's address selects, by the form of the page. */
async function exportOfAll(address: string): Promise<string> {
  const page = await member.get(address);
  const [, query = ""] = /name="matching" value="([^"]*)"/.exec(page.text) ?? [];
  const id = /name="id" value="(\d+)"/.exec(page.text)?.[1] ?? "";
  const rows = page.text.match(/name="id" value="\d+"/g)?.length ?? 0;
  const ids = Array.from({ length: rows }, (_, index) => (index === 0 ? id : String(10 ** 12 + index)));
  const matching = query.replaceAll("&amp;", "&");
  return (await member.post("/companies/export", { id: ids, all: "1", rows: String(rows), matching })).text;
}
