import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** The page of sales and its file have the figures of the API's report, in both languages, and no others. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);

async function sold(name: string, invoices: readonly object[]): Promise<number> {
  const { data } = (await tenant.post("/api/v1/companies", { name, city: "Turda" })).body;
  for (const [at, invoice] of invoices.entries()) {
    const body = { number: `${name}-${at}`, currency: "RON", ...invoice };
    assert.equal((await tenant.post(`/api/v1/companies/${data.id}/invoices`, body)).status, 201);
  }
  return data.id;
}

test("sales of a period are shown beside the year before, with a call-back for a company that stopped buying", async () => {
  await sold("Alfa", [
    {
      total: "1250.50",
      issued_on: "2026-03-02",
      lines: [{ sku: "BOX", description: "Box", quantity: "2", unit_price: "500.25" }],
    },
    { total: "99.50", issued_on: "2026-03-31", status: "paid" },
    { total: "7000", issued_on: "2026-03-31", status: "draft" },
    { total: "100", issued_on: "2025-03-02" },
  ]);
  const stopped = await sold("Beta", [{ total: "60", issued_on: "2025-03-05" }]);
  const page = await member.get("/sales?from=2026-03-01&to=2026-03-31");
  const romanian = await member.get("/sales?from=2026-03-01&to=2026-03-31", { "accept-language": "ro" });
  assert.equal(page.status, 200);
  for (const words of [
    "1,350.00 RON",
    "before 160.00 RON",
    "+744 %",
    "Left out: 1 draft, 0 cancelled",
    "nothing since",
    'role="img"',
  ])
    assert.ok(page.text.includes(words), words);
  assert.match(romanian.text, /1\.350,00 RON[^]*înainte 160,00 RON[^]*Nu intră: 1 ciornă/);
  assert.match(
    page.text,
    /aria-label="Sales by week: 1,350\.00 RON in all, 160\.00 RON in the year before; most, 1,250\.50 RON/,
  );
  const file = await member.get("/sales/export?from=2026-03-01&to=2026-03-31&by=product");
  assert.match(file.text, /BOX · Box.RON.1000[.,]50.1.100/);
  assert.match((await member.get("/sales?from=2026-03-31&to=2026-03-01")).text, /The first day must exist/);
  assert.ok(page.text.includes(`href="/companies/${stopped}/calls/new"`));
});
