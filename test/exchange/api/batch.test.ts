import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { make } from "../../doors/api/resources.ts";
import { startServer } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";
import { batch, companiesOf, companyOf } from "./sent-batch.ts";

/** docs/contract.md 17. */
const server = await startServer();

const REQUIRED = { name: ["The name field is required."] };

test("each item is created, updated, left as it is, or rejected with what a single write would answer", async () => {
  const tenant = await server.createTenant();
  const [a, b] = [await companyOf(tenant, { name: "A", tax_id: "RO1" }), await companyOf(tenant, { name: "B" })];
  const { results, ...counts } = await batch(tenant, "companies", [
    { name: "New", city: "Turda" },
    { id: a, city: "Cluj" },
    { tax_id: " RO1 ", city: "Cluj" },
    { id: b, tax_id: "ro1" },
    { id: b, name: "" },
    { id: 888_888, name: "X" },
    { id: "7x", name: "X" },
    { tax_id: "RO9", name: "Nine" },
    { city: "Turda" },
    "no object",
  ]);
  assert.deepEqual(counts, { created: 2, updated: 1, unchanged: 1, rejected: 6 });
  const [created, ...others] = results;
  const nine = results[7]?.id;
  assert.ok(created?.id !== null && typeof nine === "number");
  assert.deepEqual(others, [
    { index: 1, outcome: "updated", id: a },
    { index: 2, outcome: "unchanged", id: a },
    { index: 3, outcome: "rejected", id: b, error: "Company with this tax_id already exists." },
    { index: 4, outcome: "rejected", id: b, errors: REQUIRED },
    { index: 5, outcome: "rejected", id: null, error: "No query results for model [Company] 888888" },
    { index: 6, outcome: "rejected", id: null, error: "No query results for model [Company] 7x" },
    { index: 7, outcome: "created", id: nine },
    { index: 8, outcome: "rejected", id: null, errors: REQUIRED },
    { index: 9, outcome: "rejected", id: null, errors: REQUIRED },
  ]);
  const shown = (await companiesOf(tenant)).map(({ name, tax_id, city }) => [name, tax_id, city]);
  assert.deepEqual(shown, [
    ["A", "RO1", "Cluj"],
    ["B", null, null],
    ["New", null, "Turda"],
    ["Nine", "RO9", null],
  ]);
});

test("items that mean the same are written in their order, by whichever name they mean it", async () => {
  const tenant = await server.createTenant();
  const a = await companyOf(tenant, { name: "A", tax_id: "RO1" });
  const { results } = await batch(tenant, "companies", [
    { id: a, city: "1" },
    { tax_id: "ro1", city: "2" },
    { id: a, tax_id: "RO2", city: "3" },
    { tax_id: "RO1", name: "One", city: "4" },
    { tax_id: "RO2", city: "5" },
    { id: a, city: "6" },
    { tax_id: "ro1", city: "7" },
  ]);
  const one = results[3]?.id;
  assert.deepEqual(
    results.map(({ outcome, id }) => [outcome, id]),
    [
      ["updated", a],
      ["updated", a],
      ["updated", a],
      ["created", one],
      ["updated", a],
      ["updated", a],
      ["updated", one],
    ],
  );
  const shown = (await companiesOf(tenant)).map(({ id, tax_id, city }) => [id, tax_id, city]);
  assert.deepEqual(shown, [
    [a, "RO2", "6"],
    [one, "ro1", "7"],
  ]);
  const { body: history } = await tenant.get(`/api/v1/companies/${a}/history`);
  assert.equal(history.total, 6, "each item is a change of its own");
});

test("a tax id that is the same in capitals names what an item before it creates, in whatever script", async () => {
  const tenant = await server.createTenant();
  const pairs: [string, string][] = [
    ["roă1", "ROĂ1"],
    ["ΑΣ", "ας"],
    ["ΑΣ1", "ασ1"],
    ["ΒΣ", "βσ"],
    ["İ", "i"],
  ];
  for (const [first, second] of pairs) {
    const items = [
      { name: "A", tax_id: first },
      { tax_id: second, city: "Turda" },
    ];
    const [one, two] = (await batch(tenant, "companies", items)).results;
    const [alone] = await server.sql("select lower($1) = lower($2) as same", [first, second]);
    assert.deepEqual([one?.outcome, two?.outcome], ["created", alone?.same === true ? "updated" : "rejected"], second);
  }
});

