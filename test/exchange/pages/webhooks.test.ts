import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHarmless, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn, type PageAnswer } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { startReceiver, verified } from "../webhooks/receiver.ts";
import { runsOf } from "../webhooks/runs.ts";

/** The pages of webhooks (docs/web.md 13). */
const server = await startServer({ LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
const runs = runsOf(server);

async function workspace() {
  const tenant = await server.createTenant();
  return { tenant, admin: await signedIn(server, tenant, { role: "admin" }) };
}

function secretIn({ text }: PageAnswer): string {
  const [, secret] = /<pre id="secret"[^>]*>(whsec_[^<]+)<\/pre>/.exec(text) ?? [];
  assert.ok(secret, text);
  return secret;
}

const only = async ({ id }: TestTenant) =>
  String((await server.sql("select id from webhooks where tenant_id = $1", [id]))[0]?.id);

test("a webhook is made by its form, and its secret shown once, with a line for each language that verifies", async () => {
  const { tenant, admin } = await workspace();
  const receiver = await startReceiver();
  const form = { url: receiver.url, description: "ERP", types: ["company.created", "invoice.updated"], active: "1" };
  const made = await admin.post("/webhooks", form);
  const secret = secretIn(made);
  for (const name of ["TypeScript", "PHP", "Python"])
    assert.match(made.text, new RegExp(`<h3>${name}</h3><pre[^>]*>[^<]*whsec_`));
  const id = await only(tenant);
  for (const path of ["/webhooks", `/webhooks/${id}`, `/webhooks/${id}/edit`]) {
    const { text } = await admin.get(path);
    assert.ok(text.includes(receiver.url) && !text.includes("whsec_"), path);
  }
  const edited = (await admin.get(`/webhooks/${id}/edit`)).text;
  const ticked = [...edited.matchAll(/value="([^"]+)"[^>]* checked/g)].map(([, value]) => value);
  assert.deepEqual(ticked, ["company.created", "invoice.updated", "1"]);
  await tenant.post("/api/v1/companies", { name: "A" });
  await runs.run(tenant);
  assert.ok(receiver.heard[0] !== undefined);
  verified(secret, receiver.heard[0]);
});

test("a webhook's form offers every event that there is, and no other", async () => {
  const { tenant, admin } = await workspace();
  const made = await tenant.post("/api/v1/webhooks", { url: "https://a.example", types: ["contact.erased"] });
  const offered = (text: string) =>
    [...text.matchAll(/name="types" value="([^"]+)"( checked)?>\s*<span>(.*?)<\/span><\/label>/g)].map(
      ([, type, checked, label = ""]) => [type, checked, label.replaceAll(/<[^>]+>/g, "")],
    );
  const choices = offered((await admin.get("/webhooks/new")).text);
  const every = await tenant.post("/api/v1/webhooks", {
    url: "https://a.example",
    types: choices.map(([type]) => type),
    children: true,
  });
  assert.equal(every.status, 201, every.text);
  assert.equal(choices.length, 34);
  assert.ok(choices.some(([type, , label]) => type === "company.created" && label === "Company created"));
  for (const type of ["contact.erased", "invoice.deleted"]) assert.ok(choices.some(([offered]) => offered === type));
  // Each has words, and not its name alone.
  for (const [type, , label = ""] of choices) assert.ok(type === "*" || !label.includes("."), label);
  const edited = offered((await admin.get(`/webhooks/${made.body.data.id}/edit`)).text);
  assert.deepEqual(
    edited.filter(([, checked]) => checked !== undefined).map(([type]) => type),
    ["contact.erased"],
  );
});

test("a wrong value of a webhook has its error at its field, in the page's language", async () => {
  const { admin } = await workspace();
  const refused = await admin.post("/webhooks", { url: "nowhere", active: "1" });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="url-error">Address must be an address, such as https:/);
  assert.match(refused.text, /id="types-error">Events is required\./);
});

