import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, type TestTenant } from "../../harness.ts";

/** Lists narrowed by values of custom fields (docs/contract.md 5.9). */
const server = await startServer();
const COMPANIES = "/api/v1/companies";

async function define(tenant: TestTenant, noun: string): Promise<void> {
  const fields = [
    { label: "Price list", kind: "choice", options: [{ value: "gold" }, { value: "silver" }] },
    { label: "Credit", kind: "number" },
    { label: "Visits", kind: "yes_no" },
    { label: "Since", kind: "date" },
    { label: "Route", kind: "text" },
  ];
  for (const field of fields) {
    const made = await tenant.post("/api/v1/custom-fields", { noun, ...field });
    assert.equal(made.status, 201, made.text);
  }
}

async function listed(tenant: TestTenant, path: string): Promise<number[]> {
  const page = await tenant.get(path);
  const walk = await tenant.get(`${path}&cursor=`);
  const ids = (answer: typeof page): number[] => answer.body.data.map(({ id }: { id: number }) => id);
  assert.equal(page.status, 200, page.text);
  assert.equal(page.body.total, ids(page).length);
  assert.deepEqual(ids(walk), ids(page), path);
  return ids(page);
}

test("a list has the rows with the values of custom fields, whatever their kind, and names unknown keys", async () => {
  const tenant = await server.createTenant();
  await define(tenant, "company");
  const create = async (custom: object): Promise<number> => {
    const made = await tenant.post(COMPANIES, { name: "Acme", custom });
    assert.equal(made.status, 201, made.text);
    return made.body.data.id;
  };
  const one = await create({
    price_list: "gold",
    credit: "2500.00",
    visits: true,
    since: "2026-01-02",
    route: "Căile 5",
  });
  const two = await create({ price_list: "gold", credit: 12, visits: false, route: "caile 5" });
  const three = await create({ route: `${"x".repeat(255)}y` });

  const cases: [string, number[]][] = [
    ["custom[price_list]=gold", [one, two]],
    ["custom[price_list]=gold&sort=-id", [two, one]],
    ["custom[price_list]=gold&sort=name", [one, two]],
    ["custom%5Bprice_list%5D=gold&custom[visits]=true", [one]],
    ["custom[price_list]=gold&custom[visits]=true&custom[credit]=2500", [one]],
    ["custom[price_list]=gold&custom[visits]=true&custom[credit]=12", []],
    ["custom[credit]=2500.0", [one]],
    ["custom[credit]=many", []],
    ["custom[since]=2026-01-02", [one]],
    [`custom[route]=${encodeURIComponent("Căile 5")}`, [one]],
    ["custom[route]=caile 5", [two]],
    [`custom[route]=${"x".repeat(255)}`, []],
    [`custom[route]=${"x".repeat(256)}`, []],
    ["custom[price_list]=gold&search=acme", [one, two]],
    [`custom[price_list]=gold&ids=${two},${three}`, [two]],
    ["custom[price_list]=", [one, two, three]],
    ["custom[price_list]=silver", []],
  ];
  for (const [query, expected] of cases)
    assert.deepEqual(await listed(tenant, `${COMPANIES}?${query}`), expected, query);

  const unknown = await tenant.get(`${COMPANIES}?custom[vip]=1&custom[__proto__]=1&custom[price_list]=gold&custom=x`);
  assert.equal(unknown.headers.get("x-query-ignored"), "custom%5Bvip%5D, custom%5B__proto__%5D, custom");
  assert.equal(unknown.body.total, 2);
  const four = await tenant.get(
    `${COMPANIES}?custom[price_list]=gold&custom[credit]=1&custom[visits]=true&custom[route]=a`,
  );
  assert.deepEqual(
    [four.status, four.body.errors],
    [422, { custom: ["The custom field must not have more than 3 items."] }],
  );
  const orders = await tenant.get("/api/v1/changes?custom[vip]=1");
  assert.equal(orders.headers.get("x-query-ignored"), "custom%5Bvip%5D");

  await tenant.put(`${COMPANIES}/${one}`, { custom: { price_list: "silver" } });
  assert.deepEqual(await listed(tenant, `${COMPANIES}?custom[price_list]=gold`), [two]);
  assert.deepEqual(await listed(tenant, `${COMPANIES}?custom[price_list]=silver`), [one]);
  await tenant.put(`${COMPANIES}/${two}`, { custom: { price_list: null } });
  assert.deepEqual(await listed(tenant, `${COMPANIES}?custom[price_list]=gold`), []);
  await tenant.delete(`${COMPANIES}/${one}`);
  assert.deepEqual(await listed(tenant, `${COMPANIES}?custom[price_list]=silver`), []);
  await tenant.post(`${COMPANIES}/${one}/restore`, {});
  assert.deepEqual(await listed(tenant, `${COMPANIES}?custom[price_list]=silver`), [one]);
  const [found] = await server.sql(`select count(*)::int as n from value_entries where tenant_id = $1`, [tenant.id]);
  assert.equal(found?.n, 5 + 3 + 1);
});

