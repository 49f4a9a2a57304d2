import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** What is shown of an invoice and its order, on every page that shows one: one word, colour and shape. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const company = (await tenant.post("/api/v1/companies", { name: "Firm" })).body.data.id;
// Without a warehouse, lists say that of an invoice that is not sent.
await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'x' where id = $1", [company]);

const LINKED = "wms_order_id = 5, wms_instance = 'north.localhost'";
const FOLLOWED = `${LINKED}, wms_is_final = false`;
const table: [word: string, meaning: string, needs: boolean, is: string][] = [
  ["Not sent", "neutral", false, "wms_state = 'not_sent'"],
  ["In the queue", "waiting", false, "wms_state = 'queued'"],
  ["Sending", "waiting", false, "wms_state = 'sending'"],
  ["Checking", "waiting", false, "wms_state = 'unknown', wms_open_since = now() - interval '59 minutes'"],
  ["Checking", "waiting", true, "wms_state = 'unknown', wms_open_since = now() - interval '61 minutes'"],
  ["Refused", "wrong", true, "wms_state = 'failed', wms_error = 'No such SKU.'"],
  ["New", "waiting", false, `${FOLLOWED}, wms_status = 'new', wms_moved_at = now() - interval '71 hours'`],
  ["Picking", "waiting", true, `${FOLLOWED}, wms_status = 'picking', wms_moved_at = now() - interval '73 hours'`],
  ["At the ramp", "waiting", false, `${FOLLOWED}, wms_status = 'at the ramp', wms_moved_at = now()`],
  // Final by another setting, or not final by one.
  ["Collected", "good", false, `${LINKED}, wms_status = 'collected', wms_is_final = true, wms_moved_at = now()`],
  ["Shipped", "waiting", false, `${LINKED}, wms_status = 'shipped', wms_is_final = false, wms_moved_at = now()`],
  ["Shipped", "good", false, `${LINKED}, wms_status = 'SHIPPED'`],
  ["Delivered", "good", false, `${LINKED}, wms_status = 'delivered', wms_synced_at = '2020-01-01'`],
  [
    "Cancelled by the warehouse",
    "attention",
    true,
    `${LINKED}, wms_status = 'Cancelled', wms_is_final = true, wms_moved_at = now()`,
  ],
  ["Cancelled by the warehouse", "attention", true, `${LINKED}, wms_status = 'canceled'`],
  ["Cancelled by the warehouse", "attention", false, `${LINKED}, wms_status = 'cancelled', wms_settled_at = now()`],
  ["Cancelled", "neutral", false, `${LINKED}, wms_status = 'cancelled', status = 'cancelled'`],
  [
    "Missing in the warehouse",
    "wrong",
    true,
    `${LINKED}, wms_status = 'shipped', wms_gone_at = now(), wms_moved_at = now()`,
  ],
  [
    "Missing in the warehouse",
    "wrong",
    false,
    `${LINKED}, wms_status = 'new', wms_gone_at = now(), wms_settled_at = now()`,
  ],
  ["To be confirmed", "attention", true, "wms_order_id = 5, wms_status = 'delivered'"],
];

test("an order's last update is the moment that its need is counted from, and not when its warehouse was asked last", async () => {
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number: "OLD-1" })).body.data;
  await server.sql(
    `update invoices set ${FOLLOWED}, wms_status = 'new', wms_synced_at = now(), wms_updated_at = '2024-03-05 12:00:00+00' where id = $1`,
    [id],
  );
  // As an import leaves it: nobody saw it move.
  await server.sql("update invoices set wms_moved_at = null where id = $1", [id]);
  for (const path of [`/invoices/${id}`, `/companies/${company}`]) {
    const { text } = await member.get(path);
    // Below it, the invoice's history says that it was created just now.
    const [order = ""] = text.split(`id="history"`);
    assert.match(order, /<time[^>]*>5 Mar 2024<\/time>/, path);
    assert.doesNotMatch(order, /just now/, path);
  }
  await server.sql("delete from invoices where id = $1", [id]);
});

for (const [word, meaning, needs, is] of table) {
  test(`an invoice is shown as ${word} (${meaning}${needs ? ", and needs somebody" : ""}) on every page: ${is}`, async () => {
    const invoice = { number: `F-${Math.random()}`, total: "1" };
    const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, invoice)).body.data;
    // Step by step: an order is linked, then gone, then settled.
    for (let step = 0; step < 3; step++) await server.sql(`update invoices set ${is} where id = $1`, [id]);
    const shown = `<span class="state ${meaning}">${word}</span>`;
    for (const path of [`/invoices/${id}`, `/companies/${company}`, `/companies/${company}/invoices`]) {
      const { text } = await member.get(path);
      assert.ok(text.includes(shown), `${path} lacks ${shown}`);
      if (meaning !== "good") assert.doesNotMatch(text, /class="state good"/, path);
    }
    const [row] = await server.sql("select wms_needs_at <= now() as needs from invoices where id = $1", [id]);
    assert.equal(row?.needs ?? false, needs);
    await server.sql("delete from invoices where id = $1", [id]);
  });
}
