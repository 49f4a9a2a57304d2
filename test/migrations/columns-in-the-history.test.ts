import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { createDatabase } from "../harness.ts";
import { clientOf, migrationsAnd } from "./more-migrations.ts";

test("a column's comment says what the history has of it: its values, only that it changed, or nothing", async () => {
  const connection = await createDatabase();
  const directory = migrationsAnd({
    "9999_visits": `alter table companies add column visits integer, add column secret text, add column visited_by text;
      comment on column companies.secret is 'history: encrypted';
      comment on column companies.visited_by is 'history: hidden';
      call keep_history('companies', 'company');`,
  });
  await migrate(connection, { directory });
  const client = await clientOf(connection);
  await client.query(`insert into tenants (slug, name) values ('t', 'T');
    insert into companies (tenant_id, name, country) select id, 'A', 'RO' from tenants;
    update companies set visits = 1, secret = 'x', visited_by = 'x', updated_at = updated_at + interval '1 second'`);
  const { rows } = await client.query("select changed from changes where action = 'updated'");
  assert.deepEqual(
    rows.map(({ changed }) => JSON.parse(changed)),
    [{ visits: { from: null, to: 1 }, secret: { changed: true } }],
  );
});

test("a comment about the history that means nothing is refused, and so is its migration", async () => {
  const connection = await createDatabase();
  const directory = migrationsAnd({
    "9999_visits": `alter table companies add column secret text;
      comment on column companies.secret is 'history: hiden';
      call keep_history('companies', 'company');`,
  });
  await assert.rejects(migrate(connection, { directory }), /a comment on a column of companies is neither/);
});
