import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { buildApp } from "../../../src/doors/app.ts";
import { createKeyring, generateEncryptionKey } from "../../../src/platform/encryption/keyring.ts";
import { openDatabase } from "../../../src/platform/postgres/open-database.ts";
import { openRequestRole } from "../../../src/platform/postgres/request-role.ts";
import { TIMESTAMP } from "../../doors/api/specification.ts";
import { request, startServer, type Answer, type TestTenant } from "../../harness.ts";

const server = await startServer({ LIAISON_RATE_LIMIT: "0" });
const tenant = await server.createTenant();
const PATH = "/api/v1/companies";
const AT_ONCE = 40;

test("a taken tax_id is a 409 that describes the holder, compared trimmed and without case", async () => {
  const own = await server.createTenant();
  const holder = (await own.post(PATH, { name: "Holder", tax_id: "Ro-1ș" })).body.data;
  const conflict = {
    error: "Company with this tax_id already exists.",
    data: { id: holder.id, name: "Holder", tax_id: "Ro-1ș" },
  };
  for (const tax_id of ["Ro-1ș", "RO-1Ș", " ro-1ș\u00a0"]) {
    const posted = await own.post(PATH, { name: "B", tax_id });
    assert.deepEqual([posted.status, posted.body], [409, conflict], tax_id);
    assert.deepEqual(Object.keys(posted.body.data), ["id", "name", "tax_id"]);
  }
  assert.equal((await own.get(PATH)).body.total, 1);
  const other = (await own.post(PATH, { name: "C", tax_id: "2", city: "Cluj" })).body.data;
  const put = await own.put(`${PATH}/${other.id}`, { tax_id: "RO-1Ș", city: "Turda" });
  assert.deepEqual([put.status, put.body], [409, conflict]);
  assert.deepEqual((await own.get(`${PATH}/${other.id}`)).body.data.city, "Cluj");
  const invalid = await own.post(PATH, { name: "", tax_id: "Ro-1ș" });
  assert.equal(invalid.status, 422);
  const recased = await own.put(`${PATH}/${holder.id}`, { tax_id: "RO-1Ș" });
  assert.deepEqual([recased.status, recased.body.data.tax_id], [200, "RO-1Ș"]);
});

test("a deleted company's tax_id, and one given up, are free again", async () => {
  const own = await server.createTenant();
  const first = (await own.post(PATH, { name: "A", tax_id: "1" })).body.data;
  await own.delete(`${PATH}/${first.id}`);
  const second = await own.post(PATH, { name: "B", tax_id: "1" });
  assert.equal(second.status, 201);
  await own.put(`${PATH}/${second.body.data.id}`, { tax_id: null });
  assert.equal((await own.post(PATH, { name: "C", tax_id: "1" })).status, 201);
  for (const name of ["D", "E"]) assert.equal((await own.post(PATH, { name, tax_id: "" })).status, 201);
});

test("of simultaneous POSTs of one tax_id exactly one wins, on one server or two", async () => {
  const own = await server.createTenant();
  const urls = [server.url, await startAnother()];
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const body = { name: `Racer ${index}`, tax_id: index % 2 === 0 ? "ro7" : "RO7" };
      return await request(urls[index % 2] ?? "", "POST", PATH, body, { token: own.token });
    }),
  );
  const [winner, ...others] = answers.filter(({ status }) => status === 201);
  assert.equal(others.length, 0);
  const { id, name, tax_id } = winner?.body.data ?? {};
  for (const { status, body } of answers.filter((answer) => answer !== winner)) {
    assert.deepEqual([status, body.data], [409, { id, name, tax_id }]);
  }
  assert.equal((await own.get(PATH)).body.total, 1);
});

