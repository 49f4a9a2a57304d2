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
    "+744\u00a0%",
    "Left out: 1 draft, 0 cancelled",
    "nothing since",
    "tallest: 1,250.50 RON",
    '<text x="0%" y="14">1 Mar</text>',
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

test("each figure links to the invoices that it sums, and to no other", async () => {
  const id = await sold("Gama", [
    {
      total: "10",
      issued_on: "2026-05-04",
      lines: [{ sku: "PEN 1/2", description: "Pen", quantity: "1", unit_price: "10" }],
    },
    { total: "20", issued_on: "2026-05-31", status: "paid" },
    { total: "30", issued_on: "2026-05-31", currency: "EUR" },
    { total: "40", issued_on: "2026-05-31", status: "draft" },
    { total: "50", issued_on: "2026-06-01" },
    { total: "60", issued_on: "2025-05-04" },
  ]);
  await sold("Delta", [{ total: "5", issued_on: "2026-05-10" }]);
  const listed = async (query: string, figure: string) => {
    const { text } = await member.get(`/sales?from=2026-05-01&to=2026-05-31&currency=RON&${query}`);
    const table = text.slice(query.startsWith("by") ? text.indexOf("<tbody") : 0);
    const href = [...table.matchAll(/<a href="(\/orders\?[^"]*)">([^<]*)/g)].find(
      ([, , shown]) => shown === figure,
    )?.[1];
    assert.ok(href !== undefined, `${figure} of ${query}`);
    const list = (await member.get(href.replaceAll("&amp;", "&"))).text;
    return [...new Set([...list.matchAll(/>((?:Gama|Delta)-\d)</g)].map(([, number = ""]) => number))].toSorted(
      (one, other) => one.localeCompare(other),
    );
  };
  assert.deepEqual(await listed("", "35.00 RON"), ["Delta-0", "Gama-0", "Gama-1"]);
  const { text: both } = await member.get("/sales?from=2026-05-01&to=2026-05-31");
  assert.match(both, /&amp;currency=EUR">and 30\.00 EUR<\/a>/);
  assert.deepEqual(await listed("", "before 60.00 RON"), ["Gama-5"]);
  assert.deepEqual(await listed("by=company", "30.00 RON"), ["Gama-0", "Gama-1"]);
  assert.deepEqual(await listed("by=company", "60.00"), ["Gama-5"]);
  assert.deepEqual(await listed("by=owner", "35.00 RON"), ["Delta-0", "Gama-0", "Gama-1"]);
  assert.deepEqual(await listed("by=product", "10.00 RON"), ["Gama-0"]);
  assert.deepEqual(await listed("by=month", "35.00 RON"), ["Delta-0", "Gama-0", "Gama-1"]);
  assert.deepEqual(await listed("by=month", "60.00"), ["Gama-5"]);
  const { text } = await member.get(`/orders?state=sold&company=${id}&currency=EUR`);
  assert.match(text, /Company: Gama[^]*Currency: EUR/);
  assert.match(text, />Gama-2</);
});

test("amounts have the decimals of their currency: none in yen, three in dinars", async () => {
  const other = await server.createTenant();
  const visitor = await signedIn(server, other);
  const { data: company } = (await other.post("/api/v1/companies", { name: "Omega", city: "Turda" })).body;
  const ids: number[] = [];
  for (const [number, total, currency] of [
    ["Y-1", "1500", "JPY"],
    ["Y-2", "2001", "JPY"],
    ["K-1", "10.5", "KWD"],
    ["K-2", "0.001", "KWD"],
  ]) {
    const body = { number, total, currency, issued_on: "2026-03-02", due_on: "2026-03-03" };
    ids.push((await other.post(`/api/v1/companies/${company.id}/invoices`, body)).body.data.id);
  }
  const march = "from=2026-03-01&to=2026-03-31";
  const { text: yen } = await visitor.get(`/sales?${march}&currency=JPY`);
  for (const words of ["3,501 JPY", "1,751 JPY", "tallest: 3,501 JPY"]) assert.ok(yen.includes(words), words);
  const { text: dinars } = await visitor.get(`/sales?${march}&currency=KWD`);
  for (const words of ["10.501 KWD", "5.251 KWD"]) assert.ok(dinars.includes(words), words);
  const { data: report } = (await other.get(`/api/v1/reports/sales?${march}`)).body;
  assert.deepEqual(
    report.totals.map(({ currency, average }: Record<string, string>) => [currency, average]),
    [
      ["JPY", "1751"],
      ["KWD", "5.251"],
    ],
  );
  const { text: money } = await visitor.get("/money");
  assert.match(money, /3,501 JPY[^]*<dt>over 90 days<\/dt><dd>(?:<a [^>]*>)?3,501<[^]*10\.501 KWD/);
  assert.match(money, /data-sum="3501 JPY 0"/);
  // Typed as it is shown, an amount of yen has no second reading.
  const [first] = ids;
  const { text: form } = await visitor.get(`/invoices/${first}/payments`);
  assert.match(form, /value="1500" id="amount"[^>]* aria-describedby="amount-unit [^>]*><span id="amount-unit">JPY</);
  const typed = { amount: "1.200", paid_on: "2026-03-04", means: "bank" };
  assert.equal((await visitor.post(`/invoices/${first}/payments`, typed)).status, 303);
  assert.match((await visitor.get(`/invoices/${first}`)).text, /1,500 JPY[^]*Partly paid, 300 JPY left/);
  const lines = { "lines.0.description": "Tea", "lines.0.quantity": "2", "lines.0.unit_price": "1.500" };
  const invoice = { company: String(company.id), number: "Y-3", currency: "JPY", issued_on: "2026-03-02", ...lines };
  const { location } = await visitor.post("/invoices", invoice);
  assert.match((await visitor.get(location ?? "")).text, /3,000 JPY/);
});
