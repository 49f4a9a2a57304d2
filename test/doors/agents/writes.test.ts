import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { dayAfter } from "../../../src/platform/dates.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { databaseUrl, serve } from "../../program.ts";
import { afterFile } from "../../together.ts";
import { signedIn } from "../pages/visitor.ts";
import { connect, connectAsking, connectEarlier } from "./clients.ts";
import { makeResources } from "./every-tool.ts";

/** The writes of assistants: once for each request_id, confirmed by a person, and named in the history. */
const server = await startServer();
const tenant = await server.createTenant();
await server.sql("update companies set wms_subdomain = 'alfa', wms_api_key = 'x' where tenant_id = $1", [tenant.id]);

async function named(of: TestTenant, name: string): Promise<number> {
  return (await of.get(`/api/v1/companies?search=${encodeURIComponent(name)}`)).body.total;
}

test("a repeated request_id answers the first result, in whatever order its arguments come", async () => {
  const [assistant, earlier] = [
    await connect(server.url, tenant.token),
    await connectEarlier(server.url, tenant.token),
  ];
  const request_id = randomUUID();
  const first = await assistant.call("upsert_company", { request_id, name: "Once", city: "Turda" });
  assert.equal(first.data.outcome, "created");
  const again = await earlier.call("upsert_company", {
    city: "Turda",
    name: "Once",
    request_id: request_id.toUpperCase(),
  });
  assert.deepEqual(again.data, { ...first.data, replayed: true });
  assert.equal(await named(tenant, "Once"), 1);
  const other = await assistant.call("upsert_company", { request_id, name: "Once more" });
  assert.deepEqual([other.isError, other.data.code], [true, "idempotency_key_reused"]);
  const tool = await assistant.call("restore_company", { request_id, id: first.data.company.id });
  assert.equal(tool.data.code, "idempotency_key_reused");
  const { token } = await tenant.createKey();
  const ofOther = await (
    await connect(server.url, token)
  ).call("upsert_company", { request_id, name: "Once", city: "Turda" });
  assert.equal(ofOther.data.replayed, undefined, "another key's request is another request");
});

test("calls with one request_id at the same time write once", async () => {
  const assistant = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), name: "At the same time" };
  const told = await Promise.all(Array.from({ length: 10 }, async () => await assistant.call("upsert_company", given)));
  assert.equal(new Set(told.map(({ data }) => data.company.id)).size, 1);
  assert.equal(told.filter(({ data }) => data.replayed === true).length, 9);
});

test("a refused call is done when it comes again", async () => {
  const assistant = await connect(server.url, tenant.token);
  const holder = (await tenant.post("/api/v1/companies", { name: "Holder", tax_id: "RO777" })).body.data.id;
  const given = { request_id: randomUUID(), name: "Later", tax_id: "RO777" };
  assert.equal((await assistant.call("upsert_company", given)).data.code, "tax_id_taken");
  await tenant.put(`/api/v1/companies/${holder}`, { tax_id: null });
  assert.equal((await assistant.call("upsert_company", given)).data.outcome, "created");
});

test("payment terms are among the changed fields, and in the result", async () => {
  const assistant = await connect(server.url, tenant.token);
  const terms = { payment_days: 14 };
  const made = (await assistant.call("upsert_company", { request_id: randomUUID(), name: "Terms", terms })).data;
  assert.equal(made.company.terms.payment_days, 14);
  const given = { request_id: randomUUID(), id: made.company.id, terms: { payment_days: 45 } };
  const { data } = await assistant.call("upsert_company", given);
  assert.deepEqual([data.changed, data.company.terms.payment_days], [["terms"], 45]);
});

test("whatever was written before a kill -9 is written once, however the calls are repeated", async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-agents-"));
  afterFile(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const environment = { DATABASE_URL: databaseUrl(server.connection), DATA_DIR: dataDir };
  const other = await server.createTenant();
  const given = Array.from({ length: 60 }, (_, index) => ({ request_id: randomUUID(), name: `Killed ${index}` }));
  const first = await serve(environment);
  const assistant = await connect(first.url, other.token);
  let answered = 0;
  const calls = given.map(async (each) => {
    const { data } = await assistant.call("upsert_company", each);
    if (++answered === 10) first.process.kill("SIGKILL");
    return data;
  });
  const before = await Promise.allSettled(calls);
  const second = await serve(environment);
  const next = await connect(second.url, other.token);
  for (const [index, each] of given.entries()) {
    const { data } = await next.call("upsert_company", each);
    const told = before[index];
    if (told?.status === "fulfilled") assert.deepEqual(data, { ...told.value, replayed: true });
    else assert.equal(data.outcome, "created");
  }
  assert.equal(await named(other, "Killed"), 60);
  second.process.kill("SIGTERM");
  await second.ended;
});

