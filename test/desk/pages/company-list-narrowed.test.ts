import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAfter } from "../../../src/platform/dates.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

/** The list of companies in the orders, and with the filters, that people have and the API has not. */
const server = await startServer();
const dayFrom = (days: number) => dayAfter(days, "Europe/Bucharest");

type Made = Record<string, unknown> & { contacted?: string; invoices?: readonly string[] };

let numbers = 0;

/** Creates companies one after the other; `contacted` a moment, `invoices` what each of them is set to. */
async function create(tenant: TestTenant, ...companies: Made[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { contacted, invoices = [], ...fields } of companies) {
    const { id } = (await tenant.post("/api/v1/companies", fields)).body.data;
    ids.push(String(id));
    if (contacted !== undefined) {
      await server.sql("update companies set last_contacted_at = $2 where id = $1", [id, contacted]);
    }
    for (const is of invoices) {
      const sent = { number: `N-${++numbers}`, total: "1", issued_on: "2026-11-01" };
      const invoice = (await tenant.post(`/api/v1/companies/${id}/invoices`, sent)).body.data;
      await server.sql(`update invoices set ${is} where id = $1`, [invoice.id]);
    }
  }
  return ids;
}

/** The names of the rows, in their order. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/<td class="name"[^>]*><a[^>]*>(.*?)<\/a>/g)].map(([, name = ""]) =>
    name.replaceAll(/<[^>]*>/g, ""),
  );
}

const listed = async (member: Member, query: string) => namesIn((await member.get(`/companies?${query}`)).text);

const picking =
  "wms_order_id = 7, wms_instance = 'north', wms_status = 'picking', wms_is_final = false, wms_moved_at = now()";
const shipped =
  "wms_order_id = 8, wms_instance = 'north', wms_status = 'shipped', wms_is_final = true, wms_moved_at = now()";
const refused = "wms_state = 'failed'";

test("companies are listed by when to call, when one spoke to them, when they changed, city and owner; those without come last", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const admin = await signedIn(server, tenant, { role: "admin" });
  const [zoe, alin] = [await tenant.createUser("Zoe Pop"), await tenant.createUser("Ălin Rus")];
  const ids = await create(
    tenant,
    { name: "A", callback_date: dayFrom(3), contacted: "2026-03-01", city: "Șimleu", assigned_to: zoe },
    { name: "B" },
    { name: "C", callback_date: dayFrom(1), status: "active", city: "TURNU", assigned_to: alin },
    { name: "D", callback_date: dayFrom(3), contacted: "2026-01-01", status: "active", city: "Sibiu" },
    { name: "E", contacted: "2026-02-01", assigned_to: zoe },
  );
  await tenant.put(`/api/v1/companies/${ids[1]}`, { city: "Turda" });
  await admin.post(`/users/${zoe}/deactivate`);
  for (const [sort, names] of [
    ["callback_date", "C A D B E"],
    ["-callback_date", "D A C E B"],
    ["last_contacted_at", "D E A B C"],
    ["-last_contacted_at", "A E D C B"],
    ["city", "D A B C E"],
    ["-city", "C B A D E"],
    ["assigned_to", "C A E B D"],
    ["-assigned_to", "E A C D B"],
    ["updated_at", "A C D E B"],
    ["-updated_at", "B E D C A"],
  ] as const) {
    assert.equal((await listed(member, `sort=${sort}`)).join(" "), names, sort);
    assert.equal((await listed(member, `sort=${sort}&per_page=2&page=2`)).join(" "), names.slice(4, 7), sort);
    const active = names.replaceAll(/[ABE] ?/g, "").trim();
    for (const filter of ["status=active", "status=active&orders=none", "status=active&search=d&city="]) {
      const expected = filter.includes("search") ? "D" : active;
      assert.equal((await listed(member, `${filter}&sort=${sort}`)).join(" "), expected, `${sort} ${filter}`);
    }
    const beyond = await member.get(`/companies?sort=${sort}&per_page=2&page=9`);
    assert.deepEqual([beyond.status, beyond.location], [303, `?sort=${sort}&per_page=2&page=3`]);
  }
});

test("by turnover, a currency at a time, the highest company is first and those without one are last; or the reverse", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const sold = (total: string, more = "") => `total = ${total}${more && `, ${more}`}`;
  const inEuro = "currency = 'EUR'";
  await create(
    tenant,
    { name: "A", invoices: [sold("300"), sold("300.5", "status = 'paid'")], status: "active" },
    { name: "B", invoices: [sold("9000", "status = 'draft'"), sold("9000", "status = 'cancelled'")] },
    { name: "C", invoices: [sold("900", inEuro), sold("8000")], status: "active" },
    { name: "D", invoices: [sold("950"), sold("9000", `issued_on = '${dayFrom(-366)}'`)] },
    { name: "E", invoices: [sold("1000", inEuro), sold("1", inEuro), sold("70000")], status: "active" },
    { name: "F", invoices: [sold("9000", `issued_on = '${dayFrom(1)}'`)], status: "active" },
    { name: "G", invoices: [sold("600.5"), sold("null", inEuro)], status: "active" },
    { name: "H", invoices: [sold("null"), sold("null")] },
    { name: "I", invoices: [sold("70", "currency = 'USD'"), sold("-100")] },
    { name: "J", invoices: [sold("0")] },
  );
  await create(await server.createTenant(), { name: "Theirs", invoices: [sold("1", inEuro), sold("1", inEuro)] });
  const down = "D A J E C I H G F B";
  for (const [sort, names] of [
    ["-turnover", down],
    ["turnover", down.split(" ").toReversed().join(" ")],
  ] as const) {
    assert.equal((await listed(member, `sort=${sort}`)).join(" "), names, sort);
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => await listed(member, `sort=${sort}&per_page=3&page=${page}`)),
    );
    assert.deepEqual(
      pages.map(({ length }) => length),
      [3, 3, 3, 1],
    );
    assert.equal(pages.flat().join(" "), names, `${sort} by pages`);
    const active = names
      .replaceAll(/[^ACEFG ]/g, "")
      .split(" ")
      .filter((name) => name !== "");
    for (const filter of ["status=active", "status=active&orders=none", "status=active&city="]) {
      assert.deepEqual(await listed(member, `${filter}&sort=${sort}`), active, `${sort} ${filter}`);
    }
    assert.deepEqual(await listed(member, `search=g&sort=${sort}`), ["G"]);
  }
  const { text } = await member.get("/companies?sort=-turnover&status=active");
  assert.match(
    text,
    /<th [^>]*aria-sort="descending"[^>]*><a class="sort" href="\?status=active&amp;sort=turnover">Turnover, 12 months</,
  );
  const answers = await Promise.all(
    ["", "?sort=-turnover"].map(async (query) => await tenant.get(`/api/v1/companies${query}`)),
  );
  assert.deepEqual(answers[1]?.body.data, answers[0]?.body.data, "the API has no such order: it counts as none");
});

test("the heads sort, say how the list is sorted, and keep the filters", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await create(tenant, { name: "A", status: "active" });
  const heads = async (query: string) => {
    const { text } = await member.get(`/companies?${query}`);
    const all = text.matchAll(/<th scope="col"(?: aria-sort="(\w+)")?><a class="sort" href="([^"]*)">([^<]*)</g);
    return [...all].map(([, direction = "", href = "", label]) => `${label} ${direction} ${href}`);
  };
  assert.deepEqual(await heads(""), [
    "Name ascending ?sort=-name",
    "City  ?sort=city",
    "Owner  ?sort=assigned_to",
    "Last contact  ?sort=-last_contacted_at",
    "Call back  ?sort=callback_date",
  ]);
  assert.deepEqual(await heads("status=active&sort=-last_contacted_at&page=1"), [
    "Name  ?status=active&amp;sort=name",
    "City  ?status=active&amp;sort=city",
    "Owner  ?status=active&amp;sort=assigned_to",
    "Last contact descending ?status=active&amp;sort=last_contacted_at",
    "Call back  ?status=active&amp;sort=callback_date",
  ]);
});

test("filters by city, call-back and orders leave the others out, with each other and in every order", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const owner = await tenant.createUser("Ioana Mare");
  await create(
    tenant,
    { name: "Cluj late", city: "Cluj-Napoca", callback_date: dayFrom(-1), assigned_to: owner, invoices: [picking] },
    { name: "Cluj later", city: "Cluj", callback_date: dayFrom(2), email: "turda@example.com" },
    { name: "Iași", city: "IAȘI", callback_date: dayFrom(0), invoices: [refused, shipped], assigned_to: owner },
    { name: "Turda", tax_id: "CLUJ1", invoices: [shipped], status: "active" },
    { name: "Nowhere", invoices: ["wms_state = 'not_sent'", "wms_state = 'queued'"] },
  );
  await create(await server.createTenant(), { name: "Elsewhere", city: "Cluj", invoices: [picking, refused] });
  for (const [query, names] of [
    ["city=cluj", ["Cluj late", "Cluj later"]],
    ["city=CLUJ-n", ["Cluj late"]],
    ["city=iasi", ["Iași"]],
    ["city=turda", []],
    ["city=%C2%B4", []],
    ["city=%1F", []],
    ["callback=due", ["Cluj late", "Iași"]],
    ["callback=set", ["Cluj late", "Cluj later", "Iași"]],
    ["callback=never", []],
    ["assigned_to=0", ["Cluj later", "Nowhere", "Turda"]],
    ["callback=set&assigned_to=0", ["Cluj later"]],
    ["orders=none&assigned_to=0&search=cluj", ["Cluj later"]],
    ["orders=under_way", ["Cluj late", "Nowhere"]],
    ["orders=attention", ["Iași"]],
    ["orders=none", ["Cluj later", "Nowhere"]],
    ["orders=nonsense", []],
    ["city=cluj&callback=due", ["Cluj late"]],
    ["city=cluj&callback=set&orders=none", ["Cluj later"]],
    ["city=cluj&orders=none&search=later", ["Cluj later"]],
    ["city=cluj&search=late&status=prospect", ["Cluj late", "Cluj later"]],
    [`callback=due&orders=under_way&assigned_to=${owner}`, ["Cluj late"]],
    [`orders=attention&callback=set&assigned_to=${owner}`, ["Iași"]],
    ["orders=none&status=active", []],
    [`orders=attention&assigned_to=${owner}&city=i`, ["Iași"]],
  ] as const) {
    for (const [sort, inOrder] of [
      ["", names],
      ["&sort=-name", names.toReversed()],
      ["&sort=-id", null],
      ["&sort=-updated_at", null],
      ["&sort=callback_date", null],
    ] as const) {
      const { text, status } = await member.get(`/companies?${query}${sort}`);
      assert.equal(status, 200, query);
      const found = namesIn(text);
      assert.deepEqual(inOrder === null ? found.toSorted() : found, inOrder ?? names.toSorted(), query + sort);
      assert.match(text, new RegExp(`id="total">${names.length}<`), query + sort);
    }
    const exported = (await member.get(`/companies/export?${query}`)).text.trimEnd().split("\r\n").slice(1);
    const inFile = exported.map((line) => String(line.split(",")[1]));
    assert.deepEqual(inFile.toSorted(), [...names].toSorted(), query);
  }
});

test("active filters are shown, and each is removed by itself", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const owner = await tenant.createUser("Ioana <Mare>");
  const query = `status=active&assigned_to=${owner}&city=Cluj&callback=due&orders=none&sort=-name`;
  const { text } = await member.get(`/companies?${query}&page=1`);
  const chips = [
    ...text.matchAll(/<a class="chip" href="([^"]*)"><span class="hidden">Remove filter: <\/span>([^<]*)</g),
  ];
  const without = (name: string) =>
    `/companies?${query
      .split("&")
      .filter((each) => !each.startsWith(`${name}=`))
      .join("&amp;")}`;
  assert.deepEqual(
    chips.map(([, href, label]) => [label, href]),
    [
      ["Status: Active", without("status")],
      ["Owner: Ioana &lt;Mare&gt;", without("assigned_to")],
      ["City: Cluj", without("city")],
      ["Call back: Due", without("callback")],
      ["Orders: None", without("orders")],
    ],
  );
  assert.doesNotMatch((await member.get("/companies")).text, /class="chip"/);
  assert.doesNotMatch((await member.get("/companies?deleted=1&city=a")).text, /class="chip"/);
});

test("a list of more than it looks through says so, and has the first of its order", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await server.sql(
    `insert into companies (tenant_id, name, country, status, city, callback_date, last_contacted_at)
     select $1, 'Company ' || lpad(g::text, 5, '0'), 'Romania', case when g % 3 = 0 then 'churned' else 'active' end,
       case when g > 10000 then 'Arad' else 'Turda' end, case when g > 12000 then date '2030-01-01' - g end,
       case when g % 100 = 0 then timestamptz '2026-01-01' + g * interval '1 minute' end
     from generate_series(1, 12010) g`,
    [tenant.id],
  );
  const first = async (query: string) => {
    const { text } = await member.get(`/companies?${query}&per_page=2`);
    const total = /id="total">([^<]*)</.exec(text)?.[1];
    return [...namesIn(text), total, text.includes("There may be more")];
  };
  const more = "10,000+";
  assert.deepEqual(await first("sort=name"), ["Company 00001", "Company 00002", "12,010", false]);
  assert.deepEqual(await first("sort=callback_date"), ["Company 12010", "Company 12009", more, true]);
  assert.deepEqual(await first("sort=-callback_date"), ["Company 12001", "Company 12002", more, true]);
  assert.deepEqual(
    await first("sort=-callback_date&page=6"),
    ["Company 12010", "Company 12009", more, true].slice(0, 0).concat(["Company 12000", "Company 11999", more, true]),
  );
  assert.deepEqual(await first("sort=-last_contacted_at"), ["Company 12000", "Company 11900", more, true]);
  assert.deepEqual(await first("sort=last_contacted_at&page=61"), ["Company 00001", "Company 00002", more, true]);
  assert.deepEqual(await first("sort=-last_contacted_at&status=churned"), [
    "Company 12000",
    "Company 11700",
    "4,003",
    false,
  ]);
  assert.deepEqual(await first("city=arad&sort=-name"), ["Company 12010", "Company 12009", "2,010", false]);
  assert.deepEqual(await first("city=tur"), ["Company 00001", "Company 00002", more, true]);
  assert.deepEqual(await first("orders=none&sort=-id"), ["Company 12010", "Company 12009", more, true]);
  const sentence = async (query: string) =>
    /There may be more[^<]*/.exec((await member.get(`/companies?${query}`)).text)?.[0];
  const bound = "There may be more: the list looks through 10,000 companies at most.";
  assert.equal(await sentence("sort=-id&city=tur"), `${bound} Narrow it by status, owner or city.`);
  assert.equal(await sentence("updated_since=2090-01-01T00:00:00Z"), `${bound} Narrow it by status, owner or city.`);
  const { text } = await member.get("/companies?updated_since=2090-01-01T00:00:00Z");
  assert.match(text, /No company fits these filters\./, "a filter without a control");
  const ids = await server.sql(
    "select id from companies where tenant_id = $1 and name in ('Company 00007', 'Company 00001') order by id",
    [tenant.id],
  );
  await tenant.put(`/api/v1/companies/${String(ids[1]?.id)}`, { notes: "A" });
  await tenant.put(`/api/v1/companies/${String(ids[0]?.id)}`, { notes: "B" });
  assert.deepEqual((await first("sort=-updated_at")).slice(0, 2), ["Company 00001", "Company 00007"]);
  assert.deepEqual((await first("sort=updated_at")).slice(0, 2), ["Company 00002", "Company 00003"]);
  assert.deepEqual((await first("sort=-updated_at")).slice(3), [true]);
  const last = await member.get("/companies?sort=-last_contacted_at&per_page=100&page=101");
  assert.equal(last.location, "?sort=-last_contacted_at&per_page=100&page=100", "beyond the last is the last");
  await server.sql("update companies set callback_date = '2026-01-01' where tenant_id = $1", [tenant.id]);
  assert.equal(await sentence("callback=due"), bound, "no other filter is narrower");
});