test("two PUTs with each other's tax_id both get the 409", async (t) => {
  const own = await server.createTenant();
  // The two may meet in a deadlock: so that it costs the test no second.
  const [database] = await server.sql("select current_database() as name");
  await server.sql(`alter database ${String(database?.name)} set deadlock_timeout = '20ms'`);
  const urls = [await startAnother(), await startAnother()];
  const ids: number[] = [];
  for (const tax_id of ["1", "2"]) ids.push((await own.post(PATH, { name: tax_id, tax_id })).body.data.id);
  const holder = new pg.Client(server.connection);
  await holder.connect();
  t.after(async () => await holder.end());
  for (let round = 0; round < 20; round++) {
    // Both wait for the rows, and are let go at the same moment.
    await holder.query("begin");
    await holder.query("select from companies where tenant_id = $1 and id = any($2) for update", [own.id, ids]);
    const puts = ids.map(async (id, index) => {
      const body = { tax_id: index === 0 ? "2" : "1" };
      return await request(urls[index] ?? "", "PUT", `${PATH}/${id}`, body, { token: own.token });
    });
    await server.untilWaiting(ids.length);
    await holder.query("commit");
    assert.deepEqual(statusesOf(await Promise.all(puts)), [409, 409]);
  }
});

test("of simultaneous DELETEs one answers 200, the others 404", async () => {
  const urls = [server.url, await startAnother()];
  for (const nested of ["", "contacts", "addresses"]) {
    const { id } = (await tenant.post(PATH, { name: "A" })).body.data;
    const body = { first_name: "A", last_name: "B", address: "C" };
    const path =
      nested === ""
        ? `${PATH}/${id}`
        : `/api/v1/${nested}/${(await tenant.post(`${PATH}/${id}/${nested}`, body)).body.data.id}`;
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) =>
        request(urls[index % 2] ?? "", "DELETE", path, undefined, { token: tenant.token }),
      ),
    );
    assert.deepEqual(statusesOf(answers), [200, ...Array.from({ length: AT_ONCE - 1 }, () => 404)]);
  }
});

test("a child inserted while its company is deleted is either refused or hidden with it", async () => {
  const urls = [server.url, await startAnother()];
  for (let round = 0; round < 5; round++) {
    const { id } = (await tenant.post(PATH, { name: "A" })).body.data;
    const child = { first_name: "A", last_name: "B", address: "C" };
    const inserts = Array.from({ length: 20 }, async (_, index) => {
      const path = `${PATH}/${id}/${index % 3 === 0 ? "addresses" : "contacts"}`;
      return await request(urls[index % 2] ?? "", "POST", path, child, { token: tenant.token });
    });
    const [deleted, ...inserted] = await Promise.all([tenant.delete(`${PATH}/${id}`), ...inserts]);
    assert.equal(deleted.status, 200);
    for (const { status, body } of inserted) {
      if (status === 404) continue;
      assert.equal(status, 201);
      const noun = "address" in body.data ? "addresses" : "contacts";
      assert.equal((await tenant.get(`/api/v1/${noun}/${body.data.id}`)).status, 404);
    }
  }
});

test("an invoice that is being written when its company is deleted blocks the deletion", async (t) => {
  const { id } = (await tenant.post(PATH, { name: "A" })).body.data;
  const writer = new pg.Client(server.connection);
  await writer.connect();
  t.after(async () => await writer.end());
  await writer.query("begin");
  await writer.query("insert into invoices (tenant_id, company_id, number) values ($1, $2, 'RACE')", [tenant.id, id]);
  const deletion = tenant.delete(`${PATH}/${id}`);
  await server.untilWaiting(1);
  await writer.query("commit");
  assert.equal((await deletion).status, 422);
});

const kinds = ["invoices", "offers", "deals", "tickets", "subscriptions"];

test("each kind of related record blocks the deletion; all of them are listed in order", async () => {
  const blocked = (details: string[]) => ({
    error: "Cannot delete company with related records.",
    details: `Blocked by: ${details.join(", ")}.`,
  });
  const all = (await tenant.post(PATH, { name: "All" })).body.data.id;
  for (const kind of kinds.toReversed()) {
    const { id } = (await tenant.post(PATH, { name: kind })).body.data;
    await insertRecord(tenant, kind, id);
    await insertRecord(tenant, kind, id);
    await insertRecord(tenant, kind, all);
    const refused = await tenant.delete(`${PATH}/${id}`);
    assert.deepEqual([refused.status, refused.body], [422, blocked([kind])]);
    assert.equal((await tenant.get(`${PATH}/${id}`)).body.data.deleted_at, null);
    await server.sql(`delete from ${kind} where tenant_id = $1 and company_id = $2`, [tenant.id, id]);
    assert.equal((await tenant.delete(`${PATH}/${id}`)).status, 200);
  }
  const refused = await tenant.delete(`${PATH}/${all}`);
  assert.deepEqual([refused.status, refused.body], [422, blocked(kinds)]);
});

