import assert from "node:assert/strict";
import { test } from "node:test";
import { request, startServer } from "../harness.ts";
import { make, type Model } from "./resources.ts";

/** What docs/contract.md 15 promises of tags, but for what the document says of every route. */
const server = await startServer();
const tenant = await server.createTenant();

const nouns: { model: Model; plural: string; change: object }[] = [
  { model: "Company", plural: "companies", change: { city: "Turda" } },
  { model: "Contact", plural: "contacts", change: { notes: "Turda" } },
  { model: "Address", plural: "addresses", change: { city: "Turda" } },
  { model: "Invoice", plural: "invoices", change: { currency: "EUR" } },
];

for (const { model, plural, change } of nouns) {
  test(`${model}: a tag stays until the resource changes, whoever asks for it, and however often`, async () => {
    const at = `/api/v1/${plural}/${(await make(tenant, [model]))[model]}`;
    const shown = tagOf(await tenant.get(at));
    assert.equal(tagOf(await tenant.get(at)), shown);
    assert.equal(tagOf(await request(server.url, "HEAD", at, undefined, { token: tenant.token })), shown);
    const updated = tagOf(await tenant.put(at, change));
    assert.notEqual(tagOf(await tenant.get(at)), shown);
    assert.equal(tagOf(await tenant.put(at, change)), updated, "a PUT that changes nothing");
    assert.equal(tagOf(await tenant.put(at, "no JSON")), updated);
    assert.match(updated, /^"[^"]+"$/, "a strong one");
  });

  test(`${model}: who has the answer gets a 304 with its tag and without a body`, async () => {
    const at = `/api/v1/${plural}/${(await make(tenant, [model]))[model]}`;
    const etag = tagOf(await tenant.get(at));
    const opaque = etag.slice(1, -1);
    for (const known of [etag, `W/${etag}`, `"a", ${etag}`, `"a,b" , W/${etag},"c"`, "*", `"${opaque}-gzip"`]) {
      for (const method of ["GET", "HEAD"]) {
        const answer = await request(server.url, method, at, undefined, options(known));
        assert.deepEqual([answer.status, answer.text, tagOf(answer)], [304, "", etag], known);
        assert.equal(answer.headers.get("x-ratelimit-limit"), "6000");
      }
    }
    for (const other of ["", '""', '"a"', opaque, etag.toUpperCase(), `"${opaque.slice(0, -1)}"`, `"${opaque}x"`]) {
      assert.equal((await tenant.get(at, options(other))).status, 200, other);
    }
    await tenant.put(at, change);
    assert.equal((await tenant.get(at, options(etag))).status, 200);
    // Only of what is shown.
    const updated = await tenant.put(at, change, options("*"));
    assert.equal(updated.status, 200);
  });
}

test("what an answer shows of others changes its tag", async () => {
  const owner = await tenant.createUser("Ana");
  const { Company, Contact, Invoice } = await make(tenant, ["Company", "Contact", "Invoice"]);
  const [company, contact, invoice] = [`companies/${Company}`, `contacts/${Contact}`, `invoices/${Invoice}`];
  await tenant.put(`/api/v1/${company}`, { assigned_to: owner });
  const rename = async (name: string) => {
    await server.sql("update users set name = $2 where id = $1", [owner, name]);
  };
  const steps: [string, () => Promise<unknown>][] = [
    [company, async () => await tenant.post(`/api/v1/${company}/addresses`, { address: "A" })],
    [company, async () => await tenant.post(`/api/v1/${company}/contacts`, { first_name: "A", last_name: "B" })],
    [company, async () => await rename("Ion")],
    [contact, async () => await tenant.put(`/api/v1/${company}`, { name: "Another" })],
    [invoice, async () => await tenant.put(`/api/v1/${company}`, { name: "Yet another" })],
    [invoice, async () => await server.sql("update invoices set wms_state = 'queued' where id = $1", [Invoice])],
  ];
  for (const [path, step] of steps) {
    const before = await tenant.get(`/api/v1/${path}`);
    await step();
    const after = await tenant.get(`/api/v1/${path}`, options(tagOf(before)));
    assert.equal(after.status, 200, path);
    assert.notEqual(tagOf(after), tagOf(before));
  }
});

test("what carries no single resource has no tag", async () => {
  const { Company } = await make(tenant, ["Company"]);
  const at = `/api/v1/companies/${Company}`;
  for (const path of ["/api/v1/companies", `${at}/contacts`, `${at}/history`, `${at}/wms-orders`]) {
    const answer = await tenant.get(path, options("*"));
    assert.deepEqual([answer.status, answer.headers.get("etag")], [200, null], path);
  }
  const missing = await tenant.get("/api/v1/companies/999999", options("*"));
  assert.deepEqual([missing.status, missing.headers.get("etag")], [404, null]);
  const deleted = await tenant.delete(at);
  assert.deepEqual([deleted.status, deleted.headers.get("etag")], [200, null]);
});

function tagOf({ headers }: { headers: Headers }): string {
  const etag = headers.get("etag");
  assert.ok(etag !== null);
  return etag;
}

function options(ifNoneMatch: string) {
  return { token: tenant.token, headers: { "if-none-match": ifNoneMatch } };
}
