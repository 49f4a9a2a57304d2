import assert from "node:assert/strict";
import { test } from "node:test";
import { make } from "../../doors/api/resources.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { readOn } from "./follower.ts";

/**
 * The promise of docs/contract.md 18.4: each cursor goes on, or gets the error that it is too old, and never passes
 * something over.
 */
const server = await startServer({ LIAISON_RATE_LIMIT: "0" });
/** A column's moment minus a number of days, in a form that a cluster accepts. */
const daysBefore = (column: string, days: number) =>
  `${column} = (${column} at time zone 'UTC' - ${days} * interval '1 day') at time zone 'UTC'`;

test("a cursor is too old 30 days after a change behind it was read; a cursor behind the last change goes on", async () => {
  const tenant = await server.createTenant();
  const first = await writeAndRead(tenant, 3);
  const last = await writeAndRead(tenant, 1, first);
  await server.sql(`update feed set ${daysBefore("numbered_at", 31)} where tenant_id = $1`, [tenant.id]);
  assert.deepEqual((await readOn(tenant, last)).told, []);
  // Old ones are removed beside new ones, a thousand at a time.
  const items = Array.from({ length: 1_000 }, (_, index) => ({ name: `Company ${index}` }));
  await tenant.post("/api/v1/companies/batch", { items });
  assert.equal((await readOn(tenant, last, { limit: "1000" })).told.length, 1_000);
  await poll("the end of the old ones", async () => (await statusAt(tenant, first)) === 410);
  assert.equal(await statusAt(tenant, last), 200);
  assert.equal((await readOn(tenant, "", { limit: "1000" })).told.length, 1_001);
});

test("a quiet tenant's cursor holds, however long nothing happens", async () => {
  const tenant = await server.createTenant();
  const last = await writeAndRead(tenant, 2);
  await server.sql(`update feed set ${daysBefore("numbered_at", 90)} where tenant_id = $1`, [tenant.id]);
  assert.equal(await statusAt(tenant, last), 200);
  await make(tenant, ["Company"]);
  assert.equal((await readOn(tenant, last)).told.length, 1);
});

test("a feed that nobody has asked for longer than it is kept begins anew, and older cursors are too old", async () => {
  const tenant = await server.createTenant();
  const nothing = (await readOn(tenant)).next;
  const old = await writeAndRead(tenant, 2);
  await make(tenant, ["Company", "Contact"]);
  await age(tenant, 40);
  await make(tenant, ["Company"]);
  const { told, next } = await readOn(tenant);
  assert.equal(told.length, 1);
  assert.deepEqual([await statusAt(tenant, nothing), await statusAt(tenant, old)], [410, 410]);
  await make(tenant, ["Company"]);
  assert.equal((await readOn(tenant, next)).told.length, 1);
});

test("a feed that begins anew where nothing happened lately begins with the last change that there was", async () => {
  const tenant = await server.createTenant();
  const old = await writeAndRead(tenant, 1);
  await make(tenant, ["Company", "Contact"]);
  await age(tenant, 40);
  const { told, next } = await readOn(tenant);
  assert.deepEqual(
    told.map(({ type }) => type),
    ["contact"],
  );
  assert.equal(await statusAt(tenant, old), 410);
  await make(tenant, ["Company"]);
  assert.equal((await readOn(tenant, next)).told.length, 1);
});

