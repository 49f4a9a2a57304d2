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

test("the firm's own data is stored; an IBAN with wrong check digits is remarked on, and a wrong field refused", async () => {
  const firm = {
    tax_id: "RO18000000",
    registration_number: "J12/1/2026",
    address: "Strada Fabricii 1, Cluj-Napoca",
    phone: "+40 264 555 010",
    email: "office@acme.example",
    iban: "RO49 AAAA 1B31 0075 9384 0000",
    bank: "Banca Exemplu",
  };
  assert.equal((await admin.post("/workspace", firm)).status, 303);
  const { text } = await admin.get("/workspace");
  for (const value of Object.values(firm)) assert.ok(text.includes(`value="${value}"`), value);
  assert.doesNotMatch(text, /id="iban-note"/);
  assert.equal((await admin.post("/workspace", { iban: "RO49AAAA1B31007593840001" })).status, 303);
  assert.match(
    (await admin.get("/workspace")).text,
    /value="RO49AAAA1B31007593840001"[^]*id="iban-note">The check digits/,
  );
  const refused = await admin.post("/workspace", { email: "nobody", bank: "x".repeat(101) });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /id="bank-error"/);
  const history = (await admin.get("/history")).text;
  assert.match(history, /IBAN/);
});

test("a form of the workspace changes what was edited, and nothing that another admin has changed meanwhile", async () => {
  const admin = await signedIn(server, await server.createTenant(), { role: "admin" });
  const { text } = await admin.get("/workspace");
  const shown = [...text.matchAll(/type="hidden" name="was-(\w+)" value="([^"]*)"/g)];
  const form = Object.fromEntries(
    shown.flatMap(([, name = "", value = ""]) => [
      [name, value],
      [`was-${name}`, value],
    ]),
  );
  assert.deepEqual([form.vat_rates, form.begins_with_vat, form.country], ["21 11 0", "0", "Romania"]);
  await admin.post("/workspace", { vat_rates: "19 9", begins_with_vat: "1" });
  assert.equal((await admin.post("/workspace", { ...form, phone: "0264 123 456" })).status, 303);
  const after = (await admin.get("/workspace")).text;
  for (const kept of [/value="19 9"/, /value="0264 123 456"/, /id="begins_with_vat"[^>]* checked/])
    assert.match(after, kept);
});

test("a logo is a PNG or JPEG by its bytes, of 200 KB at most, and served as a picture alone", async () => {
  const png = Uint8Array.from([...Buffer.from("89504e470d0a1a0a", "hex"), ...Buffer.alloc(200 * 1024 - 8)]);

  const refusals: [Uint8Array<ArrayBuffer> | string, RegExp][] = [
    ["<svg xmlns='http://www.w3.org/2000/svg'/>", /neither a PNG nor a JPEG/],
    [Uint8Array.from([...png, 0]), /more than 200 KB/],
  ];
  for (const [file, message] of refusals) {
    const refused = await admin.upload("/workspace/logo", {}, { "logo.png": file });
    assert.equal(refused.status, 422);
    assert.match(refused.text, message);
  }
  assert.match((await admin.upload("/workspace/logo", {}, {})).text, /choose a file/);
  assert.equal((await admin.get("/workspace/logo")).status, 404);
  const member = await signedIn(server, tenant, { role: "member" });
  assert.equal((await member.upload("/workspace/logo", {}, { "a.png": png })).status, 403);
  assert.equal((await admin.upload("/workspace/logo", {}, { "logo.svg": png })).status, 303);
  const shown = await member.get("/workspace/logo");
  const header = (name: string) => shown.headers.get(name);
  assert.deepEqual([shown.status, header("content-type"), header("content-length")], [200, "image/png", "204800"]);
  assert.equal(header("x-content-type-options"), "nosniff");
  assert.match(header("content-disposition") ?? "", /^attachment/);
  assert.match(header("content-security-policy") ?? "", /default-src 'none'/);
  assert.match((await admin.get("/workspace")).text, /src="\/workspace\/logo"/);
  assert.match((await admin.get("/history")).text, /logo:/);
  const stranger = await signedIn(server, await server.createTenant(), { role: "admin" });
  assert.equal((await stranger.get("/workspace/logo")).status, 404);

  const jpeg = Uint8Array.from(Buffer.from("ffd8ffe000104a464946", "hex"));
  assert.equal((await admin.upload("/workspace/logo", {}, { "logo.png": jpeg })).status, 303);
  assert.equal((await admin.get("/workspace/logo")).headers.get("content-type"), "image/jpeg");
  assert.equal((await admin.upload("/workspace/logo", { remove: "1" }, {})).status, 303);
  assert.equal((await admin.get("/workspace/logo")).status, 404);
});
