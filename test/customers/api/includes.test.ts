import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { request, startServer, type TestTenant } from "../../harness.ts";

/** The further members of docs/contract.md 5.10. */
const server = await startServer();
const nouns = ["contacts", "addresses", "invoices"] as const;
let numbers = 0;

const bodies = {
  contacts: (name: string) => ({ first_name: name, last_name: "A", is_primary: name === "B", external: { crm: name } }),
  addresses: (name: string) => ({ address: name, is_default: name === "B" }),
  invoices: (name: string) => ({
    number: `${name}-${++numbers}`,
    issued_on: "2026-01-01",
    lines: [{ description: name, quantity: "1", unit_price: "2.50" }],
  }),
};

type Company = { id: number; [member: string]: unknown };

async function createBelow(tenant: TestTenant, company: number, noun: keyof typeof bodies, names: readonly string[]) {
  for (const name of names) {
    const created = await tenant.post(`/api/v1/companies/${company}/${noun}`, bodies[noun](name));
    assert.equal(created.status, 201, created.text);
  }
}

/** What a company's own list answers, as companies embed it. */
async function listed(tenant: TestTenant, company: number, noun: string, query = ""): Promise<object[]> {
  return (await tenant.get(`/api/v1/companies/${company}/${noun}?per_page=200${query}`)).body.data;
}

test("companies embed their contacts, addresses and invoices as their lists have them, alone and in lists", async () => {
  const tenant = await server.createTenant();
  const companies: number[] = [];
  for (const name of ["C", "B", "A"]) companies.push((await tenant.post("/api/v1/companies", { name })).body.data.id);
  const [first = 0, second = 0] = companies;
  for (const noun of nouns) await createBelow(tenant, first, noun, ["A", "B"]);
  await createBelow(tenant, second, "contacts", ["X"]);
  const { body: gone } = await tenant.post(`/api/v1/companies/${second}/contacts`, bodies.contacts("Y"));
  await tenant.delete(`/api/v1/contacts/${gone.data.id}`);

  const expected = async (company: Company) => {
    const embedded = nouns.map(async (noun) => [noun, { data: await listed(tenant, company.id, noun), more: false }]);
    return { ...company, ...Object.fromEntries(await Promise.all(embedded)) };
  };
  const include = `include=${nouns.join()}`;
  for (const query of ["page=1", "cursor=", "sort=name", "sort=-name&cursor=", `ids=${second},${first}`, "search=b"]) {
    const plain = await tenant.get(`/api/v1/companies?${query}`);
    const answer = await tenant.get(`/api/v1/companies?${query}&${include}`);
    assert.deepEqual(answer.body.data, await Promise.all(plain.body.data.map(expected)), query);
    assert.equal(answer.headers.get("x-query-ignored"), null);
  }
  for (const id of companies) {
    const plain = await tenant.get(`/api/v1/companies/${id}`);
    const shown = await tenant.get(`/api/v1/companies/${id}?${include}`);
    assert.deepEqual(shown.body.data, await expected(plain.body.data));
    assert.deepEqual(Object.keys(shown.body.data), [...Object.keys(plain.body.data), ...nouns]);
  }
  // `external` holds for the embedded ones too, and stays the last member.
  const { body } = await tenant.get(`/api/v1/companies/${first}?include=external,contacts`);
  assert.deepEqual(body.data.contacts.data, await listed(tenant, first, "contacts", "&include=external"));
  assert.deepEqual(Object.keys(body.data).slice(-2), ["contacts", "external"]);
  assert.equal("invoices" in body.data, false);

  const stranger = await server.createTenant();
  assert.equal((await stranger.get(`/api/v1/companies/${first}?${include}`)).status, 404);
});

