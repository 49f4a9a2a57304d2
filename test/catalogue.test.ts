import assert from "node:assert/strict";
import fs from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import pg from "pg";
import { findHistoryPolicies, findLowKeys, findOpenTables } from "../src/operation/doctor/doctor-queries.ts";
import { openRequestRole } from "../src/platform/postgres/request-role.ts";
import { isCluster, startServer, type TestServer } from "./harness.ts";

/** Tables that no tenant owns. Anything else needs a tenant_id and both tenancy walls. */
const SHARED = ["tenants", "settings", "migrations", "sign_in_failures"];

/** A tenant's tables that requests add to and read, and never remove from. */
const APPEND_ONLY = new Set(["changes"]);

const server = await startServer();

test("every table is a tenant's own, but for those listed here", async () => {
  const tables = await names(
    server,
    `select c.relname as name from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
     and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull)`,
  );
  assert.deepEqual(tables, SHARED.toSorted(), "give it a tenant_id bigint not null, or list it in this test");
});

test("every tenant's table has row-level security and policies that bound liaison_app to the tenant, for reading and for writing", async () => {
  // The doctor's own tests see that each way to take a wall down is found.
  const open = await findOpenTables(server.deps.database);
  assert.deepEqual(open, [], "call protect_tenant_table(...) in its migration");
  assert.deepEqual(await findHistoryPolicies(server.deps.database), [], "requests change nothing of the history");
});

test("no statistics know of single tenants", async () => {
  const known = await names(
    server,
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.oid in (${TENANT_TABLES}) and a.attstattarget is distinct from 0`,
  );
  assert.deepEqual(known, [], "call protect_tenant_table(...) in its migration");
});

test("of each column that an index takes to be null the planner knows as much before any row is there", async () => {
  const known = "select tablename, attname from pg_stats where schemaname = 'public' and null_frac = 1";
  const before = await server.sql(known);
  // A cluster's PostgreSQL may be one that takes no statistics.
  if (isCluster) return;
  await server.sql("call expect_nulls()");
  assert.deepEqual(await server.sql(known), before);
  // What is known of other tables' columns of the same name says nothing of this one's.
  await server.sql("select pg_clear_attribute_stats('public', 'contacts', 'deleted_at', false)");
  assert.equal((await server.sql(known)).length, before.length - 1);
  await server.sql("call expect_nulls()");
  assert.deepEqual(new Set(await server.sql(known)), new Set(before));
  const expected = new Set(before.map(({ tablename, attname }) => `${String(tablename)}.${String(attname)}`));
  for (const column of ["companies.deleted_at", "contacts.deleted_at", "invitations.accepted_at"]) {
    assert.ok(expected.has(column), column);
  }
});

test("a table has one trigger for a moment, beside that of its history, so no order of names decides", async () => {
  const doubled = await names(
    server,
    `select t.relname || ': ' || string_agg(g.tgname, ', ' order by g.tgname) as name
     from pg_trigger g join pg_class t on t.oid = g.tgrelid,
       (values (4, 'insert'), (8, 'delete'), (16, 'update'), (32, 'truncate')) event (bit, name)
     where not g.tgisinternal and t.relnamespace = 'public'::regnamespace and g.tgtype & event.bit > 0
       and g.tgname not in ('changes_created', 'changes_updated')
     group by t.relname, event.name, g.tgtype & 3 having count(*) > 1`,
  );
  assert.deepEqual(doubled, [], "make it a step of the table's function for that moment (migrations/README.md)");
});

test("every key of a tenant's table begins with tenant_id, in an index as in a constraint", async () => {
  assert.deepEqual(await findLowKeys(server.deps.database), []);
  const without = await names(
    server,
    `select c.relname as name from pg_class c where c.oid in (${TENANT_TABLES})
     and not exists (select from pg_constraint where conrelid = c.oid and contype = 'p')`,
  );
  assert.deepEqual(without, [], "a table without a primary key");
});

test("a row says when it was changed from its first moment on", async () => {
  const nullable = await names(
    server,
    `select attrelid::regclass::text as name from pg_attribute
     where attname = 'updated_at' and not attnotnull and attrelid in (${TENANT_TABLES})`,
  );
  assert.deepEqual(nullable, []);
});

test("ids come from sequences, since identity columns do not distribute", async () => {
  const columns = await names(
    server,
    `select attrelid::regclass || '.' || attname as name from pg_attribute
     where attidentity <> '' and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
  );
  assert.deepEqual(columns, []);
});

