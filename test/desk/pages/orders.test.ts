import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** /orders: every invoice of the workspace, by its state and what else narrows it. */
const server = await startServer();
const tenant = await server.createTenant();
const other = await server.createTenant();
const member = await signedIn(server, tenant, { name: "Ana Pop" });
const owner = await tenant.createUser("Radu Ene");

async function company(of: typeof tenant, name: string, assignedTo: number | null = null): Promise<number> {
  const { id } = (await of.post("/api/v1/companies", { name, assigned_to: assignedTo })).body.data;
  await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'key' where id = $1", [id]);
  return id;
}

const acme = await company(tenant, "Acme", owner);
const brick = await company(tenant, "Bricks and Șarpe");
const elsewhere = await company(other, "Elsewhere");
await server.sql("update companies set tax_id = 'RO7788' where id = $1", [brick]);

async function invoice(of: typeof tenant, at: number, fields: object, is = "wms_state = 'not_sent'"): Promise<number> {
  const { id } = (await of.post(`/api/v1/companies/${at}/invoices`, fields)).body.data;
  await server.sql(`update invoices set ${is} where id = $1`, [id]);
  return id;
}

const order = (id: number, status: string, more = "") =>
  `wms_order_id = ${id}, wms_order_number = 'WO-${id}', wms_instance = 'north.localhost', wms_status = '${status}', wms_synced_at = now() - interval '${id} minutes', wms_moved_at = now() ${more}`;

const day = (number: number) => `2026-11-${String(number).padStart(2, "0")}`;
const sendable = await invoice(tenant, acme, { number: "A-1", total: "30", issued_on: day(1) });
await invoice(
  tenant,
  acme,
  { number: "A-2", total: "9.5", issued_on: day(2) },
  'wms_state = \'failed\', wms_error = \'{"code":"refused","words":"No such SKU."}\'',
);
await invoice(
  tenant,
  acme,
  { number: "A-3", total: "100", issued_on: day(3) },
  order(3, "picking", ", wms_is_final = false"),
);
await invoice(
  tenant,
  brick,
  { number: "B-4", total: "50", issued_on: day(4) },
  order(4, "delivered", ", wms_is_final = true"),
);
await invoice(tenant, brick, { number: "B-5", total: "20" }, order(5, "cancelled", ", wms_is_final = true"));
await invoice(tenant, brick, { number: "B-6", total: "10", issued_on: day(6) }, "wms_order_id = 6");
await invoice(tenant, brick, { number: "B-7", total: "5", issued_on: day(7), status: "draft" });
const foreign = await invoice(
  other,
  elsewhere,
  { number: "X-1", total: "1", issued_on: day(9) },
  "wms_state = 'failed'",
);

async function numbers(query = "", visitor = member): Promise<string[]> {
  const { status, text } = await visitor.get(`/orders${query}`);
  assert.equal(status, 200);
  return [...text.matchAll(/<td class="name"[^>]*><a href="\/invoices\/\d+">(.*?)<\/a>/g)].map(([, number = ""]) =>
    number.replaceAll(/<[^>]*>/g, ""),
  );
}