test("the history names the key and `via: mcp` of such writes, and of no others", async () => {
  const key = await tenant.createKey({ name: "Helper" });
  const assistant = await connect(server.url, key.token);
  const { data } = await assistant.call("upsert_company", { request_id: randomUUID(), name: "Told" });
  const { id } = data.company;
  const at = `/api/v1/companies/${id}`;
  await tenant.put(at, { city: "Turda" }, { token: key.token });
  const by = { kind: "key", id: key.id, name: "Helper" };
  const changes = (await tenant.get(`${at}/history`)).body.data;
  assert.deepEqual(
    changes.map((change: { by: unknown }) => change.by),
    [by, { ...by, via: "mcp" }],
  );
  assert.match((await tenant.get(`${at}/history`)).text, /"by":\{"kind":"key","id":\d+,"name":"Helper"\}/);
  const { body } = await tenant.get("/api/v1/changes?limit=1000");
  const ofFeed = body.data.filter(
    (change: { resource_id: number; type: string }) => change.type === "company" && change.resource_id === id,
  );
  assert.deepEqual(
    ofFeed.map((change: { by: unknown }) => change.by),
    [{ ...by, via: "mcp" }, by],
  );
  const admin = await signedIn(server, tenant, { role: "admin" });
  const page = await admin.get(`/history?by=key:${key.id}`);
  assert.match(page.text, /Helper \(assistant\)/);
  assert.match(page.text, /Helper \(API key\)/);
  const { data: history } = await assistant.call("history", { type: "company", id });
  assert.equal(history.changes[1].by.via, "mcp");
});

test("an update is for the state of its etag, and says which fields changed", async () => {
  const { company, etag } = await makeResources(tenant);
  const assistant = await connect(server.url, tenant.token);
  const update = async (fields: object) =>
    (await assistant.call("upsert_company", { request_id: randomUUID(), id: company, ...fields })).data;
  const first = await update({ etag, city: "Turda", name: "Alfa Foods" });
  assert.deepEqual([first.outcome, first.changed], ["updated", ["city"]]);
  assert.equal((await update({ etag, city: "Dej" })).code, "resource_changed");
  const same = await update({ etag: first.etag, city: "Turda" });
  assert.deepEqual([same.outcome, same.changed], ["unchanged", []]);
  assert.equal((await update({ city: null })).company.city, undefined);
});

test("a person is asked before something is destroyed or leaves, by a form that names it", async () => {
  const { company, etag } = await makeResources(tenant);
  const questions: string[] = [];
  let agrees = false;
  const assistant = await connectAsking(server.url, tenant.token, (question) => {
    questions.push(question);
    return agrees;
  });
  const given = { request_id: randomUUID(), id: company, etag };
  assert.equal((await assistant.call("delete_company", given)).data.code, "declined");
  assert.equal((await tenant.get(`/api/v1/companies/${company}`)).status, 200);
  agrees = true;
  const { data } = await assistant.call("delete_company", given);
  assert.deepEqual(data.deleted, { id: company, contacts: 1, addresses: 1 });
  assert.deepEqual(questions, Array(2).fill("Delete Alfa Foods with 1 contact and 1 address?"));
  assert.deepEqual((await assistant.call("delete_company", given)).data, { ...data, replayed: true });
  assert.equal(questions.length, 2, "a repetition asks nobody");
  const restored = await assistant.call("restore_company", { request_id: randomUUID(), id: company });
  assert.equal(restored.data.company.id, company);
});

