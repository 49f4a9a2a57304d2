import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, type Answer, type TestTenant } from "../../harness.ts";
import { SEED, runs } from "../../properties.ts";

/** docs/contract.md 6.9. */
const server = await startServer();

async function company(tenant: TestTenant, fields: object): Promise<number> {
  const created = await tenant.post("/api/v1/companies", fields);
  assert.equal(created.status, 201, created.text);
  return created.body.data.id;
}

/** A company with one of everything that moves. */
async function wholeCompany(tenant: TestTenant, fields: object, number: string): Promise<number> {
  const id = await company(tenant, fields);
  const path = `/api/v1/companies/${id}`;
  const external = { crm: `contact-${number}` };
  const contact = await tenant.post(`${path}/contacts`, { first_name: "Ana", last_name: number, external });
  await tenant.post(`${path}/addresses`, { address: `Strada ${number}`, type: "delivery" });
  const invoice = await tenant.post(`${path}/invoices`, {
    number,
    issued_on: "2026-11-01",
    total: "100.00",
    currency: "RON",
  });
  assert.equal(invoice.status, 201, invoice.text);
  const paid = await tenant.post(`/api/v1/invoices/${invoice.body.data.id}/payments`, {
    amount: "40.00",
    paid_on: "2026-11-02",
  });
  assert.equal(paid.status, 201, paid.text);
  await server.sql(
    `insert into activities (tenant_id, company_id, contact_id, kind, note, at, changed_by) values ($1, $2, $3, 'call', 'said', now(), 'command')`,
    [tenant.id, id, contact.body.data.id],
  );
  await server.sql(
    `with r as (insert into reminders (tenant_id, company_id, level, changed_by) values ($1, $2, 1, 'command') returning id)
     insert into reminded (tenant_id, reminder_id, invoice_id) select $1, r.id, $3 from r`,
    [tenant.id, id, invoice.body.data.id],
  );
  await server.sql(`insert into deals (tenant_id, company_id, title) values ($1, $2, 'A deal')`, [tenant.id, id]);
  return id;
}

let seed = SEED;
function choose(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (seed >> 8) % below;
}

const VOLATILE = new Set(["updated_at", "edited_at", "changed_by", "search_text"]);
const TABLES = [
  "companies",
  "contacts",
  "addresses",
  "invoices",
  "payments",
  "activities",
  "deals",
  "external_ids",
  "reminders",
];

/** All rows of a tenant, without versions and authors; phones are compared by what they mean. */
async function rowsOf(tenant: TestTenant): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    const found = await server.sql(`select to_jsonb(t) as row from ${table} t where tenant_id = $1`, [tenant.id]);
    const plain = found.map(({ row }) => {
      const columns = Object.entries(row as object).filter(([name]) => !VOLATILE.has(name));
      return columns.map(([name, value]) =>
        name === "phone" && value !== null ? [name, String(value).split("=").slice(1)] : [name, value],
      );
    });
    rows[table] = plain.map((columns) => JSON.stringify(columns)).toSorted();
  }
  return rows;
}

async function merge(tenant: TestTenant, kept: number, from: number, fields: object = {}): Promise<Answer["body"]> {
  const merged = await tenant.post(`/api/v1/companies/${kept}/merge`, { from, fields });
  assert.equal(merged.status, 200, merged.text);
  return merged.body;
}

