import assert from "node:assert/strict";
import { test } from "node:test";
import { createCompany, updateCompany } from "../../../src/customers/companies/write-company.ts";
import type { Actor } from "../../../src/kit/actor.ts";
import { createDemo } from "../../../src/operation/demo/create-demo.ts";
import { reencrypt } from "../../../src/operation/encryption/reencrypt.ts";
import { generateEncryptionKey } from "../../../src/platform/encryption/keyring.ts";
import { make } from "../../doors/api/resources.ts";
import { address, company, contact, invoice, type SpecifiedField } from "../../doors/api/specification.ts";
import { isCluster, startServer, type Answer, type TestTenant } from "../../harness.ts";
import { whileHeld } from "../../held.ts";
import { nounTables } from "../../nouns.ts";

/** What docs/contract.md 13 promises of the history, but for what every route has in common. */
const server = await startServer();
const encryptionKey = generateEncryptionKey([]);
server.deps.keyring.replaceEncryptionKeys([encryptionKey]);
const tenant = await server.createTenant();
const AT_ONCE = 30;

type Change = {
  id: number;
  at: string;
  type: string;
  resource_id: number;
  company_id: number;
  action: string;
  changed: Record<string, unknown>;
  by: { kind: string; id: number | null; name: string | null };
};

const nouns: {
  type: "company" | "contact" | "address" | "invoice";
  plural: string;
  fields: SpecifiedField[];
  secret: string[];
}[] = [
  { type: "company", plural: "companies", fields: company, secret: ["phone"] },
  { type: "contact", plural: "contacts", fields: contact, secret: ["phone", "mobile"] },
  { type: "address", plural: "addresses", fields: address, secret: ["phone"] },
  { type: "invoice", plural: "invoices", fields: invoice, secret: [] },
];

for (const { type, plural, fields, secret } of nouns) {
  test(`${type}: every field is in the history, as the API answers it, and of an encrypted one only that it changed`, async () => {
    const key = await tenant.createKey({ name: `ERP of ${plural}` });
    const send = { token: key.token };
    const parent = type === "company" ? null : (await make(tenant, ["Company"])).Company;
    // An invoice names addresses of its company, the other nouns name users.
    const address = async (): Promise<number> =>
      (await tenant.post(`/api/v1/companies/${parent}/addresses`, { address: "Strada Lunii 3" })).body.data.id;
    const named = type === "invoice" ? address : () => tenant.createUser();
    const users = [await named(), await named()] as const;
    const path = parent === null ? "/api/v1/companies" : `/api/v1/companies/${parent}/${plural}`;
    const created = (await tenant.post(path, valuesOf(fields, 0, users), send)).body.data;
    const at = `/api/v1/${plural}/${created.id}`;
    const updated = (await tenant.put(at, valuesOf(fields, 1, users), send)).body.data;

    const changes = await historyOf(tenant, at);
    assert.equal(changes.length, 2);
    const [update, creation] = changes as [Change, Change];
    const rest = { type, resource_id: created.id, company_id: parent ?? created.id };
    const by = { kind: "key", id: key.id, name: `ERP of ${plural}` };
    const expected = (before: Record<string, unknown> | null, after: Record<string, unknown>) =>
      Object.fromEntries(
        fields.map(({ name }) => [
          name,
          secret.includes(name) ? { changed: true } : { from: before?.[name] ?? null, to: after[name] },
        ]),
      );
    assert.deepEqual(
      { ...creation, id: 0 },
      { id: 0, at: created.created_at, ...rest, action: "created", changed: expected(null, created), by },
    );
    assert.deepEqual(
      { ...update, id: 0 },
      { id: 0, at: updated.updated_at, ...rest, action: "updated", changed: expected(created, updated), by },
    );
    assert.ok(update.id > creation.id);
    for (const name of secret) assert.notEqual(created[name], updated[name]);
  });

  test(`${type}: a creation has the fields with a value, an update those that change, a clearing leads to null`, async () => {
    const model = { company: "Company", contact: "Contact", address: "Address", invoice: "Invoice" }[type] as "Company";
    const at = `/api/v1/${plural}/${(await make(tenant, [model]))[model]}`;
    const data = (await tenant.get(at)).body.data;
    const [creation] = await historyOf(tenant, at);
    const filled = fields.filter(({ name }) => data[name] !== null).map(({ name }) => name);
    if (type === "invoice") filled.push("lines");
    assert.deepEqual(Object.keys(creation?.changed ?? {}).toSorted(), filled.toSorted());

    const field = { company: "delivery_notes", contact: "notes", address: "delivery_notes", invoice: "currency" }[type];
    await tenant.put(at, { [field]: 'R "3"\n\u0001' });
    await tenant.put(at, { [field]: null });
    const [cleared, set] = await historyOf(tenant, at);
    assert.deepEqual(set?.changed, { [field]: { from: null, to: 'R "3"\n\u0001' } });
    assert.deepEqual(cleared?.changed, { [field]: { from: 'R "3"\n\u0001', to: null } });
  });
}