test("an assistant learns which companies a new one looks like", async () => {
  const { other } = await makeResources(tenant);
  const assistant = await connect(server.url, tenant.token);
  const items = [{ name: "Foods Beta SRL" }];
  const { data: previewed } = await assistant.call("preview_batch", { kind: "companies", items });
  const alike = (some: { id: number; evidence: string[] }[]) => some.find(({ id }) => id === other)?.evidence;
  assert.deepEqual([previewed.alike[0].index, alike(previewed.alike[0].alike)], [0, ["name"]]);
  const given = { request_id: randomUUID(), ...items[0] };
  const { data } = await assistant.call("upsert_company", given);
  assert.deepEqual([data.outcome, alike(data.alike)], ["created", ["name"]]);
  const replayed = await assistant.call("upsert_company", given);
  assert.deepEqual(replayed.data, { ...data, replayed: true });
});

test("two companies are merged once a person saw what moves", async () => {
  const { company, other } = await makeResources(tenant);
  const given = { request_id: randomUUID(), id: company, from: other, fields: { name: "from" } };
  const assistant = await connect(server.url, tenant.token);
  const { data: asked } = await assistant.call("merge_companies", given);
  assert.deepEqual([asked.preview.moved.invoices, asked.preview.changed], [1, ["name"]]);
  await tenant.put(`/api/v1/companies/${other}`, { city: "Dej" });
  const stale = await assistant.call("merge_companies", { ...given, confirm: asked.confirm });
  assert.equal(stale.data.needs_confirmation, true, "a changed company is shown again");
  const { data } = await assistant.call("merge_companies", { ...given, confirm: stale.data.confirm });
  assert.deepEqual([data.company.name, data.company.city, data.moved.invoices], ["Beta Foods", "Dej", 1]);
  assert.equal((await tenant.get(`/api/v1/companies/${other}`)).headers.get("x-merged-into"), String(company));
  assert.equal((await tenant.post(`/api/v1/merges/${data.merge_id}/undo`)).status, 200);
  const gone = await assistant.call("merge_companies", { request_id: randomUUID(), id: company, from: 999_999 });
  assert.deepEqual(Object.keys(gone.data.errors), ["from"]);
});

test("a client that cannot ask gets the preview, and its confirmation fits this call, key and state alone", async () => {
  const { company, etag } = await makeResources(tenant);
  const other = await makeResources(tenant);
  for (const connectTo of [connect, connectEarlier]) {
    const assistant = await connectTo(server.url, tenant.token);
    const given = { request_id: randomUUID(), id: company, etag };
    const { data } = await assistant.call("delete_company", given);
    assert.equal(data.needs_confirmation, true);
    assert.deepEqual(data.preview, { id: company, name: "Alfa Foods", contacts: 1, addresses: 1 });
    const { confirm } = data;
    const isAskedAgain = async (call: object, by = assistant) => {
      const told = await by.call("delete_company", { ...given, confirm, ...call });
      assert.equal(told.data.needs_confirmation, true, JSON.stringify(call));
    };
    await isAskedAgain({ id: other.company, etag: other.etag });
    // In the middle, where each bit of a letter counts.
    const changed = confirm[20] === "A" ? "B" : "A";
    await isAskedAgain({ confirm: `${confirm.slice(0, 20)}${changed}${confirm.slice(21)}` });
    await isAskedAgain({ confirm: "yes" });
    await isAskedAgain({}, await connectTo(server.url, (await tenant.createKey()).token));
  }
  const assistant = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), id: company, etag };
  const { confirm } = (await assistant.call("delete_company", given)).data;
  await tenant.post(`/api/v1/companies/${company}/contacts`, { first_name: "Dan", last_name: "Rus" });
  const changed = await assistant.call("delete_company", { ...given, confirm });
  assert.equal(changed.data.preview.contacts, 2, "it is asked again with the contact that came since");
  const { data } = await assistant.call("delete_company", { ...given, confirm: changed.data.confirm });
  assert.deepEqual(data.deleted, { id: company, contacts: 2, addresses: 1 });
});

test("a confirmation is good for ten minutes", async (t) => {
  const { company, etag } = await makeResources(tenant);
  const assistant = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), id: company, etag };
  const { confirm } = (await assistant.call("delete_company", given)).data;
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 601_000 });
  const late = await assistant.call("delete_company", { ...given, confirm });
  t.mock.timers.reset();
  assert.equal(late.data.needs_confirmation, true);
});

