import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../harness.ts";
import { assertHarmless, escaped, hostileTexts } from "./hostile-texts.ts";
import { signedIn } from "./visitor.ts";

/** The figures of /warehouse, of a queue that no worker touches. */
const server = await startServer();
const tenant = await server.createTenant();
const other = await server.createTenant();
const member = await signedIn(server, tenant);

/** How many of the tenant's invoices are in each state. */
const COUNTS = { not_sent: 1, queued: 1_204, sending: 3, unknown: 2, sent: 5, failed: 30 };
const company = (await tenant.post("/api/v1/companies", { name: "Firm <b>" })).body.data.id;
await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'key' where id = $1", [company]);
const elsewhere = (await other.post("/api/v1/companies", { name: "Elsewhere" })).body.data.id;
for (const [of, at, counts] of [
  [tenant, company, COUNTS],
  [other, elsewhere, { ...COUNTS, failed: 7 }],
] as const) {
  for (const [state, count] of Object.entries(counts)) {
    await server.sql(
      `insert into invoices (tenant_id, company_id, number, wms_state, wms_error, wms_order_id, wms_instance)
      select $1, $2, $3::text || '-' || lpad(n::text, 4, '0'), $3, case when $3 = 'failed' then '{"code":"refused","words":"Reason ' || n || '"}' end,
        case when $3 = 'sent' then n end, case when $3 = 'sent' then 'north.localhost' end
      from generate_series(1, $4::int) n`,
      [of.id, at, state, count],
    );
  }
}
// Those that are queued came with their jobs; three run, and the warehouse rests.
await server.sql(
  `update jobs set state = 'running' where tenant_id = $1 and kind = 'send-invoice'
    and subject in (select id from invoices where tenant_id = $1 and number <= 'queued-0003' and wms_state = 'queued')`,
  [tenant.id],
);
await server.sql("update jobs set enqueued_at = now() - interval '5 minutes' where tenant_id = $1", [tenant.id]);
await server.sql("insert into lanes (tenant_id, name, closed_until) values ($1, 'wms/north', '2099-12-01T10:15:30Z')", [
  tenant.id,
]);

test("/warehouse counts what is in each state, and tells how long the oldest waits and what each warehouse does", async () => {
  const { text } = await member.get("/warehouse");
  const facts = [...text.matchAll(/<dt>(.*?)<\/dt><dd class="number"><a[^>]*>(.*?)<\/a><\/dd>/g)].map(
    ([, state = "", count]) => [state.replaceAll(/<[^>]+>/g, "").trim(), count],
  );
  assert.deepEqual(facts, [
    ["Not sent", "1"],
    ["Waiting", "1,204"],
    ["On its way", "3"],
    ["Checking", "2"],
    ["Refused", "30"],
    ["To be confirmed", "0"],
    ["Cancelled by the warehouse", "0"],
    ["Missing in the warehouse", "0"],
  ]);
  assert.match(text, /The oldest has waited for 5 minutes\./);
  assert.match(text.replaceAll(/<[^>]+>/g, " "), /north\.localhost\s+3\s+1,201\s+Paused until 1 Dec 2099, 12:15/);
});

test("/warehouse lists the invoices that need somebody, 25 of them, with why, and leads to all", async () => {
  const { text } = await member.get("/warehouse");
  const shown = [...text.matchAll(/<a href="\/invoices\/\d+"[^>]*>(.*?)<\/a>/g)].map(([, number]) => number ?? "");
  // Nobody has said when they were issued: the newest come first.
  const newest = Array.from({ length: 25 }, (_, at) => `failed-${String(30 - at).padStart(4, "0")}`);
  assert.deepEqual(shown, newest);
  assert.match(text, /The warehouse says: “Reason 30”</);
  assert.match(text, /Firm &lt;b&gt;/);
  assert.equal(text.match(/formaction="\/invoices\/\d+\/send"/g)?.length, 25);
  assert.match(text, /href="\/orders\?state=attention"/);
  assert.match(text, /action="\/warehouse\/redrive"/);
});

test("another tenant's page has its own figures alone, and one without invoices says that nothing waits", async () => {
  const { text } = await (await signedIn(server, other)).get("/warehouse");
  assert.match(text, /<dd class="number"><a[^>]*>7<\/a><\/dd>/);
  assert.doesNotMatch(text, /Firm|north\.localhost/);
  const nobody = await server.createTenant();
  assert.match((await (await signedIn(server, nobody)).get("/warehouse")).text, /Nothing needs attention\./);
});

test("what a warehouse says, and what programs call invoices, is text on every page that shows it", async () => {
  const firm = await server.createTenant();
  const person = await signedIn(server, firm);
  const of = (await firm.post("/api/v1/companies", { name: "Firm" })).body.data.id;
  await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'key' where id = $1", [of]);
  const lines = hostileTexts.map((text) => ({
    sku: text.slice(0, 20),
    description: text,
    quantity: "1",
    unit_price: "1",
  }));
  const made = await firm.post(`/api/v1/companies/${of}/invoices`, { number: "1", total: "1.00", lines });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  for (const text of hostileTexts) {
    for (const state of ["failed", "sent"]) {
      await server.sql(
        `update invoices set number = $2, currency = $2, wms_state = $3, wms_error = $2, wms_status = $2, wms_order_number = $2,
           wms_order_id = case when $3 = 'sent' then 1 end, wms_instance = case when $3 = 'sent' then 'north.localhost' end
         where id = $1`,
        [id, text, state],
      );
      for (const path of [
        `/invoices/${id}`,
        `/companies/${of}`,
        `/companies/${of}/invoices`,
        `/companies/${of}/invoices?search=${encodeURIComponent(text)}`,
        "/warehouse",
        `/history?company=${of}`,
      ]) {
        const page = await person.get(path);
        assert.equal(page.status, 200, `${path} ${text}`);
        assertHarmless(page.text, `${path} ${text}`);
        if (path === `/invoices/${id}`) assert.ok(page.text.includes(escaped(text)), text);
      }
    }
  }
});
