import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { forgetAnswers } from "../../../src/kit/stored-answers/forget-answers.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { operatorIn, signedIn, visitor, type Visitor } from "../pages/visitor.ts";
import { connect, connectAsking, connectEarlier } from "./clients.ts";
import { makeResources } from "./every-tool.ts";

/** A key made for an assistant: what it destroys, sends or writes in batches waits for a user of the workspace. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { name: "Ana Pop" });

async function confirming(of: TestTenant = tenant) {
  const key = await of.createKey({ name: "Claude", confirmsOnPage: true });
  return { ...key, assistant: await connect(server.url, key.token) };
}

/** A call to delete a new company, which waits. */
async function waitingDeletion(of: TestTenant = tenant) {
  const { company, etag } = await makeResources(of);
  const key = await confirming(of);
  const given = { request_id: randomUUID(), id: company, etag };
  const call = async () => await key.assistant.call("delete_company", given);
  const { data } = await call();
  assert.equal(data.needs_confirmation, true, JSON.stringify(data));
  const isLive = async () => (await of.get(`/api/v1/companies/${company}`)).status === 200;
  return { ...key, company, given, call, data, path: pathOf(data.confirm_at), isLive };
}

function pathOf(link: string): string {
  return link.replace(server.url, "").replace("#request-", "/");
}

/** The line of the page after a press. */
async function pressed(who: Visitor, path: string): Promise<string> {
  const answer = await who.post(path);
  assert.deepEqual([answer.status, answer.location], [303, "/agents/pending"]);
  const { text } = await who.get("/agents/pending");
  return /<div id="notice"[^>]*>(.*?)<a class="close"/s.exec(text)?.[1]?.replaceAll(/<[^>]*>/g, "") ?? "";
}

/** The card of a request, in the list. */
async function cardOf(who: Visitor, link: string): Promise<string> {
  const [, id] = link.split("#request-");
  return new RegExp(`id="request-${id}"(.*?)</section>`, "s").exec((await who.get("/agents/pending")).text)?.[1] ?? "";
}

