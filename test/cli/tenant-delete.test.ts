import assert from "node:assert/strict";
import { test } from "node:test";
import { ROWS_OF_STEP } from "../../src/platform/postgres/remove-tenant-rows.ts";
import { startImportServer } from "../exchange/imports/import-server.ts";
import { request, waitingForLocks, type TestTenant } from "../harness.ts";
import { untilLetGo, whileHeld } from "../held.ts";
import { fillTables } from "../plans/filled-tables.ts";
import { poll } from "../program.ts";

/** The promises of docs/operations.md 3.2 about `tenant delete`. */
const server = await startImportServer();
const run = async (...args: string[]) => await server.run(...args);
const sql = async (text: string, parameters: unknown[] = []) => await server.sql(text, parameters);

/** Rows of each table: more than two steps. */
const ROWS = 2 * ROWS_OF_STEP + 7;

/** Tables of counts, of which a deletion leaves changes behind until it has removed those too. */
const COUNTS = /^company_count_/;

async function suspended(rows = ROWS): Promise<TestTenant> {
  const tenant = await server.createTenant();
  await fillTables(server, tenant.id, rows);
  await sql("update tenants set suspended_at = now() where id = $1", [tenant.id]);
  return tenant;
}

const deleting = ({ slug }: TestTenant) => ["tenant", "delete", slug, "--confirm", slug];

async function deleted(tenant: TestTenant): Promise<Record<string, number>> {
  const { code, stdout, stderr } = await run(...deleting(tenant), "--json");
  assert.deepEqual([code, stderr], [0, ""]);
  const { tenant: slug, deleted: tables } = JSON.parse(stdout);
  assert.equal(slug, tenant.slug);
  return tables;
}

/** What each table has of a tenant: how many rows, and a digest of them. */
async function rowsOf({ id }: TestTenant): Promise<Map<string, { rows: number; digest: string }>> {
  const tables = await sql(
    `select t.attrelid::regclass::text as name from pg_attribute t join pg_class c on c.oid = t.attrelid
     where t.attname = 'tenant_id' and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace`,
  );
  const found = new Map<string, { rows: number; digest: string }>();
  for (const { name } of tables) {
    const [row] = await sql(
      `select count(*)::int as rows, md5(string_agg(t::text, ',' order by t::text)) as digest from ${String(name)} t where tenant_id = $1`,
      [id],
    );
    if (Number(row?.rows) > 0) found.set(String(name), row as { rows: number; digest: string });
  }
  return found;
}

async function countsOf(tenant: TestTenant): Promise<[string, number][]> {
  return [...(await rowsOf(tenant))].map(([name, { rows }]): [string, number] => [name, rows]);
}

/** Without the tables of counts, which a deletion itself writes. */
function sorted(counts: [string, number][]): [string, number][] {
  return counts.filter(([name]) => !COUNTS.test(name)).toSorted(([a], [b]) => a.localeCompare(b));
}

/** Waits until others see this number of changes of the tenant. */
async function left({ id }: TestTenant, rows: number): Promise<void> {
  const counted = "select count(*)::int as n from changes where tenant_id = $1";
  await poll(`${rows} changes`, async () => (await sql(counted, [id]))[0]?.n === rows);
}

async function assertGone(tenant: TestTenant): Promise<void> {
  assert.deepEqual([...(await rowsOf(tenant)).keys()], []);
  assert.deepEqual(await sql("select id from tenants where id = $1", [tenant.id]), []);
}

test("a suspended tenant goes with all that it has in every table, and everybody else keeps theirs", async () => {
  const [tenant, other] = [await suspended(), await suspended(20)];
  const before = await countsOf(tenant);
  assert.ok(before.length >= 25, before.join(" "));
  const others = await rowsOf(other);
  const told = await deleted(tenant);
  assert.deepEqual(sorted(Object.entries(told)), sorted([...before, ["tenants", 1]]));
  await assertGone(tenant);
  assert.deepEqual(await rowsOf(other), others);
  assert.match((await run(...deleting(tenant))).stderr, /There is no tenant/);
  const anew = await server.createTenant({ slug: tenant.slug });
  assert.equal((await request(server.url, "GET", "/api/v1/companies", undefined, { token: anew.token })).body.total, 0);
});

test("a tenant is deleted in steps, each of which is committed before the next", async () => {
  const tenant = await suspended();
  const ids = await sql("select id from changes where tenant_id = $1 order by id", [tenant.id]);
  const held = (place: number) =>
    `select from changes where tenant_id = ${tenant.id} and id = ${String(ids[place]?.id)} for update`;
  await untilLetGo(server, held(ids.length - 1), async (letGoLast) => {
    const program = server.start(...deleting(tenant));
    await untilLetGo(server, held(ROWS_OF_STEP), async (letGo) => {
      await left(tenant, ids.length - ROWS_OF_STEP);
      await letGo();
    });
    await left(tenant, ids.length - 2 * ROWS_OF_STEP);
    await letGoLast();
    assert.equal((await program.finished()).code, 0);
  });
  await assertGone(tenant);
});

for (const table of ["changes", "contacts", "users"]) {
  test(`a deletion that is killed at ${table} is finished by the next run, which says what remained; nobody can resume the tenant`, async () => {
    const tenant = await suspended(50);
    const held = `lock table ${table} in share mode`;
    await untilLetGo(server, held, async () => {
      const program = server.start(...deleting(tenant));
      await poll("the deletion's wait", async () => {
        const waiting =
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from ' || $1 || ' %'";
        return (await sql(waiting, [table])).length > 0;
      });
      program.process.kill("SIGKILL");
      await program.ended;
      const resumed = await run("tenant", "resume", tenant.slug);
      assert.deepEqual([resumed.code, resumed.stdout], [1, ""]);
      assert.match(resumed.stderr, /is being deleted: it cannot be resumed\./);
      assert.match(String((await tenant.get("/api/v1/companies")).status), /^40[13]$/);
      await sql(`select pg_terminate_backend(pid) from (${waitingForLocks}) waiting`);
    });
    const rest = await countsOf(tenant);
    assert.ok(rest.some(([name]) => name === table));
    assert.deepEqual(sorted(Object.entries(await deleted(tenant))), sorted([...rest, ["tenants", 1]]));
    await assertGone(tenant);
  });
}

test("what somebody writes while a tenant is deleted goes too", async () => {
  const tenant = await suspended(20);
  const writing = `insert into activities (tenant_id, id, company_id, contact_id, kind, at, changed_by)
    values (${tenant.id}, 100, 7, 7, 'note', now(), 'command')`;
  const told = await whileHeld(server, writing, async () => await deleted(tenant));
  assert.equal(told.activities, 21);
  await assertGone(tenant);
});

test("a tenant that is not suspended, is not there, or is not named twice is left as it is", async () => {
  const tenant = await server.createTenant();
  for (const [args, complaint] of [
    [deleting(tenant), `The tenant "${tenant.slug}" is not suspended: suspend it first.`],
    [["tenant", "delete", tenant.slug, "--confirm", "another"], `--confirm has to repeat the slug: ${tenant.slug}.`],
    [["tenant", "delete", "nobody", "--confirm", "nobody"], 'There is no tenant "nobody".'],
  ] as const) {
    const { code, stdout, stderr } = await run(...args);
    assert.deepEqual([code, stdout, stderr.trimEnd()], [1, "", complaint]);
  }
  assert.equal((await tenant.get("/api/v1/companies")).status, 200);
});
