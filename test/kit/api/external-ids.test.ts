import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { startServer } from "../../harness.ts";

/** The external ids of docs/contract.md 20. */
const server = await startServer();

test("a company, contact, address and invoice carry the ids of other systems, shown only where they are asked for", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const nouns = [
    ["/api/v1/companies", "/api/v1/companies", { name: "A" }, "company"],
    [`/api/v1/companies/${Company}/contacts`, "/api/v1/contacts", { first_name: "A", last_name: "B" }, "contact"],
    [`/api/v1/companies/${Company}/addresses`, "/api/v1/addresses", { address: "A" }, "address"],
    [`/api/v1/companies/${Company}/invoices`, "/api/v1/invoices", { number: "F9" }, "invoice"],
  ] as const;
  for (const [list, one, fields, type] of nouns) {
    const created = await tenant.post(`${list}?include=external`, {
      ...fields,
      external: { erp: " 4711 ", shop: "a:b" },
    });
    assert.deepEqual([created.status, created.body.data?.external], [201, { erp: "4711", shop: "a:b" }], created.text);
    const { id } = created.body.data;
    const at = `${one}/${id}`;
    const plain = await tenant.get(at);
    assert.equal("external" in plain.body.data, false);
    const shown = await tenant.get(`${at}?include=nothing,external`);
    assert.deepEqual(shown.body.data, { ...plain.body.data, external: { erp: "4711", shop: "a:b" } });

    // Sources that are not named stay; null, or an empty text, removes one.
    const tag = plain.headers.get("etag") ?? "";
    const changed = await tenant.put(
      `${at}?include=external`,
      { external: { erp: "4712", shop: null, old: " " } },
      { headers: { "if-match": tag } },
    );
    assert.deepEqual([changed.status, changed.body.data.external], [200, { erp: "4712" }], changed.text);
    assert.ok(changed.body.data.updated_at > plain.body.data.updated_at);
    assert.equal((await tenant.put(at, { external: { erp: "5" } }, { headers: { "if-match": tag } })).status, 412);
    const same = await tenant.put(`${at}?include=external`, { external: { erp: "4712" } });
    assert.equal(same.body.data.updated_at, changed.body.data.updated_at);
    const cleared = await tenant.put(`${at}?include=external`, { external: { shop: "4712" } });
    assert.deepEqual(cleared.body.data.external, { erp: "4712", shop: "4712" });

    const listed = await tenant.get(`${list}?include=external&per_page=200`);
    assert.deepEqual(listed.body.data.find((row: { id: number }) => row.id === id).external, {
      erp: "4712",
      shop: "4712",
    });
    const walked = await tenant.get(`${list}?include=external&cursor=&per_page=200`);
    assert.deepEqual(walked.body.data.find((row: { id: number }) => row.id === id).external, {
      erp: "4712",
      shop: "4712",
    });

    const { body: history } = await tenant.get(`${at}/history`);
    assert.deepEqual(
      history.data.map(({ action, changed: fieldsOf }: { action: string; changed: object }) => [
        action,
        Object.fromEntries(Object.entries(fieldsOf).filter(([name]) => name.startsWith("external"))),
      ]),
      [
        ["updated", { "external.shop": { from: null, to: "4712" } }],
        ["updated", { "external.erp": { from: "4711", to: "4712" }, "external.shop": { from: "a:b", to: null } }],
        ["created", { "external.erp": { from: null, to: "4711" }, "external.shop": { from: null, to: "a:b" } }],
      ],
    );
    const taken = await tenant.post(list, { ...fields, number: "F10", external: { other: "1", shop: "4712" } });
    assert.equal(taken.status, 409, taken.text);
    assert.deepEqual(taken.body, {
      error: `Another ${type} has this external id.`,
      data: { id, source: "shop", external_id: "4712" },
    });
    assert.equal(taken.headers.get("x-error-code"), "external_id_taken");
    assert.equal((await tenant.put(at, { external: { shop: "4712", other: "1" } })).status, 200, "its own");
  }
  const { body } = await tenant.get("/api/v1/changes?limit=1000");
  assert.ok(body.data.some(({ changed }: { changed: object }) => "external.erp" in changed));
});