test("the database came from another server: every cursor goes on, and nothing is passed over or told twice", async () => {
  const tenant = await server.createTenant();
  const cursor = await writeAndRead(tenant, 3);
  await make(tenant, ["Company", "Contact"]);
  const all = (await readOn(tenant)).told.length;
  await make(tenant, ["Address"]);
  const elsewhere = "update changes set xid = (id % 2 * 9000000000000 + id)::text::xid8 where tenant_id = $1";
  await server.sql(elsewhere, [tenant.id]);
  await server.sql("update feed_ticks set server = server - 1, seen = '5:5:' where tenant_id = $1", [tenant.id]);
  const { told, next } = await readOn(tenant, cursor);
  assert.deepEqual(
    told.slice(2).map(({ type }) => type),
    ["company", "address"],
  );
  assert.deepEqual((await readOn(tenant)).told.length, all + 2);
  await make(tenant, ["Company"]);
  assert.equal((await readOn(tenant, next)).told.length, 1);
  // Numbers of transactions that were given out there are given out here later on.
  const taken = "update changes set xid = pg_current_xact_id() where tenant_id = $1 and id % 2 = 0";
  await server.sql(taken, [tenant.id]);
  assert.equal((await readOn(tenant)).told.length, all + 3);
});

test("the database was restored to a moment in the past: earlier cursors go on, those of undone changes are too old", async () => {
  const tenant = await server.createTenant();
  const before = await writeAndRead(tenant, 2);
  for (const table of ["changes", "feed", "feed_ticks"]) {
    await server.sql(`create table kept_${table} as select * from ${table} where tenant_id = $1`, [tenant.id]);
  }
  const sequence = "pg_get_serial_sequence('changes', 'id')";
  const [{ last } = {}] = await server.sql(`select nextval(${sequence}) as last`);
  const undone = await writeAndRead(tenant, 2, before);
  for (const table of ["changes", "feed", "feed_ticks"]) {
    await server.sql(`delete from ${table} where tenant_id = $1`, [tenant.id]);
    await server.sql(`insert into ${table} select * from kept_${table}`);
  }
  await server.sql(`select setval(${sequence}, $1)`, [last]);
  await make(tenant, ["Company"]);
  await make(tenant, ["Company"]);
  await make(tenant, ["Company"]);
  assert.equal((await readOn(tenant, before)).told.length, 3);
  assert.equal(await statusAt(tenant, undone), 410);
});

test("more changes than are given places at once, of a first reader and behind a cursor, are read to their end", async () => {
  const tenant = await server.createTenant();
  const write = async () =>
    await server.sql(
      "insert into companies (tenant_id, name, country) select $1, 'C' || n, 'Romania' from generate_series(1, 12000) n",
      [tenant.id],
    );
  await write();
  const first = await readOn(tenant, "", { limit: "1000" });
  assert.equal(new Set(first.told.map(({ id }) => id)).size, 12_000);
  await write();
  const second = await readOn(tenant, first.next, { limit: "1000" });
  assert.equal(new Set(second.told.map(({ id }) => id)).size, 12_000);
  // More than a walk looks at, and none of them is looked for.
  const { told } = await readOn(tenant, "", { types: "contact" });
  assert.deepEqual(told, []);
});

/** Writes a number of changes, and reads to their end. Returns the cursor behind them. */
async function writeAndRead(tenant: TestTenant, count: number, after = ""): Promise<string> {
  for (let n = 0; n < count; n++) await make(tenant, ["Company"]);
  const { told, next } = await readOn(tenant, after);
  assert.equal(told.length, count);
  return next;
}

async function statusAt(tenant: TestTenant, after: string): Promise<number> {
  const answer = await tenant.get(`/api/v1/changes?${new URLSearchParams({ after }).toString()}`);
  if (answer.status === 410) assert.equal(answer.body.error, "This cursor is too old.");
  return answer.status;
}

/** Moves all changes of a tenant a number of days back. */
async function age(tenant: TestTenant, days: number): Promise<void> {
  await server.sql(`update changes set ${daysBefore("at", days)} where tenant_id = $1`, [tenant.id]);
  await server.sql(
    `update feed set ${daysBefore("at", days)}, ${daysBefore("numbered_at", days)} where tenant_id = $1`,
    [tenant.id],
  );
  await server.sql(`update feed_ticks set ${daysBefore("since", days)} where tenant_id = $1`, [tenant.id]);
}
