import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { startServer, type Answer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { statementsSent } from "../../statements-sent.ts";

/** What is asked for at the same time may share a transaction; nobody must notice. */
const server = await startServer();
const PATH = "/api/v1/companies";
const AT_ONCE = 30;

test("units of one tenant at once share a transaction, those of another have their own", async () => {
  const { database } = server.deps;
  const tenants = [await server.createTenant(), await server.createTenant()];
  const statement = {
    name: "transaction",
    text: "select $1::text, current_setting('app.tenant_id'), now()::text",
  };
  const seen = tenants.map(({ id }) => ({ id, transactions: new Set<string>() }));
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const { id, transactions } = seen[index % 2] as (typeof seen)[number];
      const [[parameter, setting, began] = []] = await database.quick.read(id, statement);
      assert.deepEqual([parameter, setting], [id, id]);
      transactions.add(String(began));
    }),
  );
  const [first, second] = seen.map(({ transactions }) => transactions) as [Set<string>, Set<string>];
  assert.ok(first.size < AT_ONCE / 4 && second.size < AT_ONCE / 4, `${first.size} and ${second.size}`);
  assert.ok(first.isDisjointFrom(second));
});

test("each of many creates at once is answered with its own company", async () => {
  const tenant = await server.createTenant();
  const owner = await tenant.createUser("Ana");
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) =>
      tenant.post(PATH, {
        name: `Company ${index}`,
        tax_id: `T${index}`,
        phone: `+40 ${index}`,
        ...(index % 2 === 0 ? { assigned_to: owner } : {}),
      }),
    ),
  );
  for (const [index, { status, body }] of answers.entries()) {
    assert.equal(status, 201);
    const { name, tax_id, phone, assigned_user, id } = body.data;
    assert.deepEqual([name, tax_id, phone], [`Company ${index}`, `T${index}`, `+40 ${index}`]);
    assert.deepEqual(assigned_user, index % 2 === 0 ? { id: owner, name: "Ana" } : null);
    assert.equal((await tenant.get(`${PATH}/${id}`)).body.data.name, name);
  }
  assert.equal((await tenant.get(PATH)).body.total, AT_ONCE);
});

test("each of many updates at once is answered with its own row, twice the same one too", async () => {
  const tenant = await server.createTenant();
  const ids: number[] = [];
  for (let i = 0; i < 10; i++) {
    const company = (await tenant.post(PATH, { name: `Company ${i}` })).body.data.id;
    ids.push((await tenant.post(`${PATH}/${company}/addresses`, { address: `Street ${i}` })).body.data.id);
  }
  const missing = 1_000_000;
  const puts = [...ids, ...ids, missing].map(async (id, index) => ({
    id,
    index,
    answer: await tenant.put(
      `/api/v1/addresses/${id}`,
      index % 3 === 0 ? { label: `L${index}` } : { city: `C${index}` },
    ),
  }));
  for (const { id, index, answer } of await Promise.all(puts)) {
    if (id === missing) {
      assert.equal(answer.status, 404);
      continue;
    }
    assert.deepEqual([answer.status, answer.body.data.id], [200, id]);
    const { label, city } = answer.body.data;
    assert.equal(index % 3 === 0 ? label : city, `${index % 3 === 0 ? "L" : "C"}${index}`);
  }
});

test("updates that share a statement lock their rows in the order of the ids, for all callers", async () => {
  const { id: tenant } = await server.createTenant();
  const statement = {
    name: "order_of_records",
    text: "select r.id, row_number() over () from json_to_recordset($2) as r (id bigint) where $1::text is not null",
  };
  const ids = ["30", "9007199254740993", "4", "200", "29"];
  const places = await Promise.all(
    ids.map(async (id) => {
      const call = { statement, parameters: [], entries: [{ id }], answers: "by id" as const };
      const [rows] = await server.deps.database.write(tenant, [call]);
      assert.equal(rows?.[0]?.[0], id);
      return Number(rows[0][1]);
    }),
  );
  assert.deepEqual(places, [3, 5, 1, 4, 2]);
});