const narrowed: [query: string, shown: string[]][] = [
  ["", ["B-7", "B-6", "B-4", "A-3", "A-2", "A-1", "B-5"]],
  ["?state=attention", ["B-6", "A-2", "B-5"]],
  ["?state=under_way", ["A-3"]],
  ["?state=to_send", ["A-1"]],
  [`?state=to_send&to=${day(1)}`, ["A-1"]],
  [`?state=to_send&from=${day(2)}`, []],
  ["?state=done", ["B-4"]],
  [`?state=done&from=${day(4)}&sort=total`, ["B-4"]],
  ["?state=draft", ["B-7"]],
  [`?state=draft&to=${day(6)}`, []],
  ["?state=unpaid", ["B-6", "B-4", "A-3", "A-2", "A-1", "B-5"]],
  ["?state=unpaid&sort=due_on", ["A-1", "A-2", "A-3", "B-4", "B-6", "B-5"]],
  ["?state=not_sent", ["B-7", "A-1"]],
  ["?state=refused", ["A-2"]],
  ["?state=picking", ["A-3"]],
  ["?state=Delivered", ["B-4"]],
  ["?state=cancelled_there", ["B-5"]],
  ["?state=cancelled", []],
  ["?state=to_be_confirmed", ["B-6"]],
  ["?state=gone", []],
  ["?state=unheard-of", []],
  ["?instance=north.localhost", ["B-4", "A-3", "B-5"]],
  ["?instance=south.localhost", []],
  [`?assigned_to=${owner}`, ["A-3", "A-2", "A-1"]],
  ["?assigned_to=x", []],
  [`?from=${day(2)}&to=${day(4)}`, ["B-4", "A-3", "A-2"]],
  [`?from=${day(5)}`, ["B-7", "B-6"]],
  [`?to=${day(2)}&state=refused`, ["A-2"]],
  [`?to=${day(1)}&state=attention`, []],
  ["?from=yesterday", []],
  ["?search=a-3", ["A-3"]],
  ["?search=wo-4", ["B-4"]],
  ["?search=4", ["B-4"]],
  ["?search=sarpe", ["B-7", "B-6", "B-4", "B-5"]],
  ["?search=ro7788", ["B-7", "B-6", "B-4", "B-5"]],
  ["?search=nothing", []],
  [`?search=sarpe&state=attention&assigned_to=${owner}`, []],
  ["?sort=number", ["A-1", "A-2", "A-3", "B-4", "B-5", "B-6", "B-7"]],
  ["?sort=total", ["B-7", "A-2", "B-6", "B-5", "A-1", "B-4", "A-3"]],
  ["?sort=-number", ["B-7", "B-6", "B-5", "B-4", "A-3", "A-2", "A-1"]],
  ["?sort=-total", ["A-3", "B-4", "A-1", "B-5", "B-6", "A-2", "B-7"]],
  ["?sort=issued_on", ["A-1", "A-2", "A-3", "B-4", "B-6", "B-7", "B-5"]],
  ["?days=range&from=&to=", ["B-7", "B-6", "B-4", "A-3", "A-2", "A-1", "B-5"]],
  ["?sort=-synced_at&instance=north.localhost", ["A-3", "B-4", "B-5"]],
  ["?sort=unheard-of", ["B-7", "B-6", "B-4", "A-3", "A-2", "A-1", "B-5"]],
  ["?per_page=3&page=2", ["A-3", "A-2", "A-1"]],
  ["?per_page=3&page=999", ["B-5"]],
  ["?per_page=2&page=999&sort=number", ["B-7"]],
  ["?per_page=2&page=9&state=attention", ["B-5"]],
];

for (const [query, shown] of narrowed) {
  test(`/orders${query} lists ${shown.length === 0 ? "nothing" : shown.join(", ")}`, async () => {
    assert.deepEqual(await numbers(query), shown);
  });
}

test("the number of orders that need somebody stands on every page, in the language of the page, and leads to them", async () => {
  for (const path of [
    "/companies",
    "/orders",
    "/profile",
    `/companies/${acme}`,
    "/companies/999999",
    "/users",
    "/nothing",
  ]) {
    const { text } = await member.get(path);
    assert.match(
      text,
      /<a class="badge" id="in-need" href="\/orders\?state=attention" aria-label="3 orders need attention"[^>]*>3</,
    );
  }
  const { text } = await member.get("/orders", { "accept-language": "ro" });
  assert.match(text, /aria-label="3 comenzi necesită atenție"/);
  assert.match((await (await signedIn(server, other)).get("/companies")).text, /aria-label="1 order needs attention"/);
  const nobody = await server.createTenant();
  assert.match((await (await signedIn(server, nobody)).get("/orders")).text, /id="in-need"[^>]* hidden>0</);
});

test("each row says why it needs somebody, in whose words, and has what can be done about it", async () => {
  const { text } = await member.get("/orders?sort=number");
  const rows = text.split("<tr").filter((row) => row.includes('class="name"'));
  const [first = "", refused = "", picking = "", , cancelled = "", unconfirmed = "", draft = ""] = rows;
  assert.match(first, /formaction="\/invoices\/\d+\/send"/);
  assert.match(refused, /The warehouse says: “No such SKU\.”/);
  assert.match(refused, /formaction="\/invoices\/\d+\/send"[^>]*>Try again/);
  assert.match(picking, /<span class="state waiting">Picking<\/span>/);
  assert.doesNotMatch(picking, /formaction/);
  assert.match(cancelled, /\/send-again"[^]*\/settle"/);
  assert.match(unconfirmed, /href="\/warehouse\/reconfirm"/);
  assert.match(draft, /<span class="state neutral">Draft<\/span>[^]*\/status" name="step" value="issue">Issue/);
});

test("ticked invoices are sent, those of another tenant and those that cannot be sent are counted", async () => {
  const chosen = [String(sendable), String(foreign), "999999", "x"];
  const page = "/orders?state=not_sent";
  const sent = await member.post("/orders/send", { id: chosen, to: page, anyway: "1" });
  assert.deepEqual([sent.status, sent.location], [303, page]);
  assert.match((await member.get(page)).text, /Sending 1 invoice to the warehouse\. 2 invoices could not be sent\./);
  assert.deepEqual(await numbers("?state=waiting"), ["A-1"]);
  const [row] = await server.sql("select wms_state as state from invoices where id = $1", [foreign]);
  assert.equal(row?.state, "failed");
  assert.equal((await member.post("/orders/send", { to: "https://evil.example/" })).location, "/orders");
});

const tabsOf = (text: string) =>
  [
    ...text.matchAll(
      /<li><a href="(\/orders[^"]*)"( aria-current="page")?>([^<]*?)(?: <span class="count">([^<]*)<\/span>)?<\/a>/g,
    ),
  ].map(([, path = "", current, name = "", count]) => ({ path, isHere: current !== undefined, name, count }));