test("a webhook that somebody else has switched off meanwhile is not switched on by a form of before", async () => {
  const { tenant, admin } = await workspace();
  const url = "https://erp.example/hooks";
  await admin.post("/webhooks", { url, types: "*", active: "1" });
  const at = `/webhooks/${await only(tenant)}`;
  const versionIn = (text: string) => /name="version" value="([^"]+)"/.exec(text)?.[1] ?? "";
  const form = { url, types: "*", active: "1", description: "ERP" };
  const version = versionIn((await admin.get(`${at}/edit`)).text);
  await tenant.put(`/api/v1${at}`, { active: false });
  const refused = await admin.post(at, { ...form, version });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /has changed this webhook meanwhile\. Stored now: https:[^ ]+, Switched off\./);
  assert.equal((await tenant.get(`/api/v1${at}`)).body.data.active, false);
  assert.match(refused.text, /value="ERP"/);
  assert.equal((await admin.post(at, { ...form, version: versionIn(refused.text) })).status, 303);
  assert.equal((await tenant.get(`/api/v1${at}`)).body.data.active, true);
});

test("a delivery stands on its webhook's page with its answer and its time, and is sent again", async () => {
  const { tenant, admin } = await workspace();
  const receiver = await startReceiver();
  await admin.post("/webhooks", { url: receiver.url, types: "*", active: "1" });
  const id = await only(tenant);
  receiver.answers(503);
  await tenant.post("/api/v1/companies", { name: "Acme & Sons" });
  await runs.run(tenant);
  const page = (await admin.get(`/webhooks/${id}`)).text;
  assert.match(
    page,
    /Company created<\/a>[^]*In the queue[^]*again <time[^>]*>in \d+ sec[^]*The answer was 503\.[^]*\d+ ms/,
  );
  assert.match(page, /Failing since/);
  const [, at = ""] = /href="(\/webhooks\/\d+\/deliveries\/\d+)"/.exec(page) ?? [];
  const delivery = (await admin.get(at)).text;
  assert.match(delivery, /POST http:\/\/127\.0\.0\.1[^]*webhook-id: \d+[^]*Acme &amp; Sons/);
  receiver.answers(200);
  const again = await admin.post(`${at}/redeliver`);
  assert.equal(again.location, `/webhooks/${id}`);
  await runs.run(tenant);
  assert.match((await admin.get(at)).text, /Delivered/);
  assert.equal(receiver.heard.length, 2);
});

test("a delivery's page has the beginning of the receiver's answer to a failure, and nothing of a person", async () => {
  const { tenant, admin } = await workspace();
  const receiver = await startReceiver();
  await admin.post("/webhooks", { url: receiver.url, types: "*", active: "1" });
  const id = await only(tenant);
  receiver.answers((_message, response) => {
    response.writeHead(503, { "x-reason": "upgrade", "set-cookie": "session=secret" });
    // An endless answer, of which the first 2 KB count.
    response.write(`database is <down>\u0000 ${"x".repeat(8_192)}`);
  });
  const { body } = await tenant.post("/api/v1/companies", { name: "Acme" });
  await runs.run(tenant);
  await server.sql("update webhook_deliveries set next_at = next_at + interval '1 day' where tenant_id = $1", [
    tenant.id,
  ]);
  await tenant.post(`/api/v1/companies/${body.data.id}/contacts`, { first_name: "Ana", last_name: "Ionescu" });
  await runs.run(tenant);
  const rows = await server.sql(
    "select id::text, type, last_status, last_answer from webhook_deliveries where tenant_id = $1 order by id",
    [tenant.id],
  );
  assert.deepEqual(
    rows.map(({ type, last_status: status, last_answer: answer }) => [type, status, answer === null]),
    [
      ["company.created", 503, false],
      ["contact.created", 503, true],
    ],
  );
  assert.ok(!String(rows[0]?.last_answer).includes("database"), "it is encrypted");
  const pathOf = (at: number) => `/webhooks/${id}/deliveries/${String(rows[at]?.id)}`;
  const page = async (at: number) => (await admin.get(pathOf(at))).text;
  const [ofCompany, ofContact] = [await page(0), await page(1)];
  assert.match(
    ofCompany,
    /What the receiver answered[^]*503\nx-reason: upgrade\n[^]*database is &lt;down&gt;\uFFFD x{2000,2048}</,
  );
  assert.doesNotMatch(ofCompany, /session=secret/);
  assert.doesNotMatch(ofContact, /What the receiver answered/);
  receiver.answers(200);
  await admin.post(`${pathOf(0)}/redeliver`);
  await runs.run(tenant);
  assert.doesNotMatch(await page(0), /What the receiver answered/);
});