test("what the database refuses takes nothing from those it was sent with", async () => {
  const tenant = await server.createTenant();
  const taken = (await tenant.post(PATH, { name: "Holder", tax_id: "TAKEN" })).body.data;
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      if (index % 3 === 0) return await tenant.post(PATH, { name: `Late ${index}`, tax_id: "taken" });
      if (index % 3 === 1) return await tenant.post(PATH, { name: `New ${index}`, tax_id: `N${index}` });
      return await tenant.put(`${PATH}/${taken.id}`, { notes: `Note ${index}` });
    }),
  );
  const expected = [409, 201, 200];
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, index) => expected[index % 3]),
  );
  assert.equal((await tenant.get(PATH)).body.total, 1 + AT_ONCE / 3);
});

test("a write that waits for a lock keeps none waiting that came with it", async (t) => {
  const tenant = await server.createTenant();
  const ids: number[] = [];
  for (let i = 0; i < 10; i++) ids.push((await tenant.post(PATH, { name: `Company ${i}` })).body.data.id);
  const holder = new pg.Client(server.connection);
  await holder.connect();
  t.after(async () => await holder.end());
  await holder.query("begin");
  await holder.query("select from companies where tenant_id = $1 and id = $2 for update", [tenant.id, ids[0]]);
  const [waiting, ...others] = ids.map(async (id) => await tenant.put(`${PATH}/${id}`, { notes: "Called." }));
  // They are answered while the lock is still held.
  for (const { status } of await Promise.all(others)) assert.equal(status, 200);
  await server.untilWaiting(1);
  const alone = tenant.put(`${PATH}/${ids[0]}`, { notes: "Called." });
  await server.untilWaiting(2);
  const later = await tenant.put(`${PATH}/${ids[1]}`, { notes: "Called again." });
  assert.equal(later.status, 200);
  await holder.query("commit");
  for (const { status } of await Promise.all([waiting as Promise<Answer>, alone])) assert.equal(status, 200);
});

test("the next write of a row whose lock another waits for does not try the shared connections again", async (t) => {
  const tenant = await server.createTenant();
  const [id = "", other = ""] = await Promise.all(
    ["A", "B"].map(async (name) => String((await tenant.post(PATH, { name })).body.data.id)),
  );
  const holder = new pg.Client(server.connection);
  await holder.connect();
  t.after(async () => await holder.end());
  await holder.query("begin");
  await holder.query("select from companies where tenant_id = $1 for update", [tenant.id]);
  const write = async (id: string, name: string) => {
    const text = `select c.id from json_to_recordset($2) as r (id bigint) join companies c on c.tenant_id = $1 and c.id = r.id
      for update of c`;
    const call = { statement: { name, text }, parameters: [], entries: [{ id }], answers: "by id" as const };
    return (await server.deps.database.write(tenant.id, [call]))[0]?.[0]?.[0];
  };
  const [LOCK, BESIDE] = ["lock_of_records", "lock_of_others"];
  const first = write(id, LOCK);
  await poll("its failure on a shared connection", () => statementsSent(LOCK) === 1);
  await server.untilWaiting(1);
  const next = write(id, LOCK);
  await server.untilWaiting(2);
  // One of another row fails there: by then so would the one before it.
  const last = write(other, BESIDE);
  await poll("its failure on a shared connection", () => statementsSent(BESIDE) === 1);
  await holder.query("commit");
  assert.deepEqual(await Promise.all([first, next, last]), [id, id, other]);
  assert.deepEqual([statementsSent(LOCK), statementsSent(BESIDE)], [3, 2]);
});

test("reads at the same time see what was committed before they were asked for", async () => {
  const tenant = await server.createTenant();
  const { id } = (await tenant.post(PATH, { name: "Company" })).body.data;
  for (let round = 0; round < 20; round++) {
    const reading = Array.from({ length: 5 }, async () => await tenant.get(`${PATH}/${id}`));
    const notes = `Note ${round}`;
    assert.equal((await tenant.put(`${PATH}/${id}`, { notes })).status, 200);
    assert.equal((await tenant.get(`${PATH}/${id}`)).body.data.notes, notes);
    for (const { status } of await Promise.all(reading)) assert.equal(status, 200);
  }
});