test("the history says that an invoice's lines changed; it has its order, but not the steps of sending", async () => {
  const { Invoice } = await make(tenant, ["Invoice"]);
  const at = `/api/v1/invoices/${Invoice}`;
  const { lines } = (await tenant.get(at)).body.data;
  await tenant.put(at, { lines });
  await tenant.put(at, { lines: [...lines, ...lines], status: "paid" });
  await server.sql("update invoices set wms_state = 'sending', wms_attempt = 1, wms_error = 'x' where id = $1", [
    Invoice,
  ]);
  await server.sql("update invoices set wms_order_id = 7, wms_synced_at = now() where id = $1", [Invoice]);
  const changes = await historyOf(tenant, at);
  assert.deepEqual(
    changes.slice(0, -1).map(({ action, changed }) => [action, changed]),
    [
      ["updated", { wms_order_id: { from: null, to: 7 } }],
      ["updated", { lines: { changed: true }, status: { from: "issued", to: "paid" } }],
    ],
  );
  assert.deepEqual(changes.at(-1)?.changed.lines, { changed: true });
});

test("a write that changes nothing is not in the history: the same values again, encrypted ones too, no values, a refusal", async () => {
  const { body } = await tenant.post("/api/v1/companies", { name: "A", tax_id: "H1", phone: "1", employee_count: 5 });
  await tenant.post("/api/v1/companies", { name: "B", tax_id: "H2" });
  const at = `/api/v1/companies/${body.data.id}`;
  const { token } = await tenant.createKey();
  const answers = [
    await tenant.put(at, { name: " A ", phone: "1", employee_count: "5" }, { token }),
    await tenant.put(at, {}, { token }),
    await tenant.put(at, { tax_id: "h2" }, { token }),
    await tenant.put(at, { name: "" }, { token }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 409, 422],
  );
  assert.equal((await historyOf(tenant, at)).length, 1);
  // Who changed nothing did not write: the row still says who did.
  const [row] = await server.sql("select changed_by from companies where id = $1", [body.data.id]);
  const [{ by }] = (await historyOf(tenant, at)) as [Change];
  assert.equal(row?.changed_by, `key:${by.id}`);
});

test("a deletion is one change, of a company too: its contacts and addresses have none", async () => {
  const { Company, Contact, Address } = await make(tenant, ["Company", "Contact", "Address"]);
  const key = await tenant.createKey();
  const [before] = await server.sql("select max(id) as id from changes");
  await tenant.delete(`/api/v1/addresses/${Address}`, { token: key.token });
  await tenant.delete(`/api/v1/companies/${Company}`, { token: key.token });
  const rows = await server.sql(
    "select type, resource_id::int, company_id::int, action, changed, changed_by from changes where id > $1 and type not like 'hidden%' order by id",
    [before?.id],
  );
  const common = { company_id: Company, action: "deleted", changed: "{}", changed_by: `key:${key.id}` };
  assert.deepEqual(rows, [
    { type: "address", resource_id: Address, ...common },
    { type: "company", resource_id: Company, ...common },
  ]);
  assert.equal((await tenant.get(`/api/v1/contacts/${Contact}/history`)).status, 404);
});

