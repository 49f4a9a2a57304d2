import assert from "node:assert/strict";
import { test } from "node:test";
import { assertHarmless, escaped, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });
const whole = { name: "Acme SRL", country: "Moldova", time_zone: "Europe/Chisinau" };

test("name, country and time zone are changed, for pages and for the API", async () => {
  const before = await admin.get("/workspace");
  assert.match(before.text, /<option selected>Europe\/Bucharest</);
  const answer = await admin.post("/workspace", whole);
  assert.deepEqual([answer.status, answer.location], [303, "/workspace"]);
  const { text } = await admin.get("/workspace");
  assert.match(text, /<div class="notice good">Saved\.</);
  assert.match(text, /value="Acme SRL"[^]*value="Moldova"[^]*<option selected>Europe\/Chisinau</);
  assert.match(text, />Acme SRL<\/span>/);
  const created = await admin.post("/companies", { name: "Without a country" });
  assert.equal((await tenant.get(`/api/v1${created.location}`)).body.data.country, "Moldova");
});

test("pages show times in the workspace's zone", async () => {
  await server.sql("update api_keys set created_at = '2026-07-01T23:30:00Z' where tenant_id = $1", [tenant.id]);
  const [key] = await server.sql("select id from api_keys where tenant_id = $1", [tenant.id]);
  for (const [zone, time] of [
    ["Asia/Tokyo", "2 Jul 2026, 08:30"],
    ["UTC", "1 Jul 2026, 23:30"],
  ] as const) {
    assert.equal((await admin.post("/workspace", { time_zone: zone })).status, 303);
    assert.ok((await admin.get(`/keys/${String(key?.id)}`)).text.includes(time), zone);
  }
});

test("a wrong field of the workspace is named at its place, in the page's language, and nothing is changed", async () => {
  await admin.post("/workspace", whole);
  const wrong = { name: " ", country: "x".repeat(101), time_zone: "Mars/Olympus" };
  const english = await admin.post("/workspace", wrong);
  assert.equal(english.status, 422);
  assert.match(english.text, /id="name-error">Name is required\./);
  assert.match(english.text, /id="country-error">Default country can have at most 100 characters\./);
  assert.match(english.text, /id="time_zone-error">Please choose a value for Time zone from the list\./);
  const romanian = await admin.post("/workspace", wrong, { "sec-fetch-site": "same-origin", "accept-language": "ro" });
  assert.match(romanian.text, /id="time_zone-error">Alegeți din listă o valoare pentru „Fusul orar”\./);
  assert.match((await admin.get("/workspace")).text, /value="Acme SRL"/);
});

test("a hostile name is text in every page's frame, and in its form", async () => {
  for (const text of hostileTexts.filter((text) => !text.includes("\u0007"))) {
    assert.equal((await admin.post("/workspace", { name: text, country: text })).status, 303, text);
    for (const page of [await admin.get("/workspace"), await admin.get("/companies")]) {
      assert.ok(page.text.includes(escaped(text)), text);
      assertHarmless(page.text, text);
    }
  }
});
