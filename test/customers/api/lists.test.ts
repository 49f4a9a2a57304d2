import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, type TestTenant } from "../../harness.ts";
import { head, sendRaw } from "../../wire.ts";

const server = await startServer();
const tenant = await server.createTenant();
const PATH = "/api/v1/companies";
const LISTED = 7;
for (let i = 1; i <= LISTED; i++) await tenant.post(PATH, { name: `Company ${i}` });

const children = [
  { path: "contacts", resource: "contacts", body: (name: string) => ({ first_name: name, last_name: "X" }) },
  { path: "addresses", resource: "addresses", body: (name: string) => ({ address: name }) },
] as const;

const ENVELOPE = [
  "current_page",
  "data",
  "first_page_url",
  "from",
  "last_page",
  "last_page_url",
  "next_page_url",
  "path",
  "per_page",
  "prev_page_url",
  "to",
  "total",
];

/**
 * The query without its page, the page, and what the envelope of seven companies (none for a search) says: per page,
 * from, to, and the numbers of the last, the previous and the next page.
 */
const pages: [string, number | null, (number | null)[]][] = [
  ["", null, [50, 1, 7, 1, null, null]],
  ["", 1, [50, 1, 7, 1, null, null]],
  ["per_page=3", null, [3, 1, 3, 3, null, 2]],
  ["per_page=3", 2, [3, 4, 6, 3, 1, 3]],
  ["per_page=3", 3, [3, 7, 7, 3, 2, null]],
  ["per_page=3", 4, [3, null, null, 3, 3, null]],
  ["per_page=3", 90, [3, null, null, 3, 89, null]],
  ["per_page=7", null, [7, 1, 7, 1, null, null]],
  ["per_page=7", 2, [7, null, null, 1, 1, null]],
  ["per_page=1", 7, [1, 7, 7, 7, 6, null]],
  ["search=nothing", null, [50, null, null, 1, null, null]],
  ["search=nothing", 3, [50, null, null, 1, 2, null]],
];

test("the envelope has its twelve members, and URLs of the pages around", async () => {
  const path = `${server.url}${PATH}`;
  for (const [others, page, [perPage, from, to, last, previous, next]] of pages) {
    const query = [others, page === null ? "" : `page=${page}`].filter((part) => part !== "").join("&");
    const { status, body } = await tenant.get(`${PATH}?${query}`);
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body), ENVELOPE);
    const url = (number: number | null | undefined) =>
      number == null ? null : `${path}?${others === "" ? "" : `${others}&`}page=${number}`;
    const { data, ...rest } = body;
    assert.equal(data.length, from == null ? 0 : Number(to) - from + 1);
    assert.deepEqual(
      rest,
      {
        current_page: page ?? 1,
        first_page_url: url(1),
        from,
        last_page: last,
        last_page_url: url(last),
        next_page_url: url(next),
        path,
        per_page: perPage,
        prev_page_url: url(previous),
        to,
        total: others.startsWith("search") ? 0 : LISTED,
      },
      query,
    );
  }
});

test("contacts and addresses of a company come in the same envelope", async () => {
  const { id } = (await tenant.get(PATH)).body.data[0];
  for (const { path, body } of children) {
    const empty = await tenant.get(`${PATH}/${id}/${path}`);
    assert.deepEqual(Object.keys(empty.body), ENVELOPE);
    assert.deepEqual([empty.body.from, empty.body.to, empty.body.last_page, empty.body.data], [null, null, 1, []]);
    for (const name of ["A", "B", "C"]) await tenant.post(`${PATH}/${id}/${path}`, body(name));
    const paged = await tenant.get(`${PATH}/${id}/${path}?per_page=2&page=2`);
    const { current_page, from, to, total, last_page, prev_page_url, path: listed } = paged.body;
    assert.deepEqual([current_page, from, to, total, last_page], [2, 3, 3, 3, 2]);
    assert.equal(listed, `${server.url}${PATH}/${id}/${path}`);
    assert.equal(prev_page_url, `${listed}?per_page=2&page=1`);
  }
});

/** What is sent, and the integer that counts, as per_page and as page. */
const integers: [string, number | null][] = [
  ["1", 1],
  ["+1", 1],
  ["%2B1", 1],
  ["%201%20", 1],
  ["50", 50],
  ["0", null],
  ["-1", null],
  ["01", null],
  ["1.0", null],
  ["1.5", null],
  ["1e1", null],
  ["abc", null],
  ["1abc", null],
  ["", null],
  ["%20", null],
  ["0x10", null],
  ["%D9%A1", null],
  ["%00", null],
  ["%", null],
  ["null", null],
  ["true", null],
];

