import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { reservedKeys } from "../../../src/customers/custom-fields/custom-field.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";

/** Fields that a workspace defines (docs/contract.md 21). */
const server = await startServer();
const FIELDS = "/api/v1/custom-fields";
const COMPANIES = "/api/v1/companies";

const choice = {
  noun: "company",
  label: "Listă de prețuri",
  kind: "choice",
  options: [{ value: "gold", label: "Gold" }, { value: "silver" }],
};

async function defined(tenant: TestTenant, body: object): Promise<number> {
  const made = await tenant.post(FIELDS, { noun: "company", ...body });
  assert.equal(made.status, 201, made.text);
  return made.body.data.id;
}

test("a field gets a key from its label, and is listed, changed, archived and deleted", async () => {
  const tenant = await server.createTenant();
  const made = await tenant.post(FIELDS, choice);
  assert.equal(made.status, 201, made.text);
  const { id, created_at: at } = made.body.data;
  assert.deepEqual(made.body.data, {
    id,
    noun: "company",
    key: "lista_de_preturi",
    label: "Listă de prețuri",
    kind: "choice",
    options: [
      { value: "gold", label: "Gold", archived: false },
      { value: "silver", label: "silver", archived: false },
    ],
    help: null,
    position: 1,
    archived: false,
    archived_at: null,
    created_at: at,
    updated_at: at,
  });
  const changed = await tenant.put(`${FIELDS}/${id}`, {
    label: "Prices",
    help: "As agreed",
    key: "other",
    kind: "text",
  });
  assert.deepEqual(
    [changed.body.data.key, changed.body.data.kind, changed.body.data.label],
    ["lista_de_preturi", "choice", "Prices"],
  );
  assert.equal((await tenant.delete(`${FIELDS}/${id}`)).status, 422);
  await tenant.put(`${FIELDS}/${id}`, { archived: true });
  assert.equal((await tenant.get(FIELDS)).body.total, 0);
  assert.equal((await tenant.get(`${FIELDS}?archived=true&noun=company`)).body.total, 1);
  assert.equal((await tenant.delete(`${FIELDS}/${id}`)).status, 200);
  assert.equal((await tenant.get(`${FIELDS}/${id}`)).status, 404);
  assert.equal((await tenant.get(`${FIELDS}/${id}/history`)).status, 404);
  const feed = await tenant.get("/api/v1/changes?types=custom_field");
  assert.deepEqual(
    feed.body.data.map(({ action }: { action: string }) => action),
    ["created", "updated", "updated", "deleted"],
    feed.text,
  );
});

test("a company has the values that were sent, in the order of the fields, and null without any", async () => {
  const tenant = await server.createTenant();
  const plain = (await tenant.post(COMPANIES, { name: "Before" })).body.data;
  await defined(tenant, { label: "Visits", kind: "yes_no", position: 3 });
  await defined(tenant, { label: "Price list", kind: "choice", options: choice.options, position: 1 });
  await defined(tenant, { label: "Credit", kind: "number", key: "credit_limit", position: 2 });
  await defined(tenant, { label: "Route", kind: "text" });
  await defined(tenant, { label: "Since", kind: "date" });
  const custom = { since: "2026-11-20", visits: true, credit_limit: "2500.500", price_list: "gold", route: null };
  const made = await tenant.post(COMPANIES, { name: "A", custom, metadata: { a: 1 } });
  assert.equal(made.status, 201, made.text);
  const expected = '"metadata":{"price_list":"gold","credit_limit":"2500.5","visits":true,"since":"2026-11-20"}';
  const at = `${COMPANIES}/${made.body.data.id}`;
  for (const { text } of [made, await tenant.get(at), await tenant.get(COMPANIES)]) assert.ok(text.includes(expected));
  assert.deepEqual((await tenant.get(`${COMPANIES}/${plain.id}`)).body.data.metadata, null);
  const same = await tenant.put(at, { custom: { credit_limit: 2500.5 } });
  assert.equal(same.body.data.updated_at, made.body.data.updated_at);
  const changed = await tenant.put(at, { custom: { visits: null, route: "North" } });
  assert.deepEqual(changed.body.data.metadata, {
    price_list: "gold",
    credit_limit: "2500.5",
    route: "North",
    since: "2026-11-20",
  });
  assert.notEqual(changed.headers.get("etag"), same.headers.get("etag"));
  assert.equal((await tenant.put(at, { custom: null })).body.data.updated_at, changed.body.data.updated_at);
  const [last, first] = (await tenant.get(`${at}/history`)).body.data;
  assert.deepEqual(last.changed, {
    "custom.visits": { from: true, to: null },
    "custom.route": { from: null, to: "North" },
  });
  assert.deepEqual(first.changed["custom.price_list"], { from: null, to: "gold" });
  for (const route of ['a": "b', '\\", "visits": true, "', "\u0001\n\t / \u2028 😀\\", '}"{']) {
    const { status, text } = await tenant.put(at, { custom: { route } });
    assert.equal(status, 200, text);
    const written = `{"price_list":"gold","credit_limit":"2500.5","route":${JSON.stringify(route)},"since":"2026-11-20"}`;
    for (const answer of [text, (await tenant.get(at)).text])
      assert.ok(answer.includes(`"metadata":${written}`), answer);
  }
});