test("a merged company leads to the kept one, with everything that belonged to it, and back", async () => {
  const tenant = await server.createTenant();
  const kept = await wholeCompany(
    tenant,
    { name: "Panificația Brașov SA", tax_id: "RO00023456", notes: "ours", city: "Brașov", external: { erp: "K1" } },
    "INV-1",
  );
  const from = await wholeCompany(
    tenant,
    {
      name: "PANIFICATIA BRASOV",
      tax_id: "23457",
      phone: "0268555010",
      city: "brasov",
      notes: "theirs",
      external: { erp: "K2", shop: "S2" },
    },
    "INV-2",
  );
  const before = await rowsOf(tenant);
  const cursor = (await tenant.get("/api/v1/changes?limit=1000")).body.next;

  const tried = await tenant.post(`/api/v1/companies/${kept}/merge`, { from, fields: { name: "from" }, dry_run: true });
  assert.equal(tried.status, 200, tried.text);
  assert.equal(tried.body.data.name, "PANIFICATIA BRASOV");
  assert.equal(tried.body.meta.merge_id, null);
  assert.deepEqual(await rowsOf(tenant), before);

  const merged = await tenant.post(`/api/v1/companies/${kept}/merge?include=external`, {
    from,
    fields: { city: "from" },
  });
  assert.equal(merged.status, 200, merged.text);
  const { name, city, phone, notes, tax_id: taxId, external } = merged.body.data;
  assert.deepEqual(
    { name, city, phone, notes, taxId, external },
    {
      name: "Panificația Brașov SA",
      city: "brasov",
      phone: "0268555010",
      notes: "ours\n\ntheirs",
      taxId: "RO00023456",
      external: { erp: "K1", shop: "S2" },
    },
  );
  assert.deepEqual(merged.body.meta.moved, {
    contacts: 1,
    addresses: 1,
    invoices: 1,
    activities: 1,
    planned_calls: 0,
    offers: 0,
    deals: 1,
    tickets: 0,
    subscriptions: 0,
    payments: 1,
  });

  const gone = await tenant.get(`/api/v1/companies/${from}`);
  assert.equal(gone.status, 404);
  assert.equal(gone.headers.get("x-merged-into"), String(kept));
  assert.equal((await tenant.get(`/api/v1/companies/${kept}/invoices`)).body.total, 2);
  const restored = await tenant.post(`/api/v1/companies/${from}/restore`);
  assert.equal(restored.status, 422);
  assert.match(restored.text, new RegExp(`Undo merge ${merged.body.meta.merge_id} instead`));
  const items = [{ id: from, restore: true }];
  const { results } = (await tenant.post("/api/v1/companies/batch", { items })).body;
  assert.deepEqual(results, [{ index: 0, outcome: "rejected", id: from, ...restored.body }]);

  const upserts = await tenant.post("/api/v1/companies/batch?include=external", {
    items: [
      { external: { erp: "K2" }, name: "By its external id", website: "k2.example" },
      { tax_id: "23457", name: "By its fiscal id", industry: "Bread" },
      { external: { erp: "K1" }, postal_code: "500001" },
    ],
  });
  assert.deepEqual(
    upserts.body.results.map((each: { outcome: string; id: number; external: object }) => [
      each.outcome,
      each.id,
      each.external,
    ]),
    Array.from({ length: 3 }, () => ["updated", kept, { erp: "K1", shop: "S2" }]),
    upserts.text,
  );
  assert.equal((await tenant.get(`/api/v1/companies/${kept}`)).body.data.tax_id, "RO00023456");
  for (const number of ["23457", "RO 23457"]) {
    const doubled = await tenant.post("/api/v1/companies", { name: "Made by a nightly run", tax_id: number });
    assert.deepEqual([doubled.status, doubled.body.data?.id], [409, kept], doubled.text);
  }
  const invoice = await tenant.post("/api/v1/invoices/batch", {
    items: [
      { number: "INV-3", company_tax_id: "23457" },
      { number: "INV-4", company_external: { erp: "K2" } },
    ],
  });
  assert.equal(invoice.body.created, 2, invoice.text);

  const changes = (await tenant.get(`/api/v1/changes?limit=1000&after=${cursor}`)).body.data;
  const told = changes.map(
    (each: { type: string; resource_id: number; action: string; changed: Record<string, object> }) => [
      each.type,
      each.action,
      Object.keys(each.changed).join(),
    ],
  );
  for (const expected of [
    ["contact", "updated", "company_id"],
    ["address", "updated", "company_id"],
    ["invoice", "updated", "company_id"],
    ["payment", "updated", "company_id"],
    ["company", "merged", "into"],
    ["company", "updated", "merged"],
  ]) {
    assert.ok(
      told.some((each: string[]) => each.join() === expected.join()),
      `${expected.join(" ")} in ${JSON.stringify(told)}`,
    );
  }

  const undone = await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`);
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual(undone.body.left, {
    fields: 0,
    contacts: 0,
    addresses: 0,
    invoices: 0,
    activities: 0,
    planned_calls: 0,
    offers: 0,
    deals: 0,
    tickets: 0,
    subscriptions: 0,
    payments: 0,
  });
  assert.equal(undone.body.restored.contacts, 1);
  const shown = (await tenant.get(`/api/v1/companies/${from}?include=external`)).body.data;
  assert.deepEqual([shown.name, shown.external], ["PANIFICATIA BRASOV", { erp: "K2", shop: "S2" }]);
  assert.equal((await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`)).status, 422);
  const again = await tenant.post("/api/v1/companies/batch", {
    items: [{ external: { erp: "K2" }, name: "Itself again" }],
  });
  assert.equal(again.body.results[0].id, from);
  const holder = await tenant.post("/api/v1/companies", { name: "Made by a nightly run", tax_id: "23457" });
  assert.deepEqual([holder.status, holder.body.data?.id], [409, from], holder.text);
});