test("a security-definer function pins its search_path, and is not everybody's to call", async () => {
  const functions = await server.sql(
    `select p.oid::regprocedure::text as name, coalesce(p.proconfig, '{}') as settings,
       has_function_privilege('public', p.oid, 'execute') as everybody
     from pg_proc p where p.prosecdef and p.pronamespace = 'public'::regnamespace`,
  );
  for (const { name, settings, everybody } of functions) {
    const path = (settings as string[]).find((setting) => setting.startsWith("search_path="));
    assert.match(
      path ?? "",
      /^search_path=pg_catalog\b.*\bpg_temp$/,
      `${String(name)}: pg_catalog first, pg_temp last`,
    );
    assert.equal(everybody, false, `${String(name)}: revoke all on function … from public`);
  }
});

test("no function depends on a table: nodes of Citus would lack it. A body in dollar quotes depends on nothing", async () => {
  const dependent = await names(
    server,
    `select distinct p.proname as name from pg_proc p join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid
     where d.refclassid = 'pg_class'::regclass and p.pronamespace = 'public'::regnamespace order by 1`,
  );
  assert.deepEqual(dependent, []);
});

test("decision 3 names every function that sees past row-level security", async () => {
  const functions = await names(
    server,
    "select proname::text as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace",
  );
  assert.ok(functions.length > 10);
  const page = fs.readFileSync(new URL("../docs/decisions/0003-tenancy-walls.md", import.meta.url), "utf8");
  assert.deepEqual(
    functions.filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
});

const FUNCTIONS = new URL("../migrations/functions/", import.meta.url);

test("every function of the database has a file of its name under migrations/functions, and no other is there", async () => {
  const rows = await server.sql(
    `select p.proname as name from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       and not exists (select from pg_class c where c.relnamespace = p.pronamespace and c.relkind in ('r', 'p')
         and p.proname in (c.relname || '_created', c.relname || '_updated'))
     order by p.proname collate "C"`,
  );
  const files = (await readdir(FUNCTIONS)).toSorted();
  assert.deepEqual(
    files,
    rows.map(({ name }) => `${String(name)}.sql`),
    "but for those that keep_history makes of a table's columns",
  );
});

test("liaison_app owns nothing, and may neither bypass row-level security nor change what is shared", async () => {
  const owned = await server.sql(
    `select objid from pg_shdepend where refobjid = 'liaison_app'::regrole and deptype = 'o'`,
  );
  assert.deepEqual(owned, []);
  const [role] = await server.sql(
    "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin from pg_roles where rolname = 'liaison_app'",
  );
  assert.deepEqual(Object.values(role ?? {}), [false, false, false, false, false]);
  for (const table of SHARED) {
    for (const privilege of ["insert", "update", "delete", "truncate"]) {
      const [may] = await server.sql("select has_table_privilege('liaison_app', $1, $2) as may", [table, privilege]);
      assert.equal(may?.may, false, `${privilege} on ${table}`);
    }
  }
  const [creates] = await server.sql("select has_schema_privilege('liaison_app', 'public', 'create') as may");
  assert.equal(creates?.may, false);
});

test("requests log in as a role that has liaison_app's privileges and nothing else", async () => {
  const { user: name } = await openRequestRole(server.connection);
  const [role] = await server.sql(
    `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication, rolcanlogin, rolinherit
     from pg_roles where rolname = $1`,
    [name],
  );
  assert.deepEqual(Object.values(role ?? {}), [false, false, false, false, false, true, true]);
  const memberships = await server.sql(
    `select member::regrole::text as member, roleid::regrole::text as of from pg_auth_members
     where member in ($1::regrole, 'liaison_app'::regrole)`,
    [name],
  );
  assert.deepEqual(memberships, [{ member: name, of: "liaison_app" }]);
  // Neither owned nor granted by name: all that it may do is liaison_app's.
  assert.deepEqual(await server.sql("select * from pg_shdepend where refobjid = $1::regrole", [name]), []);
});

test("as the role of requests a tenant sees and writes its own rows, and without one there is none", async () => {
  const [a, b] = [await server.createTenant(), await server.createTenant()];
  for (const tenant of [a, b]) {
    const user = await tenant.createUser();
    await server.sql(
      `insert into sessions (tenant_id, user_id, token_hash, tenant_epoch, user_epoch, awaits_code, address, user_agent,
         created_at, last_seen_at) values ($1, $2, 'x', 0, 0, false, '', '', now(), now())`,
      [tenant.id, user],
    );
    await server.sql("insert into recovery_codes (tenant_id, user_id, code_hash) values ($1, $2, 'x')", [
      tenant.id,
      user,
    ]);
    await server.sql("insert into last_opened (tenant_id, user_id, opened) values ($1, $2, '{}')", [tenant.id, user]);
    await server.sql(
      "insert into list_columns (tenant_id, user_id, list, columns) values ($1, $2, 'companies', '{}')",
      [tenant.id, user],
    );
    await server.sql("insert into list_views (tenant_id, user_id, name, filters) values ($1, $2, 'A', 'city=B')", [
      tenant.id,
      user,
    ]);
    await server.sql(
      `insert into invitations (tenant_id, email, role, token_hash, invited_by, created_at, expires_at)
       values ($1, 'a@example.com', 'member', 'x', $2, now(), now())`,
      [tenant.id, user],
    );
    const keyed = { headers: { "idempotency-key": "A" } };
    const fields = { name: "A", phone: "1", external: { a: "1" }, callback_date: "2026-12-01" };
    const { id } = (await tenant.post("/api/v1/companies", fields, keyed)).body.data;
    await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "A", last_name: "B" });
    await tenant.post(`/api/v1/companies/${id}/addresses`, { address: "A" });
    await tenant.post("/api/v1/custom-fields", { noun: "company", label: "A", kind: "text" });
    await tenant.put(`/api/v1/companies/${id}`, { custom: { a: "A" } });
    const webhook = await tenant.post("/api/v1/webhooks", { url: "https://hooks.example" });
    await tenant.post(`/api/v1/webhooks/${webhook.body.data.id}/test`);
    await server.sql(
      `insert into activities (tenant_id, company_id, contact_id, kind, at, changed_by)
       select tenant_id, company_id, id, 'call', now(), 'command' from contacts where tenant_id = $1`,
      [tenant.id],
    );
    await server.sql("insert into invoices (tenant_id, company_id, number) values ($1, $2, 'F1')", [tenant.id, id]);
    await server.sql(
      "insert into promises (tenant_id, company_id, until, changed_by) values ($1, $2, now(), 'user:1')",
      [tenant.id, id],
    );
    await server.sql(
      `with r as (insert into reminders (tenant_id, company_id, level, changed_by) values ($1, $2, 1, 'user:1') returning id)
       insert into reminded (tenant_id, reminder_id, invoice_id) select $1, r.id, i.id from r, invoices i where i.tenant_id = $1`,
      [tenant.id, id],
    );
    await server.sql(
      `insert into payments (tenant_id, company_id, invoice_id, amount, paid_on)
       select tenant_id, company_id, id, 1, now() from invoices where tenant_id = $1`,
      [tenant.id],
    );
    for (const statement of [
      "insert into company_keys (tenant_id, company_id, compared) values ($1, $2, 0)",
      "insert into alike_pairs (tenant_id, one_id, other_id, evidence, place) values ($1, 0, $2, '{name}', 1)",
      "insert into not_alike (tenant_id, one_id, other_id, said_by) values ($1, 0, $2, '')",
      "insert into alike_progress (tenant_id, id) values ($1, $2)",
      "insert into company_sales (tenant_id, company_id, currency, months, sold, invoices) values ($1, $2, '', '{1}', '{1}', '{1}')",
      "insert into company_value_sums (tenant_id, key, value, n, asked_at) select $1, 'a', 'A', $2::bigint, now()",
      "insert into company_value_changes (tenant_id, sum_id, n) values ($1, $2, 1)",
      "insert into month_sales (tenant_id, month, currency, sold, invoices) select $1, 1, '', 1, $2::bigint",
      "insert into changed_sales (tenant_id, company_id) values ($1, $2)",
      "insert into sales_progress (tenant_id, id, target) values ($1, $2, 1)",
    ]) {
      await server.sql(statement, [tenant.id, id]);
    }
    await server.sql(
      "insert into merges (tenant_id, type, kept_id, from_id, merged_by) values ($1, 'company', $2, 0, '')",
      [tenant.id, id],
    );
    await server.sql(
      `insert into company_count_sums (tenant_id, generation, total, totals, blocks, statuses, counts)
       values ($1, 1, 0, '{}', '{}', '{}', '{}')`,
      [tenant.id],
    );
    await server.sql(
      `insert into passkeys (tenant_id, user_id, name, credential_id, public_key, user_handle, counter, verifies)
       values ($1, $2, 'A', 'A', 'A', 'A', 0, true)`,
      [tenant.id, user],
    );
    await server.sql("insert into passkey_challenges (tenant_id, challenge_hash, expires_at) values ($1, 'x', now())", [
      tenant.id,
    ]);
    await server.sql(
      "insert into single_sign_on (tenant_id, sso_issuer, sso_client_id, sso_client_secret) values ($1, '', '', '')",
      [tenant.id],
    );
    await server.sql(
      "insert into single_sign_on_links (tenant_id, user_id, issuer, subject) values ($1, $2, 'A', 'B')",
      [tenant.id, user],
    );
    await server.sql(
      "insert into single_sign_on_logouts (tenant_id, message_hash, expires_at) values ($1, 'x', now())",
      [tenant.id],
    );
    await server.sql("insert into workspace_details (tenant_id) values ($1)", [tenant.id]);
    await server.sql("insert into workspace_warehouses (tenant_id) values ($1)", [tenant.id]);
    const file = await tenant.createImport();
    await server.sql(
      "insert into import_rejections (tenant_id, import_id, is_final, line, errors) values ($1, $2, true, 1, '{}')",
      [tenant.id, file],
    );
    await server.sql(
      "insert into import_rows (tenant_id, import_id, resource_id, is_created, version) values ($1, $2, 1, true, now())",
      [tenant.id, file],
    );
    await server.sql("insert into import_changes (tenant_id, import_id, content) values ($1, $2, 'A')", [
      tenant.id,
      file,
    ]);
    await server.sql("insert into import_mappings (tenant_id, kind, mapping) values ($1, 'A', '{}')", [tenant.id]);
    // The trigger adds to jobs.
    await server.sql("insert into mails (tenant_id, kind, email) values ($1, 'invitation', 'a@example.com')", [
      tenant.id,
    ]);
    // The trigger adds to feed.
    await server.sql("insert into feed_ticks (tenant_id) values ($1)", [tenant.id]);
    // The trigger adds to lane_news.
    await server.sql("insert into jobs (tenant_id, kind, subject, lane) values ($1, 'A', 1, 'A')", [tenant.id]);
    await server.sql("insert into lanes (tenant_id, name) values ($1, 'A')", [tenant.id]);
    await server.sql(
      `insert into key_uses (tenant_id, key_id, capability, last_used_at)
       select tenant_id, id, 'A', now() from api_keys where tenant_id = $1`,
      [tenant.id],
    );
    await server.sql(
      `insert into key_requests (tenant_id, day, key_id, requests)
       select tenant_id, current_date, id, 1 from api_keys where tenant_id = $1`,
      [tenant.id],
    );
    await server.sql(
      `insert into pending_requests (tenant_id, api_key_id, key, tool, secret)
       select tenant_id, id, 'A', 'A', 'A' from api_keys where tenant_id = $1 limit 1`,
      [tenant.id],
    );
    for (const table of ["offers", "deals", "tickets", "subscriptions"]) {
      await server.sql(`insert into ${table} (tenant_id, company_id, title) values ($1, $2, 'A')`, [tenant.id, id]);
    }
  }
  const tables = await names(server, `select c.relname as name from pg_class c where c.oid in (${TENANT_TABLES})`);
  const app = new pg.Client(await openRequestRole(server.connection));
  await app.connect();
  const count = async (text: string, parameters: unknown[] = []) =>
    Number((await app.query(text, parameters)).rows[0]?.n);
  try {
    for (const table of tables) {
      const [held] = await server.sql(`select count(*) as n from ${table} where tenant_id = $1`, [b.id]);
      const [granted] = await server.sql("select has_table_privilege('liaison_app', $1, 'select') as may", [table]);
      if (granted?.may !== true) continue;
      assert.equal(await count(`select count(*) as n from ${table}`), 0, `${table}: rows without a tenant`);

      await app.query("begin");
      await app.query(`set local app.tenant_id = '${a.id}'`);
      assert.equal(await count(`select count(*) as n from ${table} where tenant_id <> $1`, [a.id]), 0, table);
      for (const [privilege, statement] of [
        ["update", `update ${table} set tenant_id = tenant_id where tenant_id = $1`],
        ["delete", `delete from ${table} where tenant_id = $1`],
      ] as const) {
        if (privilege === "delete" && APPEND_ONLY.has(table)) {
          const [may] = await server.sql("select has_table_privilege('liaison_app', $1, $2) as may", [
            table,
            privilege,
          ]);
          assert.equal(may?.may, false, `${privilege} on ${table}`);
        } else {
          assert.equal((await app.query(statement, [b.id])).rowCount, 0, `${privilege} on ${table}`);
        }
      }
      await app.query("rollback");
      // After a transaction the setting reads '' and not null: that must be no tenant either.
      assert.equal(await count(`select count(*) as n from ${table}`), 0, `${table}: rows after a transaction`);
      const [kept] = await server.sql(`select count(*) as n from ${table} where tenant_id = $1`, [b.id]);
      assert.equal(kept?.n, held?.n, table);

      const [own] = await server.sql(`select to_jsonb(t) as row from ${table} t where tenant_id = $1 limit 1`, [b.id]);
      assert.ok(own !== undefined, `${table}: this test writes no row of it; add one above`);
      await app.query("begin");
      await app.query(`set local app.tenant_id = '${a.id}'`);
      const columns = await names(
        server,
        `select quote_ident(attname) as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0
         and attgenerated = '' and not attisdropped`,
      );
      await assert.rejects(
        app.query(
          `insert into ${table} (${columns.join(", ")})
           select ${columns.map((column) => `r.${column}`).join(", ")} from jsonb_populate_record(null::${table}, $1) r`,
          [JSON.stringify(own.row)],
        ),
        /row-level security/,
        `${table}: a row of another tenant`,
      );
      await app.query("rollback");
    }
  } finally {
    await app.end();
  }
});