test("values are answered in the present order of the fields, whatever it was when they were written", async () => {
  const tenant = await server.createTenant();
  const [one, two] = [
    await defined(tenant, { label: "One", kind: "text" }),
    await defined(tenant, { label: "Two", kind: "yes_no" }),
  ];
  await defined(tenant, { label: "Three", kind: "text" });
  const values = { one: 'a\\b "c"', three: "{}" };
  const made = await tenant.post(COMPANIES, { name: "A", custom: values });
  const at = `${COMPANIES}/${made.body.data.id}`;
  const [created] = (await tenant.get(`${at}/history`)).body.data;
  assert.deepEqual([created.changed["custom.one"].to, created.changed["custom.three"].to], [values.one, values.three]);
  const answered = async (expected: object | null) => {
    const json = `"metadata":${JSON.stringify(expected)}`;
    for (const path of [at, COMPANIES]) {
      const { text } = await tenant.get(path);
      assert.ok(text.includes(json), `${json} is not in ${text}`);
    }
  };
  await answered(values);
  await tenant.put(at, { custom: { two: true } });
  await answered({ one: values.one, two: true, three: "{}" });
  await tenant.put(`${FIELDS}/${one}`, { position: 9 });
  await answered({ two: true, three: "{}", one: values.one });
  await tenant.put(`${FIELDS}/${two}`, { archived: true });
  await answered({ three: "{}", one: values.one });
  await tenant.put(at, { custom: { three: "x" } });
  await tenant.put(`${FIELDS}/${two}`, { archived: false });
  await answered({ two: true, three: "x", one: values.one });
  // As an earlier build has stored them.
  await server.sql("update companies set values_text = null where tenant_id = $1", [tenant.id]);
  await answered({ two: true, three: "x", one: values.one });
  await tenant.put(at, { custom: { one: null } });
  await answered({ two: true, three: "x" });
  await tenant.put(at, { custom: { two: null, three: null } });
  await answered(null);
});

test("a wrong value gets the message of its field, and hostile keys are unknown ones", async () => {
  const tenant = await server.createTenant();
  await defined(tenant, { label: "Price list", kind: "choice", options: choice.options });
  await defined(tenant, { label: "Credit", kind: "number" });
  await defined(tenant, { label: "Text", kind: "text" });
  const body = `{"name":"A","custom":{"price_list":"x","credit":"1234567890.123456","text":"${"x".repeat(1_001)}","vip":1,"__proto__":1}}`;
  const refused = await tenant.post(COMPANIES, JSON.parse(body));
  assert.equal(refused.status, 422);
  assert.deepEqual(Object.keys(refused.body.errors).toSorted(), [
    "custom.__proto__",
    "custom.credit",
    "custom.price_list",
    "custom.text",
    "custom.vip",
  ]);
  assert.deepEqual(refused.body.errors["custom.price_list"], ["The selected custom.price_list is invalid."]);
  assert.deepEqual(refused.body.errors["custom.vip"], ["There is no custom field vip."]);
  for (const custom of [5, "a", []]) {
    const { status, body } = await tenant.post(COMPANIES, { name: "A", custom });
    assert.deepEqual([status, body.errors], [422, { custom: ["The custom field must be an object."] }]);
  }
});

