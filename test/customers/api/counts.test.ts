import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { totals } from "../../../src/customers/companies/company-count-queries.ts";
import type { Connection } from "../../../src/platform/postgres/database.ts";
import { startServer, type TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";

/**
 * Totals are counted as companies come and go (docs/decisions/0020-appended-counts.md); here, that they are exact all
 * the same.
 */
const server = await startServer();
const PATH = "/api/v1/companies";
const STATUSES = ["active", "inactive", "prospect", "churned"];
/** Fewer changes are not folded, since there are few blocks. */
const WORTH_FOLDING = 80;

test("a list's total is that of the rows it is answered with, whatever is written and folded meanwhile", async () => {
  const tenant = await server.createTenant();
  const dump = await openSnapshot();
  const random = randomFrom(7);
  const written = new AbortController();
  const write = async () => {
    const ids: number[] = [];
    for (let i = 0; i < 150; i++) {
      const status = STATUSES[random(4)];
      const [id] = ids.splice(random(ids.length + 1), 1);
      if (id === undefined || ids.length < 10) {
        const made = await tenant.post(PATH, { name: "A", status });
        ids.push(made.body.data.id, ...(id === undefined ? [] : [id]));
      } else if (random(2) === 0) {
        assert.equal((await tenant.delete(`${PATH}/${id}`)).status, 200);
      } else {
        assert.equal((await tenant.put(`${PATH}/${id}`, { status })).status, 200);
        ids.push(id);
      }
    }
  };
  const fold = async () => {
    while (!written.signal.aborted) await foldOnce(tenant);
  };
  const read = async () => {
    while (!written.signal.aborted) {
      const { body } = await tenant.get(`${PATH}?per_page=200${["", "&status=active"][random(2)]}`);
      assert.equal(body.total, body.data.length);
    }
  };
  const folding = [fold(), fold(), read(), read()];
  await Promise.all([write(), write(), write()]).finally(() => written.abort());
  await Promise.all(folding);
  assert.ok((await generationOf(tenant)) > 3);
  await assertExact(tenant);
  // A snapshot from before the first of them still adds up to what it sees.
  assert.deepEqual((await dump.query(countsOf(tenant))).rows, []);
});

test("a write that takes long is counted when it commits, however often the counts were folded meanwhile", async () => {
  const tenant = await server.createTenant();
  await writeAndFold(tenant, 3);
  const [early, late, folding] = [await connect(), await connect(), await connect()];
  const begin = async (client: pg.Client, statement: string) => {
    await client.query("begin");
    assert.equal((await client.query(statement, [tenant.id])).rowCount, 1);
  };
  const insert = "insert into companies (tenant_id, name, country) values ($1, 'Slow', 'Romania')";
  await begin(early, insert);
  await writeMany(tenant, WORTH_FOLDING);
  await begin(folding, FOLD);
  // After a fold's transaction has begun, before anybody sees what it did.
  await begin(late, insert);
  await folding.query("commit");
  for (const slow of [early, late]) {
    await writeAndFold(tenant, 4);
    const before = (await tenant.get(PATH)).body.total;
    await slow.query("commit");
    assert.equal((await tenant.get(PATH)).body.total, before + 1);
    await assertExact(tenant);
  }
  await writeAndFold(tenant, 3);
  await assertExact(tenant);
});

test("of two folds of the counts at once one does it all; of one that is cut off, nothing stays", async () => {
  const tenant = await server.createTenant();
  await writeMany(tenant, 2 * WORTH_FOLDING);
  const first = await connect();
  await first.query("begin");
  assert.equal((await first.query(FOLD, [tenant.id])).rowCount, 1);
  assert.equal(await foldOnce(tenant), 0);
  await assertExact(tenant);
  const { rows } = await first.query("select pg_backend_pid() as pid");
  await server.sql("select pg_terminate_backend($1, 5000)", [rows[0]?.pid]);
  assert.equal(await generationOf(tenant), 0);
  await assertExact(tenant);
  assert.equal(await foldOnce(tenant), 1);
  assert.equal(await generationOf(tenant), 1);
  await assertExact(tenant);
});

test("a list reads no more after thousands of writes under an old snapshot", async () => {
  const tenant = await server.createTenant();
  await openSnapshot();
  await writeAndFold(tenant, 20);
  await afterMoreFolds(tenant, async () => (await blocksRead(tenant)) < 20);
});

test("a tenant whose counts were folded by another server of PostgreSQL is counted on", async () => {
  const tenant = await server.createTenant();
  for (const foreign of ["3", "9223372036854775806"]) {
    await writeAndFold(tenant, 2);
    await server.sql("update company_count_sums set closing_xid = $2::xid8 where tenant_id = $1", [tenant.id, foreign]);
    const moved = await generationOf(tenant);
    await writeAndFold(tenant, 1);
    await assertExact(tenant);
    await afterMoreFolds(tenant, async () => {
      const [sums] = await server.sql("select oldest from company_count_sums where tenant_id = $1", [tenant.id]);
      return Number(sums?.oldest) > moved;
    });
    await assertExact(tenant);
  }
});

test("the program folds what its writes append", async () => {
  const tenant = await server.createTenant();
  const create = async () => await tenant.post(PATH, { name: "A" });
  await poll("sums", async () => {
    await create();
    return (await generationOf(tenant)) > 0;
  });
  await assertExact(tenant);
});

test("deep pages begin where they should, after deletions and folds", async () => {
  const tenant = await server.createTenant();
  await server.sql(
    `insert into companies (tenant_id, name, country, status)
     select $1, 'A', 'B', (array['active','inactive'])[1 + g % 2] from generate_series(1, 25000) g`,
    [tenant.id],
  );
  await server.sql("delete from companies where tenant_id = $1 and id % 7 = 0", [tenant.id]);
  await writeAndFold(tenant, 2);
  await server.sql("update companies set status = 'churned' where tenant_id = $1 and id % 11 = 0", [tenant.id]);
  await assertExact(tenant);
  for (const [filter, condition] of [
    ["", ""],
    ["&status=inactive", "and status = 'inactive'"],
  ]) {
    const rows = await server.sql(
      `select id from companies where tenant_id = $1 and deleted_at is null ${condition} order by id limit 5 offset 8200`,
      [tenant.id],
    );
    const page = await tenant.get(`${PATH}?per_page=5&page=1641${filter}`);
    assert.equal(rows.length, 5);
    assert.deepEqual(
      page.body.data.map(({ id }: { id: number }) => String(id)),
      rows.map(({ id }) => id),
    );
  }
});

const FOLD = "insert into company_count_sums (tenant_id) values ($1)";

async function foldOnce(tenant: TestTenant): Promise<number> {
  const folded = await server.sql(`${FOLD} returning generation`, [tenant.id]);
  return folded.length;
}

/** By a statement each, as requests write. */
async function writeMany({ id }: TestTenant, companies: number): Promise<void> {
  await server.sql(`insert into companies (tenant_id, name, country) values (${id}, 'A', 'B');`.repeat(companies));
}

async function writeAndFold(tenant: TestTenant, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await writeMany(tenant, WORTH_FOLDING);
    assert.equal(await foldOnce(tenant), 1);
  }
}