test("wrong external ids are refused like other fields, and none is stored", async () => {
  const tenant = await server.createTenant();
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`s${index}`, "1"]));
  const cases: [unknown, Record<string, string[]>][] = [
    ["erp", { external: ["The external field must be an object."] }],
    [["erp"], { external: ["The external field must be an object."] }],
    [{ ERP: "1" }, { "external.ERP": ["The selected external.ERP is invalid."] }],
    [{ "": "1" }, { "external.": ["The selected external. is invalid."] }],
    [
      { ["a".repeat(41)]: "1" },
      { [`external.${"a".repeat(40)}…`]: [`The selected external.${"a".repeat(40)}… is invalid.`] },
    ],
    [{ erp: 4711 }, { "external.erp": ["The external.erp field must be a string."] }],
    [{ erp: "a\0b" }, { "external.erp": ["The external.erp field contains invalid characters."] }],
    [{ erp: "€".repeat(256) }, { "external.erp": ["The external.erp field must not be greater than 255 characters."] }],
    [many, { external: ["The external field must not have more than 10 items."] }],
  ];
  for (const [external, errors] of cases) {
    const refused = await tenant.post("/api/v1/companies", { name: "A", external });
    assert.deepEqual([refused.status, refused.body.errors], [422, errors], refused.text);
  }
  const odd = JSON.parse('{"__proto__": "1", "constructor": "2"}');
  const made = await tenant.post("/api/v1/companies?include=external", {
    name: "A",
    email: "no",
    external: { erp: 1 },
  });
  assert.deepEqual(Object.keys(made.body.errors), ["email", "external.erp"]);
  const created = await tenant.post("/api/v1/companies?include=external", {
    name: "A",
    external: { ...odd, a: "€".repeat(255) },
  });
  assert.equal(created.status, 201);
  assert.match(created.text, /"external":\{"__proto__":"1","a":"€+","constructor":"2"\}/);

  // The resource is counted with what it has.
  const { s10: _last, ...ten } = many;
  const at = `/api/v1/companies/${(await tenant.post("/api/v1/companies", { name: "B", external: ten })).body.data.id}`;
  const refused = await tenant.put(at, { external: { x: "1" } });
  assert.deepEqual(
    [refused.status, refused.body.errors],
    [422, { external: ["The external field must not have more than 10 items."] }],
  );
  assert.equal((await tenant.put(at, { external: { x: "1", s0: null } })).status, 200);
  assert.equal((await tenant.put(at, { external: null })).status, 422);
  const batch = await tenant.post("/api/v1/companies/batch", {
    items: [{ external: { s1: "1", y: "1" } }, { name: "C", external: null }],
  });
  assert.deepEqual(batch.body.results[0].errors, {
    external: ["The external field must not have more than 10 items."],
  });
  assert.equal(batch.body.results[1].outcome, "created");
});

test("of simultaneous creates with one external id one is done, and the others name it", async () => {
  const tenant = await server.createTenant();
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, index) =>
          await tenant.post("/api/v1/companies", {
            name: `A${index}`,
            external: { erp: `r${round}`, [`s${index}`]: "1" },
          }),
      ),
    );
    const [created, ...more] = answers.filter(({ status }) => status === 201);
    assert.deepEqual([created?.status, more.length], [201, 0], answers.map(({ text }) => text).join("\n"));
    for (const { status, body } of answers.filter((answer) => answer !== created)) {
      assert.equal(status, 409);
      assert.deepEqual(body.data, { id: created?.body.data.id, source: "erp", external_id: `r${round}` });
    }
    await tenant.delete(`/api/v1/companies/${created?.body.data.id}`);
  }
  const items = (name: string) => ({
    items: Array.from({ length: 20 }, (_, i) => ({ name, external: { erp: `b${name === "B" ? 19 - i : i}` } })),
  });
  const batches = await Promise.all(
    ["A", "B", "A", "B"].map(async (name) => await tenant.post("/api/v1/companies/batch", items(name))),
  );
  for (const { status, text } of batches) assert.equal(status, 200, text);
  assert.equal(
    batches.reduce((sum, { body }) => sum + body.created, 0),
    20,
  );
  assert.equal(
    batches.reduce((sum, { body }) => sum + body.rejected, 0),
    0,
  );
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 20);
});