test("a definition is refused with a clear error, however hostile, and the 51st too", async () => {
  const tenant = await server.createTenant();
  const refusedFor = async (body: object) => Object.keys((await tenant.post(FIELDS, body)).body.errors ?? {});
  const text = { noun: "company", kind: "text" };
  await defined(tenant, { label: "Price list", kind: "text" });
  assert.deepEqual(await refusedFor({ ...text, label: "PRICE LÎST", key: "other" }), ["label"]);
  assert.deepEqual(await refusedFor({ ...text, label: "Other", key: "price_list" }), ["key"]);
  for (const key of ["__proto__", "Name", "1a", "tax_id", "metadata", "a".repeat(41)]) {
    assert.deepEqual(await refusedFor({ ...text, label: "Other", key }), ["key"], key);
  }
  assert.deepEqual(await refusedFor({ ...text, label: "🎉".repeat(60) }), ["key"]);
  assert.deepEqual(await refusedFor({ ...text, label: "🎉".repeat(61) }), ["label"]);
  const many = Array.from({ length: 5_000 }, (_, at) => ({ value: `v${at}` }));
  assert.deepEqual(await refusedFor({ ...choice, options: many }), ["options"]);
  assert.deepEqual(await refusedFor({ ...choice, options: [] }), ["options"]);
  assert.deepEqual(await refusedFor({ ...choice, options: [{ value: "a" }, { value: "a" }] }), ["options.1.value"]);
  assert.deepEqual(await refusedFor({ ...text, label: "A", options: [{ value: "a" }] }), ["options"]);
  const made = await Promise.all(
    Array.from(
      { length: 52 },
      async (_, at) => await tenant.post(FIELDS, { ...text, label: "🎉".repeat(50) + at, key: `f${at}` }),
    ),
  );
  assert.equal(made.filter(({ status }) => status === 201).length, 49);
  const refused = made.find(({ status }) => status === 422);
  assert.deepEqual(refused?.body.errors, { noun: ["There are 50 fields already. Archive one first."] });
  for (let at = 0; at < 50; at++) {
    const { status } = await tenant.post(FIELDS, { ...text, label: `Old ${at}`, key: `old_${at}`, archived: true });
    assert.equal(status, 201);
  }
  const more = await tenant.post(FIELDS, { ...text, label: "Old", key: "old", archived: true });
  const tooMany = "There are 100 fields already, with archived ones. Delete one first.";
  assert.deepEqual(more.body.errors, { noun: [tooMany] });
});

test("the texts of a definition stay in their lines, and turn nothing beside them", async () => {
  const tenant = await server.createTenant();
  const field = { noun: "company", kind: "choice", label: "A", options: [{ value: "a" }] };
  for (const text of ["a\nb", "a\tb", "a\u202eb", "a\u2067b", "a\u2028b", "a\0b"]) {
    const option = (name: string) => ({ options: [{ value: "a", [name]: text }] });
    for (const [name, body] of Object.entries({
      label: { label: text },
      help: { help: text },
      "options.0.value": option("value"),
      "options.0.label": option("label"),
    })) {
      const { status, body: answer } = await tenant.post(FIELDS, { ...field, ...body });
      const messages = { [name]: [`The ${name} field contains invalid characters.`] };
      assert.deepEqual([status, answer.errors], [422, messages], JSON.stringify(text));
    }
  }
  await defined(tenant, { ...field, key: "a", label: "שדה \u200fא" });
});

test("an archived field is not shown and not accepted; restored, it has its values; deleted, they go", async () => {
  const tenant = await server.createTenant();
  const id = await defined(tenant, { label: "Price list", kind: "choice", options: choice.options });
  const made = await tenant.post(COMPANIES, { name: "A", custom: { price_list: "gold" } });
  const at = `${COMPANIES}/${made.body.data.id}`;
  await tenant.put(`${FIELDS}/${id}`, { archived: true });
  assert.equal((await tenant.get(at)).body.data.metadata, null);
  assert.equal((await tenant.put(at, { custom: { price_list: "silver" } })).status, 422);
  await tenant.put(`${FIELDS}/${id}`, { archived: false });
  assert.deepEqual((await tenant.get(at)).body.data.metadata, { price_list: "gold" });
  const archived = choice.options.map(({ value }) => ({ value, archived: value === "gold" }));
  assert.equal((await tenant.put(`${FIELDS}/${id}`, { options: archived.slice(1) })).status, 422);
  // No record has silver.
  assert.equal((await tenant.put(`${FIELDS}/${id}`, { options: archived.slice(0, 1) })).body.data.options.length, 1);
  assert.equal((await tenant.put(`${FIELDS}/${id}`, { options: archived })).status, 200);
  const named = await tenant.put(`${FIELDS}/${id}`, { options: choice.options.map(({ value }) => ({ value })) });
  assert.deepEqual(
    named.body.data.options,
    [
      { value: "gold", label: "Gold", archived: true },
      { value: "silver", label: "silver", archived: false },
    ],
    "what an option leaves out stays",
  );
  assert.equal((await tenant.post(COMPANIES, { name: "B", custom: { price_list: "gold" } })).status, 422);
  // The record that has it may send it again, beside what changes.
  const again = await tenant.put(at, { name: "C", custom: { price_list: "gold" } });
  assert.deepEqual([again.status, again.body.data.name], [200, "C"], again.text);
  const other = (await tenant.post(COMPANIES, { name: "D" })).body.data.id;
  assert.equal((await tenant.put(`${COMPANIES}/${other}`, { custom: { price_list: "gold" } })).status, 422);
  assert.deepEqual((await tenant.get(at)).body.data.metadata, { price_list: "gold" });
});