test("each tab has its number, which is that of its list and of the badge; filters leave the number of the list alone", async () => {
  const { text } = await member.get("/orders?state=attention");
  const tabs = tabsOf(text);
  assert.deepEqual(
    tabs.map(({ name }) => name),
    ["All", "Needs attention", "To send", "Under way", "Done", "Drafts", "Unpaid"],
  );
  assert.deepEqual(
    tabs.filter(({ isHere }) => isHere).map(({ name, count }) => [name, count]),
    [["Needs attention", "3"]],
  );
  for (const { path, name, count } of tabs) {
    assert.equal((await numbers(path.replace("/orders", ""))).length, Number(count), name);
    assert.match((await member.get(path)).text, / id="in-need"[^>]*>3</);
  }
  const narrowed = tabsOf((await member.get("/orders?search=acme&sort=number")).text);
  assert.deepEqual(
    narrowed.map(({ count }) => count),
    ["3", ...Array<undefined>(6).fill(undefined)],
  );
  assert.equal(narrowed[1]?.path, "/orders?state=attention&search=acme&sort=number".replaceAll("&", "&amp;"));
  const romanian = tabsOf((await member.get("/orders", { "accept-language": "ro" })).text);
  assert.deepEqual(
    romanian.map(({ name }) => name),
    ["Toate", "Necesită atenție", "De trimis", "În curs", "Încheiate", "Ciorne", "Neîncasate"],
  );
});

test("a state without a tab, days and a warehouse are filters that one click removes", async () => {
  const { text } = await member.get("/orders?state=refused&days=month&instance=x&search=a");
  assert.equal(tabsOf(text).find(({ isHere }) => isHere)?.name, "Refused");
  const chips = [
    ...text.matchAll(/<a class="chip" href="([^"]*)"><span class="hidden">Remove filter: <\/span>([^<]*)</g),
  ];
  assert.deepEqual(
    chips.map(([, href, name]) => [name, href?.replaceAll("&amp;", "&")]),
    [
      ["Search: a", "/orders?state=refused&days=month&instance=x"],
      ["State: Refused", "/orders?days=month&instance=x&search=a"],
      ["Issued: This month", "/orders?state=refused&instance=x&search=a"],
      ["Warehouse: x", "/orders?state=refused&days=month&search=a"],
    ],
  );
  assert.doesNotMatch((await member.get("/orders?state=done")).text, /class="chip"/);
});

test("ranges of days with a name are those of the workspace's day", async () => {
  const own = await server.createTenant();
  const at = await company(own, "Days");
  const today = Temporal.Now.plainDateISO("Europe/Bucharest");
  const first = today.with({ day: 1 });
  const days = {
    T: today,
    W: today.subtract({ days: 6 }),
    M: first,
    L: first.subtract({ days: 1 }),
    O: first.subtract({ months: 2 }),
  };
  for (const [number, issued] of Object.entries(days)) await invoice(own, at, { number, issued_on: issued.toString() });
  const person = await signedIn(server, own);
  const within = (from: Temporal.PlainDate, to: Temporal.PlainDate) =>
    Object.keys(days).filter((name) => {
      const issued = days[name as keyof typeof days];
      return Temporal.PlainDate.compare(issued, from) >= 0 && Temporal.PlainDate.compare(issued, to) <= 0;
    });
  for (const [name, from, to] of [
    ["today", today, today],
    ["week", today.subtract({ days: 6 }), today],
    ["month", first, first.add({ months: 1 }).subtract({ days: 1 })],
    ["last_month", first.subtract({ months: 1 }), first.subtract({ days: 1 })],
  ] as const) {
    assert.deepEqual(
      (await numbers(`?days=${name}&sort=number`, person)).toSorted(),
      within(from, to).toSorted(),
      name,
    );
  }
});