test("a deletion waits for a user, is done once confirmed, and the history says who confirmed", async () => {
  const { id, assistant, token, company, given, call, data, path, isLive } = await waitingDeletion();
  assert.deepEqual(data.preview, { id: company, name: "Alfa Foods", contacts: 1, addresses: 1 });
  assert.ok(data.confirm_at.startsWith(`${server.url}/agents/pending#request-`));
  assert.match(data.next, /It waits for the confirmation of a user/);
  assert.equal(data.confirm, undefined);
  // The assistant cannot confirm by itself, with any client that shows no form.
  const { token: usual } = await tenant.createKey();
  const { confirm } = (await (await connect(server.url, usual)).call("delete_company", given)).data;
  const earlier = await connectEarlier(server.url, token);
  for (const client of [assistant, earlier]) {
    assert.equal((await client.call("delete_company", { ...given, confirm })).data.needs_confirmation, true);
  }
  assert.equal((await assistant.call("delete_company", { ...given, id: 999 })).data.code, "idempotency_key_reused");
  assert.equal(await isLive(), true);
  assert.match((await member.get("/today")).text, /1 request of an assistant waits[^<]*<a href="\/agents\/pending">/);
  const list = await member.get("/agents/pending");
  assert.match(
    list.text,
    /<h2>Delete Alfa Foods with 1 contact and 1 address<\/h2><\/header>\s*<p>Claude asked for it/,
  );
  assert.equal((list.text.match(/\/confirm"/g) ?? []).length, 1, "repeated calls are one request");
  assert.match(await pressed(member, `${path}/confirm`), /^It is done/);
  assert.doesNotMatch((await member.get("/today")).text, /of an assistant waits/);
  assert.equal(await isLive(), false);
  assert.deepEqual((await call()).data, { deleted: { id: company, contacts: 1, addresses: 1 }, replayed: true });
  assert.match(await pressed(member, `${path}/decline`), /^Somebody decided before. It is done/);
  const confirmed = {
    kind: "key",
    id,
    name: "Claude",
    via: "mcp",
    confirmed_by: { id: member.userId, name: "Ana Pop" },
  };
  const { body } = await tenant.get(`/api/v1/changes?limit=1000`);
  const ofCompany = body.data.filter((each: { company_id: number }) => each.company_id === company);
  assert.deepEqual(ofCompany.at(-1).by, confirmed);
  const admin = await signedIn(server, tenant, { role: "admin" });
  assert.match((await admin.get(`/history?by=key:${id}`)).text, /Claude \(assistant, confirmed by Ana Pop\)/);
  assert.match((await admin.get(`/keys/${id}`)).text, /Confirmed on the page/);
});

test("what a user declines, what was changed, and what is late are not done, and the assistant learns it", async () => {
  const declined = await waitingDeletion();
  assert.match(await pressed(member, `${declined.path}/decline`), /^Declined/);
  assert.match(await pressed(member, `${declined.path}/confirm`), /^Somebody decided before. Declined/);
  assert.deepEqual([(await declined.call()).isError, (await declined.call()).data.code], [true, "declined"]);
  assert.equal(await declined.isLive(), true);
  const changed = await waitingDeletion();
  await tenant.put(`/api/v1/companies/${changed.company}`, { city: "Turda" });
  assert.match(await pressed(member, `${changed.path}/confirm`), /^It was changed since the assistant asked/);
  assert.equal((await changed.call()).data.code, "resource_changed");
  assert.equal(await changed.isLive(), true);
  const late = await waitingDeletion();
  await server.sql("update pending_requests set at = at - interval '25 hours' where api_key_id = $1", [late.id]);
  assert.match(await pressed(member, `${late.path}/confirm`), /^It waited for a day/);
  assert.equal((await late.call()).data.code, "confirmation_expired");
  assert.equal(await late.isLive(), true);
  await server.sql("update pending_requests set at = at - interval '30 hours' where api_key_id = $1", [late.id]);
  await forgetAnswers(server.deps, { tenant: tenant.id, stop: AbortSignal.any([]) } as never);
  assert.deepEqual(await server.sql("select from pending_requests where api_key_id = $1", [late.id]), []);
});

test("a payment that two users confirm and one declines at once is recorded once or not at all", async () => {
  const { invoice } = await makeResources(tenant);
  await tenant.put(`/api/v1/invoices/${invoice}`, { status: "issued" });
  const { assistant } = await confirming();
  const given = { request_id: randomUUID(), invoice, amount: "5.00" };
  const path = pathOf((await assistant.call("record_payment", given)).data.confirm_at);
  const others = [await signedIn(server, tenant), await signedIn(server, tenant)];
  const presses = others.flatMap((who) =>
    ["confirm", "confirm", "decline"].map(async (press) => await who.post(`${path}/${press}`)),
  );
  for (const { status } of await Promise.all(presses)) assert.equal(status, 303);
  const paid = (await tenant.get(`/api/v1/invoices/${invoice}/payments`)).body.data.length;
  const told = (await assistant.call("record_payment", given)).data;
  assert.deepEqual([paid, told.code], told.code === undefined ? [1, undefined] : [0, "declined"]);
});

test("nobody else can press: another workspace, an operator, a stranger, another site, or after the key is revoked", async () => {
  const { path, isLive, id, call } = await waitingDeletion();
  const other = await signedIn(server, await server.createTenant());
  assert.equal((await other.get(path)).status, 404);
  assert.equal((await other.post(`${path}/confirm`)).status, 404);
  assert.doesNotMatch((await other.get("/agents/pending")).text, /Alfa Foods/);
  const operator = await operatorIn(server);
  for (const who of [operator, visitor(server)]) {
    const { status, location } = await who.post(`${path}/confirm`);
    assert.deepEqual([status, location], [303, "/sign-in"]);
  }
  for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
    assert.equal((await member.post(`${path}/confirm`, {}, headers)).status, 403);
  }
  assert.equal(await isLive(), true);
  assert.equal((await call()).data.needs_confirmation, true);
  const admin = await signedIn(server, tenant, { role: "admin" });
  await admin.post(`/keys/${id}/revoke`);
  assert.doesNotMatch((await member.get("/agents/pending")).text, new RegExp(`${path}/`));
  assert.match(await pressed(member, `${path}/confirm`), /revoked or expired: nothing was done/);
  assert.equal(await isLive(), true);
});

test("a batch can be confirmed hours later, item by item to be seen; an erased person's is gone", async (t) => {
  const { assistant } = await confirming();
  const items = [{ name: "Batched <b>later</b>" }, { name: "Batched too" }];
  const { preview } = (await assistant.call("preview_batch", { kind: "companies", items })).data;
  const given = { request_id: randomUUID(), preview };
  const path = pathOf((await assistant.call("apply_batch", given)).data.confirm_at);
  const romanian = (await member.get(path, { "accept-language": "ro" })).text;
  assert.match(romanian, /<li>name: Batched &lt;b&gt;later&lt;\/b&gt;<\/li>/);
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 3_600_000 });
  assert.match(await pressed(member, `${path}/confirm`), /^It is done/);
  t.mock.timers.reset();
  assert.equal((await assistant.call("apply_batch", given)).data.counts.created, 2);
  assert.equal((await tenant.get("/api/v1/companies?search=Batched")).body.total, 2);
  const { contact } = await makeResources(tenant);
  const people = { kind: "contacts", items: [{ id: contact, position: "Buyer" }] };
  const second = (await assistant.call("preview_batch", people)).data.preview;
  await assistant.call("apply_batch", { request_id: randomUUID(), preview: second });
  await tenant.post(`/api/v1/contacts/${contact}/erase`);
  const left = await server.sql("select from pending_requests where tenant_id = $1 and tool = 'apply_batch'", [
    tenant.id,
  ]);
  assert.deepEqual(left, []);
});