test("random merges, undone in order, leave every row as it was", async () => {
  for (let time = 0; time < runs(3); time += 1) {
    const tenant = await server.createTenant();
    const ids: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const maybe = <T>(value: T) => (choose(2) === 0 ? value : null);
      ids.push(
        await wholeCompany(
          tenant,
          {
            name: `Company ${n}`,
            tax_id: maybe(`RO${time}${n}`),
            phone: maybe(`072200000${n}`),
            notes: maybe(`Note ${n}`),
            city: maybe(`City ${n}`),
            callback_date: maybe(`2026-12-1${n}`),
            terms: { payment_days: maybe(10 + n), credit_limit: maybe(`${n}.50`) },
            external: { erp: `E${n}`, [`s${choose(3)}`]: `X${n}` },
          },
          `INV-${n}`,
        ),
      );
    }
    const undo: { id: number; before: unknown }[] = [];
    while (ids.length > 1) {
      const [kept] = ids.splice(choose(ids.length), 1);
      const [from] = ids.splice(choose(ids.length), 1);
      const before = await rowsOf(tenant);
      const fields = Object.fromEntries(
        ["name", "tax_id", "phone", "notes"].flatMap((field) => {
          const choice = ["keep", "from", null][choose(3)];
          return choice == null ? [] : [[field, choice]];
        }),
      );
      const { meta } = await merge(tenant, kept ?? 0, from ?? 0, fields);
      undo.push({ id: meta.merge_id, before });
      ids.push(kept ?? 0);
    }
    for (const { id, before } of undo.toReversed()) {
      const undone = await tenant.post(`/api/v1/merges/${id}/undo`);
      assert.equal(undone.status, 200, undone.text);
      assert.deepEqual(await rowsOf(tenant), before);
    }
  }
});

test("a company leads from ten ids of one system at most, however its merges are nested, and an undo has all again", async () => {
  const tenant = await server.createTenant();
  const mergedOfSix = async (system: string) => {
    const kept = await company(tenant, { name: system, external: { erp: `${system}-0` } });
    for (let n = 1; n < 6; n += 1) {
      await merge(tenant, kept, await company(tenant, { name: system, external: { erp: `${system}-${n}` } }));
    }
    return kept;
  };
  const leading = async () =>
    await server.sql(
      `select external_id as id, resource_id::int as company from external_ids
       where tenant_id = $1 and type = 'company' order by 1`,
      [tenant.id],
    );
  const [one, other] = [await mergedOfSix("A"), await mergedOfSix("B")];
  const before = await leading();
  const { meta } = await merge(tenant, one, other);
  const after = await leading();
  assert.deepEqual(
    [after.length, after.every((each) => each.company === one), after.slice(0, 7).map(({ id }) => id)],
    [10, true, ["A-0", "A-1", "A-2", "A-3", "A-4", "A-5", "B-0"]],
  );
  assert.equal((await tenant.post(`/api/v1/merges/${meta.merge_id}/undo`)).status, 200);
  assert.deepEqual(await leading(), before);
});

