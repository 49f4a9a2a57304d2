import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { requestSettings } from "../../../src/platform/postgres/request-settings.ts";
import { make } from "../../doors/api/resources.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { untilLetGo } from "../../held.ts";
import { poll } from "../../program.ts";
import { statementsSent } from "../../statements-sent.ts";
import { page, readOn, type Told } from "./follower.ts";

/** The promise of docs/contract.md 18.2: nothing appears behind a cursor that was given out, whatever commits late. */
const server = await startServer({ LIAISON_RATE_LIMIT: "0" });

test("a change that commits late comes behind what was read, and delays nobody else's", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const before = await readOn(tenant);
  const late = `update companies set name = 'Late' where tenant_id = ${tenant.id} and id = ${Company}`;
  await untilLetGo(server, late, async (letGo) => {
    const made = await make(tenant, ["Contact"], { Company: (await make(tenant, ["Company"])).Company ?? 0 });
    const meanwhile = await readOn(tenant, before.next);
    assert.deepEqual(meanwhile.told.map(shortly), ["company created", "contact created"]);
    await letGo();
    await tenant.put(`/api/v1/contacts/${made.Contact}`, { first_name: "B" });
    const afterwards = await readOn(tenant, meanwhile.next);
    assert.deepEqual(afterwards.told.map(shortly), ["company updated", "contact updated"]);
    assert.deepEqual((await readOn(tenant)).told, [...before.told, ...meanwhile.told, ...afterwards.told]);
  });
});

test("a change that is rolled back is never told", async () => {
  const tenant = await server.createTenant();
  const other = new pg.Client(server.connection);
  await other.connect();
  await other.query("begin");
  await other.query("insert into companies (tenant_id, name, country) values ($1, 'Never', 'Romania')", [tenant.id]);
  await make(tenant, ["Company"]);
  const { told, next } = await readOn(tenant);
  await other.query("rollback");
  await other.end();
  await make(tenant, ["Company"]);
  assert.deepEqual([told.length, (await readOn(tenant, next)).told.length], [1, 1]);
});

test("a long transaction that reads delays nothing", async () => {
  const tenant = await server.createTenant();
  const { next } = await readOn(tenant);
  const reader = new pg.Client(server.connection);
  await reader.connect();
  await reader.query("begin isolation level repeatable read");
  await reader.query("select count(*) from companies");
  await make(tenant, ["Company"]);
  assert.equal((await readOn(tenant, next)).told.length, 1);
  await reader.query("commit");
  await reader.end();
});

test("changes of one resource stand as they happened, also where an earlier transaction is the later one at it", async () => {
  const tenant = await server.createTenant();
  const [one, two] = [(await make(tenant, ["Company"])).Company, (await make(tenant, ["Company"])).Company];
  const { next } = await readOn(tenant);
  const rename = (id: number | undefined, name: string) =>
    `update companies set name = '${name}', updated_at = moment_after(updated_at) where tenant_id = ${tenant.id} and id = ${id}`;
  // Its transaction has a number before the next one's, and writes behind it.
  await untilLetGo(server, rename(two, "Begins"), async (letGo) => {
    await tenant.put(`/api/v1/companies/${one}`, { name: "First" });
    await letGo();
  });
  const early = new pg.Client(server.connection);
  await early.connect();
  await early.query(`begin; ${rename(two, "Begins again")}`);
  await tenant.put(`/api/v1/companies/${one}`, { name: "Second" });
  await early.query(rename(one, "Third"));
  await early.query("commit");
  await early.end();
  await tenant.put(`/api/v1/companies/${one}`, { name: "Fourth" });
  const { told } = await readOn(tenant, next);
  assert.deepEqual(
    told.filter(({ resource_id }) => resource_id === one).map(({ changed }) => changed.name?.to),
    ["First", "Second", "Third", "Fourth"],
  );
});

test("a change that commits late while a backlog is numbered part by part stands before what it was followed by", async () => {
  const tenant = await server.createTenant();
  const { Company } = await make(tenant, ["Company"]);
  const { next } = await readOn(tenant);
  const late = `update companies set name = 'Late', updated_at = moment_after(updated_at)
    where tenant_id = ${tenant.id} and id = ${Company}`;
  await untilLetGo(server, late, async (letGo) => {
    await addCompanies(tenant, 12_000);
    const first = await page(tenant, { after: next, limit: "1000" });
    await letGo();
    await tenant.put(`/api/v1/companies/${Company}`, { name: "Later" });
    const rest = await readOn(tenant, first.next, { limit: "1000" });
    const told = [...first.data, ...rest.told];
    assert.deepEqual([told.length, new Set(told.map(({ id }) => id)).size], [12_002, 12_002]);
    assert.deepEqual(
      told.filter(({ resource_id }) => resource_id === Company).map(({ changed }) => changed.name?.to),
      ["Late", "Later"],
    );
  });
});