test("payments are open, late by days, or made; other years than this one stand there", async () => {
  const own = await server.createTenant();
  const at = await company(own, "Payments");
  const today = Temporal.Now.plainDateISO("Europe/Bucharest");
  const due = (days: number) => ({ due_on: today.add({ days }).toString() });
  await invoice(own, at, { number: "1", ...due(-12), issued_on: "2019-04-16" });
  await invoice(own, at, { number: "2", ...due(0), issued_on: today.toString() });
  await invoice(own, at, { number: "3", ...due(-12), status: "paid" });
  await invoice(own, at, { number: "4", status: "draft" });
  const person = await signedIn(server, own);
  const cells = async (language: string) => {
    const { text } = await person.get("/orders?sort=number", { "accept-language": language });
    return [...text.matchAll(/<td class="short"[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) =>
      cell.replaceAll(/<[^>]*>/g, ""),
    );
  };
  assert.deepEqual(await cells("en"), ["12 days late", "Unpaid", "Paid", "–"]);
  assert.deepEqual(await cells("ro"), ["12 zile întârziere", "Neîncasată", "Încasată", "–"]);
  const { text } = await person.get(`/companies/${at}/invoices`);
  assert.match(text, />16 Apr 2019<\/td>/);
  assert.doesNotMatch(text, new RegExp(`${today.year}</span>`));
});

test("the list's file has what its filters leave, on all of its pages, and nothing of another tenant", async () => {
  const columns = async (query: string) => {
    const { status, text } = await member.get(`/orders/export${query}`);
    assert.equal(status, 200);
    const [head = "", ...rows] = text.trimEnd().split("\r\n");
    const at = head
      .replace("\ufeff", "")
      .split(",")
      .indexOf(query.includes("as=import") ? "number" : "Number");
    return rows.map((row) => row.split(",")[at] ?? "").toSorted();
  };
  const { text } = await member.get("/orders?state=attention&per_page=1&search=b");
  assert.match(text, /<a class="export" href="\/orders\/export\?state=attention&amp;search=b" download>Export</);
  assert.deepEqual(await columns("?state=attention&search=b"), ["B-5", "B-6"]);
  assert.deepEqual(await columns(`?from=${day(2)}&to=${day(4)}&sort=total`), ["A-2", "A-3", "B-4"]);
  assert.deepEqual(await columns(""), ["A-1", "A-2", "A-3", "B-4", "B-5", "B-6", "B-7"]);
  assert.deepEqual(await columns("?assigned_to=x"), []);
  assert.deepEqual(await columns("?as=import&state=attention&search=b"), ["B-5", "B-6"]);
  assert.deepEqual(await columns("?as=import"), await columns(""));
});

test("the list's file names company, owner, rest and days late, in the language of the page", async () => {
  const own = await server.createTenant();
  const person = await signedIn(server, own, { name: "Dan Rus" });
  const [user] = await server.sql("select id from users where tenant_id = $1", [own.id]);
  const { id } = (await own.post("/api/v1/companies", { name: "Băcănie", tax_id: "RO77", assigned_to: user?.id })).body
    .data;
  const due = Temporal.Now.plainDateISO("Europe/Bucharest").subtract({ days: 12 }).toString();
  const values = { number: "L-1", issued_on: "2026-01-05", due_on: due, total: "1250.50", currency: "RON" };
  const made = (await own.post(`/api/v1/companies/${id}/invoices`, values)).body.data;
  await own.post(`/api/v1/invoices/${made.id}/payments`, { amount: "250" });
  await own.post(`/api/v1/companies/${id}/invoices`, { number: "=L-2", status: "draft" });
  const { text } = await person.get("/orders/export?sort=number", { "accept-language": "ro" });
  const rows = text.replace("\ufeff", "").trimEnd().split("\r\n");
  assert.deepEqual(rows, [
    "Număr;Firmă;Cod fiscal;Emisă;Scadentă;Total;Rest de încasat;Moneda;Încasare;Zile de întârziere;Comandă;Numărul comenzii;Depozit;Responsabil",
    `L-1;Băcănie;RO77;2026-01-05;${due};1250,50;1000,50;RON;Neîncasată;12;Netrimisă;;;Dan Rus`,
    "'=L-2;Băcănie;RO77;;;;;;Ciornă;;Netrimisă;;;Dan Rus",
  ]);
});

test("a column has the owner of each company, and the tab of unpaid invoices leads to those that are overdue", async () => {
  await member.post("/orders/columns", { column: "assigned_to" });
  const { text } = await member.get("/orders?state=unpaid&search=acme");
  assert.match(text, /<th scope="col">Owner<\/th>/);
  assert.match(text, /<td>Radu Ene<\/td>/);
  assert.match(text, /<a href="\/orders\?state=overdue&amp;search=acme">Payment overdue<\/a>/);
  await member.post("/orders/columns", { default: "1" });
});
