import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { readConfig } from "../../../src/kit/config.ts";
import { takeBackup } from "../../../src/operation/backup/take-backup.ts";
import { makeSchema } from "../../../src/platform/postgres/migrations/make-schema.ts";
import { migrationNames } from "../../../src/platform/postgres/migrations/migration-files.ts";
import { nextRelease } from "../../migrations/more-migrations.ts";
import { start } from "../../program.ts";
import { createEmptyDatabase, isEmpty } from "./databases.ts";
import { createSeeded } from "./seeded.ts";

const source = await createSeeded();
const { run, dataDir } = source;
const fileOf = (name: string) => path.join(dataDir, name);
const NEVER = new AbortController().signal;
const INDEXES_BY_AGE = `select indrelid::regclass::text as table, indexrelid::regclass::text as name from pg_index
  where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace) order by 1, indexrelid`;

test("a backup of an older release is brought up to date, and one of a newer is refused and leaves the database empty", async () => {
  const older = await createEmptyDatabase();
  const known = migrationNames();
  await older.client.query("begin");
  await makeSchema(older.client, known.length);
  await older.client.query("insert into tenants (slug, name) values ('old', 'Old')");
  await older.client.query("insert into companies (tenant_id, name, country) values (1, 'Firm', 'Romania')");
  await older.client.query("commit");
  const [file, newer] = [fileOf("older.backup"), fileOf("newer.backup")];
  const options = { file, withKeys: false, signal: NEVER, onProgress() {} };
  await takeBackup({ config: readConfig({ LIAISON_DATA_DIR: dataDir }), connection: older.connection }, options);

  const program = nextRelease({
    "9999_visits": "alter table companies add column visits integer not null default 7",
    "functions/visits_of": `create or replace function visits_of(company bigint) returns integer
      language sql stable as $$ select visits from companies where id = company $$;`,
  });
  const [target, again, other] = await Promise.all(Array.from({ length: 3 }, createEmptyDatabase));
  const byNext = async (args: string[], { url = "" } = {}) => {
    const { code, stderr } = await start(
      args,
      { ...source.environment, DATABASE_URL: url },
      "",
      [],
      program,
    ).finished();
    assert.equal(code, 0, stderr);
  };
  await byNext(["restore", file], target);
  await byNext(["backup", newer], target);
  await byNext(["restore", newer], again);
  for (const restored of [target, again]) {
    const { rows } = (await restored?.client.query("select name from migrations order by id")) ?? { rows: [] };
    assert.deepEqual(
      rows.map(({ name }) => String(name)),
      [...known, "9999_visits"],
    );
    const companies = await restored?.client.query("select name, visits_of(id) as visits from companies");
    assert.deepEqual(companies?.rows, [{ name: "Firm", visits: 7 }]);
    // Of indexes that look equally good PostgreSQL uses the newest.
    assert.deepEqual(
      (await restored?.client.query(INDEXES_BY_AGE))?.rows,
      (await older.client.query(INDEXES_BY_AGE)).rows,
    );
  }

  const refused = await run(["restore", newer], { environment: { DATABASE_URL: String(other?.url) } });
  assert.match(refused.stderr, /\(made by Liaison 0\.1\.0\) has the migration 9999_visits of a newer release, or/);
  assert.ok(other !== undefined && (await isEmpty(other.client)));
});