test("a tax id that cannot be stored names no company, whatever PostgreSQL would take it for", async () => {
  const tenant = await server.createTenant();
  await companyOf(tenant, { name: "A", tax_id: "RO\ufffd" });
  const { results } = await batch(tenant, "companies", [{ tax_id: "RO\ud800", city: "Turda" }]);
  const messages = { ...REQUIRED, tax_id: ["The tax id field contains invalid characters."] };
  assert.deepEqual(results, [{ index: 0, outcome: "rejected", id: null, errors: messages }]);
});

test("an id that is empty is none, and one may be a text with blanks around it", async () => {
  const tenant = await server.createTenant();
  const a = await companyOf(tenant, { name: "A" });
  const { results } = await batch(tenant, "companies", [
    { id: "", name: "B" },
    { id: " ", name: "C" },
    { id: ` ${a} `, city: "Cluj" },
  ]);
  assert.deepEqual(
    results.map(({ outcome, id }) => [outcome, id === a]),
    [
      ["created", false],
      ["created", false],
      ["updated", true],
    ],
  );
});

test("items that say nothing but which ones they mean leave them as they are", async () => {
  const tenant = await server.createTenant();
  const { Company, Contact, Address, Invoice } = await make(tenant, ["Company", "Contact", "Address", "Invoice"]);
  const nouns = { companies: Company, contacts: Contact, addresses: Address, invoices: Invoice };
  for (const [noun, id] of Object.entries(nouns)) {
    const { results } = await batch(tenant, noun, [{ id }, { id, unknown: "A" }]);
    assert.deepEqual(
      results.map(({ outcome, id: of }) => [outcome, of]),
      [
        ["unchanged", id],
        ["unchanged", id],
      ],
      noun,
    );
  }
});

test("an item takes the identity that an item before it gives up, and only then", async () => {
  const tenant = await server.createTenant();
  const ids: number[] = [];
  for (let at = 0; at < 9; at++) ids.push(await companyOf(tenant, { name: `${at}`, tax_id: `RO${at}` }));
  const handing = ids.map((id, at) => ({ id, tax_id: `RO${at + 1}` }));
  const tooEarly = await batch(tenant, "companies", handing);
  assert.deepEqual([tooEarly.updated, tooEarly.rejected], [1, 8], "the last one alone takes what nobody has");
  const { updated } = await batch(tenant, "companies", [
    { id: ids[8], tax_id: null },
    ...handing.toReversed().slice(1),
  ]);
  assert.equal(updated, 9);
  const shown = (await companiesOf(tenant)).map(({ tax_id }) => tax_id);
  assert.deepEqual(shown, ["RO1", "RO2", "RO3", "RO4", "RO5", "RO6", "RO7", "RO8", null]);
});

test("an item that waits for its turn does not take the identity that an item behind it gives up", async () => {
  const tenant = await server.createTenant();
  const a = await companyOf(tenant, { name: "A", tax_id: "RO1" });
  const b = await companyOf(tenant, { name: "B", tax_id: "RO2" });
  const { results } = await batch(tenant, "companies", [{ id: a }, { id: a, tax_id: "RO2" }, { id: b, tax_id: "RO3" }]);
  assert.deepEqual(
    results.map(({ outcome }: { outcome: string }) => outcome),
    ["unchanged", "rejected", "updated"],
  );
});