test("the values of a deleted field go in steps, of every noun, and its key is free afterwards", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  const again = { label: "Route", kind: "text" };
  for (const noun of nouns) await defined(tenant, { noun, ...again });
  const { company, ...others } = await records(tenant, { route: "North" });
  const [names, more] = ["tenant_id, metadata, company_id", "generate_series(1, 600) n"];
  const values = `select $1::bigint, '{"route": "South"}'::jsonb, $2::bigint`;
  await server.sql(
    `insert into companies (tenant_id, metadata, name, country) ${values.replace("$2::bigint", "n::text, 'A'")} from ${more}`,
    [tenant.id],
  );
  await server.sql(`insert into contacts (${names}, first_name, last_name) ${values}, 'A', 'B' from ${more}`, [
    tenant.id,
    idIn(company),
  ]);
  await server.sql(`insert into invoices (${names}, number) ${values}, 'N' || n from ${more}`, [
    tenant.id,
    idIn(company),
  ]);
  for (const { id } of (await tenant.get(FIELDS)).body.data as { id: number }[]) {
    await tenant.put(`${FIELDS}/${id}`, { archived: true });
    assert.match((await admin.get(`/workspace/fields/${id}/delete`)).text, /601 records/);
    await tenant.delete(`${FIELDS}/${id}`);
  }
  assert.equal((await tenant.post(FIELDS, { noun: "invoice", ...again })).status, 422);
  await server.sql("update jobs set run_at = now() where tenant_id = $1", [tenant.id]);
  const { end } = runWorker(server);
  const isWaiting = async () =>
    (await server.sql("select from jobs where tenant_id = $1 and kind = 'purge-values'", [tenant.id])).length > 0;
  while (await isWaiting());
  await end();
  for (const noun of nouns) await defined(tenant, { noun, ...again });
  for (const at of [company, ...Object.values(others)]) assert.equal((await tenant.get(at)).body.data.metadata, null);
  for (const table of ["companies", "contacts", "invoices"]) {
    const left = await server.sql(`select from ${table} where tenant_id = $1 and metadata is not null`, [tenant.id]);
    assert.equal(left.length, 0, table);
  }
});

test("a company that is merged into another fills its gaps, and an undo takes them back", async () => {
  const tenant = await server.createTenant();
  for (const label of ["Route", "Rank"]) await defined(tenant, { label, kind: "text" });
  const [kept, from] = await Promise.all(
    [{ route: "North" }, { route: "South", rank: "A" }].map(
      async (custom) => (await tenant.post(COMPANIES, { name: "A", custom })).body.data.id,
    ),
  );
  const merged = await tenant.post(`${COMPANIES}/${kept}/merge`, { from });
  assert.deepEqual(merged.body.data.metadata, { route: "North", rank: "A" }, merged.text);
  const undone = await tenant.post(`/api/v1/merges/${merged.body.meta.merge_id}/undo`);
  assert.equal(undone.status, 200, undone.text);
  assert.deepEqual((await tenant.get(`${COMPANIES}/${kept}`)).body.data.metadata, { route: "North" });
});

test("only keys that may read the records list their fields, and tenants see none of others", async () => {
  const tenant = await server.createTenant();
  const id = await defined(tenant, { label: "A", kind: "text" });
  const other = await server.createTenant();
  assert.equal((await other.get(`${FIELDS}/${id}`)).status, 404);
  assert.equal((await other.get(FIELDS)).body.total, 0);
  const company = await other.post(COMPANIES, { name: "A", custom: { a: "1" } });
  assert.deepEqual(company.body.errors, { "custom.a": ["There is no custom field a."] });
});