test("per_page and page that are no integer of at least 1 fall to their defaults", async () => {
  for (const [sent, number] of integers) {
    const perPage = await tenant.get(`${PATH}?per_page=${sent}`);
    assert.deepEqual([perPage.status, perPage.body.per_page], [200, number ?? 50], sent);
    const page = await tenant.get(`${PATH}?page=${sent}`);
    assert.deepEqual([page.status, page.body.current_page], [200, number ?? 1], sent);
  }
  assert.equal((await tenant.get(`${PATH}?per_page[]=3`)).body.per_page, 50);
});

test("per_page above 200 becomes 200, however many digits", async () => {
  for (const sent of ["200", "201", "1000", "9007199254740993", "9".repeat(20), "9".repeat(500), "1".repeat(8000)]) {
    for (const path of [PATH, `${PATH}/${await anyCompany()}/contacts`, `${PATH}/${await anyCompany()}/wms-orders`]) {
      assert.equal((await tenant.get(`${path}?per_page=${sent}`)).body.per_page, 200);
    }
  }
});

test("a page however far beyond the last is empty, and says which one was asked, as far as JSON is exact", async () => {
  for (const page of ["1000000000", "9007199254740991", "9007199254740993", "99999999999999999999", "9".repeat(300)]) {
    const said = Math.min(Number(page), Number.MAX_SAFE_INTEGER);
    const { status, text, body } = await tenant.get(`${PATH}?page=${page}&per_page=200`);
    assert.deepEqual([status, body.data, body.total], [200, [], LISTED]);
    assert.ok(text.includes(`"current_page":${said},`));
    assert.ok(text.includes(`page=${said - 1}"`));
    const orders = await tenant.get(`${PATH}/${await anyCompany()}/wms-orders?page=${page}`);
    assert.deepEqual([orders.status, orders.body.data, orders.body.current_page], [200, [], said]);
  }
});

test("page URLs carry the other parameters as they were sent, of repeated ones the last", async () => {
  const cases: [string, string][] = [
    ["?search=a%20b&page=1", "search=a%20b&"],
    ["?page=1&search=a+b&x=%C8%99", "search=a+b&x=%C8%99&"],
    ["?x=1&x=2&y&z=&page=1", "x=2&y&z=&"],
    ["?page=2&page=1", ""],
    ["?p%61ge=1", ""],
    ["?per_page=3&per_page=4", "per_page=4&"],
    ["?per_page=3&per%5Fpage=4", "per%5Fpage=4&"],
    ["?a[]=1&a[]=2", "a%5B%5D=2&"],
    ["?x=%zz&y=%22%3C%3E", "x=%25zz&y=%22%3C%3E&"],
    ["?x=%&y=%4&z=(*)!$,;:@/?~", "x=%25&y=%254&z=(*)!$,;:@/?~&"],
    ["?&&x=1&", "x=1&"],
    ["?__proto__=1&constructor=2", "__proto__=1&constructor=2&"],
    ["?x=a=b", "x=a=b&"],
    ["??x=1", "?x=1&"],
  ];
  for (const [query, kept] of cases) {
    const { body } = await tenant.get(PATH + query);
    assert.equal(body.first_page_url, `${server.url}${PATH}?${kept}page=1`, query);
  }
  assert.equal((await tenant.get(`${PATH}?per_page=3&per_page=4`)).body.per_page, 4);
  assert.equal((await tenant.get(`${PATH}?per_page=3&per_page=`)).body.per_page, 50);
  assert.equal((await tenant.get(`${PATH}?search=nothing&search=company`)).body.total, LISTED);
  assert.equal((await tenant.get(`${PATH}??search=nothing`)).body.total, LISTED);
});

