import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** The strip of the last days below the orders, by what the history has. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);

test("the last 14 days have the orders that were sent, shipped and refused, and each warehouse its time", async () => {
  const { data: company } = (await tenant.post("/api/v1/companies", { name: "Alfa" })).body;
  assert.doesNotMatch((await member.get("/orders?state=under_way")).text, /Last 14 days/);
  const ids: number[] = [];
  for (let at = 0; at < 4; at++) {
    const { body } = await tenant.post(`/api/v1/companies/${company.id}/invoices`, {
      number: `D-${at}`,
      status: "issued",
    });
    ids.push(body.data.id);
  }
  const [first, second, third, refused] = ids;
  const set = async (id: number | undefined, values: string, hoursAgo: number) => {
    await server.sql(`update invoices set ${values} where tenant_id = $1 and id = $2`, [tenant.id, id]);
    await server.sql(
      `update changes set at = now() - interval '1 hour' * $3 where id = (
        select max(id) from changes where tenant_id = $1 and type = 'invoice' and resource_id = $2)`,
      [tenant.id, id, hoursAgo],
    );
  };
  const sent = (order: number) => `wms_instance = 'north.example', wms_order_id = ${order}, wms_status = 'new'`;
  await set(first, sent(1), 30);
  await set(first, "wms_status = 'Shipped'", 20);
  await set(first, "wms_status = 'delivered'", 2);
  await set(second, sent(2), 90);
  await set(second, "wms_status = 'delivered'", 1);
  // Sent before these days, and not shipped yet.
  await set(third, sent(3), 24 * 20);
  await server.sql("update invoices set wms_state = 'failed' where tenant_id = $1 and id = $2", [tenant.id, refused]);

  const [{ text }, romanian] = [
    await member.get("/orders?state=under_way"),
    await member.get("/orders?state=under_way", { "accept-language": "ro" }),
  ];
  assert.match(text, /role="img" aria-label="Last 14 days: Sent 2, Shipped 2, Failed 1\."/);
  assert.match(
    text,
    /translate="no">north\.example<\/a> <span>from sent to shipped: median 50 h, longest 89 h \(2 orders\)/,
  );
  assert.match(romanian.text, /aria-label="Ultimele 14 zile: Trimise 2, Expediate 2, Eșuate 1\."/);
  const rows = [
    ...(/<details><summary class="lanes">([^]*?)<\/details>/.exec(text)?.[1] ?? "").matchAll(/<tr>([^]*?)<\/tr>/g),
  ];
  assert.equal(rows.length, 14 + 1);
  // A narrowed list is about other orders.
  assert.doesNotMatch((await member.get("/orders?state=under_way&search=D-1")).text, /Last 14 days/);
  const other = await signedIn(server, await server.createTenant());
  assert.doesNotMatch((await other.get("/orders?state=under_way")).text, /Last 14 days/);
});