test("no key is the name of a member of an answer", async () => {
  const tenant = await server.createTenant();
  const { company, contact, invoice } = await records(tenant, {});
  const shown = {
    company: `${company}?include=terms,external,contacts,addresses,invoices`,
    contact: `${contact}?include=external`,
    invoice: `${invoice}?include=external`,
  };
  for (const noun of ["company", "contact", "invoice"] as const) {
    const { data } = (await tenant.get(shown[noun])).body;
    for (const name of Object.keys(data)) assert.ok(reservedKeys[noun].has(name), `${noun} ${name}`);
  }
});

/** A company, a contact and an invoice with these values: their paths. */
async function records(tenant: TestTenant, custom: object): Promise<Record<Noun, string>> {
  const make = async (path: string, body: object) => {
    const made = await tenant.post(path, body);
    assert.equal(made.status, 201, made.text);
    return made.body.data.id as number;
  };
  const company = await make(COMPANIES, { name: "A", custom });
  const of = `${COMPANIES}/${company}`;
  const contact = await make(`${of}/contacts`, { first_name: "Ana", last_name: "Pop", custom });
  const invoice = await make(`${of}/invoices`, { number: "1", total: "10", custom });
  return { company: of, contact: `/api/v1/contacts/${contact}`, invoice: `/api/v1/invoices/${invoice}` };
}

type Noun = "company" | "contact" | "invoice";

const nouns: readonly Noun[] = ["company", "contact", "invoice"];

test("every noun has values at every door of the API, and none of the others' fields", async () => {
  const tenant = await server.createTenant();
  const before = await records(tenant, {});
  assert.ok(!(await tenant.get(before.invoice)).text.includes("metadata"));
  assert.match((await tenant.get(before.contact)).text, /"metadata":null/);
  for (const noun of nouns) {
    await defined(tenant, { noun, label: "Rank", kind: "number" });
    await defined(tenant, { noun, label: "Since", kind: "date" });
    await defined(tenant, { noun, label: `Of ${noun}`, kind: "text" });
  }
  assert.match((await tenant.get(before.invoice)).text, /"metadata":null/);
  const custom = { since: "2026-11-20", rank: "2.50" };
  const metadata = { rank: "2.5", since: "2026-11-20" };
  const other = { name: "B", first_name: "B", last_name: "B", number: "B" };
  for (const noun of nouns) {
    const at = before[noun];
    const made = await tenant.put(at, { custom });
    assert.deepEqual(made.body.data.metadata, metadata, made.text);
    const shown = await tenant.get(at);
    assert.deepEqual(shown.body.data.metadata, metadata);
    const headers = { "if-match": String(shown.headers.get("etag")) };
    const next = await tenant.put(at, { custom: { rank: null } }, { headers });
    assert.deepEqual(next.body.data.metadata, { since: "2026-11-20" }, next.text);
    assert.notEqual(next.headers.get("etag"), shown.headers.get("etag"));
    assert.equal((await tenant.put(at, { custom: { rank: 1 } }, { headers })).status, 412, noun);
    const [last] = (await tenant.get(`${at}/history`)).body.data;
    assert.deepEqual(last.changed, { "custom.rank": { from: "2.5", to: null } });
    const others = `of_${noun === "company" ? "contact" : "company"}`;
    const wrong = await tenant.put(at, { custom: { since: "soon", [others]: 1 } });
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ["custom.since", `custom.${others}`]]);
    const company_id = idIn(before.company);
    const batch = await tenant.post(batches[noun], {
      items: [
        { id: idIn(at), custom: { rank: 3 } },
        { ...other, company_id, custom },
        { ...other, company_id, custom: { vip: 1 } },
      ],
    });
    const results = batch.body.results as { outcome: string; id: number; errors?: object }[];
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ["updated", "created", "rejected"],
      batch.text,
    );
    assert.ok("custom.vip" in (results[2]?.errors ?? {}), batch.text);
    assert.deepEqual((await tenant.get(at)).body.data.metadata, { rank: "3", since: "2026-11-20" });
    const second = at.replace(/\d+$/, String(results[1]?.id));
    assert.deepEqual((await tenant.get(second)).body.data.metadata, metadata);
    const feed = await tenant.get(`/api/v1/changes?types=${noun}&include=resource`);
    assert.match(feed.text, /"metadata":\{"rank":"2.5"/);
  }
  const whole = await tenant.get(`${before.company}?include=contacts,invoices`);
  const { contacts, invoices } = whole.body.data;
  for (const { data } of [contacts, invoices])
    assert.ok(
      data.some((each: { metadata: unknown }) => isDeepStrictEqual(each.metadata, metadata)),
      whole.text,
    );
  for (const list of ["contacts", "invoices"])
    assert.match((await tenant.get(`${before.company}/${list}`)).text, /"metadata":\{"rank":"3"/);
});