test("thirty creates and thirty updates at once share transactions, and every one has a change with its own key", async () => {
  const keys = await Promise.all(Array.from({ length: AT_ONCE }, async () => await tenant.createKey()));
  const actorOf = (id = 0): Actor => ({
    tenant: tenant.id,
    country: "Romania",
    by: { kind: "key", id: String(id) },
  });
  // Behind the API's checks, because only there thirty requests are sure to meet in one turn of the event loop.
  const created = await Promise.all(
    keys.map(async ({ id }, index) => await createCompany(server.deps, actorOf(id), { name: `At once ${index}` })),
  );
  const ids = created.map((written) => (written.outcome === "written" ? String(written.row[0]) : ""));
  await Promise.all(
    ids.map(async (id, index) => {
      await updateCompany(server.deps, actorOf(keys.at(-1 - index)?.id), id, { city: `City ${index}` });
    }),
  );
  for (const [index, id] of ids.entries()) {
    const [update, creation] = await historyOf(tenant, `/api/v1/companies/${id}`);
    assert.equal(creation?.by.id, keys[index]?.id);
    assert.deepEqual(creation?.changed.name, { from: null, to: `At once ${index}` });
    assert.equal(update?.by.id, keys.at(-1 - index)?.id);
    assert.deepEqual(update?.changed, { city: { from: null, to: `City ${index}` } });
  }
  const shared = await server.sql(
    `select count(*)::int as changes, count(distinct xid)::int as transactions
     from changes where type = 'company' and resource_id = any($1) group by action`,
    [ids],
  );
  for (const { changes, transactions } of shared) {
    assert.equal(changes, AT_ONCE);
    // As many as a transaction is expected to have time for, which on a cluster may be one.
    assert.ok(Number(transactions) <= (isCluster ? AT_ONCE : AT_ONCE / 2), `${String(transactions)} transactions`);
  }
});

test("no text of an encrypted value gets into the history, clear or encrypted; encrypting it anew leaves no change", async () => {
  const { Company } = await make(tenant, ["Company"]);
  const at = `/api/v1/companies/${Company}`;
  await tenant.put(at, { phone: "+40 264 555 777" });
  const before = (await historyOf(tenant, at)).length;
  const [stored] = await server.sql("select phone from companies where id = $1", [Company]);
  const kept = await server.sql(
    "select 1 from changes where strpos(changed, $1) > 0 or strpos(changed, '264 555 777') > 0",
    [stored?.phone],
  );
  assert.deepEqual(kept, []);

  const { database, keyring } = server.deps;
  keyring.replaceEncryptionKeys([generateEncryptionKey([encryptionKey]), encryptionKey]);
  await reencrypt({ database, keyring, signal: new AbortController().signal, onProgress() {} });
  const [renewed] = await server.sql("select phone from companies where id = $1", [Company]);
  assert.notEqual(renewed?.phone, stored?.phone);
  assert.equal((await historyOf(tenant, at)).length, before);
});

test("a change that is written without a name is a command's, and never the last writer's; what users write has their name", async () => {
  const { Company } = await make(tenant, ["Company"]);
  const user = await tenant.createUser("Ana Ionescu");
  await server.sql(`update companies set metadata = '{"a": 1}', wms_subdomain = 'w', wms_api_key = 'x' where id = $1`, [
    Company,
  ]);
  await server.sql(
    "update companies set notes = 'Called.', updated_at = now(), changed_by = 'user:' || $2::int where id = $1",
    [Company, user],
  );
  const [called, byHand] = await historyOf(tenant, `/api/v1/companies/${Company}`);
  assert.deepEqual(called?.by, { kind: "user", id: user, name: "Ana Ionescu" });
  assert.deepEqual(byHand?.by, { kind: "command", id: null, name: null });
  assert.deepEqual(byHand?.changed, { "custom.a": { from: null, to: 1 }, wms_subdomain: { from: null, to: "w" } });
});

test("texts at their limit are in the history whole, page after page of them", async () => {
  const { Company } = await make(tenant, ["Company"]);
  const at = `/api/v1/companies/${Company}`;
  const texts = ["ă", "b", "😀", "d", "ș"].map((letter) => letter.repeat(65_535));
  for (const notes of texts) await tenant.put(at, { notes, delivery_notes: notes });
  const changes = await historyOf(tenant, at);
  const notes = changes.map(({ changed }) => changed.notes as { from: string | null; to: string });
  assert.deepEqual(
    notes.slice(0, texts.length).map(({ to }) => texts.indexOf(to)),
    [4, 3, 2, 1, 0],
  );
  assert.deepEqual(
    notes.slice(0, texts.length - 1).map(({ from }) => texts.indexOf(from ?? "")),
    [3, 2, 1, 0],
  );
});

