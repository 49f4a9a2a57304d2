import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** The list of companies by turnover, beside more invoices than it is sorted by. */
const server = await startServer();

test("a list is sorted by the turnover of 200,000 invoices; with one more the page says so, and leads to the sales", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const ids: number[] = [];
  for (const name of ["A", "B", "C"]) ids.push((await tenant.post("/api/v1/companies", { name })).body.data.id);
  const [, often, once] = ids;
  const add = async (company: number | undefined, count: number, total: string) =>
    await server.sql(
      `insert into invoices (tenant_id, company_id, number, issued_on, total, currency, wms_shown)
       select $1, $2::bigint, $2::bigint || '-' || n, current_date - 40, $4, 'RON', 'not_sent' from generate_series(1, $3::integer) n`,
      [tenant.id, company, count, total],
    );
  await add(once, 1, "300000");
  await add(often, 199_999, "1");
  const { text } = await member.get("/companies?sort=-turnover");
  assert.deepEqual([...text.matchAll(/<td class="name"><a[^>]*>(.)</g)].map(([, name]) => name).join(""), "CBA");
  await tenant.post(`/api/v1/companies/${once}/invoices`, { number: "last", total: "1", issued_on: "2026-11-01" });
  for (const query of ["sort=-turnover", "sort=turnover&status=prospect", "sort=turnover&search=a"]) {
    const refused = await member.get(`/companies?${query}`);
    assert.equal(refused.status, 200, query);
    assert.match(
      refused.text,
      /more than 200,000 invoices[^]*<a class="button main" href="\/sales\?period=12_months">/,
    );
    assert.match(refused.text, /id="total"><\/span>/, "no total is said");
    assert.doesNotMatch(refused.text, /<td class="name"/);
  }
  assert.match((await member.get("/companies?sort=-city")).text, /<td class="name"/);
});