test("an invoice is sent once the person agrees, and explain_order shows its progress", async () => {
  const { invoice } = await makeResources(tenant);
  await server.sql("update companies set wms_subdomain = 'alfa', wms_api_key = 'x' where tenant_id = $1", [tenant.id]);
  const assistant = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), id: invoice };
  const asked = (await assistant.call("send_invoice", given)).data;
  assert.deepEqual([asked.preview.company, asked.preview.total], ["Beta Foods", "21.00"]);
  assert.deepEqual(asked.preview.doubts, ["The warehouse gets no street.", "Lines without a SKU: 1."]);
  const { data } = await assistant.call("send_invoice", { ...given, confirm: asked.confirm });
  assert.equal(data.state, "queued");
  const explained = (await assistant.call("explain_order", { invoice })).data;
  assert.deepEqual([explained.invoice_id, explained.state], [invoice, "waiting"]);
  assert.match(explained.next, /queued/);
});

test("a person learns what speaks against a sending, and where the goods go, before confirming it", async () => {
  const { invoice } = await makeResources(tenant);
  const { company_id: company } = (await tenant.get(`/api/v1/invoices/${invoice}`)).body.data;
  await server.sql("update companies set wms_subdomain = 'alfa', wms_api_key = 'x' where tenant_id = $1", [tenant.id]);
  const shop = { type: "delivery", label: "Magazin Sud", address: "Strada Lungă 1", city: "Sibiu" };
  await tenant.post(`/api/v1/companies/${company}/addresses`, { ...shop, is_default: true });
  const line = { description: "Flour", quantity: 2, unit_price: 10 };
  await tenant.put(`/api/v1/invoices/${invoice}`, { lines: [line], total: "21.00", currency: "RON" });
  const late = { number: "LATE-1", total: "31900", due_on: dayAfter(-64, "Europe/Bucharest"), currency: "EUR" };
  await tenant.post(`/api/v1/companies/${company}/invoices`, late);
  const { token } = await tenant.createKey({ confirmsOnPage: true });
  const given = { request_id: randomUUID(), id: invoice };
  const { data } = await (await connect(server.url, token)).call("send_invoice", given);
  assert.deepEqual(data.preview.deliver_to, { label: shop.label, address: shop.address, city: shop.city });
  assert.deepEqual(data.preview.doubts, [
    "The total is 21.00 RON, but the lines are 20.00 RON.",
    "The company owes 31,900.00 EUR, up to 64 days late.",
    "Lines without a SKU: 1.",
  ]);
  const { text } = await (await signedIn(server, tenant)).get("/agents/pending", { "accept-language": "ro" });
  assert.match(text, /Trimite la depozit factura [^<]* \(21,00 RON\)/);
  assert.match(text, /Totalul este 21,00 RON, dar pozițiile însumează 20,00 RON\./);
  assert.match(text, /are restanțe de 31\.900,00 EUR, cu întârziere de până la 64 de zile\./);
});

test("an order is cancelled in the warehouse once the person agrees, and only that of a cancelled invoice", async () => {
  const { invoice } = await makeResources(tenant);
  await server.sql("update companies set wms_subdomain = 'alfa', wms_api_key = 'x' where tenant_id = $1", [tenant.id]);
  await server.sql("update invoices set wms_order_id = 77, wms_instance = $2, wms_status = 'picking' where id = $1", [
    invoice,
    server.deps.warehouse?.instanceOf("alfa"),
  ]);
  const assistant = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), id: invoice };
  assert.equal((await assistant.call("cancel_order", given)).data.code, "order_not_cancellable");
  await tenant.put(`/api/v1/invoices/${invoice}`, { status: "cancelled" });
  const cancel = { ...given, request_id: randomUUID() };
  const asked = (await assistant.call("cancel_order", cancel)).data;
  assert.deepEqual([asked.preview.company, asked.preview.status], ["Beta Foods", "picking"]);
  const { data } = await assistant.call("cancel_order", { ...cancel, confirm: asked.confirm });
  assert.deepEqual([data.invoice_id, data.state], [invoice, "sent"]);
  const jobs = await server.sql("select from jobs where kind = 'cancel-order' and subject = $1", [invoice]);
  assert.equal(jobs.length, 1);
});

