import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf } from "../../clients/typescript/src/errors.ts";
import * as client from "../../clients/typescript/src/index.ts";
import { errors } from "../../src/kit/errors.ts";
import { startServer } from "../harness.ts";
import { startProxy } from "./proxy.ts";

/** The errors of the TypeScript client are classes, one of each family of the error table. */
const server = await startServer();
const tenant = await server.createTenant();
const api = client.createClient({ url: server.url, token: tenant.token, tries: 1 });

async function caught<Family extends client.LiaisonError>(
  family: abstract new (...args: never[]) => Family,
  call: Promise<unknown>,
): Promise<Family> {
  const error = await call.then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(error instanceof family, `${String(error)} is no ${family.name}`);
  assert.ok(error instanceof client.LiaisonError);
  assert.equal(error.name, family.name);
  assert.ok(error.requestId !== null);
  return error;
}

test("every error of the table has its family, and one that is newer than the client the base class", () => {
  const nothing = { status: 418, body: null, retryAfter: null, requestId: null, idempotencyKey: null };
  for (const name of Object.keys(errors)) {
    const code = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    assert.notEqual(errorOf({ ...nothing, code }).constructor, client.LiaisonError, code);
  }
  for (const code of ["teapot", "constructor", null]) {
    assert.equal(errorOf({ ...nothing, code }).constructor, client.LiaisonError);
  }
});

test("each class of errors has a name of its own, which no bundler changes", () => {
  const classes = Object.entries(client).filter(([name]) => name.endsWith("Error"));
  const refusal = { status: 0, code: null, body: null, retryAfter: null, requestId: null, idempotencyKey: null };
  for (const [name, made] of classes as [string, new (refusal: unknown) => Error][]) {
    // A bundler gives classes other names.
    const Renamed = { a: class extends made {} }.a;
    assert.equal(new Renamed(refusal).name, name);
  }
});

test("an invalid body's error has the messages of each field", async () => {
  const error = await caught(client.ValidationError, api.companies.create({ name: "", email: "office@" }));
  assert.deepEqual(
    [error.status, error.code, error.errors],
    [
      422,
      "validation_failed",
      { name: ["The name field is required."], email: ["The email field must be a valid email address."] },
    ],
  );
  assert.equal(
    error.message,
    "Validation failed. The name field is required. The email field must be a valid email address.",
  );
});

test("a conflict's error knows who has what was asked for", async () => {
  const holder = await api.companies.create({ name: "First", tax_id: "RO1" });
  const company = await caught(client.ConflictError, api.companies.create({ name: "Second", tax_id: "ro1" }));
  assert.deepEqual(company.holder, { id: holder.id, name: "First", tax_id: "RO1" });
  const { id } = await api.invoices.create(holder.id, { number: "A-1" });
  const invoice = await caught(client.ConflictError, api.invoices.create(holder.id, { number: "A-1" }));
  assert.deepEqual(invoice.holder, { id, number: "A-1", company_id: holder.id });
  const blocked = await caught(client.RefusedError, api.companies.delete(holder.id));
  assert.equal(blocked.details, "Blocked by: invoices.");
});

test("a tag of a state that is over is an error of its own, and a change goes on from the present one", async () => {
  const { id } = await api.companies.create({ name: "Changing", employee_count: 0 });
  const ifMatch = client.tagOf(await api.companies.get(id)) ?? "";
  await api.companies.update(id, { city: "Dej" }, { ifMatch });
  await caught(client.ResourceChangedError, api.companies.update(id, { city: "Turda" }, { ifMatch }));
  await caught(client.ResourceChangedError, api.companies.delete(id, { ifMatch }));
  const hire = async () =>
    await api.companies.change(id, ({ employee_count }) => ({ employee_count: (employee_count ?? 0) + 1 }));
  await Promise.all([hire(), hire(), hire(), hire()]);
  assert.equal((await api.companies.get(id)).employee_count, 4);
});

test("a tag that is undefined is refused, and nothing is written", async () => {
  const { id } = await api.companies.create({ name: "Tagged" });
  const [listed] = await Array.fromAsync(api.companies.all({ search: "Tagged" }));
  // As programs without exactOptionalPropertyTypes, and those in JavaScript, may have it.
  const forgotten = { ifMatch: client.tagOf(listed ?? {}) } as { ifMatch: string };
  assert.equal(forgotten.ifMatch, undefined);
  await assert.rejects(api.companies.update(id, { city: "Dej" }, forgotten), TypeError);
  await assert.rejects(api.companies.delete(id, forgotten), TypeError);
  assert.equal((await api.companies.get(id)).city, null);
  assert.equal((await api.companies.update(id, { city: "Dej" }, {})).city, "Dej");
});

test("an id that is no positive integer is refused before there is a request", async () => {
  const proxy = await startProxy(server.url);
  const { companies, contacts, addresses, invoices, webhooks } = client.createClient({
    url: proxy.url,
    token: tenant.token,
  });
  for (const none of [undefined, null, Number.NaN, 0, -1, 1.5, 2 ** 53, "7", "", "../exchange/webhooks"]) {
    const id = none as number;
    const walks = [
      () => companies.wmsOrders(id),
      () => companies.history(id),
      () => contacts.all(id),
      () => webhooks.deliveries(id),
    ];
    const calls = [
      () => companies.get(id),
      () => companies.update(id, {}),
      () => companies.change(id, () => ({})),
      () => companies.delete(id),
      () => companies.restore(id),
      () => contacts.create(id, { first_name: "A", last_name: "B" }),
      () => contacts.page(id),
      () => contacts.erase(id),
      () => addresses.delete(id),
      () => invoices.send(id),
      () => webhooks.rotateSecret(id),
      () => webhooks.test(id),
      () => webhooks.redeliver(id, 1),
      () => webhooks.redeliver(1, id),
      ...walks.map((walk) => async () => await walk().next()),
    ];
    for (const call of calls)
      await assert.rejects(async () => await call(), TypeError, `${String(none)}: ${String(call)}`);
  }
  assert.deepEqual(proxy.requests, []);
});

test("a wrong key, a missing capability, too many requests and a missing resource are errors of their own", async () => {
  const as = (token: string) => client.createClient({ url: server.url, token, tries: 1 });
  const reading = (await tenant.createKey({ capabilities: ["companies:read"], rate: 1 })).token;
  const stranger = await caught(client.AuthenticationError, as(`${tenant.slug}.lsn_x`).companies.get(1));
  assert.equal(stranger.code, "key_unknown");
  await caught(client.CapabilityMissingError, as(reading).companies.create({ name: "A" }));
  const late = await caught(client.RateLimitedError, as(reading).companies.page());
  assert.ok(late.retryAfter !== null && late.retryAfter >= 1);
  const missing = await caught(client.NotFoundError, api.contacts.get(999));
  assert.equal(missing.message, "No query results for model [Contact] 999");
});

test("a request's key that another one used, and a cursor that is none, are errors of their own", async () => {
  const options = { idempotencyKey: "order-1" };
  await api.companies.create({ name: "One" }, options);
  const reused = await caught(client.IdempotencyKeyError, api.companies.create({ name: "Two" }, options));
  assert.deepEqual([reused.code, reused.idempotencyKey], ["idempotency_key_reused", "order-1"]);
  await caught(client.BadRequestError, api.changes.read({ after: "none" }).next());
});
