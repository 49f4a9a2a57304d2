import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHarmless, escaped, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** The figures of /orders, of a queue that no worker touches. */
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

/** The strip of warehouses as text. */
const stripOf = (text: string) =>
  (/<ul class="lanes"[^]*?<\/ul>/.exec(text)?.[0] ?? "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

test("/orders shows what each warehouse does, since when its oldest invoice waits, and until when it is paused", async () => {
  const { text } = await member.get("/orders");
  assert.equal(stripOf(text), "north paused until 12:15 3 running, 1,201 waiting, oldest 5 min Try now north");
  assert.match(text, /<a href="\/orders\?instance=north\.localhost" title="north\.localhost">north</);
  const romanian = (await member.get("/orders", { "accept-language": "ro" })).text;
  assert.match(stripOf(romanian), /^north pauză până la 12:15 3 în lucru, 1\.201 în așteptare, cea mai veche de 5 min/);
});

test("tabs show their true numbers, also above a thousand", async () => {
  const { text } = await member.get("/orders?state=to_send");
  const counts = [...text.matchAll(/<span class="count">([^<]*)</g)].map(([, count]) => count);
  assert.deepEqual(counts, ["1,245", "30", "1", "1,214", "0", "0", "1,245"]);
  assert.match((await member.get("/orders")).text, /All <span class="count">1,245</);
});

test("another tenant has its own figures alone, and one without invoices has no strip", async () => {
  const { text } = await (await signedIn(server, other)).get("/orders?state=attention");
  assert.match(text, /aria-current="page">Needs attention <span class="count">7</);
  assert.doesNotMatch(text, /Firm|north\.localhost/);
  const nobody = await signedIn(server, await server.createTenant());
  assert.equal(stripOf((await nobody.get("/orders")).text), "");
  assert.match((await nobody.get("/orders?state=attention")).text, /Nothing needs attention\./);
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
        "/orders?sort=number",
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