test("an invoice that becomes paid, or is sent as soon as it is issued, waits for a user, and no other one does", async () => {
  const admin = await signedIn(server, tenant, { role: "admin" });
  const { company } = await makeResources(tenant);
  const connection = { wms_subdomain: "north", wms_api_key: "key-0123456789", send_automatically: "1" };
  assert.equal((await admin.post(`/companies/${company}/warehouse`, connection)).status, 303);
  const { assistant } = await confirming();
  const upsert = async (given: object) =>
    await assistant.call("upsert_invoice", { request_id: randomUUID(), ...given });
  const draft = await upsert({ company, number: "P-1", status: "draft" });
  assert.equal(draft.data.outcome, "created");
  for (const [given, number, link] of [
    [{ company, number: "P-2" }, "P-2", `/companies/${company}`],
    [{ id: draft.data.invoice.id, status: "issued" }, "P-1", `/invoices/${draft.data.invoice.id}`],
  ] as const) {
    const once = { ...given, request_id: randomUUID() };
    const { data } = await upsert(once);
    assert.deepEqual([data.needs_confirmation, data.preview.number], [true, number]);
    const { text } = await member.get("/agents/pending");
    assert.match(text, new RegExp(`<h2>Issue invoice ${number} of Alfa Foods, and send it to the warehouse</h2>`));
    assert.ok(text.includes(`href="${link}"`));
    assert.match(await pressed(member, `${pathOf(data.confirm_at)}/confirm`), /^It is done/);
    assert.equal((await upsert(once)).data.invoice.wms.state, "queued");
  }
  const other = (await makeResources(tenant)).company;
  const issued = await upsert({ company: other, number: "P-3" });
  assert.equal(issued.data.outcome, "created");
  for (const [given, effect] of [
    [{ id: issued.data.invoice.id, status: "paid" }, "Mark invoice P-3 of Alfa Foods as paid"],
    [{ company: other, number: "P-4", status: "paid" }, "Mark invoice P-4 of Alfa Foods as paid"],
    [
      { company, number: "P-5", status: "paid" },
      "Mark invoice P-5 of Alfa Foods as paid, and send it to the warehouse",
    ],
  ] as const) {
    const once = { ...given, request_id: randomUUID() };
    const { data } = await upsert(once);
    assert.equal(data.needs_confirmation, true);
    assert.ok((await member.get("/agents/pending")).text.includes(`<h2>${effect}</h2>`));
    assert.match(await pressed(member, `${pathOf(data.confirm_at)}/confirm`), /^It is done/);
    assert.equal((await upsert(once)).data.invoice.status, "paid");
  }
});

test("a client with forms asks by form, the API only reads with such a key, and a key has a hundred at most", async () => {
  const { id, token, assistant } = await confirming();
  const asking = await connectAsking(server.url, token, () => true);
  const { company, etag, invoice } = await makeResources(tenant);
  const { data } = await asking.call("delete_company", { request_id: randomUUID(), id: company, etag });
  assert.equal(data.deleted.id, company);
  assert.equal((await tenant.get("/api/v1/companies", { token })).status, 200);
  const writes = [
    await tenant.delete("/api/v1/companies/1", { token }),
    await tenant.post("/api/v1/companies/batch", { items: [] }, { token }),
    await tenant.post(`/api/v1/invoices/${invoice}/wms-order`, {}, { token }),
  ];
  for (const { status, headers } of writes) {
    assert.deepEqual([status, headers.get("x-error-code")], [403, "capability_missing"]);
  }
  assert.equal(
    (await assistant.call("upsert_company", { request_id: randomUUID(), name: "Not asked" })).isError,
    false,
  );
  await server.sql(
    `insert into pending_requests (tenant_id, api_key_id, key, tool, secret)
    select $1, $2, n::text, 'send_invoice', '' from generate_series(1, 100) n`,
    [tenant.id, id],
  );
  const again = await makeResources(tenant);
  const many = await assistant.call("delete_company", {
    request_id: randomUUID(),
    id: again.company,
    etag: again.etag,
  });
  assert.equal(many.data.code, "too_many_pending");
});