test("contacts and addresses do not block; they are hidden with their company, which is kept", async () => {
  const { id } = (await tenant.post(PATH, { name: "A" })).body.data;
  const contact = (await tenant.post(`${PATH}/${id}/contacts`, { first_name: "A", last_name: "B" })).body.data;
  const address = (await tenant.post(`${PATH}/${id}/addresses`, { address: "A" })).body.data;
  const deleted = await tenant.delete(`${PATH}/${id}`);
  assert.deepEqual([deleted.status, deleted.body], [200, { message: "Company deleted." }]);
  for (const path of [`${PATH}/${id}/contacts`, `${PATH}/${id}/addresses`, `${PATH}/${id}/wms-orders`]) {
    const { status, body } = await tenant.get(path);
    assert.deepEqual([status, body], [404, { message: `No query results for model [Company] ${id}` }]);
  }
  for (const [model, path] of [
    ["Contact", `/api/v1/contacts/${contact.id}`],
    ["Address", `/api/v1/addresses/${address.id}`],
  ] as const) {
    const missing = { message: `No query results for model [${model}] ${path.split("/").at(-1)}` };
    for (const answer of [await tenant.get(path), await tenant.put(path, {}), await tenant.delete(path)]) {
      assert.deepEqual([answer.status, answer.body], [404, missing]);
    }
  }
  const [row] = await server.sql("select deleted_at from companies where id = $1", [id]);
  assert.ok(row?.deleted_at instanceof Date);
});

test("the counts leave out deleted resources, and are only on GET of one company", async () => {
  const { id } = (await tenant.post(PATH, { name: "A" })).body.data;
  const contacts: number[] = [];
  for (const first_name of ["A", "B", "C"]) {
    contacts.push((await tenant.post(`${PATH}/${id}/contacts`, { first_name, last_name: "X" })).body.data.id);
  }
  const address = (await tenant.post(`${PATH}/${id}/addresses`, { address: "A" })).body.data.id;
  const counts = async () => {
    const { contacts_count, addresses_count } = (await tenant.get(`${PATH}/${id}`)).body.data;
    return [contacts_count, addresses_count];
  };
  assert.deepEqual(await counts(), [3, 1]);
  await tenant.delete(`/api/v1/contacts/${contacts[0]}`);
  await tenant.delete(`/api/v1/addresses/${address}`);
  assert.deepEqual(await counts(), [2, 0]);
  for (const [noun, total] of [
    ["contacts", 2],
    ["addresses", 0],
  ] as const) {
    const { body } = await tenant.get(`${PATH}/${id}/${noun}`);
    assert.deepEqual([body.total, body.data.length], [total, total]);
  }
  const put = await tenant.put(`${PATH}/${id}`, { name: "B" });
  assert.ok(!("contacts_count" in put.body.data));
});

test("contacts and addresses: the exact answers of update and delete", async () => {
  const { id } = (await tenant.post(PATH, { name: "A" })).body.data;
  const contact = (await tenant.post(`${PATH}/${id}/contacts`, { first_name: "Ana", last_name: "Pop" })).body.data;
  assert.equal(contact.full_name, "Ana Pop");
  const put = await tenant.put(`/api/v1/contacts/${contact.id}`, { last_name: " Ionescu " });
  assert.deepEqual([put.status, put.body.data.full_name, "company" in put.body.data], [200, "Ana Ionescu", false]);
  const deleted = await tenant.delete(`/api/v1/contacts/${contact.id}`);
  assert.deepEqual([deleted.status, deleted.body], [200, { message: "Contact deleted." }]);
  const address = (await tenant.post(`${PATH}/${id}/addresses`, { address: "A" })).body.data;
  const gone = await tenant.delete(`/api/v1/addresses/${address.id}`);
  assert.deepEqual([gone.status, gone.body], [200, { message: "Address deleted." }]);
});