test("an item of a batch names its resource and its company by external ids", async () => {
  const tenant = await server.createTenant();
  const run = async (noun: string, items: unknown[], query = "", more: object = {}) => {
    const answer = await tenant.post(`/api/v1/${noun}/batch${query}`, { items, ...more });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const [a, b] = (
    await run("companies", [
      { name: "A", tax_id: "RO1", external: { erp: "1" } },
      { name: "B", tax_id: "RO2", external: { erp: "2" } },
    ])
  ).results.map(({ id }: { id: number }) => id);
  const told = await run(
    "companies",
    [
      { external: { erp: "1" }, city: "Cluj" },
      { external: { erp: "1", shop: "9" } },
      { external: { shop: "9", erp: "1" }, name: "A2" },
      { external: { erp: "1", shop: "x" }, city: "Cluj" },
      { external: { erp: "2", shop: "x" } },
      { id: b, external: { erp: "1" } },
      { external: { erp: "1" }, tax_id: "RO2" },
      { external: { erp: "3" } },
      { external: { erp: "2" }, tax_id: "RO3" },
      { tax_id: "RO3", external: { crm: "7" } },
      { id: 999_999, external: { erp: "1" } },
      { tax_id: "RO3", city: "Turda" },
    ],
    "?include=external",
  );
  const taken = "Another company has this external id.";
  assert.deepEqual(told.results, [
    { index: 0, outcome: "updated", id: a, external: { erp: "1", shop: "x" } },
    { index: 1, outcome: "updated", id: a, external: { erp: "1", shop: "x" } },
    { index: 2, outcome: "updated", id: a, external: { erp: "1", shop: "x" } },
    { index: 3, outcome: "updated", id: a, external: { erp: "1", shop: "x" } },
    { index: 4, outcome: "rejected", id: b, error: taken },
    { index: 5, outcome: "rejected", id: b, error: taken },
    { index: 6, outcome: "rejected", id: a, error: "Company with this tax_id already exists." },
    { index: 7, outcome: "rejected", id: null, errors: { name: ["The name field is required."] } },
    { index: 8, outcome: "updated", id: b, external: { crm: "7", erp: "2" } },
    { index: 9, outcome: "updated", id: b, external: { crm: "7", erp: "2" } },
    { index: 10, outcome: "rejected", id: null, error: "No query results for model [Company] 999999" },
    { index: 11, outcome: "updated", id: b, external: { crm: "7", erp: "2" } },
  ]);
  const dry = await run(
    "companies",
    [{ external: { erp: "9" }, name: "N" }, { external: { erp: "9" } }],
    "?include=external",
    { dry_run: true },
  );
  assert.deepEqual(dry.results, [
    { index: 0, outcome: "created", id: null, external: { erp: "9" } },
    { index: 1, outcome: "unchanged", id: null, external: { erp: "9" } },
  ]);
  const contact = { first_name: "A", last_name: "B" };
  const children = await run("contacts", [
    { ...contact, company_external: { erp: "1" }, external: { erp: "1" } },
    { external: { erp: "1" }, city: "x", position: "CEO" },
    { ...contact, company_external: { erp: "1", shop: "nobody's" } },
    { ...contact, company_external: { erp: "nobody's" } },
    { ...contact, company_external: { erp: "1" }, company_id: b },
    { ...contact, company_external: { crm: "7", old: null }, company_tax_id: "RO3", company_id: b },
    { ...contact, company_external: "erp" },
    { ...contact, company_external: {} },
  ]);
  const [first, , , , , sixth] = children.results;
  assert.deepEqual(children.results, [
    { index: 0, outcome: "created", id: first.id },
    { index: 1, outcome: "updated", id: first.id },
    {
      index: 2,
      outcome: "rejected",
      id: null,
      errors: { "company_external.shop": ["The selected company external.shop is invalid."] },
    },
    { index: 3, outcome: "rejected", id: null, error: "No query results for model [Company] erp:nobody's" },
    {
      index: 4,
      outcome: "rejected",
      id: null,
      errors: { "company_external.erp": ["The selected company external.erp is invalid."] },
    },
    { index: 5, outcome: "created", id: sixth.id },
    {
      index: 6,
      outcome: "rejected",
      id: null,
      errors: { company_external: ["The company external field must be an object."] },
    },
    { index: 7, outcome: "rejected", id: null, errors: { company_id: ["The company id field is required."] } },
  ]);
  assert.equal((await tenant.get(`/api/v1/contacts/${sixth.id}`)).body.data.company_id, b);
  const invoices = await run("invoices", [
    { number: "F1", company_external: { erp: "1" }, external: { erp: "i1" } },
    { external: { erp: "i1" }, status: "paid" },
    { external: { erp: "i1" }, number: "F2" },
    { number: "F3", company_external: { erp: "1" }, external: { erp: "i3" } },
    { external: { erp: "i3" }, number: "F2" },
  ]);
  assert.deepEqual(
    invoices.results.map(({ outcome, error }: { outcome: string; error?: string }) => error ?? outcome),
    ["created", "updated", "updated", "created", "Invoice with this number already exists."],
  );
  const addresses = await run("addresses", [
    { address: "A", company_external: { erp: "1" }, external: { a: "1" } },
    { external: { a: "1" }, city: "B" },
  ]);
  assert.deepEqual([addresses.created, addresses.updated], [1, 1]);
});

test("the external ids of deleted resources are free, and a restore gets back those that nobody took", async () => {
  const tenant = await server.createTenant();
  const create = async (path: string, fields: object) => (await tenant.post(path, fields)).body.data.id as number;
  const idsOf = async (path: string) => (await tenant.get(`${path}?include=external`)).body.data.external;
  const company = await create("/api/v1/companies", { name: "A", external: { erp: "1", shop: "1" } });
  const contacts = `/api/v1/companies/${company}/contacts`;
  const person = { first_name: "A", last_name: "B" };
  const [kept, lost, gone] = [
    await create(contacts, { ...person, external: { erp: "1" } }),
    await create(contacts, { ...person, external: { erp: "2", shop: "2" } }),
    await create(contacts, { ...person, external: { erp: "3" } }),
  ];
  const address = await create(`/api/v1/companies/${company}/addresses`, { address: "A", external: { erp: "1" } });
  await tenant.delete(`/api/v1/contacts/${gone}`);
  const before = (await tenant.get(`/api/v1/contacts/${kept}`)).headers.get("etag");
  assert.equal((await tenant.delete(`/api/v1/companies/${company}`)).status, 200);
  const other = await create("/api/v1/companies", { name: "B", external: { erp: "1" } });
  const taker = await create(`/api/v1/companies/${other}/contacts`, { ...person, external: { shop: "2" } });
  assert.ok(other > 0 && taker > 0);
  const restored = await tenant.post(`/api/v1/companies/${company}/restore?include=external`);
  assert.deepEqual([restored.status, restored.body.data.external], [200, { shop: "1" }]);
  const { updated_at: shownAt } = (await tenant.get(`/api/v1/companies/${company}`)).body.data;
  assert.equal(restored.body.data.updated_at, shownAt);
  assert.deepEqual(await idsOf(`/api/v1/contacts/${kept}`), { erp: "1" });
  assert.equal((await tenant.get(`/api/v1/contacts/${kept}`)).headers.get("etag"), before);
  assert.deepEqual(await idsOf(`/api/v1/contacts/${lost}`), { erp: "2" });
  assert.deepEqual(await idsOf(`/api/v1/addresses/${address}`), { erp: "1" });
  const [change] = (await tenant.get(`/api/v1/companies/${company}/history`)).body.data;
  assert.deepEqual([change.action, change.changed], ["restored", { "external.erp": { from: "1", to: null } }]);
  const [hidden] = (await tenant.get(`/api/v1/contacts/${lost}/history`)).body.data;
  assert.deepEqual([hidden.action, hidden.changed], ["updated", { "external.shop": { from: "2", to: null } }]);

  // Deleted by itself, and taken meanwhile.
  await create(contacts, { ...person, external: { erp: "3" } });
  const back = await tenant.post(`/api/v1/contacts/${gone}/restore?include=external`);
  assert.deepEqual([back.status, back.body.data.external], [200, {}]);
  for (const [noun, external] of [
    ["contacts", { erp: "1" }],
    ["contacts", { erp: "2" }],
    ["contacts", { shop: "2" }],
    ["addresses", { erp: "1" }],
  ] as const) {
    const taken = await tenant.post(`/api/v1/companies/${other}/${noun}`, { ...person, address: "A", external });
    assert.equal(taken.status, 409, JSON.stringify([noun, external]));
  }
  const rows = await server.sql(
    "select type, source, external_id, resource_id from external_ids where tenant_id = $1",
    [tenant.id],
  );
  const columns = await server.sql(
    `select type, source, external_id, id as resource_id from (
       select 'company' as type, id, external from companies where tenant_id = $1 and deleted_at is null
       union all select 'contact', id, external from contacts where tenant_id = $1 and deleted_at is null
       union all select 'address', id, external from addresses where tenant_id = $1 and deleted_at is null
     ) live cross join lateral jsonb_each_text(live.external) pair (source, external_id)`,
    [tenant.id],
  );
  const sorted = (all: Record<string, unknown>[]) => all.map((row) => JSON.stringify(row)).toSorted();
  assert.deepEqual(sorted(rows), sorted(columns));
});

test("a person that is erased leaves no external id, and a retry with a key none twice", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const person = { first_name: "A", last_name: "B", external: { erp: "77" } };
  const keyed = { headers: { "idempotency-key": "K" } };
  const contacts = `/api/v1/companies/${Company}/contacts?include=external`;
  const [one, two] = [await tenant.post(contacts, person, keyed), await tenant.post(contacts, person, keyed)];
  assert.deepEqual([one.status, two.status, two.body], [201, 201, one.body]);
  assert.deepEqual(one.body.data.external, { erp: "77" });
  assert.equal((await tenant.post(contacts, person, { headers: { "idempotency-key": "L" } })).status, 409);
  assert.equal((await tenant.post(`/api/v1/contacts/${one.body.data.id}/erase`)).status, 200);
  const left = await server.sql("select * from external_ids where tenant_id = $1", [tenant.id]);
  assert.deepEqual(left, []);
  assert.equal((await tenant.post(contacts, person)).status, 201);
});

