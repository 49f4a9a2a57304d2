import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { SEED, runs } from "../../properties.ts";

/** Random invoices; every sum of the report of sales is that of the rows, by statements that know nothing of it. */
const server = await startServer();
const tenant = await server.createTenant();
const API = "/api/v1/reports/sales?per_page=200";
const [FROM, TO, FROM_BEFORE, TO_BEFORE] = ["2026-01-05", "2026-04-20", "2025-01-05", "2025-04-20"];

let seed = SEED;
function random(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed >> 8) % below;
}
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)] as T;
type Row = Record<string, string>;

const companies: number[] = [];
for (const [at, city] of ["Cluj-Napoca", "CLUJ-NAPOCA", "Iași", null].entries()) {
  const { data } = (await tenant.post("/api/v1/companies", { name: `Company ${at}`, city })).body;
  companies.push(data.id);
}
const days = [
  "2024-02-29",
  FROM_BEFORE,
  "2025-02-28",
  TO_BEFORE,
  "2025-04-21",
  FROM,
  "2026-03-01",
  TO,
  "2026-04-21",
  null,
];
for (let at = 0; at < runs(80); at++) {
  const lines = Array.from({ length: random(3) }, () => ({
    sku: oneOf(["PALLET-80", "BOX", undefined]),
    description: "Goods",
    quantity: `${1 + random(9)}.5`,
    unit_price: `${random(99)}.${10 + random(89)}`,
  }));
  const answer = await tenant.post(`/api/v1/companies/${oneOf(companies.slice(random(2)))}/invoices`, {
    number: `SALES-${at}`,
    issued_on: oneOf(days),
    status: oneOf(["issued", "paid", "draft", "cancelled"]),
    currency: oneOf(["RON", "RON", "EUR", null]),
    ...(random(9) > 0 && { total: `${random(3) === 0 ? "-" : ""}${random(9_000)}.${10 + random(89)}` }),
    lines,
  });
  assert.equal(answer.status, 201, answer.text);
}
const PERIOD = `from=${FROM}&to=${TO}`;
const IN_PERIOD = `i.issued_on between '${FROM}' and '${TO}'`;
const YEAR_BEFORE = `i.issued_on between '${FROM_BEFORE}' and '${TO_BEFORE}'`;
const SOLD = "where i.tenant_id = $1 and i.status in ('issued', 'paid')";
const FROM_SOLD = `from invoices i join companies c on c.tenant_id = $1 and c.id = i.company_id ${SOLD}`;
const FIRST = `select i.company_id, min(i.issued_on) as first from invoices i ${SOLD} group by 1`;
const SINCE_FIRST = `from invoices i join (${FIRST}) f on f.company_id = i.company_id ${SOLD}`;
const both = (value: string, from = FROM_SOLD) =>
  `select ${value} as key, coalesce(i.currency, '') as currency, coalesce(sum(i.total) filter (where ${IN_PERIOD}), 0) as sold,
    coalesce(sum(i.total) filter (where ${YEAR_BEFORE}), 0) as before, count(*) filter (where ${IN_PERIOD}) as invoices
  ${from} and (${IN_PERIOD} or ${YEAR_BEFORE}) group by 1, 2`;

async function rowsOf(sql: string): Promise<string[]> {
  const rows = (await server.sql(sql, [tenant.id])) as Row[];
  return rows
    .map(({ key, currency, sold, before, invoices }) => said(key, currency, sold, before, invoices))
    .toSorted();
}
const said = (key?: string | null, currency?: string | null, sold?: string, before?: string, invoices?: string) =>
  [key ?? "", currency ?? "", Number(sold).toFixed(2), Number(before).toFixed(2), Number(invoices)].join(" ");
const shown = (rows: readonly Row[]) =>
  rows.map((of) => said(of.key, of.currency, of.sold, of.sold_before, of.invoices)).toSorted();