test("of a backlog each tick reads as many changes as it numbers, however many wait, of a first reader and of a later one", async (t) => {
  const tenant = await server.createTenant();
  const client = new pg.Client(server.connection);
  await client.connect();
  t.after(async () => await client.end());
  for (const [name, value] of Object.entries(requestSettings)) await client.query(`set ${name} = '${value}'`);
  const rowsRead = async () => {
    const { rows } = await client.query(
      "select sum(pg_stat_get_xact_tuples_returned(oid))::int as read from pg_class where relname ~ '^(changes|feed)'",
    );
    return rows[0].read as number;
  };
  for (const reader of ["first", "later"]) {
    await addCompanies(tenant, 4_000);
    // A tick looks again at what is newer than the oldest transaction that is open anywhere in the cluster, of other
    // tests too.
    await poll("the end of what began before", async () => {
      const ended = "bool_and(xid < pg_snapshot_xmin(pg_current_snapshot())) as ended";
      return (await client.query(`select ${ended} from changes where tenant_id = $1`, [tenant.id])).rows[0].ended;
    });
    for (let tick = 0; tick < 40; tick++) {
      await client.query("begin");
      const before = await rowsRead();
      await client.query("insert into feed_ticks (tenant_id, most) values ($1, 100)", [tenant.id]);
      const read = (await rowsRead()) - before;
      await client.query("commit");
      // What waits is looked through once.
      if (tick > 0) assert.ok(read < 1_000, `${read} rows in the ${reader} reader's tick ${tick}`);
    }
    assert.equal((await readOn(tenant, "", { limit: "1000" })).told.length, reader === "first" ? 4_000 : 8_000);
  }
});

test("sixteen writers, whose transactions pause, and followers at any pace: each reads all, once, in one order", async () => {
  const tenant = await server.createTenant();
  const shared = await Promise.all(
    Array.from({ length: 4 }, async () => (await make(tenant, ["Company"])).Company ?? 0),
  );
  let isOver = false;
  const follow = async (limit: string, wait: string) => {
    const heard: Told[] = [];
    for (let next = "", isLast = false; !isLast;) {
      isLast = isOver;
      const read = await readOn(tenant, next, { limit, wait });
      heard.push(...read.told);
      next = read.next;
    }
    return heard;
  };
  const followers = Promise.all([follow("1000", "0"), follow("3", "1"), follow("1", "0")]);
  await Promise.all(Array.from({ length: 16 }, async (_, writer) => await write(tenant, writer, shared)));
  isOver = true;
  const heard = await followers;

  const rows = await server.sql(
    "select id::float8 from changes where tenant_id = $1 and type in ('company', 'contact', 'address', 'invoice') order by id",
    [tenant.id],
  );
  const expected = rows.map(({ id }) => id);
  assert.ok(expected.length > 300, `${expected.length} changes`);
  for (const changes of heard) {
    assert.deepEqual(changes, heard[0]);
    assert.deepEqual(
      changes.map(({ id }) => id).toSorted((a, b) => a - b),
      expected,
    );
    for (const [, own] of Map.groupBy(changes, ({ type, resource_id }) => `${type}/${resource_id}`)) {
      assert.deepEqual(
        own.map(({ at }) => at),
        own.map(({ at }) => at).toSorted(),
      );
      const names = own.flatMap(({ changed }) => (changed.name === undefined ? [] : [changed.name]));
      // Each begins with what the one before led to.
      assert.deepEqual(
        names.slice(1).map(({ from }) => from),
        names.slice(0, -1).map(({ to }) => to),
      );
    }
  }
});

/**
 * Single writes, those that share a statement, batches, and transactions that pause between two rows, and are taken
 * back now and then.
 */
async function write(tenant: TestTenant, writer: number, shared: readonly number[]): Promise<void> {
  const client = new pg.Client(server.connection);
  if (writer % 4 === 0) await client.connect();
  for (let round = 0; round < 12; round++) {
    const name = `${writer}.${round}`;
    const id = shared[(writer + round) % shared.length];
    if (writer % 4 === 1) {
      await Promise.all([1, 2, 3].map(async (n) => await tenant.post("/api/v1/companies", { name: `${name}.${n}` })));
    } else if (writer % 4 === 2) {
      const items = [{ name }, { id, name }, { name: `${name} too` }];
      await tenant.post("/api/v1/companies/batch", { items });
    } else if (writer % 4 === 3) {
      await tenant.put(`/api/v1/companies/${id}`, { name }, { headers: { "idempotency-key": name } });
    } else {
      const update =
        "update companies set name = $3, updated_at = moment_after(updated_at) where tenant_id = $1 and id = $2";
      await client.query("begin");
      await client.query("insert into companies (tenant_id, name, country) values ($1, $2, 'Romania')", [
        tenant.id,
        name,
      ]);
      await client.query("select pg_sleep($1)", [(writer + round) / 400]);
      await client.query(update, [tenant.id, id, name]);
      await client.query(round % 5 === 4 ? "rollback" : "commit");
    }
  }
  if (writer % 4 === 0) await client.end();
}

async function addCompanies(tenant: TestTenant, count: number): Promise<void> {
  const add =
    "insert into companies (tenant_id, name, country) select $1, 'C' || n, 'Romania' from generate_series(1, $2::int) n";
  await server.sql(add, [tenant.id, count]);
}

function shortly({ type, action }: Told): string {
  return `${type} ${action}`;
}

test("a reader waits while another process numbers the changes, and then has what was committed before it asked", async () => {
  const tenant = await server.createTenant();
  const { next } = await readOn(tenant);
  const tries = () => statementsSent("lock_feed");
  await untilLetGo(server, `select pg_advisory_xact_lock(7261964, hashint8(${tenant.id}))`, async (letGo) => {
    await make(tenant, ["Company"]);
    const before = tries();
    const reading = readOn(tenant, next);
    await poll("its second try", () => tries() >= before + 2);
    await letGo();
    assert.deepEqual((await reading).told.map(shortly), ["company created"]);
  });
});