test("several contacts may be primary, and several addresses default", async () => {
  const { id } = (await tenant.post(PATH, { name: "A" })).body.data;
  for (const [path, field] of [
    ["contacts", "is_primary"],
    ["addresses", "is_default"],
  ] as const) {
    const body = { first_name: "A", last_name: "B", address: "C", [field]: true };
    for (let i = 0; i < 2; i++) await tenant.post(`${PATH}/${id}/${path}`, body);
    const { data } = (await tenant.get(`${PATH}/${id}/${path}`)).body;
    assert.deepEqual(
      data.map((item: Record<string, boolean>) => item[field]),
      [true, true],
    );
  }
});

test("an update that changes no stored value leaves updated_at alone; any other moves it", async () => {
  const user = await tenant.createUser();
  const sent = {
    name: "A",
    phone: "+40 1",
    email: "a@b.ro",
    employee_count: 5,
    status: "active",
    assigned_to: user,
    callback_date: "2026-01-01",
  };
  const before = (await tenant.post(PATH, sent)).body.data;
  assert.equal(before.updated_at, before.created_at);
  const path = `${PATH}/${before.id}`;
  const same = { ...sent, name: "  A ", employee_count: "+5", callback_date: "2026-01-01T10:00:00Z", city: null };
  for (const body of [{}, same, { phone: " +40 1 " }, { unknown: 1 }, { notes: "" }]) {
    assert.deepEqual((await tenant.put(path, body)).body.data, before, JSON.stringify(body));
  }
  let last = before.updated_at;
  for (const body of [{ phone: "+40 2" }, { phone: null }, { city: "Cluj" }, { assigned_to: null }, { name: "a" }]) {
    const { data } = (await tenant.put(path, body)).body;
    assert.ok(data.updated_at > last, JSON.stringify(body));
    assert.equal(data.created_at, before.created_at);
    last = data.updated_at;
  }

  const contact = { first_name: "A", last_name: "B", phone: "1", mobile: "2", is_primary: true };
  const created = (await tenant.post(`${path}/contacts`, contact)).body.data;
  const unchanged = await tenant.put(`/api/v1/contacts/${created.id}`, { ...contact, is_primary: "1" });
  assert.deepEqual(unchanged.body.data, created);
  const swapped = (await tenant.put(`/api/v1/contacts/${created.id}`, { phone: "2", mobile: "1" })).body.data;
  assert.deepEqual([swapped.phone, swapped.mobile, swapped.updated_at > created.updated_at], ["2", "1", true]);
});

test("timestamps have microseconds and a Z, and are the database's", async () => {
  const { id } = (await tenant.post(PATH, { name: "A" })).body.data;
  for (const [stored, shown] of [
    ["2026-11-20 09:15:00.123456+00", "2026-11-20T09:15:00.123456Z"],
    ["2026-11-20 09:15:00+02", "2026-11-20T07:15:00.000000Z"],
    ["2026-11-20 09:15:00.1+00", "2026-11-20T09:15:00.100000Z"],
    ["1999-12-31 23:59:59.999999+00", "1999-12-31T23:59:59.999999Z"],
  ] as const) {
    await server.sql("update companies set created_at = $2, updated_at = $2 where id = $1", [id, stored]);
    const { data } = (await tenant.get(`${PATH}/${id}`)).body;
    assert.deepEqual([data.created_at, data.updated_at], [shown, shown]);
    assert.match(shown, TIMESTAMP);
  }
});