test("a company that gets another tax id while an item waits for it is not what the item means", async () => {
  const tenant = await server.createTenant();
  const a = await companyOf(tenant, { name: "A", tax_id: "RO1" });
  const other = new pg.Client(server.connection);
  await other.connect();
  await other.query("begin");
  await other.query("update companies set tax_id = 'RO5' where tenant_id = $1", [tenant.id]);
  const waiting = batch(tenant, "companies", [{ tax_id: "RO1", name: "Another" }]);
  await server.untilWaiting(1);
  await other.query("commit");
  await other.end();
  const { created } = await waiting;
  assert.equal(created, 1);
  const shown = (await companiesOf(tenant)).map(({ id, name, tax_id }) => [id === a, name, tax_id]);
  assert.deepEqual(shown, [
    [true, "A", "RO5"],
    [false, "Another", "RO1"],
  ]);
});

test("items of one company are written in their order, however often some name it alike", async () => {
  const tenant = await server.createTenant();
  const id = await companyOf(tenant, { name: "A", tax_id: "RO1" });
  const byTaxId = (name: string) => ({ tax_id: "RO1", name });
  const { results } = await batch(tenant, "companies", [byTaxId("B"), byTaxId("C"), { id, name: "D" }, byTaxId("D")]);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ["updated", "updated", "updated", "unchanged"],
  );
  assert.equal((await companiesOf(tenant))[0]?.name, "D");
});

test("batches that create the same in opposite orders wait for each other, and never both", async () => {
  // Two requests that wait for each other would wait for the time limit, and get a 503.
  const patient = await startServer({}, { deadlock_timeout: "1h" });
  const tenant = await patient.createTenant();
  const company = await companyOf(tenant, { name: "Holder" });
  const names = Array.from({ length: 300 }, (_, at) => String(1000 + at));
  const nouns = [
    { noun: "companies", column: "tax_id", more: { name: "A" } },
    { noun: "invoices", column: "number", more: { company_id: company } },
  ];
  for (const { noun, column, more } of nouns) {
    const items = names.map((name) => ({ ...more, [column]: name }));
    const held =
      noun === "companies"
        ? `insert into companies (tenant_id, name, country, tax_id) values (${tenant.id}, 'B', 'RO', '1150')`
        : `insert into invoices (tenant_id, company_id, number) values (${tenant.id}, ${company}, '1150')`;
    const other = new pg.Client(patient.connection);
    await other.connect();
    try {
      await other.query(`begin; ${held}`);
      const both = [items, items.toReversed()].map(async (some) => await batch(tenant, noun, some));
      await patient.untilWaiting(2);
      await other.query("rollback");
      const told = await Promise.all(both);
      assert.equal(
        told.reduce((sum, { created }) => sum + created, 0),
        names.length,
      );
    } finally {
      await other.end();
    }
    const [one] = await patient.sql(`select count(*)::int as n from ${noun} where ${column} = any($1)`, [names]);
    assert.equal(one?.n, names.length);
  }
});

test("batches that name the same by its id and by its identity wait for each other, and never both", async () => {
  const patient = await startServer({}, { deadlock_timeout: "1h" });
  const tenant = await patient.createTenant();
  const ids: number[] = [];
  for (const tax_id of ["RO1", "RO2", "RO3"]) ids.push(await companyOf(tenant, { name: "A", tax_id }));
  const [first, second, third] = ids;
  // Each of them has one of its two when it waits for the other's, where it locks what it names by an id before the
  // rest.
  const held = `select from companies where tenant_id = ${tenant.id} and id = ${second} for update`;
  const told = await untilLetGo(patient, held, async (letGo) => {
    const both = [
      [{ id: third, city: "B" }, { tax_id: "RO2" }, { tax_id: "RO1", city: "B" }],
      [{ id: first, city: "C" }, { tax_id: "RO2" }, { tax_id: "RO3", city: "C" }],
    ].map(async (items) => await batch(tenant, "companies", items));
    await patient.untilWaiting(2);
    await letGo();
    return await Promise.all(both);
  });
  assert.deepEqual(
    told.map(({ updated }) => updated),
    [2, 2],
  );
});