test("who confirms the sending of an invoice sees where its goods go, and what the warehouse does not get", async () => {
  const other = await server.createTenant();
  const person = await signedIn(server, other);
  const { invoice } = await makeResources(other);
  await server.sql("update companies set wms_subdomain = 'alfa', wms_api_key = 'x' where tenant_id = $1", [other.id]);
  const { assistant } = await confirming(other);
  const { data } = await assistant.call("send_invoice", { request_id: randomUUID(), id: invoice });
  const request = await cardOf(person, data.confirm_at);
  assert.match(request, /Deliver to<\/span>/);
  assert.match(request, /No street and no city: the warehouse gets no address/);
  assert.match(request, /Lines without a SKU: <output>1</);
});

test("who confirms an invoice that is sent once it is issued sees where its goods go, and they go nowhere else", async () => {
  const other = await server.createTenant();
  const [person, admin] = [await signedIn(server, other), await signedIn(server, other, { role: "admin" })];
  const { company, address } = await makeResources(other);
  await other.put(`/api/v1/companies/${company}`, { address: "Strada Veche 1", city: "Dej" });
  const connection = { wms_subdomain: "north", wms_api_key: "key-0123456789", send_automatically: "1" };
  assert.equal((await admin.post(`/companies/${company}/warehouse`, connection)).status, 303);
  const lines = [{ description: "Pallet", quantity: 2, unit_price: "10.50" }];
  const draft = { number: "S-3", status: "draft", delivery_address_id: address };
  const { id } = (await other.post(`/api/v1/companies/${company}/invoices`, draft)).body.data;
  const { assistant } = await confirming(other);
  const call = async (given: Record<string, unknown>) => (await assistant.call("upsert_invoice", given)).data;
  for (const [given, place, remark] of [
    [{ company, number: "S-1", lines }, "Strada Veche 1", /Lines without a SKU: <output>1</],
    [{ company, number: "S-2", status: "paid", delivery_address_id: address }, "Strada Fabricii 12", /Deliver to/],
    [{ id, status: "issued" }, "Strada Fabricii 12", /Deliver to/],
    [{ id, status: "issued", delivery_address_id: null, lines }, "Strada Veche 1", /Lines without a SKU/],
  ] as const) {
    const data = await call({ request_id: randomUUID(), ...given });
    assert.equal(data.preview.deliver_to.address, place);
    const card = await cardOf(person, data.confirm_at);
    assert.match(card, new RegExp(`Deliver to</span> <strong>${place}`));
    assert.match(card, remark);
  }
  const once = { request_id: randomUUID(), company, number: "S-4" };
  const waiting = await call(once);
  await other.put(`/api/v1/companies/${company}`, { address: "Strada Nouă 2" });
  assert.match(await pressed(person, `${pathOf(waiting.confirm_at)}/confirm`), /^It was changed since/);
  assert.equal((await call(once)).code, "resource_changed");
});

test("who confirms a merge sees what moves, which values change, and which ones stay as the assistant chose", async () => {
  const other = await server.createTenant();
  const person = await signedIn(server, other);
  const { company: from, other: kept } = await makeResources(other);
  await other.put(`/api/v1/companies/${from}`, { city: "Turda", phone: "+40 722 000 111", email: "a@alfa.example" });
  await other.put(`/api/v1/companies/${kept}`, { city: "Dej", phone: "+40 722 000 222" });
  for (const label of ["Price list", "Van"]) {
    await other.post("/api/v1/custom-fields", { noun: "company", label, kind: "text" });
  }
  await other.put(`/api/v1/companies/${from}`, { custom: { price_list: "gold", van: "2" } });
  await other.put(`/api/v1/companies/${kept}`, { custom: { price_list: "silver", van: "3" } });
  const { assistant } = await confirming(other);
  const own = { "custom.price_list": "from", "custom.van": "keep" };
  const given = { id: kept, from, fields: { city: "from", phone: "keep", tax_id: "keep", ...own } };
  const { data } = await assistant.call("merge_companies", { request_id: randomUUID(), ...given });
  const card = await cardOf(person, data.confirm_at);
  assert.match(card, /<p>To the kept company: 1 contact and 1 address\.<\/p>/);
  assert.match(card, /<p>Values of the kept company that change: [^<]*City[^<]*Price list\.<\/p>/);
  assert.match(card, /<p>Values that it keeps, as the assistant chose: [^<]*Phone[^<]*Van\.<\/p>/);
  const { text } = await person.get("/agents/pending", { "accept-language": "ro" });
  assert.match(text, /Trec la firma care rămâne: 1 persoană de contact și 1 adresă\./);
  assert.match(await pressed(person, `${pathOf(data.confirm_at)}/confirm`), /^It is done/);
  const { data: merged } = (await other.get(`/api/v1/companies/${kept}`)).body;
  assert.deepEqual([merged.city, merged.phone, merged.email], ["Turda", "+40 722 000 222", "a@alfa.example"]);
});
