import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import type pg from "pg";
import { takeBackup } from "../../src/operation/backup/take-backup.ts";
import { takeTenantBackup } from "../../src/operation/backup/tenant/take-tenant-backup.ts";
import { readConfig } from "../../src/kit/config.ts";
import { openDeps } from "../../src/kit/deps.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { migrationNames } from "../../src/platform/postgres/migrations/migration-files.ts";
import { findTenant } from "../../src/people/tenants/tenant-queries.ts";
import { createEmptyDatabase, isEmpty } from "../operation/backup/databases.ts";
import { createInstallation } from "../cli/installation.ts";

/** The first and the last migration that databases and backups of the earlier schema name. */
const EARLIER = ["0001_tenants-and-users", "0400_operators-as-users"];
const NEVER = new AbortController().signal;

test("a database of the earlier schema is refused with a line that says how to bring it over, and stays as it is", async () => {
  const { run, client } = await createInstallation();
  const owner = await client();
  await nameMigrations(owner, EARLIER);
  const line =
    "This database is of an earlier schema: run `backup FILE` with the version that it belongs to, and `restore FILE` with this one into an empty database.";
  for (const command of [["tenant", "list"], ["migrate"]]) {
    const { code, stderr } = await run(command);
    assert.deepEqual([code, stderr], [1, `${line}\n`]);
  }
  const { findings } = JSON.parse((await run(["doctor", "--json"])).stdout);
  assert.deepEqual(findings, [{ check: "versions", message: line }]);
  assert.deepEqual(await namesIn(owner), EARLIER);
});

test("a backup of the earlier schema is restored into today's, and an older one is refused", async () => {
  const { dataDir, environment, run, json, client } = await createInstallation();
  await json(["tenant", "create", "acme", "--name", "Acme\tand \\ sons"]);
  const owner = await client();
  const ofInstance = path.join(dataDir, "instance.backup");
  const ofTenant = path.join(dataDir, "tenant.backup");
  const older = path.join(dataDir, "older.backup");
  const deps = await openDeps(readConfig(environment), createLogger("silent"));
  await owner.query(
    `alter table tenants add column orders_lost_slug text default 'acme-before';
     alter table kept_answers add column answer text, add column phone text, add column mobile text;
     insert into kept_answers (tenant_id, api_key_id, key, request, status) select id, 1, 'k', 'x', 404 from tenants;
     insert into users (tenant_id, name, email, role) select id, 'Ana', 'ana@acme.test', 'admin' from tenants;
     insert into list_views (tenant_id, user_id, is_for_all, name, filters) select tenant_id, id, true, 'Mine', '' from users;
     alter table companies drop column payment_days cascade, drop column credit_limit cascade;
     alter table companies drop column merged_into cascade, drop column former_ids cascade;
     drop table payments, reminders, reminded, promises;
     drop table company_value_sums, company_value_changes;
     drop table company_sales, month_sales, changed_sales, sales_progress;
     alter table companies drop column values_text cascade;
     alter table companies drop column wms_contact cascade;
     alter table contacts drop column is_accounting cascade, drop column values_text cascade,
       drop column merged_into cascade, drop column former_ids cascade;
     drop table merges, company_keys, alike_pairs, not_alike, alike_progress;
     drop table planned_calls;
     drop table custom_fields, value_entries, pending_requests;
     alter table api_keys drop column confirms_on_page, drop column replaced_at;
     alter table import_rows drop column is_person cascade;
     alter table invoices drop column terms_due_on cascade, drop column paid cascade, drop column corrects_id cascade,
       drop column delivery_address_id cascade, drop column delivered_to cascade, drop column wms_cancel cascade,
       drop column wms_cancel_error cascade, drop column wms_cancel_at cascade, drop column wms_shown cascade,
       drop column wms_needs_at cascade, drop column metadata cascade, drop column wms_via cascade,
       drop column values_text cascade;
     alter table users drop column export_refused_at cascade;
     alter table single_sign_on drop column sso_scopes cascade, drop column sso_groups_unknown_at cascade;
     drop table workspace_details;
     select setval('list_views_id_seq', 77);
     alter sequence list_views_id_seq rename to company_views_id_seq;
     alter table list_views rename to company_views`,
  );
  await nameMigrations(owner, EARLIER);
  await takeBackup(deps, { file: ofInstance, withKeys: false, signal: NEVER, onProgress() {} });
  const tenant = await findTenant(deps.database, "acme");
  assert.ok(tenant !== null);
  await takeTenantBackup(deps, tenant, { file: ofTenant, passphrase: null, signal: NEVER });
  await nameMigrations(owner, EARLIER.slice(0, 1));
  await takeBackup(deps, { file: older, withKeys: false, signal: NEVER, onProgress() {} });
  await deps.close();

  const target = await createEmptyDatabase();
  const there = { environment: { DATABASE_URL: target.url } };
  const refused = await run(["restore", older], there);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /has the migration 0001_tenants-and-users of a newer release, or of another line of development: /);
  assert.ok(await isEmpty(target.client));

  await json(["restore", ofInstance], there);
  assert.deepEqual(await namesIn(target.client), migrationNames());
  await json(["tenant", "restore", ofTenant, "--as", "again"], there);
  const tenants = await target.client.query("select slug, name, orders_lost_slugs as before from tenants order by id");
  const views = await target.client.query("select name, nextval('list_views_id_seq') > 77 as after from list_views");
  assert.deepEqual(views.rows, Array.from({ length: 2 }, () => ({ name: "Mine", after: true })));
  const name = "Acme\tand \\ sons";
  assert.deepEqual(tenants.rows, [
    { slug: "acme", name, before: [] },
    { slug: "again", name, before: ["acme"] },
  ]);
  assert.ok((await target.client.query("select from kept_answers where key = 'k' and tenant_id = 1")).rowCount === 1);
});

async function nameMigrations(client: pg.Client, names: readonly string[]): Promise<void> {
  await client.query("delete from migrations");
  await client.query("insert into migrations (name, run_on) select n, now() from unnest($1::text[]) as n", [names]);
}

async function namesIn(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select name from migrations order by id");
  return rows.map(({ name }) => name);
}