test("a dry run answers what the real run would, and changes nothing", async () => {
  const tenant = await server.createTenant();
  const a = await companyOf(tenant, { name: "A", tax_id: "RO1" });
  const before = await companiesOf(tenant);
  const tax_id = "RO7";
  const seven = [
    { tax_id, name: "Seven" },
    { tax_id, city: "Cluj" },
    { tax_id, city: "Cluj" },
    { tax_id, name: "" },
  ];
  const items = [{ name: "New" }, ...seven, { id: a, city: "Dej" }, { id: a, name: "" }, {}];
  const tried = await batch(tenant, "companies", items, { dry_run: true });
  assert.deepEqual(await companiesOf(tenant), before);
  const done = await batch(tenant, "companies", items, { dry_run: false });
  assert.deepEqual(done.created, 2);
  const made = new Set(done.results.filter(({ outcome }) => outcome === "created").map(({ id }) => id));
  const withoutNew = done.results.map((result) => (made.has(result.id) ? { ...result, id: null } : result));
  assert.deepEqual(tried, { ...done, results: withoutNew });
});

test("what names no items, or too many, is refused as a whole", async () => {
  const tenant = await server.createTenant();
  const required = { items: ["The items field is required."] };
  const cases: [unknown, object][] = [
    [{}, required],
    ["no object", required],
    [{ items: null }, required],
    [{ items: [] }, required],
    [{ items: " " }, required],
    [{ items: {} }, { items: ["The items field must be an array."] }],
    [{ items: "a" }, { items: ["The items field must be an array."] }],
    [
      { items: Array.from({ length: 1_001 }, () => ({ name: "A" })) },
      { items: ["The items field must not have more than 1000 items."] },
    ],
    [{ items: [{ name: "A" }], dry_run: "yes" }, { dry_run: ["The dry run field must be true or false."] }],
  ];
  for (const [body, errors] of cases) {
    const answer = await tenant.post("/api/v1/companies/batch", body);
    assert.deepEqual([answer.status, answer.body], [422, { error: "Validation failed.", errors }]);
  }
  assert.deepEqual(await companiesOf(tenant), []);
});

test("children name their company by its id or its tax id, and stay with it", async () => {
  const tenant = await server.createTenant();
  const a = await companyOf(tenant, { name: "A", tax_id: "RO1" });
  const b = await companyOf(tenant, { name: "B", tax_id: "RO2" });
  for (const [noun, field] of [
    ["contacts", "first_name"],
    ["addresses", "address"],
  ] as const) {
    const fields = noun === "contacts" ? { first_name: "Ana", last_name: "Pop" } : { address: "Str. Mare 1" };
    const required = noun === "contacts" ? { first_name: ["The first name field is required."] } : null;
    const { results } = await batch(tenant, noun, [
      { ...fields, company_id: a },
      { ...fields, company_tax_id: "ro2" },
      { ...fields, company_id: 888_888 },
      { ...fields, company_tax_id: "RO3" },
      { ...fields },
      { ...fields, company_id: a, company_tax_id: "RO2" },
      { ...fields, company_tax_id: "R".repeat(21) },
    ]);
    const model = noun === "contacts" ? "Contact" : "Address";
    const [first, second] = results;
    assert.deepEqual(
      results.map(({ outcome, error, errors }) => [outcome, error ?? errors]),
      [
        ["created", undefined],
        ["created", undefined],
        ["rejected", "No query results for model [Company] 888888"],
        ["rejected", "No query results for model [Company] RO3"],
        ["rejected", { company_id: ["The company id field is required."] }],
        ["rejected", { company_tax_id: ["The selected company tax id is invalid."] }],
        ["rejected", { company_tax_id: ["The company tax id field must not be greater than 20 characters."] }],
      ],
    );
    const again = await batch(tenant, noun, [
      { id: first?.id, company_id: b, [field]: "Ion" },
      { id: second?.id, company_tax_id: "none", [field]: "Ion" },
      { id: 888_888, company_id: a, [field]: "Ion" },
      ...(required === null ? [] : [{ id: first?.id, [field]: "" }]),
    ]);
    assert.deepEqual(again.results, [
      { index: 0, outcome: "updated", id: first?.id },
      { index: 1, outcome: "updated", id: second?.id },
      { index: 2, outcome: "rejected", id: null, error: `No query results for model [${model}] 888888` },
      ...(required === null ? [] : [{ index: 3, outcome: "rejected", id: first?.id, errors: required }]),
    ]);
    for (const [result, company] of [
      [first, a],
      [second, b],
    ] as const) {
      const { body } = await tenant.get(`/api/v1/${noun}/${result?.id}`);
      assert.deepEqual([body.data.company_id, body.data[field]], [company, "Ion"]);
    }
  }
});