test("a test is sent, a secret replaced, and a webhook deleted by the page that says what goes with it", async () => {
  const { tenant, admin } = await workspace();
  const receiver = await startReceiver();
  const first = secretIn(await admin.post("/webhooks", { url: receiver.url, types: "*", active: "1" }));
  const at = `/webhooks/${await only(tenant)}`;
  assert.equal((await admin.post(`${at}/test`)).location, at);
  await runs.run(tenant);
  assert.equal(receiver.heard[0]?.body.type, "webhook.test");
  const second = secretIn(await admin.post(`${at}/rotate-secret`));
  assert.notEqual(second, first);
  for (let replaced = 1; replaced < 10; replaced++) secretIn(await admin.post(`${at}/rotate-secret`));
  const refused = await admin.post(`${at}/rotate-secret`);
  assert.equal(refused.location, at);
  assert.match((await admin.get(at)).text, /No new secret: ten replaced secrets are still valid/);
  assert.match((await admin.get(`${at}/delete`)).text, /\(1 delivery\)/);
  assert.equal((await admin.post(`${at}/delete`)).location, "/webhooks");
  assert.equal((await admin.get(at)).status, 404);
});

test("a webhook that does not arrive for long, or was switched off because of it, needs an admin and nobody else", async () => {
  const { tenant, admin } = await workspace();
  const member = await signedIn(server, tenant, {});
  await admin.post("/webhooks", { url: "https://hooks.example/a", types: "*", active: "1" });
  const needs = async () => {
    const { text } = await admin.get("/today");
    return [
      /id="in-need" href="([^"]+)"[^>]*?( hidden)?>(\d+)</.exec(text)?.slice(1),
      /The webhook [^<]*/.exec(text)?.[0],
    ];
  };
  const set = async (what: string) => await server.sql(`update webhooks set ${what} where tenant_id = $1`, [tenant.id]);
  assert.deepEqual((await needs())[1], undefined);
  await set("failing_since = now() - interval '59 minutes'");
  assert.deepEqual(await needs(), [["/orders?state=attention", " hidden", "0"], undefined]);
  await set("failing_since = now() - interval '61 minutes'");
  const failing = "The webhook https://hooks.example/a does not arrive. ";
  assert.deepEqual(await needs(), [["/today?whose=all", undefined, "1"], failing]);
  await set("active = false, switched_off = 'failing'");
  const off = "The webhook https://hooks.example/a was switched off. ";
  assert.deepEqual(await needs(), [["/today?whose=all", undefined, "1"], off]);
  assert.doesNotMatch((await member.get("/today")).text, /hooks\.example/);
  await admin.post(`/webhooks/${await only(tenant)}`, { url: "https://hooks.example/a", types: "*", active: "1" });
  assert.deepEqual((await needs())[1], undefined);
});

test("a webhook's history shows who did what, and no secret", async () => {
  const { tenant, admin } = await workspace();
  const secret = secretIn(await admin.post("/webhooks", { url: "https://hooks.example/a", types: "*", active: "1" }));
  const id = await only(tenant);
  const other = secretIn(await admin.post(`/webhooks/${id}/rotate-secret`));
  const { text } = await admin.get("/history?type=webhook");
  assert.match(
    text,
    /changed the webhook[^]*https:\/\/hooks\.example\/a[^]*the old secret works until[^]*created the webhook/,
  );
  for (const each of [secret, other]) assert.ok(!text.includes(each));
  const values = text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  assert.match(values, /Message: The change Also contacts [^:]*: No /);
});

test("whatever a webhook is called, it is text", async () => {
  const { tenant, admin } = await workspace();
  for (const text of hostileTexts) {
    await tenant.post("/api/v1/webhooks", {
      url: `https://hooks.example/?${encodeURIComponent(text)}`,
      description: text.slice(0, 255),
    });
  }
  assertHarmless((await admin.get("/webhooks")).text, "the list");
});
