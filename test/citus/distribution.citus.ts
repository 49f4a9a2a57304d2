import assert from "node:assert/strict";
import { after, test } from "node:test";
import pg from "pg";
import { distribute } from "../../src/platform/postgres/distribution/distribution.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { openRequestRole } from "../../src/platform/postgres/request-role.ts";
import { startServer } from "../harness.ts";
import { clientOf, isValid, migrationsAnd } from "../migrations/more-migrations.ts";
import { poll } from "../program.ts";
import { createCitusDatabase } from "./distributed-database.ts";
import { connectionTo, type Node } from "./nodes.ts";

const nodes = JSON.parse(process.env.LIAISON_TEST_NODES ?? "[]") as Node[];
const workers = nodes.slice(1);
const server = await startServer();

test("every tenant's table is distributed by its tenant, all of them together; a second time changes nothing", async () => {
  assert.deepEqual(await distribute(server.connection), []);
  const tables = await server.sql(
    `select c.relname as name, p.partmethod as method, p.colocationid as together
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     left join pg_dist_partition p on p.logicalrelid = c.oid
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  );
  assert.ok(tables.length >= 12);
  for (const { name, method, together } of tables) {
    assert.deepEqual([method, together], ["h", tables[0]?.together], String(name));
  }
});

test("on a node too a tenant sees its own rows, and without a tenant there are none", async () => {
  const [a, b] = [await server.createTenant(), await server.createTenant()];
  for (const tenant of [a, b]) await tenant.post("/api/v1/companies", { name: tenant.slug });
  for (const worker of workers) {
    const shards = await shardsOf(worker);
    assert.ok(shards.length > 0);
    const { user } = await openRequestRole(server.connection);
    const app = new pg.Client({ ...connectionTo(worker, String(server.connection.database)), user });
    await app.connect();
    // Citus hides the shards from queries by their names.
    await app.query("set citus.override_table_visibility = off");
    try {
      for (const shard of shards) {
        assert.equal((await app.query(`select from ${shard}`)).rowCount, 0, shard);
        await app.query(`begin; set local app.tenant_id = '${a.id}'`);
        const { rows } = await app.query(`select tenant_id from ${shard}`);
        assert.ok(rows.every(({ tenant_id }) => tenant_id === a.id));
        await app.query("rollback");
      }
    } finally {
      await app.end();
    }
  }
});

test("the totals on the nodes are exact while they are changed and folded", async () => {
  const tenant = await server.createTenant();
  const statuses = ["active", "inactive", "prospect", "churned"];
  const ids = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const { body } = await tenant.post("/api/v1/companies", { name: `C ${index}`, status: statuses[index % 4] });
      return body.data.id;
    }),
  );
  await Promise.all(ids.map(async (id, index) => index % 5 === 0 && (await tenant.delete(`/api/v1/companies/${id}`))));
  await Promise.all(
    ids.map(
      async (id, index) => index % 5 === 1 && (await tenant.put(`/api/v1/companies/${id}`, { status: "active" })),
    ),
  );
  const count = "select count(*)::int as n from companies where tenant_id = $1 and deleted_at is null";
  for (const status of statuses) {
    const [counted] = await server.sql(`${count} and status = $2`, [tenant.id, status]);
    assert.equal((await tenant.get(`/api/v1/companies?status=${status}`)).body.total, counted?.n);
  }
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 160);
  const [folded] = await server.sql("select generation from company_count_sums where tenant_id = $1", [tenant.id]);
  assert.ok(Number(folded?.generation) > 0);
});

test("a migration on a distributed database distributes the table that it creates", async () => {
  const directory = migrationsAnd({
    "9990_visits": `alter table companies add column visited_at timestamptz;
    create table visits (
      tenant_id bigint not null references tenants (id),
      id bigserial not null,
      company_id bigint not null,
      primary key (tenant_id, id)
    );
    create index visits_of_company on visits (tenant_id, company_id);
    call protect_tenant_table('visits');
    alter table visits add foreign key (tenant_id, company_id) references companies (tenant_id, id);
    create function note_visit() returns trigger language plpgsql as $$
    begin
      update public.companies set visited_at = now() where tenant_id = new.tenant_id and id = new.company_id;
      return null;
    end
    $$;
    create trigger note_visit after insert on visits for each row execute function note_visit();`,
  });
  assert.deepEqual(await migrate(server.connection, { directory }), ["9990_visits"]);
  const tenant = await server.createTenant();
  const { id } = (await tenant.post("/api/v1/companies", { name: "A" })).body.data;
  await server.sql("insert into visits (tenant_id, company_id) values ($1, $2)", [tenant.id, id]);
  const [company] = await server.sql("select visited_at from companies where tenant_id = $1 and id = $2", [
    tenant.id,
    id,
  ]);
  assert.ok(company?.visited_at instanceof Date);
  const [table] = await server.sql("select partmethod from pg_dist_partition where logicalrelid = 'visits'::regclass");
  assert.equal(table?.partmethod, "h");
});

test("a migration gives way on the nodes too, builds an index there beside requests, checks rows and fills them in steps", async () => {
  const tenant = await server.createTenant();
  const { id } = (await tenant.post("/api/v1/companies", { name: "A" })).body.data;
  const directory = migrationsAnd({
    "9990_visits": "select 1",
    "9991_calls": "alter table companies add column calls integer",
    "9992_calls-of-companies": `-- Without a transaction
      do $$
      declare
        tenant bigint;
      begin
        for tenant in select t.id from tenants t loop
          update companies set calls = 0 where tenant_id = tenant and calls is null;
          commit;
        end loop;
      end $$`,
    "9993_counted": "alter table companies add constraint calls_are_counted check (calls >= 0) not valid",
    "9994_by-calls": `-- Without a transaction
      alter table companies validate constraint calls_are_counted;
      create index concurrently if not exists companies_by_calls on companies (tenant_id, calls)`,
  });
  const holder = await clientOf(server.connection);
  await holder.query("begin");
  await holder.query("select from companies where tenant_id = $1", [tenant.id]);
  let told = 0;
  const applied = migrate(server.connection, { directory, report: () => (told += 1) });
  await poll("the third try", () => told >= 3);
  assert.equal((await tenant.put(`/api/v1/companies/${id}`, { name: "B" })).status, 200);
  await holder.query("commit");
  assert.equal((await applied).length, 4);
  assert.equal(await isValid(holder, "companies_by_calls"), true);
  assert.deepEqual(await server.sql("select calls from companies where tenant_id = $1", [tenant.id]), [{ calls: 0 }]);
  const indexes = await server.sql(
    "select success, result from run_command_on_shards('companies', $$ select indisvalid from pg_index where indexrelid::regclass::text like '%%by_calls%%' and indrelid = '%s'::regclass $$)",
  );
  assert.ok(indexes.length > 1 && indexes.every(({ result }) => result === "t"), JSON.stringify(indexes));
});

test("a database with rows is taken over, its totals and keys with it", async () => {
  const connection = await createCitusDatabase(nodes);
  await migrate(connection);
  const owner = new pg.Client(connection);
  await owner.connect();
  after(async () => await owner.end());
  await owner.query("insert into tenants (slug, name) select 't' || n, 'T' from generate_series(1, 20) n");
  await owner.query(
    `insert into companies (tenant_id, name, country, tax_id) select 1 + n % 20, 'Company ' || n, 'RO', n
     from generate_series(1, 20000) n`,
  );
  await owner.query(
    "insert into contacts (tenant_id, company_id, first_name, last_name) select tenant_id, id, 'A', 'B' from companies",
  );
  const counted = async () =>
    (await owner.query("select tenant_id, sum(n) from company_counts where block = -1 group by tenant_id order by 1"))
      .rows;
  const before = await counted();
  const distributed = await distribute(connection);
  assert.ok(distributed.includes("companies") && distributed.includes("tenants"));
  assert.deepEqual(await counted(), before);
  const { rows } = await owner.query("select count(*)::int as n from contacts where tenant_id = 3");
  assert.deepEqual(rows, [{ n: 1000 }]);
  await assert.rejects(
    owner.query("insert into contacts (tenant_id, company_id, first_name, last_name) values (3, 0, 'A', 'B')"),
    /foreign key/,
  );
});

/** The shards of `companies` that lie on a node. */
async function shardsOf({ port }: Node): Promise<string[]> {
  const rows = await server.sql(
    `select s.logicalrelid::text || '_' || s.shardid as name
     from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
     where s.logicalrelid = 'companies'::regclass and n.nodeport = $1`,
    [port],
  );
  return rows.map(({ name }) => String(name));
}