test("the history is a page like any other, newest first", async () => {
  const { Company } = await make(tenant, ["Company"]);
  const at = `/api/v1/companies/${Company}`;
  for (let count = 1; count <= 4; count++) await tenant.put(at, { employee_count: count });
  const { body }: Answer = await tenant.get(`${at}/history?per_page=2&page=2`);
  assert.deepEqual([body.total, body.last_page, body.from, body.to], [5, 3, 3, 4]);
  assert.deepEqual(
    body.data.map(({ changed }: Change) => changed),
    [{ employee_count: { from: 1, to: 2 } }, { employee_count: { from: null, to: 1 } }],
  );
  assert.equal(body.next_page_url, `${server.url}${at}/history?per_page=2&page=3`);
});

test("the demo's rows are its people's, what they changed since too, and a warehouse's news is the worker's", async () => {
  const fresh = await startServer();
  assert.ok((await createDemo(fresh.deps)) !== null);
  const tables = [...nounTables, "planned_calls", "users", "api_keys"];
  const rows = tables.map((table) => `select id from ${table}`).join(" union all ");
  const [made] = await fresh.sql(`select count(*)::int as n from (${rows}) row`);
  const [created] = await fresh.sql(
    "select count(*)::int as n, array_agg(distinct changed_by) as by from changes where action = 'created'",
  );
  const users = (await fresh.sql("select 'user:' || id as by from users order by id")).map(({ by }) => by);
  assert.deepEqual(created, { n: made?.n, by: ["invitation", "operator", ...users] });
  const [updated] = await fresh.sql(
    "select array_agg(distinct changed_by) as by from changes where action = 'updated' and type <> 'connection'",
  );
  // Who has left changes nothing.
  const [left] = await fresh.sql("select 'user:' || id as by from users where deactivated_at is not null");
  assert.deepEqual(updated?.by, [...users.filter((by) => by !== left?.by), "worker"]);
});

async function historyOf(of: TestTenant, at: string): Promise<Change[]> {
  const { status, body, text } = await of.get(`${at}/history`);
  assert.equal(status, 200, text);
  return body.data;
}

/** A value for each field; for another variant, another value. */
function valuesOf(fields: SpecifiedField[], variant: 0 | 1, users: readonly [number, number]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field, variant, users)]));
}

function valueOf(
  { name, type, values = [] }: SpecifiedField,
  variant: 0 | 1,
  users: readonly [number, number],
): unknown {
  switch (type) {
    case "integer":
      return 41 + variant;
    case "user":
      return users[variant];
    case "boolean":
      return variant === 0;
    case "decimal":
      return variant === 0 ? "19.5" : "19.50";
    case "date":
      return `2026-03-0${variant + 1}`;
    case "enum":
      return values[variant];
    case "email":
      return `mail${variant}@example.com`;
    default:
      return `${name.slice(0, 4)} ${variant} ă"`.slice(0, 10);
  }
}

for (const [noun, table, field] of [
  ["Company", "companies", "notes"],
  ["Contact", "contacts", "notes"],
  ["Address", "addresses", "delivery_notes"],
] as const) {
  test(`${noun}: who waited for another's change stands behind it, whatever the clocks say`, async () => {
    for (const method of ["put", "delete"] as const) {
      const id = (await make(tenant, [noun]))[noun];
      const path = `/api/v1/${table}/${id}`;
      const others = `update ${table} set ${field} = 'another''s', changed_by = 'command',
        updated_at = now() + interval '1 minute' where tenant_id = ${tenant.id} and id = ${id}`;
      const answer = await whileHeld(server, others, async () =>
        method === "put" ? await tenant.put(path, { [field]: "mine" }) : await tenant.delete(path),
      );
      assert.ok(answer.status < 300, answer.text);
      const [last] = await server.sql(
        `select changed_by from changes where tenant_id = $1 and type = $2 and resource_id = $3 order by at desc, id desc`,
        [tenant.id, noun.toLowerCase(), id],
      );
      assert.match(String(last?.changed_by), /^key:/, `${method}: the later change is the later one in the history`);
      const [row] = await server.sql(
        `select updated_at > now() + interval '30 seconds' as later from ${table} where tenant_id = $1 and id = $2`,
        [tenant.id, id],
      );
      assert.equal(row?.later, true, `${method}: a version never moves back`);
    }
  });
}