function idIn(path: string): number {
  return Number(path.split("/").at(-1));
}

const batches: Record<Noun, string> = {
  company: `${COMPANIES}/batch`,
  contact: "/api/v1/contacts/batch",
  invoice: "/api/v1/invoices/batch",
};

test("the pages define a field, and the forms of a company write it and show its errors", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  const made = await admin.post("/workspace/fields", {
    noun: "company",
    label: "Price <list>",
    kind: "choice",
    more_options: "Gold\r\nSilver",
  });
  assert.equal(made.status, 303, made.text);
  await admin.post("/workspace/fields", { noun: "company", label: "Credit", kind: "number", help: "In lei" });
  assert.match((await admin.get("/workspace/fields")).text, /Price &lt;list&gt;/);
  assert.match((await admin.get("/companies/new")).text, /name="custom\.price_list"[\s\S]*>Gold<[\s\S]*In lei/);
  const wrong = await admin.post("/companies", { name: "Acme", "custom.credit": "much" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /id="custom\.credit-error"/);
  const form = { name: "Acme", "custom.price_list": "Gold", "custom.credit": "1250.50" };
  const created = await admin.post("/companies", form);
  assert.equal(created.status, 303, created.text);
  const path = String(created.headers.get("location"));
  assert.match((await admin.get(path)).text, /Price &lt;list&gt;<\/dt>\s*<dd id="fact-custom\.price_list">Gold/);
  const edit = await admin.get(`${path}/edit?field=custom.credit`);
  assert.match(edit.text, /name="custom\.credit"[^>]*/);
  const version = /name="version" value="([^"]+)"/.exec(edit.text)?.[1] ?? "";
  const saved = await admin.post(path, { field: "custom.credit", version, "custom.credit": "99" });
  assert.equal(saved.status, 303, saved.text);
  const { body } = await tenant.get(`/api/v1${path}`);
  assert.deepEqual(body.data.metadata, { price_list: "Gold", credit: "99" });
  assert.match((await admin.get("/history")).text, /Credit/);
  const [{ id }] = (await tenant.get(FIELDS)).body.data;
  const opened = (await admin.get(`/workspace/fields/${id}`)).text;
  const seen = /name="version" value="([^"]+)"/.exec(opened)?.[1] ?? "";
  const change = { version: seen, label: "Price <list>", position: "7" };
  assert.equal((await admin.post(`/workspace/fields/${id}`, change)).status, 303);
  assert.equal((await admin.post(`/workspace/fields/${id}`, change)).status, 409, "changed meanwhile");
  assert.equal((await tenant.get(`${FIELDS}/${id}`)).body.data.position, 7);
  await admin.post(`/workspace/fields/${id}/archive`, {});
  assert.match((await admin.get("/workspace/fields")).text, /Archived fields[\s\S]*Price &lt;list&gt;[\s\S]*Companies/);
  assert.match((await admin.get(`/workspace/fields/${id}/delete`)).text, /1 record/);
  assert.doesNotMatch((await admin.get(path)).text, /Price &lt;list&gt;<\/dt>/);
});

test("a definition that is refused keeps what was typed of its options", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  const id = await defined(tenant, { label: "Route", kind: "choice", options: [{ value: "n" }, { value: "s" }] });
  const form = { label: "", "option-0": "North", "option-1": "South", "archived-1": "1", more_options: "East" };
  const refused = await admin.post(`/workspace/fields/${id}`, form);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /name="option-0" type="text" value="North"/);
  assert.match(refused.text, /name="option-1" type="text" value="South">\s*<label[^>]*><input[^>]* checked>/);
  assert.match(refused.text, />\nEast<\/textarea>/);
});

