import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import {
  createClient,
  verifyWebhook,
  WebhookVerificationError,
  type WebhookMessage,
} from "../../clients/typescript/src/index.ts";
import { startReceiver } from "../exchange/webhooks/receiver.ts";
import { runsOf } from "../exchange/webhooks/runs.ts";
import { startServer } from "../harness.ts";

/** The TypeScript client knows by its secret what Liaison has sent. */
const server = await startServer({ LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
const runs = runsOf(server);
const receiver = await startReceiver();
const tenant = await server.createTenant();
const client = createClient({ url: server.url, token: tenant.token });
const webhook = await client.webhooks.create({ url: receiver.url });
const company = await client.companies.create({ name: "Ață SRL" });
await runs.run(tenant);
await receiver.untilHeard(1);
const [heard] = receiver.heard;
assert.ok(heard !== undefined);
const message: WebhookMessage = { headers: heard.headers, body: heard.text };
const another = "whsec_" + Buffer.alloc(32, 7).toString("base64");

async function assertRefused(changed: Partial<WebhookMessage>, secrets: string | string[]): Promise<void> {
  await assert.rejects(verifyWebhook({ ...message, ...changed }, secrets), WebhookVerificationError);
}

test("what the service sends is taken, in whatever form it came", async () => {
  const event = await verifyWebhook(message, webhook.secret);
  assert.ok(event.type === "company.created");
  assert.deepEqual([event.id, event.data.resource_id], [String(event.data.id), company.id]);
  const headers = new Headers(heard.headers as Record<string, string>);
  const bytes = new TextEncoder().encode(heard.text);
  assert.deepEqual(await verifyWebhook({ headers, body: bytes }, [another, webhook.secret]), event);
});

test("the headers of a message are found in upper and lower case, in whatever form they are", async () => {
  const event = await verifyWebhook(message, webhook.secret);
  const values = Object.entries(heard.headers) as [string, string][];
  const shouted = values.map(([name, value]) => [name.toUpperCase(), value] as const);
  const titled = values.map(([name, value]) => [name.replaceAll(/\b[a-z]/g, (c) => c.toUpperCase()), value] as const);
  const others: WebhookMessage["headers"][] = [
    Object.fromEntries(shouted),
    Object.fromEntries(titled),
    Object.fromEntries(titled.map(([name, value]) => [name, [value]])),
    titled.flat(),
    // Of another library, or of another realm.
    { get: (name: string) => new Headers(values).get(name) },
  ];
  for (const headers of others) assert.deepEqual(await verifyWebhook({ ...message, headers }, webhook.secret), event);
  await assertRefused({ headers: titled.flat().filter((text) => text !== "Webhook-Id") }, webhook.secret);
  await assertRefused({ headers: {} }, webhook.secret);
  await assertRefused({ headers: [] }, webhook.secret);
});

test("a body that was changed, headers that were, and other secrets are refused", async () => {
  await assertRefused({ body: heard.text.replace("SRL", "SA") }, webhook.secret);
  await assertRefused({ body: `${heard.text} ` }, webhook.secret);
  await assertRefused({}, another);
  await assertRefused({}, []);
  const signature = String(heard.headers["webhook-signature"]);
  for (const header of [
    { "webhook-id": "1" },
    { "webhook-timestamp": String(Number(heard.headers["webhook-timestamp"]) + 1) },
    { "webhook-timestamp": "now" },
    { "webhook-signature": undefined },
    { "webhook-signature": "" },
    { "webhook-signature": "v1,%%% v1,YQ== v1" },
    { "webhook-signature": signature.replace("v1,", "v2,") },
  ]) {
    await assertRefused({ headers: { ...heard.headers, ...header } }, webhook.secret);
  }
});

test("a message of another time is refused, unless the tolerance allows it", async () => {
  const payload = "{}";
  for (const minutes of [-6, 6]) {
    const at = new Date(Date.now() + minutes * 60_000);
    const old: WebhookMessage = {
      headers: {
        "webhook-id": "1",
        "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
        "webhook-signature": new Webhook(webhook.secret).sign("1", at, payload),
      },
      body: payload,
    };
    await assertRefused(old, webhook.secret);
    assert.equal((await verifyWebhook(old, webhook.secret, { tolerance: 600 })).id, "1");
  }
});

test("while a secret is replaced, receivers with the old one, the new one or both accept messages", async () => {
  const { secret } = await client.webhooks.rotateSecret(webhook.id);
  await client.webhooks.test(webhook.id);
  await runs.run(tenant);
  await receiver.untilHeard(2);
  const { headers, text } = receiver.heard[1] ?? heard;
  for (const secrets of [webhook.secret, secret, [secret, webhook.secret]]) {
    const event = await verifyWebhook({ headers, body: text }, secrets);
    assert.ok(event.type === "webhook.test");
    assert.equal(event.data.webhook_id, webhook.id);
  }
  const deliveries = await Array.fromAsync(client.webhooks.deliveries(webhook.id));
  assert.deepEqual(
    deliveries.map(({ last_status }) => last_status),
    [204, 204],
  );
});