test("what pages alone write is no member of the API, in a request or an item", async () => {
  const tenant = await server.createTenant();
  const company = await companyOf(tenant, { name: "A" });
  const ana = { first_name: "Ana", last_name: "Pop", is_accounting: true };
  const { id } = (await tenant.post(`/api/v1/companies/${company}/contacts`, ana)).body.data;
  await batch(tenant, "contacts", [{ ...ana, first_name: "Ion", company_id: company }]);
  await tenant.put(`/api/v1/contacts/${id}`, { is_accounting: true, department: "Sales" });
  await batch(tenant, "contacts", [{ id, is_accounting: true, department: "Accounts" }]);
  const stored = await server.sql(
    `select first_name, department, is_accounting from contacts where tenant_id = ${tenant.id} order by id`,
  );
  assert.deepEqual(stored, [
    { first_name: "Ana", department: "Accounts", is_accounting: false },
    { first_name: "Ion", department: null, is_accounting: false },
  ]);
});

test("an encrypted value that stays keeps the row as it is", async () => {
  const tenant = await server.createTenant();
  const { Contact } = await make(tenant, ["Contact"]);
  const send = async (mobile: string) =>
    (await batch(tenant, "contacts", [{ id: Contact, mobile }])).results[0]?.outcome;
  assert.deepEqual(
    [await send("0722111222"), await send("0722111222"), await send("0722111223")],
    ["updated", "unchanged", "updated"],
  );
  const items = ["0744000001", "0744000002", "0744000001"].map((mobile) => ({ id: Contact, mobile }));
  const { results } = await batch(tenant, "contacts", items);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ["updated", "updated", "updated"],
  );
  const { body } = await tenant.get(`/api/v1/contacts/${Contact}`);
  assert.equal(body.data.mobile, "0744000001");
});

test("invoices come with their lines, and one that the warehouse may have keeps what it was sent with", async () => {
  const tenant = await server.createTenant();
  const a = await companyOf(tenant, { name: "A", tax_id: "RO1" });
  const lines = [{ description: "Pallet", quantity: "2", unit_price: "10.50" }];
  const made = await batch(tenant, "invoices", [
    { number: "1", company_id: a, lines, total: "21" },
    { number: "2", company_tax_id: "RO1", lines: [{ description: "Pallet" }] },
    { number: "1", due_on: "2026-12-24" },
    { number: "3", company_id: a },
  ]);
  const [first, bad, same, third] = made.results;
  assert.deepEqual([first?.outcome, same?.outcome, same?.id], ["created", "updated", first?.id]);
  assert.deepEqual(Object.keys(bad?.errors ?? {}), ["lines.0.quantity", "lines.0.unit_price"]);
  const { body } = await tenant.get(`/api/v1/invoices/${first?.id}`);
  assert.deepEqual([body.data.lines.length, body.data.due_on, body.data.total], [1, "2026-12-24", "21"]);

  await server.sql("update invoices set wms_state = 'queued' where id = $1", [first?.id]);
  const { results } = await batch(tenant, "invoices", [
    { number: "1", total: "22" },
    { id: first?.id, lines: [] },
    { id: first?.id, number: "4" },
    { id: first?.id, total: "21", lines, due_on: "2026-12-25" },
    { id: third?.id, number: "1" },
    { number: "1", status: "draft" },
  ]);
  const kept = "Cannot change an invoice that was sent to the warehouse.";
  assert.deepEqual(results, [
    { index: 0, outcome: "rejected", id: first?.id, error: kept },
    { index: 1, outcome: "rejected", id: first?.id, error: kept },
    { index: 2, outcome: "rejected", id: first?.id, error: kept },
    { index: 3, outcome: "updated", id: first?.id },
    { index: 4, outcome: "rejected", id: third?.id, error: "Invoice with this number already exists." },
    {
      index: 5,
      outcome: "rejected",
      id: first?.id,
      errors: { status: ["The status cannot be draft, because the invoice is with the warehouse."] },
    },
  ]);
});