test("a list finds the one with an external id, together with its filters, its order and a cursor", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const other = (await make(tenant, ["Company"])).Company;
  const nouns = [
    ["/api/v1/companies", { name: "Zeta" }, "Zeta", "status=prospect"],
    [`/api/v1/companies/${Company}/contacts`, { first_name: "Zeta", last_name: "B" }, "Zeta", ""],
    [`/api/v1/companies/${Company}/addresses`, { address: "Zeta" }, "Zeta", ""],
    [`/api/v1/companies/${Company}/invoices`, { number: "Zeta" }, "Zeta", "status=issued"],
    [`/api/v1/companies/${Company}/invoices`, { number: "Zeta2", issued_on: "2026-01-02" }, "Zeta2", "status=issued"],
  ] as const;
  for (const [index, [list, fields, word, filter]] of nouns.entries()) {
    const external = { erp: `k:${index}` };
    const { id } = (await tenant.post(list, { ...fields, external })).body.data;
    const idsOf = async (query: string, path: string = list) => {
      const answer = await tenant.get(`${path}?${query}`);
      assert.equal(answer.status, 200, answer.text);
      const { data, total, next_cursor: next } = answer.body;
      if (total !== undefined) assert.equal(total, data.length);
      else assert.equal(next, null);
      return data.map((row: { id: number }) => row.id);
    };
    const asked = `external=erp:k:${index}`;
    const full = (await tenant.get(`${list}?search=${word}`)).body;
    const found = (await tenant.get(`${list}?${asked}`)).body;
    assert.deepEqual(
      found.data,
      full.data.filter((row: { id: number }) => row.id === id),
    );
    for (const query of [
      "",
      `&search=${word}`,
      `&${filter}`,
      "&sort=-name",
      "&sort=name",
      "&sort=-id",
      "&cursor=",
      `&cursor=&search=${word}&${filter}&sort=name`,
    ]) {
      assert.deepEqual(await idsOf(asked + query), [id], query);
    }
    for (const query of [
      `${asked}x`,
      `${asked}&search=nobody`,
      `${asked}&search=a%00b`,
      `${asked}&cursor=&search=nobody`,
      "external=erp",
      "external=:1",
      "external=ERP:1",
      "external=erp:%00",
      `external=shop:k:${index}`,
    ]) {
      assert.deepEqual(await idsOf(query), [], query);
    }
    assert.deepEqual(await idsOf(`external=%20erp:%20k:${index}%20`), [id]);
    if (list !== "/api/v1/companies") {
      assert.deepEqual(await idsOf(asked, list.replace(String(Company), String(other))), []);
      assert.equal((await tenant.get(`${list.replace(String(Company), "999999")}?${asked}`)).status, 404);
      assert.equal((await tenant.get(`${list.replace(String(Company), "999999")}?${asked}&cursor=`)).status, 404);
    }
    // Page 2 is empty, and knows the total.
    const beyond = (await tenant.get(`${list}?${asked}&page=2`)).body;
    assert.deepEqual([beyond.data, beyond.total], [[], 1]);
    const [stranger] = [await server.createTenant()];
    if (list === "/api/v1/companies") assert.deepEqual((await stranger.get(`${list}?${asked}`)).body.data, []);
  }
  await tenant.delete(`/api/v1/companies/${(await tenant.get("/api/v1/companies?external=erp:k:0")).body.data[0].id}`);
  assert.deepEqual((await tenant.get("/api/v1/companies?external=erp:k:0")).body.data, []);
});

test("a deletion of a company and writes of its contacts' external ids leave no id without its resource", async () => {
  const tenant = await server.createTenant();
  for (let round = 0; round < 8; round++) {
    const { Company } = await make(tenant, ["Company"]);
    const contacts = `/api/v1/companies/${Company}/contacts`;
    const person = { first_name: "A", last_name: "B" };
    const { id } = (await tenant.post(contacts, person)).body.data;
    const answers = await Promise.all([
      tenant.put(`/api/v1/contacts/${id}`, { external: { erp: "race" } }),
      tenant.post(contacts, { ...person, external: { shop: "race" } }),
      tenant.delete(`/api/v1/companies/${Company}`),
    ]);
    for (const { status, text } of answers) assert.ok([200, 201, 404].includes(status), text);
    assert.deepEqual(await server.sql("select * from external_ids where tenant_id = $1", [tenant.id]), []);
  }
});