test("metadata, wms_subdomain and last_contacted_at show what something other than the API has set", async () => {
  const { id } = (await tenant.post(PATH, { name: "A" })).body.data;
  const contact = (await tenant.post(`${PATH}/${id}/contacts`, { first_name: "A", last_name: "B" })).body.data;
  const metadata = { a: [1, null, 'ș"\n'], b: { c: 1.5 } };
  await server.sql("update companies set metadata = $2, wms_subdomain = 'w', wms_api_key = 'k' where id = $1", [
    id,
    JSON.stringify(metadata),
  ]);
  await server.sql("update contacts set metadata = $2, last_contacted_at = '2026-01-01T00:00:00Z' where id = $1", [
    contact.id,
    JSON.stringify(metadata),
  ]);
  const put = await tenant.put(`${PATH}/${id}`, { metadata: null, wms_subdomain: "x", wms_api_key: null });
  for (const answer of [await tenant.get(`${PATH}/${id}`), put]) {
    assert.deepEqual([answer.body.data.metadata, answer.body.data.wms_subdomain], [metadata, "w"]);
    assert.ok(!answer.text.includes("wms_api_key"));
  }
  assert.deepEqual(await server.sql("select wms_api_key from companies where id = $1", [id]), [{ wms_api_key: "k" }]);
  const { data } = (await tenant.get(`/api/v1/contacts/${contact.id}`)).body;
  assert.deepEqual([data.metadata, data.last_contacted_at], [metadata, "2026-01-01T00:00:00.000000Z"]);
});

test("a country left out becomes the tenant's own, initially Romania", async () => {
  const hungarian = await server.createTenant({ country: "Magyarország" });
  for (const [owner, country] of [
    [tenant, "Romania"],
    [hungarian, "Magyarország"],
  ] as const) {
    for (const sent of [{}, { country: null }, { country: "  " }]) {
      const { data } = (await owner.post(PATH, { name: "A", ...sent })).body;
      assert.equal(data.country, country);
      const address = await owner.post(`${PATH}/${data.id}/addresses`, { address: "A", ...sent });
      assert.equal(address.body.data.country, country);
    }
  }
});

test("phones are encrypted at rest, differently each time, bound to tenant, table and column", async () => {
  const [a, b] = [await server.createTenant(), await server.createTenant()];
  const clear = "+40 722 123 456";
  const ids: number[] = [];
  for (const owner of [a, a, b]) ids.push((await owner.post(PATH, { name: "A", phone: clear })).body.data.id);
  const contact = { first_name: "A", last_name: "B", phone: clear, mobile: clear };
  const contactId = (await a.post(`${PATH}/${ids[0]}/contacts`, contact)).body.data.id;
  const addressId = (await a.post(`${PATH}/${ids[0]}/addresses`, { address: "A", phone: clear })).body.data.id;
  const stored = [
    ...(await server.sql("select phone from companies where id = any($1) order by id", [ids])),
    ...(await server.sql("select phone from contacts where id = $1", [contactId])),
    ...(await server.sql("select mobile as phone from contacts where id = $1", [contactId])),
    ...(await server.sql("select phone from addresses where id = $1", [addressId])),
  ];
  const ciphertexts = stored.map(({ phone }) => String(phone));
  assert.equal(new Set(ciphertexts).size, 6);
  for (const text of ciphertexts) {
    const bytes = Buffer.from(text.slice(text.indexOf(":") + 1), "base64");
    assert.ok(!text.includes("722") && !bytes.includes("722"));
  }
  const move = async (sql: string, path: string, of: TestTenant) => {
    await server.sql(sql);
    const answer = await of.get(path);
    assert.deepEqual([answer.status, answer.body.data.phone], [200, null], sql);
  };
  await move(`update companies set phone = '${ciphertexts[0]}' where id = ${ids[2]}`, `${PATH}/${ids[2]}`, b);
  await move(`update contacts set phone = mobile where id = ${contactId}`, `/api/v1/contacts/${contactId}`, a);
  const moved = `update addresses set phone = '${ciphertexts[0]}' where id = ${addressId}`;
  await move(moved, `/api/v1/addresses/${addressId}`, a);
  const damaged = `update companies set phone = regexp_replace(phone, '.{5}=', 'AAAA=') where id = ${ids[1]}`;
  await move(damaged, `${PATH}/${ids[1]}`, a);
});