test("page URLs hold nothing that a URI may not, whatever was sent", async () => {
  const sent = head(`GET ${PATH}?x="<>[]|{}^\`\\%#f' HTTP/1.1`, tenant.token);
  const { first_page_url } = JSON.parse((await sendRaw(server.url, sent)).body);
  assert.match(first_page_url, /\?x=%22%3C%3E%5B%5D%7C%7B%7D%5E%60%5C%25%23f'&page=1$/);
});

test("companies come by ascending id, so that a scan by pages sees every row once while others are inserted", async () => {
  const scanned = await server.createTenant();
  const before: number[] = [];
  for (let i = 0; i < 6; i++) before.push((await scanned.post(PATH, { name: `${9 - i}` })).body.data.id);
  const seen: number[] = [];
  for (let page = 1; page <= 3; page++) {
    const { body } = await scanned.get(`${PATH}?per_page=2&page=${page}`);
    seen.push(...body.data.map(({ id }: { id: number }) => id));
    await scanned.post(PATH, { name: "0" });
  }
  assert.deepEqual(
    seen,
    before.toSorted((a, b) => a - b),
  );
});

test("companies come in the order that is asked for, whatever filters there are, and page URLs keep it", async () => {
  const sorted = await server.createTenant();
  const names = ["Zimbru", "ábac", "Șoim", "ABAC", "Soim 2", "abac", "Éclair", "echo", "soim"];
  const id = new Map<number, string>();
  for (const name of names) id.set((await sorted.post(PATH, { name, status: "active" })).body.data.id, name);
  const ids = [...id.keys()].toSorted((a, b) => a - b);
  const byName = ["ábac", "ABAC", "abac", "echo", "Éclair", "Șoim", "soim", "Soim 2", "Zimbru"];
  const idsByName = byName.map((name) => ids.find((each) => id.get(each) === name));
  const orders: [string, (number | undefined)[]][] = [
    ["id", ids],
    ["-id", ids.toReversed()],
    ["name", idsByName],
    ["-name", idsByName.toReversed()],
    ["%20name%20", idsByName],
    ...["", "NAME", "%2Bname", "--name", "name,id", "created_at", "-", "search_text"].map(
      (none): [string, number[]] => [none, ids],
    ),
  ];
  for (const filter of ["", "&status=active", "&search=i", "&search=soi", "&status=active&search=a"]) {
    const found = new Set((await listed(`?${filter}`)).map(({ id: each }) => each));
    for (const [sort, expected] of orders) {
      const whole = await listed(`?sort=${sort}${filter}`);
      const paged = (
        await Promise.all([1, 2, 3].map((page) => listed(`?per_page=3&sort=${sort}${filter}&page=${page}`)))
      ).flat();
      const kept = expected.filter((each) => each !== undefined && found.has(each));
      assert.deepEqual(
        whole.map(({ id: each }) => each),
        kept,
        `${sort}${filter}`,
      );
      assert.deepEqual(paged, whole, `${sort}${filter}`);
    }
  }
  const { body } = await sorted.get(`${PATH}?sort=-name&per_page=3`);
  assert.equal(body.next_page_url, `${server.url}${PATH}?sort=-name&per_page=3&page=2`);

  async function listed(query: string): Promise<{ id: number }[]> {
    return (await sorted.get(PATH + query)).body.data;
  }
});

test("contacts come primary first, then by first name without case, then by id", async () => {
  const company = await anyCompany(await server.createTenant());
  const sent: [string, boolean][] = [
    ["zoe", false],
    ["Ana", false],
    ["bogdan", false],
    ["ana", false],
    ["Carmen", true],
    ["Bogdan", false],
    ["adi", true],
    ["Șerban", false],
    ["Tudor", false],
  ];
  for (const [first_name, is_primary] of sent) {
    await company.tenant.post(`${PATH}/${company.id}/contacts`, { first_name, last_name: "X", is_primary });
  }
  const { body } = await company.tenant.get(`${PATH}/${company.id}/contacts`);
  assert.deepEqual(
    body.data.map((contact: { first_name: string }) => contact.first_name),
    ["adi", "Carmen", "Ana", "ana", "bogdan", "Bogdan", "Șerban", "Tudor", "zoe"],
  );
});

test("addresses come default first, then by id", async () => {
  const company = await anyCompany(await server.createTenant());
  for (const [address, is_default] of [
    ["c", false],
    ["b", true],
    ["a", false],
    ["d", true],
  ] as const) {
    await company.tenant.post(`${PATH}/${company.id}/addresses`, { address, is_default });
  }
  const { body } = await company.tenant.get(`${PATH}/${company.id}/addresses`);
  assert.deepEqual(
    body.data.map(({ address }: { address: string }) => address),
    ["b", "d", "c", "a"],
  );
});

const searched = {
  name: "Brașov Țesături 100%",
  tax_id: "RO_18\\547",
  email: "Office@Example.com",
  city: "Iaşi",
  notes: "hidden",
  phone: "555",
  county: "hidden",
};

/** A search, and whether the company above is found. */
const searches: [string, boolean][] = [
  ["brasov", true],
  ["BRAȘOV", true],
  ["brașov", true],
  ["braşov", true],
  ["bras\u0327ov", true],
  ["brås", true],
  ["tesaturi 100", true],
  ["100%", true],
  ["0%", true],
  ["1%0", false],
  ["%%", false],
  ["_", true],
  ["ro_18", true],
  ["roX18", false],
  ["\\", true],
  ["18\\5", true],
  ["\\\\", false],
  ["office@example", true],
  ["iasi", true],
  ["IAȘI", true],
  ["hidden", false],
  ["555", false],
  ["o", true],
  ["brasov iasi", false],
  ["100%RO", false],
  ["547Office", false],
  ["100%\u001fRO", false],
  ["\u001f", false],
  ["  brasov \u200b", true],
  ["brasov\u0000x", false],
  ["\u0000", true],
  ["'; drop table companies; --", false],
  ["ßß", false],
  ["x".repeat(3000), false],
  ["%".repeat(3000), false],
];

test("search is a substring without case and accents, in any one field, wildcards being plain characters", async () => {
  const own = await server.createTenant();
  await own.post(PATH, searched);
  await own.post(PATH, { name: "Other" });
  for (const [search, found] of searches) {
    const { status, body } = await own.get(`${PATH}?search=${encodeURIComponent(search)}`);
    const what = JSON.stringify(search.slice(0, 50));
    assert.equal(status, 200, what);
    const names = body.data.map(({ name }: { name: string }) => name);
    assert.equal(names.includes(searched.name), found, what);
    assert.equal(body.total, names.length, what);
  }
  for (const raw of ["%E0%A4%A", "%", "%ff%fe", "%ed%a0%80", "%F0%9F%98%80"]) {
    const { status, body } = await own.get(`${PATH}?search=${raw}`);
    assert.deepEqual([status, typeof body.total], [200, "number"], raw);
  }
  for (const blank of ["", "%20", "+", "%00", "%E2%80%8B"]) {
    assert.equal((await own.get(`${PATH}?search=${blank}`)).body.total, 2, blank);
  }
});

test("search within contacts and addresses looks at their own fields", async () => {
  const { tenant: own, id } = await anyCompany(await server.createTenant());
  const contact = { first_name: "Ștefan", last_name: "Ioniță", email: "s@x.ro", department: "hidden", phone: "555" };
  await own.post(`${PATH}/${id}/contacts`, contact);
  await own.post(`${PATH}/${id}/contacts`, { first_name: "B", last_name: "C" });
  const place = {
    label: "Depozit",
    address: "Strada Lungă 5%",
    city: "Brașov",
    county: "hidden",
    contact_name: "hidden",
  };
  await own.post(`${PATH}/${id}/addresses`, place);
  await own.post(`${PATH}/${id}/addresses`, { address: "B" });
  const cases = {
    contacts: [
      ["stefan", 1],
      ["IONITA", 1],
      ["S@X", 1],
      ["stefan ionita", 0],
      ["hidden", 0],
      ["555", 0],
      ["%", 0],
    ],
    addresses: [
      ["depozit", 1],
      ["lunga", 1],
      ["brasov", 1],
      ["5%", 1],
      ["hidden", 0],
      ["_", 0],
      ["depozitstrada", 0],
    ],
  } as const;
  for (const [path, searches] of Object.entries(cases)) {
    for (const [search, total] of [...searches, ["", 2], ["\u001f", 0], ["a\u0000b", 0]] as const) {
      const { status, body } = await own.get(`${PATH}/${id}/${path}?search=${encodeURIComponent(search)}`);
      assert.deepEqual([status, body.total, body.data.length], [200, total, total], `${path} ${search}`);
    }
    assert.equal((await own.get(`${PATH}/999999/${path}?search=%1f`)).status, 404);
  }
});

test("filters by status and assigned user match exactly, and what can match nothing matches nothing", async () => {
  const own = await server.createTenant();
  const user = await own.createUser();
  const a = (await own.post(PATH, { name: "Aa", status: "active", assigned_to: user })).body.data.id;
  const b = (await own.post(PATH, { name: "Ab", status: "active" })).body.data.id;
  const c = (await own.post(PATH, { name: "Bc", assigned_to: user })).body.data.id;
  const cases: [string, number[]][] = [
    ["status=active", [a, b]],
    ["status=%20active%20", [a, b]],
    ["status=prospect", [c]],
    ["status=churned", []],
    ["status=Active", []],
    ["status=unknown", []],
    ["status=active'", []],
    ["status=%00", [a, b, c]],
    ["status=a%00b", []],
    ["status=", [a, b, c]],
    ["status=unknown&status=active", [a, b]],
    [`assigned_to=${user}`, [a, c]],
    [`assigned_to=%2B${user}`, [a, c]],
    [`assigned_to=0${user}`, []],
    [`assigned_to=${user}.0`, []],
    ["assigned_to=", [a, b, c]],
    ["assigned_to=abc", []],
    ["assigned_to=null", []],
    ["assigned_to=0", []],
    ["assigned_to=-1", []],
    ["assigned_to=999999999", []],
    [`assigned_to=${"9".repeat(300)}`, []],
    [`assigned_to=${user}&status=active`, [a]],
    [`assigned_to=${user}&status=active&search=B`, []],
    ["search=a&status=active", [a, b]],
    [`search=b&assigned_to=${user}`, [c]],
    ["Status=churned", [a, b, c]],
    ["city=nowhere", [a, b, c]],
  ];
  for (const [query, expected] of cases) {
    const { status, body } = await own.get(`${PATH}?${query}`);
    const found = body.data?.map(({ id }: { id: number }) => id);
    assert.deepEqual([status, found, body.total], [200, expected, expected.length], query);
  }
});

test("search pages by ascending id with the exact total, beyond the last page too", async () => {
  const own = await server.createTenant();
  const ids: number[] = [];
  for (let i = 0; i < 5; i++) ids.push((await own.post(PATH, { name: `Match ${9 - i}` })).body.data.id);
  for (const [page, expected] of [
    [1, ids.slice(0, 2)],
    [2, ids.slice(2, 4)],
    [3, ids.slice(4)],
    [4, []],
  ] as const) {
    const { body } = await own.get(`${PATH}?search=match&per_page=2&page=${page}`);
    assert.deepEqual([body.data.map(({ id }: { id: number }) => id), body.total], [expected, 5]);
  }
});

test("a list's item is what GET answers of it, without what only a single one has", async () => {
  const own = await server.createTenant();
  const user = await own.createUser();
  const company = await own.post(PATH, { name: "A", phone: "+40 1", assigned_to: user });
  const { id } = company.body.data;
  assert.deepEqual((await own.get(PATH)).body.data, [company.body.data]);
  assert.deepEqual((await own.get(`${PATH}?search=a`)).body.data, [company.body.data]);
  for (const { path, resource, body } of children) {
    const created = await own.post(`${PATH}/${id}/${path}`, { ...body("A"), phone: "+40 2" });
    assert.deepEqual((await own.get(`${PATH}/${id}/${path}`)).body.data, [created.body.data]);
    const shown = await own.get(`/api/v1/${resource}/${created.body.data.id}`);
    assert.deepEqual(shown.body.data, { ...created.body.data, company: { id, name: "A" } });
  }
});

test("wms-orders: four keys, newest first, only invoices that a warehouse holds", async () => {
  const own = await server.createTenant();
  const { id } = (await own.post(PATH, { name: "A", tax_id: "RO1" })).body.data;
  const other = (await own.post(PATH, { name: "B" })).body.data.id;
  const rows: [string, number, string | null, string | null, string | null, string | null, string | null][] = [
    ["F1", id, "wms.example", "11", "W-11", "shipped", "2026-01-01T00:00:00Z"],
    ["F2", id, null, "9007199254740991", null, null, null],
    ["F3", id, "wms.example", null, null, null, "2026-06-01T00:00:00Z"],
    ["F4", id, "wms.example", "12", "W-12", "Odd Status?", "2026-05-01T10:00:00.123456+02:00"],
    ["F5", id, "wms.example", "13", "W-12", "new", "2026-01-01T00:00:00Z"],
    ["F6", other, "wms.example", "14", "W-14", "new", "2026-01-01T00:00:00Z"],
  ];
  for (const row of rows) {
    await server.sql(
      `insert into invoices (tenant_id, number, company_id, wms_instance, wms_order_id, wms_order_number, wms_status, wms_synced_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [own.id, ...row],
    );
  }
  const { status, body } = await own.get(`${PATH}/${id}/wms-orders`);
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ["current_page", "data", "per_page", "total"]);
  assert.deepEqual([body.current_page, body.per_page, body.total], [1, 50, 4]);
  const company = { id, tax_id: "RO1" };
  const at = (item: { crm_invoice_id: number }) => ({ ...item, crm_invoice_id: "" });
  assert.ok(body.data.every((item: { crm_invoice_id: unknown }) => Number.isInteger(item.crm_invoice_id)));
  const item = (number: string, instance: string | null, rest: (string | number | null)[]) => {
    const [order_id, order_number, status, synced_at] = rest;
    const wms = { instance, order_id, order_number, status, synced_at };
    return { crm_invoice_id: "", crm_invoice_number: number, company, wms };
  };
  assert.deepEqual(body.data.map(at), [
    item("F4", "wms.example", [12, "W-12", "Odd Status?", "2026-05-01T08:00:00.123456Z"]),
    item("F1", "wms.example", [11, "W-11", "shipped", "2026-01-01T00:00:00.000000Z"]),
    item("F5", "wms.example", [13, "W-12", "new", "2026-01-01T00:00:00.000000Z"]),
    item("F2", null, [9_007_199_254_740_991, null, null, null]),
  ]);
  const second = await own.get(`${PATH}/${id}/wms-orders?per_page=3&page=2&search=zzz`);
  assert.deepEqual([second.body.current_page, second.body.per_page, second.body.total], [2, 3, 4]);
  assert.deepEqual(second.body.data.map(at), body.data.slice(3).map(at));
  const without = await own.get(`${PATH}/${other}/wms-orders`);
  assert.deepEqual(without.body.data[0].company, { id: other, tax_id: null });
  await own.put(`${PATH}/${other}`, { tax_id: "RO2" });
  assert.equal((await own.get(`${PATH}/${other}/wms-orders`)).body.data[0].company.tax_id, "RO2");
});

async function anyCompany(): Promise<number>;
async function anyCompany(of: TestTenant): Promise<{ tenant: TestTenant; id: number }>;
async function anyCompany(of?: TestTenant): Promise<number | { tenant: TestTenant; id: number }> {
  if (of === undefined) return (await tenant.get(PATH)).body.data[0].id;
  return { tenant: of, id: (await of.post(PATH, { name: "A" })).body.data.id };
}

test("items with texts of any length are listed as they are shown, in their order", async () => {
  const own = await server.createTenant();
  const long = "ș".repeat(65_535);
  const texts = [{ notes: long, delivery_notes: long }, {}, { notes: "short" }, { delivery_notes: `${long}\n`.trim() }];
  for (const [index, fields] of texts.entries()) {
    await own.post(PATH, { name: `Company ${index}`, ...fields, phone: `${index}` });
  }
  const shown = [];
  for (const { id } of (await own.get(PATH)).body.data) shown.push((await own.get(`${PATH}/${id}`)).body.data);
  const expected = shown.map(({ contacts_count: _contacts, addresses_count: _addresses, ...rest }) => rest);
  assert.deepEqual(
    expected.map(({ notes }) => notes),
    [long, null, "short", null],
  );
  for (const query of ["", "?search=company", "?status=prospect", "?per_page=4&page=1"]) {
    const { status, body } = await own.get(`${PATH}${query}`);
    assert.deepEqual([status, body.total, Object.keys(body)], [200, 4, ENVELOPE], query);
    assert.deepEqual(body.data, expected, query);
  }
  const [{ id }] = expected;
  for (const [path, bodies] of [
    [
      "contacts",
      [
        { first_name: "A", last_name: "B", notes: long },
        { first_name: "B", last_name: "B", is_primary: true },
      ],
    ],
    [
      "addresses",
      [
        { address: "A", delivery_notes: long },
        { address: "B", is_default: true },
      ],
    ],
  ] as const) {
    const created = [];
    for (const body of bodies) created.unshift((await own.post(`${PATH}/${id}/${path}`, body)).body.data);
    assert.deepEqual((await own.get(`${PATH}/${id}/${path}`)).body.data, created);
  }
});