test("a form offers the options of few choices, and takes the typed ones of others", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  for (const label of ["One", "Two", "Three", "Four"]) {
    const options = Array.from({ length: 100 }, (_, at) => {
      return { value: `${label} ${at} `.padEnd(40, "v"), label: `${label} ${at} `.padEnd(60, "ț") };
    });
    await defined(tenant, { label, kind: "choice", options, help: "As agreed." });
  }
  const form = (await admin.get("/companies/new")).text;
  assert.match(form, /<select[^>]*name="custom\.two"/);
  assert.match(form, /<input[^>]*name="custom\.four"[\s\S]*As agreed\. Type one of its choices, such as Four 0 ț/);
  const label = "four 7 ".padEnd(60, "ț");
  const wrong = await admin.post("/companies", { name: "A", "custom.four": "Four" });
  assert.match(wrong.text, /id="custom\.four-error"/);
  const made = await admin.post("/companies", { name: "A", "custom.four": label });
  const path = String(made.headers.get("location"));
  const value = "Four 7 ".padEnd(40, "v");
  const stored = async () => (await tenant.get(`/api/v1${path}`)).body.data.metadata;
  assert.deepEqual(await stored(), { four: value });
  const whole = (await admin.get(`${path}/edit`)).text;
  const version = /name="version" value="([^"]+)"/.exec(whole)?.[1] ?? "";
  assert.match(whole, new RegExp(`<input[^>]*value="${value}"[^>]*name="custom\\.four"`));
  await admin.post(path, { name: "B", version, "custom.four": value, "custom.one": "" });
  assert.deepEqual(await stored(), { four: value });
  // Alone, it is chosen.
  assert.match((await admin.get(`${path}/edit?field=custom.four`)).text, /<select[^>]*name="custom\.four"/);
});

test("the forms and pages of contacts and invoices have their fields, and a copy has the values", async () => {
  const tenant = await server.createTenant();
  const admin = await signedIn(server, tenant, { role: "admin" });
  for (const noun of nouns) {
    await defined(tenant, { noun, label: "Route <b>", kind: "text", help: "North or south" });
    await defined(tenant, { noun, label: "Credit", kind: "number" });
  }
  const { company, contact, invoice } = await records(tenant, { route_b: "North" });
  const page = (path: string) => path.replace("/api/v1", "");
  for (const at of [contact, invoice]) {
    assert.match((await admin.get(page(at))).text, /<dt>Route &lt;b&gt;<\/dt>\s*<dd>North/);
    const edit = await admin.get(`${page(at)}/edit`);
    assert.match(edit.text, /name="custom\.route_b"[^>]*>\s*North[\s\S]*North or south/);
    const version = /name="version" value="([^"]+)"/.exec(edit.text)?.[1] ?? "";
    const to = at === invoice ? `${page(at)}/edit` : page(at);
    const form = { version, "custom.route_b": "South", "custom.credit": "1.250,5" };
    const own = at === invoice ? { number: "1", total: "10" } : { first_name: "Ana", last_name: "Pop" };
    const wrong = await admin.post(to, { ...own, ...form, "custom.credit": "much" });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /id="custom\.credit-error"/);
    const saved = await admin.post(to, { ...own, ...form, "custom.credit": "1250.5" });
    assert.equal(saved.status, 303, saved.text);
    assert.deepEqual((await tenant.get(at)).body.data.metadata, { route_b: "South", credit: "1250.5" });
    const late = await admin.post(to, { ...own, ...form, "custom.credit": "7" });
    assert.equal(late.status, 409, late.text);
  }
  assert.match((await admin.get("/history")).text, /Route &lt;b&gt;/);
  const copy = await admin.get(`${page(invoice)}/copy`);
  assert.match(copy.text, /name="custom\.route_b"[^>]*>\s*South/);
  const made = await admin.post("/invoices", { company: String(idIn(company)), number: "2", "custom.route_b": "East" });
  assert.equal(made.status, 303, made.text);
  const { body } = await tenant.get(`/api/v1${made.headers.get("location")}`);
  assert.deepEqual(body.data.metadata, { route_b: "East" });
  const person = { first_name: "B", last_name: "B", "custom.credit": "5" };
  const added = await admin.post(`${page(company)}/contacts`, person);
  assert.equal(added.status, 303, added.text);
  const exported = await admin.get(`${added.headers.get("location")}/export`);
  assert.match(exported.text, /"metadata":\{"credit":"5"\}/);
});