test("each row of the report is the sum of its invoices, by company, owner, city, month and product", async () => {
  const keys = {
    company: "i.company_id::text",
    owner: "c.assigned_to::text",
    city: "case when lower(c.city) like 'cluj%' then 'CLUJ-NAPOCA' else c.city end",
    month: `to_char(case when ${YEAR_BEFORE} then i.issued_on + interval '1 year' else i.issued_on end, 'YYYY-MM')`,
  };
  for (const [by, key] of Object.entries(keys)) {
    const { data } = (await tenant.get(`${API}&${PERIOD}&by=${by}`)).body;
    const seen = data.rows.map((row: Row) =>
      by === "city" ? { ...row, key: row.key?.replace(/^Cluj.*/, "CLUJ-NAPOCA") } : row,
    );
    assert.deepEqual(shown(seen), await rowsOf(both(key)), by);
    assert.equal(data.total, data.rows.length);
    for (const currency of new Set<string>(data.rows.map((row: Row) => row.currency))) {
      const shares = data.rows.filter((row: Row) => row.currency === currency && row.share !== null);
      if (shares.length > 0)
        assert.ok(Math.abs(shares.reduce((sum: number, row: Row) => sum + Number(row.share), 0) - 100) < 1);
    }
  }
  const lines = (await server.sql(
    `select i.id, i.currency, ${IN_PERIOD} as now, i.lines ${FROM_SOLD} and (${IN_PERIOD} or ${YEAR_BEFORE})`,
    [tenant.id],
  )) as unknown as { id: string; currency: string | null; now: boolean; lines: string | null }[];
  const sums = new Map<string, { now: number; before: number; ids: Set<string> }>();
  for (const { id, currency, now, lines: text } of lines) {
    for (const { sku, quantity, unit_price } of JSON.parse(text ?? "[]")) {
      const key = `${sku ?? ""} ${currency ?? ""}`;
      const sum = sums.get(key) ?? { now: 0, before: 0, ids: new Set() };
      sums.set(key, sum);
      sum[now ? "now" : "before"] += Number(quantity) * Number(unit_price);
      if (now) sum.ids.add(id);
    }
  }
  const { data } = (await tenant.get(`${API}&${PERIOD}&by=product`)).body;
  const seen = new Map<string, Row>(data.rows.map((row: Row) => [`${row.key ?? ""} ${row.currency ?? ""}`, row]));
  assert.deepEqual([...seen.keys()].toSorted(), [...sums.keys()].toSorted());
  for (const [key, { now, before, ids }] of sums) {
    const row = seen.get(key);
    assert.ok(Math.abs(Number(row?.sold) - now) < 0.01, key);
    assert.ok(Math.abs(Number(row?.sold_before) - before) < 0.01, key);
    assert.equal(row?.invoices, ids.size);
  }
});

test("the sums, the columns and what is left out are those of the invoices too", async () => {
  for (const [query, unit] of [
    [PERIOD, "month"],
    [`from=${FROM}&to=2026-03-09`, "week"],
    ["from=2022-01-01&to=2026-04-30", "year"],
  ] as const) {
    const { data } = (await tenant.get(`${API}&${query}`)).body;
    assert.equal(data.unit, unit);
    for (const of of data.totals) {
      const [sold] = (await server.sql(
        `select coalesce(sum(i.total), 0) as sold, count(*) as invoices, count(distinct i.company_id) as companies,
          count(distinct i.company_id) filter (where f.first >= '${data.from}') as new
        ${SINCE_FIRST} and coalesce(i.currency, '') = $2 and i.issued_on between '${data.from}' and '${data.to}'`,
        [tenant.id, of.currency ?? ""],
      )) as Row[];
      const { sold: sum, invoices, companies: bought, new_companies: fresh } = of;
      assert.deepEqual([Number(sum), invoices, bought, fresh], Object.values(sold ?? {}).map(Number), query);
      const columns = data.columns.filter((each: Row) => each.currency === of.currency);
      for (const name of ["sold", "sold_before"]) {
        const cents = columns.reduce((total: number, each: Row) => total + Math.round(Number(each[name]) * 100), 0);
        assert.equal(cents, Math.round(Number(of[name]) * 100), `${name} of ${query}`);
      }
      for (const [at, each] of columns.entries()) {
        const next = columns[at + 1]?.from ?? "9999-01-01";
        const [{ sum: exact } = {}] = (await server.sql(
          `select coalesce(sum(i.total), 0) as sum ${FROM_SOLD} and coalesce(i.currency, '') = $2
            and i.issued_on >= $3 and i.issued_on < $4 and i.issued_on <= '${data.to}'`,
          [tenant.id, of.currency ?? "", each.from, next],
        )) as Row[];
        assert.equal(Number(each.sold), Number(exact), `${each.from} of ${query}`);
      }
    }
    const [left] = (await server.sql(
      `select count(*) filter (where status = 'draft' and issued_on between '${data.from}' and '${data.to}') as drafts,
        count(*) filter (where status = 'cancelled' and issued_on between '${data.from}' and '${data.to}') as cancelled,
        count(*) filter (where status in ('issued', 'paid') and issued_on is null) as undated
      from invoices where tenant_id = $1`,
      [tenant.id],
    )) as Row[];
    assert.deepEqual(Object.values(data.left_out), Object.values(left ?? {}).map(Number));
  }
});

test("companies that stopped buying are listed with their last day, and a query that can match nothing has no rows", async () => {
  const [stopped] = companies.slice(-1);
  await server.sql(
    `update invoices set issued_on = '2025-02-14' where tenant_id = $1 and company_id = $2 and issued_on between '${FROM}' and '${TO}'`,
    [tenant.id, stopped],
  );
  const { data } = (await tenant.get(`${API}&${PERIOD}&stopped=1`)).body;
  const found = data.rows.filter((row: Row) => row.key === String(stopped));
  assert.ok(found.length > 0, "the company stopped");
  for (const row of data.rows) {
    assert.equal(row.invoices, 0);
    assert.ok(row.invoices_before > 0 && row.last_issued_on < FROM, JSON.stringify(row));
  }
  for (const wrong of [`from=${TO}&to=${FROM}`, "from=none", `${PERIOD}&currency=XXX`, `${PERIOD}&assigned_to=x`]) {
    const { data: none } = (await tenant.get(`${API}&${wrong}`)).body;
    assert.deepEqual([none.rows, none.totals, none.total], [[], [], 0], wrong);
  }
});