test("an undo leaves what was changed since, says so in numbers, and waits for later merges", async () => {
  const tenant = await server.createTenant();
  const [a, b, c] = [
    await company(tenant, { name: "A", city: "Cluj" }),
    await wholeCompany(tenant, { name: "B", phone: "0722", website: "b.example", tax_id: "RO2" }, "B-1"),
    await company(tenant, { name: "C" }),
  ];
  const first = (await merge(tenant, a, b)).meta.merge_id;
  const [contact] = (await tenant.get(`/api/v1/companies/${a}/contacts`)).body.data;
  await tenant.put(`/api/v1/contacts/${contact.id}`, { position: "Director" });
  await tenant.put(`/api/v1/companies/${a}`, { phone: "0733" });
  const second = (await merge(tenant, c, a)).meta.merge_id;
  const early = await tenant.post(`/api/v1/merges/${first}/undo`);
  assert.equal(early.status, 422);
  assert.match(early.text, new RegExp(`undo merge ${second} first`));
  const chain = await tenant.get(`/api/v1/companies/${b}`);
  assert.equal(chain.headers.get("x-merged-into"), String(c));
  assert.equal((await tenant.post(`/api/v1/merges/${second}/undo`)).status, 200);
  const undone = await tenant.post(`/api/v1/merges/${first}/undo`);
  assert.equal(undone.status, 200, undone.text);
  assert.equal(undone.body.left.fields, 1);
  assert.equal(undone.body.restored.fields, 2, "website and fiscal id");
  const { phone, website, city } = (await tenant.get(`/api/v1/companies/${a}`)).body.data;
  assert.deepEqual({ phone, website, city }, { phone: "0733", website: null, city: "Cluj" });
  const back = (await tenant.get(`/api/v1/contacts/${contact.id}`)).body.data;
  assert.deepEqual([back.company_id, back.position], [b, "Director"]);

  const third = (await merge(tenant, a, b)).meta.merge_id;
  await tenant.put(`/api/v1/companies/${a}`, { tax_id: null });
  const holder = await company(tenant, { name: "D", tax_id: "RO2" });
  const taken = await tenant.post(`/api/v1/merges/${third}/undo`);
  assert.deepEqual([taken.status, taken.body.data.id], [409, holder]);
  await server.sql("update merges set merged_at = now() - interval '31 days' where tenant_id = $1", [tenant.id]);
  assert.equal((await tenant.post(`/api/v1/merges/${third}/undo`)).status, 422);

  const gone = await company(tenant, { name: "E", tax_id: "RO5" });
  await tenant.delete(`/api/v1/companies/${gone}`);
  await merge(tenant, holder, await company(tenant, { name: "F", tax_id: "RO5" }));
  const restored = await tenant.post(`/api/v1/companies/${gone}/restore`);
  assert.deepEqual([restored.status, restored.body.data.id], [409, holder], "its fiscal id is another one's");
});

test("a former external id that the kept one was given stays its own when the merge is undone", async () => {
  const tenant = await server.createTenant();
  const kept = await company(tenant, { name: "A", external: { crm: "a" } });
  const from = await company(tenant, { name: "B", external: { crm: "b", shop: "b" } });
  const { merge_id: id } = (await merge(tenant, kept, from)).meta;
  const given = await tenant.put(`/api/v1/companies/${kept}?include=external`, { external: { crm: "b" } });
  assert.deepEqual(given.body.data.external, { crm: "b", shop: "b" });
  assert.equal((await tenant.post(`/api/v1/merges/${id}/undo`)).status, 200);
  const shown = async (one: number) =>
    (await tenant.get(`/api/v1/companies/${one}?include=external`)).body.data.external;
  assert.deepEqual([await shown(kept), await shown(from)], [{ crm: "b" }, { shop: "b" }]);
  const found = (await tenant.get("/api/v1/companies?external=crm:b")).body.data;
  assert.deepEqual(
    found.map((one: { id: number }) => one.id),
    [kept],
  );
});