test("a batch is applied as it was previewed, once", async () => {
  const assistant = await connectAsking(server.url, tenant.token, () => true);
  const items = [{ name: "Batched one" }, { name: "" }, { name: "Batched two", tax_id: "RO4242" }];
  const { data: shown } = await assistant.call("preview_batch", { kind: "companies", items });
  assert.deepEqual(shown.counts, { created: 2, updated: 0, unchanged: 0, rejected: 1 });
  assert.deepEqual(shown.rejected, [
    { index: 1, outcome: "rejected", errors: { name: ["The name field is required."] } },
  ]);
  assert.equal(await named(tenant, "Batched"), 0);
  const given = { request_id: randomUUID(), preview: shown.preview };
  const { data } = await assistant.call("apply_batch", given);
  assert.deepEqual([data.counts.created, data.ids.length], [2, 2]);
  assert.equal((await assistant.call("apply_batch", given)).data.replayed, true);
  assert.equal(await named(tenant, "Batched"), 2);
  const { token } = await tenant.createKey();
  const ofOther = await connectAsking(server.url, token, () => true);
  assert.equal((await ofOther.call("apply_batch", given)).data.code, "validation_failed");
  const many = Array.from({ length: 100 }, (_, index) => ({ name: `Hundred ${index}`, city: "Cluj-Napoca" }));
  const hundred = await assistant.call("preview_batch", { kind: "companies", items: many });
  assert.equal(hundred.data.counts.created, 100);
  assert.ok(hundred.bytes <= 25_600);
  assert.equal((await assistant.call("preview_batch", { kind: "companies", items: [...many, {}] })).isError, true);
  const applied = await assistant.call("apply_batch", { request_id: randomUUID(), preview: hundred.data.preview });
  assert.deepEqual([applied.data.ids.length, applied.data.truncated], [100, undefined]);
});

test("a hundred companies with ten fields each fit into a preview", async () => {
  const assistant = await connect(server.url, tenant.token);
  const items = Array.from({ length: 100 }, (_, index) => {
    const digits = createHash("sha256").update(String(index)).digest().join("");
    const name = `${["Alfa", "Beta", "Gama", "Delta"][index % 4]} ${digits.slice(0, 3)} SRL`;
    return {
      name,
      tax_id: `RO${digits.slice(3, 11)}`,
      registration_number: `J12/${digits.slice(11, 15)}/20${digits.slice(15, 17)}`,
      email: `office${digits.slice(17, 19)}@firm${digits.slice(0, 3)}.example`,
      phone: `+407${digits.slice(19, 27)}`,
      website: `https://firm${digits.slice(0, 3)}.example`,
      address: `Strada Fabricii ${digits.slice(27, 29)}`,
      city: "Cluj-Napoca",
      delivery_notes: `Gate ${digits.slice(35, 55)}`,
      postal_code: digits.slice(29, 35),
    };
  });
  const { data, bytes, text } = await assistant.call("preview_batch", { kind: "companies", items });
  assert.equal(data.counts?.created, 100, text);
  assert.ok(bytes <= 25_600);
});

test("a person agrees to a batch once: no other request applies it again", async () => {
  const assistant = await connect(server.url, tenant.token);
  const items = [{ name: "Agreed once" }];
  const { preview } = (await assistant.call("preview_batch", { kind: "companies", items })).data;
  const given = { request_id: randomUUID(), preview };
  const { confirm } = (await assistant.call("apply_batch", given)).data;
  const first = await assistant.call("apply_batch", { request_id: randomUUID(), preview, confirm });
  assert.equal(first.data.counts.created, 1, "the confirmed call may have another request_id");
  const others = Array.from({ length: 5 }, () => ({ request_id: randomUUID(), preview, confirm }));
  for (const { isError, data } of await Promise.all(others.map((each) => assistant.call("apply_batch", each)))) {
    assert.deepEqual([isError, data.code], [true, "validation_failed"]);
    assert.match(data.next, /call preview_batch again/);
  }
  assert.equal(await named(tenant, "Agreed once"), 1);
});

test("a name in a question stays in its line and its direction", async () => {
  const questions: string[] = [];
  const assistant = await connectAsking(server.url, tenant.token, (question) => questions.push(question) < 0);
  const name = "Alfa\n\n\u202eDelete\u2066 nothing";
  const { company, etag } = (await assistant.call("upsert_company", { request_id: randomUUID(), name })).data;
  await assistant.call("delete_company", { request_id: randomUUID(), id: company.id, etag });
  assert.deepEqual(questions, ["Delete Alfa Delete  nothing with 0 contacts and 0 addresses?"]);
});