test("a value of more rows than are looked up is walked by its own index", async () => {
  const tenant = await server.createTenant();
  await define(tenant, "company");
  await server.sql(
    `insert into companies (tenant_id, name, country, metadata)
     select $1, 'C' || n, 'Romania', jsonb_build_object('price_list', case when n <= 100 then 'silver' else 'gold' end, 'visits', n % 2 = 0)
     from generate_series(1, 5200) n`,
    [tenant.id],
  );
  const gold = await tenant.get(`${COMPANIES}?custom[price_list]=gold&per_page=3&page=2&sort=-id`);
  assert.deepEqual(
    [gold.body.total, gold.body.data.map(({ name }: { name: string }) => name)],
    [5100, ["C5197", "C5196", "C5195"]],
  );
  for (const [query, names] of [
    ["custom[price_list]=gold", ["C101", "C102"]],
    ["custom[price_list]=gold&sort=-id", ["C5200", "C5199"]],
    ["custom[price_list]=gold&custom[visits]=true", ["C102", "C104"]],
    ["custom[price_list]=gold&sort=name", ["C1000", "C1001"]],
  ] as const) {
    const first = await tenant.get(`${COMPANIES}?${query}&per_page=1&cursor=`);
    const next = await tenant.get(
      `${COMPANIES}?${query}&per_page=1&cursor=${encodeURIComponent(first.body.next_cursor)}`,
    );
    assert.deepEqual(
      [first, next].map(({ body }) => body.data[0].name),
      names,
      query,
    );
  }
});

test("contacts of all companies and of one, and a company's invoices are narrowed too", async () => {
  const tenant = await server.createTenant();
  await define(tenant, "contact");
  await define(tenant, "invoice");
  const company = (await tenant.post(COMPANIES, { name: "Acme" })).body.data.id;
  const ids: Record<string, number> = {};
  for (const [noun, body] of [
    ["contacts", { first_name: "Ana", last_name: "Pop" }],
    ["invoices", { number: "A-1", issued_on: "2026-11-01", total: 1 }],
  ] as const) {
    const made = await tenant.post(`${COMPANIES}/${company}/${noun}`, { ...body, custom: { price_list: "gold" } });
    assert.equal(made.status, 201, made.text);
    ids[noun] = made.body.data.id;
    await tenant.post(`${COMPANIES}/${company}/${noun}`, { ...body, number: "A-2" });
    const ofCompany = `${COMPANIES}/${company}/${noun}?custom[price_list]`;
    assert.deepEqual(await listed(tenant, `${ofCompany}=gold`), [ids[noun]]);
    assert.deepEqual(await listed(tenant, `${ofCompany}=silver`), []);
  }
  assert.deepEqual(await listed(tenant, "/api/v1/contacts?custom[price_list]=gold"), [ids.contacts]);
  const path = `/api/v1/contacts/${ids.contacts}`;
  await tenant.delete(path);
  assert.deepEqual(await listed(tenant, "/api/v1/contacts?custom[price_list]=gold"), []);
  await tenant.post(`${path}/restore`, {});
  assert.deepEqual(await listed(tenant, "/api/v1/contacts?custom[price_list]=gold"), [ids.contacts]);
});