test("an undo gives back each custom field that nobody changed since, beside others that somebody did", async () => {
  const tenant = await server.createTenant();
  for (const label of ["Price", "Route", "Van"]) {
    const made = await tenant.post("/api/v1/custom-fields", { noun: "company", label, kind: "text" });
    assert.equal(made.status, 201, made.text);
  }
  const kept = await company(tenant, { name: "A", custom: { price: "gold" } });
  const from = await company(tenant, { name: "B", custom: { price: "silver", route: "North", van: "2" } });
  const merged = await tenant.post(`/api/v1/companies/${kept}/merge`, { from });
  assert.deepEqual(merged.body.data.metadata, { price: "gold", route: "North", van: "2" });
  await tenant.put(`/api/v1/companies/${kept}`, { custom: { van: "3" } });
  const undone = await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`, {});
  assert.deepEqual([undone.body.restored.fields, undone.body.left.fields], [1, 1]);
  const values = async (id: number) => (await tenant.get(`/api/v1/companies/${id}`)).body.data.metadata;
  assert.deepEqual(await values(kept), { price: "gold", van: "3" });
  assert.deepEqual(await values(from), { price: "silver", route: "North", van: "2" });
});

test("whose value of a custom field a merge keeps is chosen, also the absent one, and the undo has both again", async () => {
  const tenant = await server.createTenant();
  const other = await server.createTenant();
  for (const label of ["Price", "Route", "Van", "Crate"]) {
    await tenant.post("/api/v1/custom-fields", { noun: "company", label, kind: "text" });
  }
  await other.post("/api/v1/custom-fields", { noun: "company", label: "Theirs", kind: "text" });
  const ours = { price: "gold", route: "South", crate: "12" };
  const theirs = { price: "silver", route: "North", van: "2" };
  const kept = await company(tenant, { name: "A", custom: ours });
  const from = await company(tenant, { name: "B", custom: theirs });
  const refused = await tenant.post(`/api/v1/companies/${kept}/merge`, {
    from,
    fields: { "custom.price": "both", "custom.theirs": "from", price: "from" },
  });
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ["fields.custom.price", "fields"]]);
  const fields = { "custom.price": "from", "custom.route": "keep", "custom.van": "keep", "custom.crate": "from" };
  const { meta, data } = await merge(tenant, kept, from, fields);
  assert.deepEqual(data.metadata, { price: "silver", route: "South" });
  assert.equal((await tenant.post(`/api/v1/merges/${meta.merge_id}/undo`, {})).status, 200);
  for (const [id, values] of [
    [kept, ours],
    [from, theirs],
  ] as const) {
    assert.deepEqual((await tenant.get(`/api/v1/companies/${id}`)).body.data.metadata, values);
  }
});

test("what cannot be merged is refused, and so is what another warehouse has", async () => {
  const tenant = await server.createTenant();
  const stranger = await server.createTenant();
  const [a, b, gone] = [
    await company(tenant, { name: "A" }),
    await company(tenant, { name: "B" }),
    await company(tenant, { name: "C" }),
  ];
  const foreign = await company(stranger, { name: "X" });
  await tenant.delete(`/api/v1/companies/${gone}`);
  for (const from of [a, gone, foreign, 999_999, null, "x"]) {
    const refused = await tenant.post(`/api/v1/companies/${a}/merge`, { from });
    assert.equal(refused.status, 422, refused.text);
    assert.deepEqual(Object.keys(refused.body.errors), ["from"]);
  }
  const fields = { fields: { name: "both", nothing: "keep" } };
  assert.deepEqual(
    Object.keys((await tenant.post(`/api/v1/companies/${a}/merge`, { from: b, ...fields })).body.errors),
    ["fields.name", "fields"],
  );
  const headers = { "if-match": (await tenant.get(`/api/v1/companies/${a}`)).headers.get("etag") ?? "" };
  await tenant.put(`/api/v1/companies/${a}`, { city: "Cluj" });
  assert.equal((await tenant.post(`/api/v1/companies/${a}/merge`, { from: b }, { headers })).status, 412);
  const merged = await merge(tenant, a, b);
  assert.equal((await stranger.post(`/api/v1/merges/${merged.meta.merge_id}/undo`)).status, 404);
});