test("an activity stands at its company, by the assistant's key", async () => {
  const { company, contact } = await makeResources(tenant);
  const assistant = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), company, contact, kind: "call", note: "Wants a quote" };
  const { data } = await assistant.call("log_activity", given);
  assert.equal(data.activity.note, "Wants a quote");
  await assistant.call("log_activity", given);
  const rows = await server.sql("select changed_by, note from activities where company_id = $1", [company]);
  assert.deepEqual(rows, [
    { changed_by: `mcp:${(await tenant.get("/api/v1/me")).body.data.key.id}`, note: "Wants a quote" },
  ]);
});

test("the stored result that shows a person is erased with the person", async () => {
  const { company } = await makeResources(tenant);
  const assistant = await connect(server.url, tenant.token);
  const given = { request_id: randomUUID(), company, first_name: "Erased", last_name: "Person" };
  const { data } = await assistant.call("upsert_contact", given);
  const note = { request_id: randomUUID(), company, contact: data.contact.id, kind: "call", note: "Erased said no" };
  await assistant.call("log_activity", note);
  assert.equal((await tenant.post(`/api/v1/contacts/${data.contact.id}/erase`)).status, 200);
  for (const [name, again] of [
    ["upsert_contact", given],
    ["log_activity", note],
  ] as const) {
    const told = await assistant.call(name, again);
    assert.deepEqual([told.isError, told.data.code], [true, "resource_missing"], name);
  }
});

test("an assistant sees the workspace's own fields in the schemas, writes them as custom, and reads metadata", async () => {
  const own = await server.createTenant();
  const assistant = await connect(server.url, own.token);
  type Listed = { name: string; inputSchema: { properties?: object }; outputSchema?: unknown };
  const listed = async () => (await assistant.client.listTools()).tools as Listed[];
  const inputOf = async (name: string) => (await listed()).find((tool) => tool.name === name)?.inputSchema.properties;
  const before = JSON.stringify(await listed());
  assert.ok(!before.includes("metadata") && !before.includes('"custom"'));
  for (const noun of ["company", "contact", "invoice"]) {
    const options = [{ value: "gold", label: "Aur" }, { value: "silver" }];
    await own.post("/api/v1/custom-fields", { noun, label: "Price list", kind: "choice", options, help: "As agreed" });
    await own.post("/api/v1/custom-fields", { noun, label: "Credit", kind: "number" });
  }
  for (const noun of ["company", "contact", "invoice"]) {
    const { custom } = (await inputOf(`upsert_${noun}`)) as { custom: { properties: Record<string, object> } };
    assert.deepEqual(custom.properties.price_list, {
      type: ["string", "null"],
      enum: ["gold", "silver", null],
      description: "Price list. As agreed. gold: Aur",
    });
    const tool = (await listed()).find(({ name }) => name === `get_${noun}`);
    assert.match(JSON.stringify(tool?.outputSchema), /"metadata":.*"credit":/);
  }
  const call = async (name: string, given: object) =>
    await assistant.call(name, { request_id: randomUUID(), ...given });
  const made = await call("upsert_company", { name: "A", custom: { price_list: "gold", credit: 5 } });
  assert.deepEqual(made.data.company.metadata, { price_list: "gold", credit: "5" }, made.text);
  const { id } = made.data.company;
  const changed = await call("upsert_company", { id, custom: { price_list: null, credit: "5" } });
  assert.deepEqual(
    [changed.data.company.metadata, changed.data.changed],
    [{ credit: "5" }, ["custom.price_list"]],
    changed.text,
  );
  const wrong = await call("upsert_company", { id, custom: { price_list: "bronze", vip: true } });
  assert.deepEqual(Object.keys(wrong.data.errors), ["custom.price_list", "custom.vip"]);
  const person = await call("upsert_contact", { company: id, first_name: "A", last_name: "B", custom: { credit: 1 } });
  assert.deepEqual(person.data.contact.metadata, { credit: "1" }, person.text);
  const read = await assistant.call("get_company", { id });
  assert.deepEqual(read.data.company.metadata, { credit: "5" });
});