test("of the history requests change nothing but that they empty what it says of a contact", async () => {
  const tenant = await server.createTenant();
  const { id } = (await tenant.post("/api/v1/companies", { name: "A" })).body.data;
  await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "A", last_name: "B" });
  const app = new pg.Client(await openRequestRole(server.connection));
  await app.connect();
  try {
    const updating = async (assignment: string) => {
      await app.query("begin");
      await app.query(`set local app.tenant_id = '${tenant.id}'`);
      const { rowCount } = await app.query(`update changes set ${assignment} where tenant_id = $1`, [tenant.id]);
      await app.query("rollback");
      return rowCount;
    };
    assert.equal(await updating("changed = '{}'"), 1);
    for (const assignment of [`changed = '{"a":1}'`, "changed_by = 'user:1'", "type = 'company', changed = '{}'"]) {
      await assert.rejects(updating(assignment), /row-level security/, assignment);
      await app.query("rollback");
    }
  } finally {
    await app.end();
  }
});

test("no statement says that a row was changed when its transaction began: it may have waited for another's change since", async () => {
  const root = new URL("../", import.meta.url);
  const files = (await readdir(new URL("src", root), { recursive: true })).filter((file) =>
    file.endsWith("-queries.ts"),
  );
  const statements = files
    .map((file) => `src/${file}`)
    .concat((await readdir(new URL("migrations/functions", root))).map((file) => `migrations/functions/${file}`));
  assert.ok(statements.length > 50);
  for (const file of statements) {
    const text = await readFile(new URL(file, root), "utf8");
    assert.doesNotMatch(
      text,
      /(?:updated|deleted)_at\s*=\s*(?:now|current_timestamp|clock_timestamp)\b/i,
      `${file}: moment_after(updated_at)`,
    );
  }
});

/** The oids of the tables that have a tenant_id. */
const TENANT_TABLES = `select a.attrelid from pg_attribute a join pg_class t on t.oid = a.attrelid
  where a.attname = 'tenant_id' and t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace`;

async function names(of: TestServer, text: string): Promise<string[]> {
  return (await of.sql(text)).map(({ name }) => String(name)).toSorted();
}