test("an invoice of a deleted company is unknown by its id", async () => {
  const tenant = await server.createTenant();
  const { Invoice: id } = await make(tenant, ["Invoice"]);
  await server.sql("update companies set deleted_at = now() where tenant_id = $1", [tenant.id]);
  const { results } = await batch(tenant, "invoices", [{ id, total: "1" }]);
  const error = `No query results for model [Invoice] ${id}`;
  assert.deepEqual(results, [{ index: 0, outcome: "rejected", id: null, error }]);
});

test("invoices of many lines are kept whole, and in their order", async () => {
  const tenant = await server.createTenant();
  const company_id = await companyOf(tenant, { name: "A" });
  const numbers = ["1", "2", "3", "4", "5", "6", "1", "7", "1"];
  const items = numbers.map((number, at) => {
    const lines = Array.from({ length: 500 }, (_, line) => ({
      description: `${at}/${line}`,
      quantity: "1",
      unit_price: "1",
    }));
    return { number, company_id, lines };
  });
  const { created, updated, results } = await batch(tenant, "invoices", items);
  assert.deepEqual([created, updated], [7, 2]);
  const last = [];
  for (const { id } of results.slice(1)) {
    const { body } = await tenant.get(`/api/v1/invoices/${id}`);
    last.push(body.data.lines[499]?.description);
  }
  assert.deepEqual(last, ["1/499", "2/499", "3/499", "4/499", "5/499", "8/499", "7/499", "8/499"]);
});

test("no line of an invoice is lost, however much else its lines say; an item that says too much is rejected as a whole", async () => {
  const tenant = await server.createTenant();
  const company_id = await companyOf(tenant, { name: "A" });
  const linesWith = (members: number) => {
    const more = Object.fromEntries(Array.from({ length: members }, (_, at) => [`more_${at}`, at]));
    return Array.from({ length: 500 }, () => ({ description: "A", quantity: "1", unit_price: "1", ...more }));
  };
  const alone = await tenant.post(`/api/v1/companies/${company_id}/invoices`, { number: "1", lines: linesWith(60) });
  assert.equal(alone.body.data.lines.length, 500);
  const { results } = await batch(tenant, "invoices", [
    { number: "2", company_id, lines: linesWith(15) },
    { number: "3", company_id, lines: linesWith(60) },
    { number: "4", company_id, lines: linesWith(15) },
  ]);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ["created", "rejected", "created"],
  );
  for (const at of [0, 2]) {
    const { body } = await tenant.get(`/api/v1/invoices/${results[at]?.id}`);
    assert.equal(body.data.lines.length, 500);
  }
});

test("a batch with a key is written once, together with its answer, and tried once without writing", async () => {
  const tenant = await server.createTenant();
  const items = [{ name: "A", tax_id: "RO1" }, { name: "" }, { name: "B" }];
  const keyed = (key: string) => ({ headers: { "idempotency-key": key } });
  const [tried, first] = [
    await tenant.post("/api/v1/companies/batch", { items, dry_run: true }, keyed("dry")),
    await tenant.post("/api/v1/companies/batch", { items }, keyed("wet")),
  ];
  for (const [body, key, answer] of [
    [{ items, dry_run: true }, "dry", tried],
    [{ items }, "wet", first],
  ] as const) {
    const again = await tenant.post("/api/v1/companies/batch", body, keyed(key));
    assert.deepEqual([again.headers.get("idempotency-replayed"), again.text], ["true", answer.text]);
  }
  assert.deepEqual([tried.body.created, first.body.created, (await companiesOf(tenant)).length], [2, 2, 2]);
  const together = await server.sql(
    `select c.id from kept_answers k join companies c on c.tenant_id = k.tenant_id and c.created_at = k.at
    where k.tenant_id = $1`,
    [tenant.id],
  );
  assert.equal(together.length, 2, "of the moment at which one transaction began");
});
