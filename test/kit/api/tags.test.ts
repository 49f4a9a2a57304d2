import assert from "node:assert/strict";
import { test } from "node:test";
import { make, type Model } from "../../doors/api/resources.ts";
import { request, startServer, type Answer } from "../../harness.ts";

/** What docs/contract.md 15 promises of tags, but for what the document says of every route. */
const server = await startServer();
const tenant = await server.createTenant();

const CHANGED = { error: "The resource was changed meanwhile." };
const WRITERS = 12;

const nouns: { model: Model; plural: string; change: object }[] = [
  { model: "Company", plural: "companies", change: { city: "Turda" } },
  { model: "Contact", plural: "contacts", change: { notes: "Turda" } },
  { model: "Address", plural: "addresses", change: { city: "Turda" } },
  { model: "Invoice", plural: "invoices", change: { currency: "EUR" } },
];

for (const { model, plural, change } of nouns) {
  test(`${model}: a tag stays until the resource changes, for every caller and request`, async () => {
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
        const told = known.endsWith('-gzip"') ? known : etag;
        assert.deepEqual([answer.status, answer.text, tagOf(answer)], [304, "", told], known);
        assert.equal(answer.headers.get("x-ratelimit-limit"), "6000");
      }
    }
    for (const other of ["", '""', '"a"', opaque, etag.toUpperCase(), `"${opaque.slice(0, -1)}"`, `"${opaque}x"`]) {
      assert.equal((await tenant.get(at, options(other))).status, 200, other);
    }
    await tenant.put(at, change);
    assert.equal((await tenant.get(at, options(etag))).status, 200);
    // Only if the resource is shown.
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

for (const { model, plural, change } of nouns) {
  const removes = model !== "Invoice";

  test(`${model}: a write takes any tag of the present state, and no other`, async () => {
    const at = `/api/v1/${plural}/${(await make(tenant, [model]))[model]}`;
    const stale = tagOf(await tenant.get(at));
    const updated = tagOf(await tenant.put(at, change));
    const shown = tagOf(await tenant.get(at));
    const [one, another] = [updated, shown].map((tag) => tag.slice(1, -1));
    for (const taken of [
      shown,
      updated,
      "*",
      `"a", ${updated}`,
      `${stale},${shown}`,
      `"${one}-gzip"`,
      `W/"${another}"`,
    ]) {
      const answer = await write("PUT", at, taken, change);
      assert.deepEqual([answer.status, tagOf(answer)], [200, updated], taken);
    }
    const other = tagOf(await tenant.get(`/api/v1/${plural}/${(await make(tenant, [model]))[model]}`));
    const year9999 = `"${one?.split("-")[0]}-zzzzzzzzzzz-${"a".repeat(22)}"`;
    for (const refused of [stale, other, "", ",", '""', '"a"', one ?? "", `W/${stale}, "b"`, year9999]) {
      for (const method of removes ? ["PUT", "DELETE"] : ["PUT"]) {
        const answer = await write(method, at, refused, { ...change, notes: "never" });
        assert.deepEqual([answer.status, answer.body], [412, CHANGED], `${method} ${refused}`);
        assert.deepEqual([tagOf(await tenant.get(at)), answer.headers.get("etag")], [shown, null]);
      }
    }
    if (!removes) return;
    assert.equal((await write("DELETE", at, shown)).status, 200);
    assert.equal((await write("DELETE", at, shown)).status, 404);
    assert.equal((await write("PUT", at, shown, change)).status, 404);
  });

  test(`${model}: of many writers with one tag one wins`, async () => {
    const at = `/api/v1/${plural}/${(await make(tenant, [model]))[model]}`;
    const [field = ""] = Object.keys(change);
    for (const removing of removes ? [0, 3] : [0]) {
      const etag = tagOf(await tenant.get(at));
      const answers = await Promise.all(
        Array.from({ length: WRITERS }, async (_, index) =>
          index < removing
            ? await write("DELETE", at, etag)
            : await write("PUT", at, etag, { [field]: `${removing} ${index}` }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      const winner = statuses.indexOf(200);
      assert.ok(winner >= 0);
      // A request behind a deletion finds nothing.
      const expected = winner < removing ? 404 : 412;
      assert.deepEqual(
        statuses,
        statuses.map((_, index) => (index === winner ? 200 : expected)),
      );
      if (winner >= removing) assert.equal((await tenant.get(at)).body.data[field], `${removing} ${winner}`);
    }
  });
}

test("what an answer shows of others does not stand in a writer's way", async () => {
  const owner = await tenant.createUser("Ana");
  const { Company, Contact, Invoice } = await make(tenant, ["Company", "Contact", "Invoice"]);
  const paths = [`companies/${Company}`, `contacts/${Contact}`, `invoices/${Invoice}`].map((path) => `/api/v1/${path}`);
  await tenant.put(String(paths[0]), { assigned_to: owner });
  const tags = await Promise.all(paths.map(async (path) => tagOf(await tenant.get(path))));
  const elsewhere = (await make(tenant, ["Company"])).Company;
  await tenant.post(`${paths[0]}/addresses`, { address: "A" });
  await server.sql("update users set name = 'Ion' where id = $1", [owner]);
  // As the worker, a page and an import write what a warehouse says.
  await server.sql(
    `update invoices set wms_instance = 'a.wms.example', wms_order_id = 7, wms_status = 'new', wms_synced_at = now(),
      changed_by = 'worker', updated_at = moment_after(updated_at) where id = $1`,
    [Invoice],
  );
  await server.sql("update invoices set wms_status = 'shipped', updated_at = moment_after(updated_at) where id = $1", [
    Invoice,
  ]);
  for (const [index, path] of paths.entries()) {
    assert.notEqual(tagOf(await tenant.get(path)), index === 1 ? null : tags[index]);
    const answer = await write("PUT", path, String(tags[index]), index === 2 ? { status: "paid" } : { notes: "seen" });
    assert.equal(answer.status, 200, `${path} ${answer.text}`);
    assert.equal((await write("PUT", path, String(tags[index]), {})).status, 412, path);
  }
  // A write through another door changes an invoice's version.
  for (const set of ["total = 1.5", `company_id = ${elsewhere}`, "lines = null", "due_on = now()"]) {
    const { Invoice: id } = await make(tenant, ["Invoice"]);
    const etag = tagOf(await tenant.put(`/api/v1/invoices/${id}`, { total: "1.50" }));
    await server.sql(`update invoices set ${set} where id = $1`, [id]);
    assert.equal((await write("PUT", `/api/v1/invoices/${id}`, etag, {})).status, 412, set);
  }
});

test("what is missing or invalid, blocked or sent comes before a stale tag, a conflict behind it", async () => {
  const stale = '"a"';
  const { Company, Invoice, Contact } = await make(tenant, ["Company", "Invoice", "Contact"]);
  await tenant.put(`/api/v1/companies/${Company}`, { tax_id: "RO-TAKEN" });
  await server.sql("update invoices set wms_state = 'queued', number = 'TAKEN' where id = $1", [Invoice]);
  const free = (await make(tenant, ["Company", "Invoice"])) as { Company: number; Invoice: number };
  const cases: [string, string, object | undefined, number][] = [
    ["PUT", "/api/v1/companies/999999", {}, 404],
    ["DELETE", "/api/v1/contacts/999999", undefined, 404],
    ["PUT", "/api/v1/invoices/999999", {}, 404],
    ["PUT", `/api/v1/companies/${Company}`, { name: 5 }, 422],
    ["PUT", `/api/v1/contacts/${Contact}`, { first_name: 5 }, 422],
    ["PUT", `/api/v1/invoices/${Invoice}`, { number: 5 }, 422],
    ["DELETE", `/api/v1/companies/${Company}`, undefined, 422],
    ["PUT", `/api/v1/invoices/${Invoice}`, { total: "99" }, 422],
    ["PUT", `/api/v1/invoices/${Invoice}`, { status: "paid" }, 412],
    ["PUT", `/api/v1/companies/${free.Company}`, { tax_id: "ro-taken" }, 412],
    ["PUT", `/api/v1/invoices/${free.Invoice}`, { number: "TAKEN" }, 412],
  ];
  for (const [method, path, body, status] of cases) {
    assert.equal((await write(method, path, stale, body)).status, status, `${method} ${path} ${JSON.stringify(body)}`);
  }
  for (const [path, body] of [
    [`/api/v1/companies/${free.Company}`, { tax_id: "ro-taken" }],
    [`/api/v1/invoices/${free.Invoice}`, { number: "TAKEN" }],
  ] as const) {
    assert.equal((await write("PUT", path, tagOf(await tenant.get(path)), body)).status, 409);
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

async function write(method: string, path: string, ifMatch: string, body?: unknown): Promise<Answer> {
  return await request(server.url, method, path, body, { token: tenant.token, headers: { "if-match": ifMatch } });
}