/** By the statement of a list's total, as a request runs it. */
async function blocksRead({ id }: TestTenant): Promise<number> {
  const options = "-c role=liaison_app -c enable_seqscan=off";
  const client = await connect({ ...server.connection, options });
  await client.query(`set app.tenant_id = '${id}'`);
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) ${totals[""].text.replaceAll("$1", id)}`,
  );
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  return Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
}

/** Transactions that write anywhere on this server of PostgreSQL keep readers where they are until they end. */
async function afterMoreFolds(tenant: TestTenant, holds: () => Promise<boolean>): Promise<void> {
  await poll("readers to begin later", async () => {
    await writeAndFold(tenant, 1);
    return await holds();
  });
}

async function generationOf(tenant: TestTenant): Promise<number> {
  const text = "select max(generation) as generation from company_count_sums where tenant_id = $1";
  const [newest] = await server.sql(text, [tenant.id]);
  return Number(newest?.generation ?? 0);
}

async function connect(connection: Connection = server.connection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  after(() => client.end());
  return client;
}

async function openSnapshot(): Promise<pg.Client> {
  const client = await connect();
  await client.query("begin isolation level repeatable read read only");
  await client.query("select count(*) from companies");
  return client;
}

/** What the counts say that is not so, by block. */
function countsOf({ id }: TestTenant): string {
  return `select * from (
    select block, status, sum(n)::bigint as n from company_counts where tenant_id = ${id} group by block, status having sum(n) <> 0
  ) counted full join (
    select block, status, count(*) as n from companies, lateral (values (-1), (id / 4096)) place (block)
    where tenant_id = ${id} and deleted_at is null group by block, status
  ) real using (block, status) where counted.n is distinct from real.n`;
}

async function assertExact(tenant: TestTenant): Promise<void> {
  assert.deepEqual(await server.sql(countsOf(tenant)), []);
  for (const status of ["", ...STATUSES]) {
    const [real] = await server.sql(
      "select count(*)::int as n from companies where tenant_id = $1 and deleted_at is null and $2 in ('', status)",
      [tenant.id, status],
    );
    assert.equal((await tenant.get(`${PATH}?per_page=1&status=${status}`)).body.total, real?.n, status);
  }
}

/** The same numbers below `limit` each time, so that what fails fails again. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * limit);
  };
}
