import assert from "node:assert/strict";
import { test } from "node:test";
import { releaseOf } from "../../src/platform/version.ts";
import { createInstallation } from "../cli/installation.ts";
import { start } from "../program.ts";
import { nextRelease, versionEdits } from "./more-migrations.ts";

/** Which releases start on one database, and in which order (docs/upgrading.md). */

const { version } = releaseOf();

test("a release starts on the schema of the next one, and refuses that of a later one", async () => {
  const { environment, run, json, sql } = await createInstallation();
  await json(["tenant", "create", "acme", "--name", "Acme"]);
  await json(["backup", `${environment.LIAISON_DATA_DIR}/a.backup`]);
  await sql(
    `update settings set value = jsonb_set(value::jsonb, '{at}', to_jsonb(now() - interval '1 day 3 hours'))::text
     where name = 'last_backup'`,
  );
  const first = { "9998_visits": "create table visits (tenant_id bigint)" };
  const next = nextRelease(first, versionEdits("9.1.0", version));
  const migrated = await start(["migrate", "--json"], environment, "", [], next).finished();
  assert.deepEqual(JSON.parse(migrated.stdout), { applied: ["9998_visits"] }, migrated.stderr);
  assert.match(
    migrated.stderr,
    /^This version \(9\.1\.0\) changes the database \(migrations: 1\)\. The last backup is 27 hours old \(2\d{3}-.+Z\)\. If that is too old, stop, and make one with the previous version\.\n$/,
  );
  assert.equal((await json(["tenant", "list"])).length, 1);

  const second = { ...first, "9999_no-visits": "drop table visits" };
  const later = nextRelease(second, versionEdits("9.2.0", "9.1.0"));
  assert.equal((await start(["migrate"], environment, "", [], later).finished()).code, 0);
  const line = `The database is of version 9.2.0. Versions before 9.1.0 do not work with it, and this is ${version}: start version 9.2.0, or restore a backup that ${version} made into an empty database (docs/upgrading.md).\n`;
  for (const command of [["tenant", "list"], ["migrate"]]) {
    const { code, stdout, stderr } = await run(command);
    assert.deepEqual([code, stdout, stderr], [1, "", line]);
  }
  const server = await start(["serve"], environment).finished();
  assert.deepEqual([server.code, server.stderr], [1, line]);
  const back = await start(["tenant", "list", "--json"], environment, "", [], next).finished();
  assert.deepEqual([back.code, JSON.parse(back.stdout).length], [0, 1], back.stderr);

  await sql("delete from settings where name = 'release'");
  assert.equal(
    (await run(["migrate"])).stderr,
    `The database has the migration 9999_no-visits, which this version (${version}) does not know: start the version that made it.\n`,
  );
});

test("a release that passes over another one says that there is no way back but a backup", async () => {
  const { environment, json } = await createInstallation();
  await json(["tenant", "create", "acme", "--name", "Acme"]);
  const program = nextRelease({ "9999_visits": "create table visits (n bigint)" }, versionEdits("9.2.0", "9.1.0"));
  const { code, stderr } = await start(["migrate"], environment, "", [], program).finished();
  assert.deepEqual([code, stderr], [
    0,
    `This version (9.2.0) changes the database (migrations: 1). There is no backup by \`liaison backup\` yet. If that is too old, stop, and make one with the previous version. Servers of ${version} do not work with the changed database, and only that backup leads back to it.\n`,
  ]);
});

test("a start that makes the schema of an empty database says nothing of backups", async () => {
  const { run, sql } = await createInstallation();
  await sql("drop schema public cascade");
  await sql("create schema public");
  const { code, stderr } = await run(["migrate"]);
  // On a busy machine it names a migration that takes long.
  assert.deepEqual([code, /backup/i.test(stderr)], [0, false], stderr);
});
