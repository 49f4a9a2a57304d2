import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { countWithValue } from "../../../src/platform/reads/custom-values.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startImportServer } from "../../exchange/imports/import-server.ts";
import { settled } from "../../exchange/pages/settled-import.ts";
import type { TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";

/** The counts of common values are kept (docs/decisions/0020-appended-counts.md); here, that they are exact. */
const server = await startImportServer();
runWorker(server);
const COMPANIES = "/api/v1/companies";
/** More companies than are looked up by their ids. */
const MANY = 5_200;
const GOLD = `${COMPANIES}?custom[list]=gold&per_page=1`;

const tables = { sums: "company_value_sums", changes: "company_value_changes", keepCount: () => {} };
const counting = countWithValue("company", tables).replaceAll(/:(value_key|value)\b(?:::text)?/g, (_, name) =>
  name === "value" ? "'gold'" : "'list'",
);
const REAL =
  "select count(*) from companies where tenant_id = $1 and deleted_at is null and metadata ->> 'list' = 'gold'";
const WANT = "insert into company_value_sums (tenant_id, key, value, asked_at) values ($1, 'list', 'gold', now())";
const STEP = "insert into company_value_sums (tenant_id, key, value) values ($1, 'list', 'gold')";

async function firm(companies: number): Promise<TestTenant> {
  const tenant = await server.createTenant();
  for (const label of ["List", "Route"]) {
    const made = await tenant.post("/api/v1/custom-fields", { noun: "company", label, kind: "text" });
    assert.equal(made.status, 201, made.text);
  }
  await server.sql(
    `insert into companies (tenant_id, name, country, metadata)
     select $1, 'C' || n, 'Romania', '{"list": "gold"}' from generate_series(1, $2::integer) n`,
    [tenant.id, companies],
  );
  return tenant;
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(server.connection);
  client.on("error", () => {});
  await client.connect();
  after(() => client.end());
  return client;
}

/** What is kept of a tenant's value; undefined if nothing is. */
async function kept({ id }: TestTenant): Promise<{ n: string | null; changes: number } | undefined> {
  const [row] = await server.sql(
    `select s.n, (select count(*)::int from company_value_changes c where c.tenant_id = $1 and c.sum_id = s.id) as changes
     from company_value_sums s where s.tenant_id = $1`,
    [id],
  );
  return row as { n: string | null; changes: number } | undefined;
}

/** The count of a list and the real number, in one snapshot. */
async function assertExact(tenant: TestTenant, client: pg.Client): Promise<void> {
  await client.query("begin isolation level repeatable read read only");
  const { rows } = await client.query(counting, [tenant.id]);
  const real = await client.query(REAL, [tenant.id]);
  await client.query("commit");
  assert.equal(rows[0].total, real.rows[0].count);
}

/** The value's count, once it is kept. */
async function untilKept(tenant: TestTenant): Promise<void> {
  await server.sql(WANT, [tenant.id]);
  await poll("the kept count", async () => {
    await server.sql(STEP, [tenant.id]);
    return (await kept(tenant))?.n != null;
  });
}

test("a list's total of a common value is that of its rows, whatever is written meanwhile and however it ends", async () => {
  const tenant = await firm(MANY);
  const member = await signedIn(server, tenant, { role: "admin" });
  const random = randomFrom(11);
  const ids = (await server.sql("select id from companies where tenant_id = $1 order by id limit 60", [tenant.id])).map(
    ({ id }) => String(id),
  );
  const oneOf = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const value = () => oneOf(["gold", "gold", "Gold", "silver", null]);
  const merges: string[] = [];
  const acts: Record<string, () => Promise<unknown>> = {
    create: async () => {
      const made = await tenant.post(COMPANIES, { name: "New", custom: { list: value(), route: "gold" } });
      ids.push(String(made.body.data.id));
    },
    update: async () => await tenant.put(`${COMPANIES}/${oneOf(ids)}`, { custom: { list: value() } }),
    route: async () => await tenant.put(`${COMPANIES}/${oneOf(ids)}`, { custom: { route: value() } }),
    delete: async () => await tenant.delete(`${COMPANIES}/${oneOf(ids)}`),
    restore: async () => await tenant.post(`${COMPANIES}/${oneOf(ids)}/restore`, {}),
    async merge() {
      const merged = await tenant.post(`${COMPANIES}/${oneOf(ids)}/merge`, { from: Number(oneOf(ids)) });
      if (merged.status === 200) merges.push(merged.body.meta.merge_id);
    },
    undoMerge: async () => await tenant.post(`/api/v1/merges/${merges.pop() ?? 0}/undo`),
    batch: async () => {
      const items = [
        { name: "Of a batch", custom: { list: value() } },
        { id: Number(oneOf(ids)), custom: { list: value() } },
        { id: Number(oneOf(ids)), delete: true },
        { id: Number(oneOf(ids)), restore: true },
      ];
      await tenant.post(`${COMPANIES}/batch`, { items, dry_run: random(3) === 0 });
    },
    /** The same values by a statement that is cut off, or rolled back. */
    async lost() {
      const client = await connect();
      const { rows } = await client.query("select pg_backend_pid() as pid");
      await client.query("begin");
      await client.query(
        `update companies set metadata = '{"list": "gold"}' where tenant_id = $1 and deleted_at is null
           and id = any(array(select c.id from companies c where c.tenant_id = $1 order by c.id desc limit 30 for update skip locked))`,
        [tenant.id],
      );
      if (random(2) === 0) await client.query("rollback");
      else await server.sql("select pg_terminate_backend($1::integer, 5000)", [rows[0].pid]);
    },
    async changeAndUndo() {
      const chosen = Array.from({ length: 12 }, () => oneOf(ids));
      const form = { id: [...new Set(chosen)], own_field: "custom.list", own_value: oneOf(["gold", "silver"]) };
      await member.post("/companies/bulk", form);
      const [last] = await server.sql("select max(id) as id from imports where tenant_id = $1", [tenant.id]);
      const { location } = await member.post(`/imports/${String(last?.id)}/undo`);
      if (location !== null) await settled(member, location);
    },
    async importAndUndo() {
      const rows = Array.from({ length: 20 }, (_, n) => `${n < 8 ? oneOf(ids) : ""},Imported,${value() ?? ""}`);
      const { location } = await member.upload(
        "/imports",
        { kind: "companies" },
        { "file.csv": `id,name,custom.list\n${rows.join("\n")}\n` },
      );
      await settled(member, String(location));
      await member.post(`${location}/start`);
      await settled(member, String(location));
      if (random(2) === 0) return;
      await member.post(`${location}/undo`);
      await settled(member, String(location));
    },
  };
  const written = new AbortController();
  const write = async (names: readonly string[], times: number) => {
    for (let n = 0; n < times && !written.signal.aborted; n++) await acts[oneOf(names)]?.();
  };
  const beside = async (work: () => Promise<unknown>) => {
    while (!written.signal.aborted) await work();
  };
  const [one, other] = [await connect(), await connect()];
  const reading = [
    beside(async () => await assertExact(tenant, one)),
    beside(async () => await assertExact(tenant, other)),
    beside(async () => await server.sql(STEP, [tenant.id])),
    // It is forgotten, and wanted again.
    beside(async () => {
      await server.sql(random(10) === 0 ? "delete from company_value_sums where tenant_id = $1" : WANT, [tenant.id]);
    }),
  ];
  const quick = Object.keys(acts).filter((name) => !name.endsWith("AndUndo"));
  const writing = [write(quick, 150), write(quick, 150), write(["changeAndUndo"], 10), write(["importAndUndo"], 8)];
  await Promise.all(writing).finally(() => written.abort());
  await Promise.all(reading);
  await untilKept(tenant);
  await assertExact(tenant, one);
  const [real] = await server.sql(REAL, [tenant.id]);
  assert.equal((await tenant.get(GOLD)).body.total, Number(real?.count));
  // A job removes the values of a deleted field.
  const [{ id = 0 } = {}] = (await tenant.get("/api/v1/custom-fields")).body.data;
  await tenant.put(`/api/v1/custom-fields/${id}`, { archived: true });
  await tenant.delete(`/api/v1/custom-fields/${id}`);
  await server.sql("update jobs set run_at = now() where tenant_id = $1", [tenant.id]);
  await poll("no value", async () => (await server.sql(`${REAL} having count(*) > 0`, [tenant.id])).length === 0);
  await assertExact(tenant, one);
});

test("a count is kept once all writers know of it: one that began before ends first", async () => {
  const tenant = await firm(1);
  const insert = `insert into companies (tenant_id, name, country, metadata) values ($1, 'Slow', 'Romania', '{"list": "gold"}')`;
  const [early, late, counter] = [await connect(), await connect(), await connect()];
  await early.query("begin");
  await early.query(insert, [tenant.id]);
  await server.sql(WANT, [tenant.id]);
  for (let step = 0; step < 3; step++) await server.sql(STEP, [tenant.id]);
  assert.deepEqual(await kept(tenant), { n: null, changes: 0 });
  await assertExact(tenant, counter);
  await late.query("begin");
  await late.query(insert, [tenant.id]);
  await early.query("commit");
  await poll("the kept count", async () => {
    await server.sql(STEP, [tenant.id]);
    return (await kept(tenant))?.n != null;
  });
  assert.deepEqual(await kept(tenant), { n: "2", changes: 0 });
  await late.query("commit");
  assert.deepEqual(await kept(tenant), { n: "2", changes: 1 });
  await assertExact(tenant, counter);
  // A fold that is cut off leaves what was.
  await counter.query("begin");
  await counter.query(STEP, [tenant.id]);
  await server.sql(STEP, [tenant.id]);
  await counter.query("rollback");
  assert.deepEqual(await kept(tenant), { n: "2", changes: 1 });
  await server.sql(STEP, [tenant.id]);
  assert.deepEqual(await kept(tenant), { n: "3", changes: 0 });
});

test("a list that found more than 20,000 rows has their count kept, which reads few of them; unasked, it is forgotten", async () => {
  const tenant = await firm(20_100);
  assert.equal((await tenant.get(GOLD)).body.total, 20_100);
  await poll("the kept count", async () => (await kept(tenant))?.n === "20100");
  assert.ok((await blocksRead(tenant)) < 20, String(await blocksRead(tenant)));
  await tenant.post(COMPANIES, { name: "A", custom: { list: "gold" } });
  assert.equal((await tenant.get(GOLD)).body.total, 20_101);
  assert.deepEqual(await kept(tenant), { n: "20100", changes: 1 });
  const sooner = "update jobs set run_at = now() where tenant_id = $1 and kind = 'count-values'";
  // Repeated, since a job that runs by then would run again only in an hour.
  await poll("the folded change", async () => {
    await server.sql(sooner, [tenant.id]);
    return (await kept(tenant))?.changes === 0;
  });
  await server.sql("update company_value_sums set asked_at = now() - interval '2 days' where tenant_id = $1", [
    tenant.id,
  ]);
  const asked = "select from company_value_sums where tenant_id = $1 and asked_at > now() - interval '1 day'";
  // Each list tries once, and a job that folds by then keeps it from noting.
  await poll("the note that it is wanted", async () => {
    assert.equal((await tenant.get(GOLD)).body.total, 20_101);
    return (await server.sql(asked, [tenant.id])).length > 0;
  });
  const unasked = "update company_value_sums set asked_at = now() - interval '8 days' where tenant_id = $1";
  await poll("nothing kept", async () => {
    await server.sql(unasked, [tenant.id]);
    await server.sql(sooner, [tenant.id]);
    return (await kept(tenant)) === undefined;
  });
  assert.equal((await tenant.get(`${COMPANIES}?custom[list]=gold&per_page=1`)).body.total, 20_101);
});

test("a workspace has at most 32 counts kept", async () => {
  const tenant = await firm(1);
  await server.sql(
    `insert into company_value_sums (tenant_id, key, value, asked_at) select $1, 'list', n::text, now() from generate_series(1, 40) n`,
    [tenant.id],
  );
  const [counted] = await server.sql("select count(*)::int as n from company_value_sums where tenant_id = $1", [
    tenant.id,
  ]);
  assert.equal(counted?.n, 32);
});

/** By the statement of a list's total, as a request runs it. */
async function blocksRead({ id }: TestTenant): Promise<number> {
  const client = new pg.Client({ ...server.connection, options: "-c role=liaison_app -c enable_seqscan=off" });
  await client.connect();
  await client.query(`set app.tenant_id = '${id}'`);
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${counting.replaceAll("$1", id)}`);
  await client.end();
  const { Plan: plan } = rows[0]["QUERY PLAN"][0];
  return Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
}

/** The same numbers below `limit` each time, so that what fails fails again. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * limit);
  };
}