test("a company embeds at most 100 of a kind and says that there are more; a page has at most 50 companies", async () => {
  const tenant = await server.createTenant();
  const items = Array.from({ length: 60 }, (_, index) => ({ name: `Firm ${index}` }));
  const { body: made } = await tenant.post("/api/v1/companies/batch", { items });
  const [full, over] = made.results.map(({ id }: { id: number }) => id);
  const contacts = [...Array.from({ length: 100 }, () => full), ...Array.from({ length: 101 }, () => over)].map(
    (id, index) => ({
      company_id: id,
      first_name: `P ${index}`,
      last_name: "A",
    }),
  );
  const { body: created } = await tenant.post("/api/v1/contacts/batch", { items: contacts });
  assert.equal(created.created, 201);
  const page = await tenant.get("/api/v1/companies?include=contacts&per_page=200");
  assert.deepEqual([page.body.per_page, page.body.data.length, page.body.last_page, page.body.total], [50, 50, 2, 60]);
  for (const [company, more] of [
    [full, false],
    [over, true],
  ] as const) {
    const { body } = await tenant.get(`/api/v1/companies/${company}?include=contacts`);
    const first = (await listed(tenant, company, "contacts")).slice(0, 100);
    assert.deepEqual(body.data.contacts, { data: first, more });
    assert.deepEqual(page.body.data.find(({ id }: Company) => id === company).contacts, { data: first, more });
  }
  const walked: number[] = [];
  for (let cursor: string | null = "", pages = 0; cursor !== null; pages++) {
    assert.ok(pages < 3);
    const { body } = await tenant.get(`/api/v1/companies?include=addresses&per_page=200&cursor=${cursor}`);
    assert.equal(body.per_page, 50);
    walked.push(...body.data.map(({ id }: Company) => id));
    cursor = body.next_cursor;
  }
  assert.deepEqual(
    walked,
    made.results.map(({ id }: Company) => id),
  );
  assert.equal((await tenant.get("/api/v1/companies?include=external&per_page=200")).body.per_page, 200);
});

test("long texts of embedded rows come whole, and the tag follows every embedded row", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const company = Number(Company);
  await tenant.put(`/api/v1/companies/${company}`, { notes: "n".repeat(60_000) });
  const long = { notes: "€".repeat(60_000), delivery_notes: "ț".repeat(60_000) };
  for (const name of ["A", "B", "C"]) {
    await tenant.post(`/api/v1/companies/${company}/contacts`, {
      ...bodies.contacts(name),
      notes: name.repeat(900),
      ...(name === "B" ? long : {}),
    });
    await tenant.post(`/api/v1/companies/${company}/addresses`, { address: name, ...(name === "B" ? long : {}) });
  }
  const at = `/api/v1/companies/${company}?include=contacts,addresses`;
  const lists = "/api/v1/companies?include=contacts,addresses";
  const shown = await tenant.get(at);
  const [inList] = (await tenant.get(lists)).body.data;
  const [inWalk] = (await tenant.get(`${lists}&cursor=`)).body.data;
  for (const noun of ["contacts", "addresses"]) {
    const data = await listed(tenant, company, noun);
    for (const each of [shown.body.data, inList, inWalk]) assert.deepEqual(each[noun], { data, more: false });
  }
  assert.equal(inList.notes.length, 60_000);

  const tag = (answer: { headers: Headers }) => String(answer.headers.get("etag"));
  const known = (of: string) =>
    request(server.url, "GET", at, undefined, { token: tenant.token, headers: { "if-none-match": of } });
  assert.equal((await known(tag(shown))).status, 304);
  assert.notEqual(tag(shown), tag(await tenant.get(`/api/v1/companies/${company}`)));
  for (const change of [{ last_name: "Z" }, { notes: "€".repeat(59_999) }, { notes: null }]) {
    const before = tag(await tenant.get(at));
    const [, id] = (await listed(tenant, company, "contacts")).map((row) => (row as Company).id);
    assert.equal((await tenant.put(`/api/v1/contacts/${id}`, change)).status, 200);
    assert.equal((await known(before)).status, 200, JSON.stringify(change));
  }
  // The state of the company alone decides about If-Match.
  const headers = { "if-match": tag(shown) };
  assert.equal((await tenant.put(`/api/v1/companies/${company}`, { notes: null }, { headers })).status, 200);
});