test("a value of unknown keys is an error, never another value", () => {
  const [ours, theirs] = [createKeyring([generateEncryptionKey([])]), createKeyring([generateEncryptionKey([])])];
  const stored = ours.encrypt(tenant.id, "companies.phone", "1");
  assert.throws(() => theirs.decrypt(tenant.id, "companies.phone", stored), /does not decrypt/);
});

/** Waits until this number of connections wait for a lock. */
async function insertRecord(of: TestTenant, kind: string, companyId: number): Promise<void> {
  const column = kind === "invoices" ? "number" : "title";
  await server.sql(`insert into ${kind} (tenant_id, company_id, ${column}) values ($1, $2, gen_random_uuid()::text)`, [
    of.id,
    companyId,
  ]);
}

function statusesOf(answers: Answer[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

/** A second server on the same database, with connections of its own. */
async function startAnother(): Promise<string> {
  const database = openDatabase({
    connection: server.connection,
    requests: await openRequestRole(server.connection),
    logger: server.deps.logger,
  });
  const another = buildApp({ ...server.deps, database }).server;
  after(async () => {
    await another.close();
    await database.close();
  });
  return await another.listen({ host: "127.0.0.1", port: 0 });
}

test("a value that does not decrypt is null, harms nothing beside it, and can be overwritten", async () => {
  const { body: company } = await tenant.post(PATH, { name: "Damaged", phone: "1" });
  const path = `${PATH}/${company.data.id}`;
  const person = { first_name: "Ana", last_name: "Pop", phone: "2", mobile: "3" };
  const { body: contact } = await tenant.post(`${path}/contacts`, person);
  await server.sql("update companies set phone = 'k1:AAAA' where id = $1", [company.data.id]);
  await server.sql("update contacts set phone = 'gone:AAAA' where id = $1", [contact.data.id]);

  assert.equal((await tenant.get(path)).body.data.phone, null);
  const listed = await tenant.get(`${PATH}?search=Damaged`);
  assert.deepEqual([listed.status, listed.body.data[0].phone], [200, null]);
  const shown = await tenant.get(`/api/v1/contacts/${contact.data.id}`);
  assert.deepEqual([shown.body.data.phone, shown.body.data.mobile], [null, "3"]);
  const other = await tenant.put(path, { city: "Turda" });
  assert.deepEqual([other.status, other.body.data.city, other.body.data.phone], [200, "Turda", null]);
  const repaired = await tenant.put(path, { phone: "1" });
  assert.deepEqual([repaired.status, repaired.body.data.phone], [200, "1"]);
  assert.equal((await tenant.get(path)).body.data.phone, "1");
});

test("a tax id is the same however its accents are composed", async () => {
  const own = await server.createTenant();
  const holder = (await own.post(PATH, { name: "Holder", tax_id: "RO-\u0219" })).body.data;
  const taken = await own.post(PATH, { name: "B", tax_id: "ro-s\u0326" });
  assert.deepEqual([taken.status, taken.body.data.id], [409, holder.id]);
});

test("search knows one sigma, and a text that folds to nothing matches nothing", async () => {
  const own = await server.createTenant();
  const { id } = (await own.post(PATH, { name: "ΟΔΟΣ Ελλάς" })).body.data;
  await own.post(`${PATH}/${id}/contacts`, { first_name: "Νίκος", last_name: "Α" });
  for (const search of ["οδος", "ΟΔΟΣ", "οδοσ", "ελλας", "ΕΛΛΑΣ"]) {
    assert.equal((await own.get(`${PATH}?search=${search}`)).body.total, 1, search);
  }
  assert.equal((await own.get(`${PATH}/${id}/contacts?search=ΝΙΚΟΣ`)).body.total, 1);
  for (const path of [PATH, `${PATH}/${id}/contacts`]) {
    const { body } = await own.get(`${path}?search=%CC%81`);
    assert.deepEqual([body.total, body.data], [0, []], path);
  }
});