test("invoices of a list have their lines where they are asked for, also long ones", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const list = `/api/v1/companies/${Company}/invoices`;
  await createBelow(tenant, Number(Company), "invoices", ["A", "B"]);
  const lines = Array.from({ length: 500 }, (_, index) => ({
    description: "é".repeat(200),
    quantity: "1",
    unit_price: String(index),
  }));
  await tenant.post(list, { number: "LONG", lines });
  await tenant.post(list, { number: "NONE" });
  const plain = await tenant.get(list);
  for (const query of [
    "include=lines",
    "include=lines&cursor=",
    "include=lines,external&number=LONG",
    "include=lines&search=a",
  ]) {
    const { body } = await tenant.get(`${list}?${query}`);
    assert.ok(body.data.length > 0);
    for (const { lines: shown, external, ...row } of body.data) {
      assert.deepEqual(
        row,
        plain.body.data.find(({ id }: Company) => id === row.id),
        query,
      );
      assert.deepEqual(shown, (await tenant.get(`/api/v1/invoices/${row.id}`)).body.data.lines);
      assert.equal(external === undefined, !query.includes("external"));
    }
  }
});

test("each included word needs its own capability, and the 403 names the missing one", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company", "Invoice"]);
  const paths = ["/api/v1/companies", `/api/v1/companies/${Company}`];
  const all = ["contacts:read", "addresses:read", "invoices:read"] as const;
  for (const [index, noun] of nouns.entries()) {
    const without = await tenant.createKey({
      capabilities: ["companies:read", ...all.filter((_, at) => at !== index)],
    });
    const alone = await tenant.createKey({ capabilities: ["companies:read", all[index] ?? "contacts:read"] });
    for (const path of paths) {
      const ask = (token: string, query: string) =>
        request(server.url, "GET", `${path}?${query}`, undefined, { token });
      const refused = await ask(without.token, `include=${nouns.join()}`);
      assert.deepEqual([refused.status, refused.body], [403, { error: `Missing capability: ${noun}:read` }]);
      assert.equal((await ask(without.token, `%69nclude=%20${noun}%20`)).status, 403);
      assert.equal((await ask(without.token, `include=${nouns.filter((other) => other !== noun).join()}`)).status, 200);
      assert.equal((await ask(without.token, "include=external")).status, 200);
      assert.equal((await ask(alone.token, `include=${noun}`)).status, 200);
    }
    assert.equal(
      (await request(server.url, "GET", `${paths[1]}9999?include=${noun}`, undefined, { token: without.token })).status,
      403,
    );
  }
});

test("words of include that a route does not have are named as ignored", async () => {
  const tenant = await server.createTenant();
  const { Company, Contact, Invoice } = await make(tenant, ["Company", "Contact", "Invoice"]);
  const at = `/api/v1/companies/${Company}`;
  for (const [path, ignored] of [
    [`${at}?include=contacts,%20lines,,external,no%0ane`, "include=lines, include=no%0Ane"],
    [`/api/v1/companies?include=external,addresses,invoices`, null],
    [`${at}/contacts?include=contacts&typo=1`, "typo, include=contacts"],
    [`/api/v1/contacts?include=company`, "include=company"],
    [`/api/v1/contacts/${Contact}?include=external`, null],
    [`${at}/invoices?include=lines,contacts`, "include=contacts"],
    [`/api/v1/invoices/${Invoice}?include=lines`, "include=lines"],
    ["/api/v1/me?include=key", "include"],
    ["/api/v1/changes?include=resource,terms,external,resources", "include=resources"],
  ] as const) {
    const answer = await tenant.get(path);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers.get("x-query-ignored"), ignored, path);
  }
  const created = await tenant.post("/api/v1/companies?include=contacts,external", { name: "A" });
  assert.equal(created.headers.get("x-query-ignored"), "include=contacts");
  assert.equal("contacts" in created.body.data, false);
});
