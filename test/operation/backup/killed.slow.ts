import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readConfig } from "../../../src/kit/config.ts";
import { restoreBackup } from "../../../src/operation/backup/restore-backup.ts";
import { createLogger } from "../../../src/platform/logger.ts";
import { advisoryLocks } from "../../../src/platform/postgres/advisory-locks.ts";
import { poll } from "../../program.ts";
import { createEmptyDatabase, isEmpty, open } from "./databases.ts";
import { createSeeded } from "./seeded.ts";

const { json, run, start, sql, dataDir } = await createSeeded();
const file = path.join(dataDir, "kept.backup");
const unfinished = () => fs.readdirSync(dataDir).filter((name) => name.startsWith("kept.backup.liaison-unfinished-"));
// Enough, and random enough, that it takes a while.
await sql(
  `insert into settings (name, value) select 'bulk ' || n, (select string_agg(md5(random()::text || n || i), '') from generate_series(1, 40000) i)
   from generate_series(1, 30) n`,
);
const OTHERS = "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
const taken = await json(["backup", file]);

test("a backup that is killed, or interrupted, leaves the one of before under its name", async () => {
  const before = fs.statSync(file);
  for (const [signal, code, left] of [
    ["SIGKILL", "SIGKILL", 1],
    ["SIGTERM", 130, 1],
  ] as const) {
    const program = start(["backup", file]);
    await poll("the file in the making", () => unfinished().length > (signal === "SIGTERM" ? 1 : 0));
    program.process.kill(signal);
    assert.equal(await program.ended, code, program.complaints());
    // Only a kill leaves its half behind, under a name that says so.
    assert.equal(unfinished().length, left);
    assert.deepEqual([fs.statSync(file).ino, fs.statSync(file).size], [before.ino, before.size]);
  }
  assert.equal((await json(["backup", "verify", file])).rows, taken.rows);
});

test("a backup takes the place of a file, and of nothing else that has its name", async () => {
  const [link, directory] = [path.join(dataDir, "link"), path.join(dataDir, "directory")];
  fs.symlinkSync(file, link);
  fs.mkdirSync(directory);
  const before = fs.readdirSync(dataDir);
  for (const name of [link, directory, "/dev/null", "/dev/stdout"]) {
    const { code, stdout, stderr } = await run(["backup", name]);
    const line = `${name} is not a regular file. Name a regular or a new file, or - for standard output.\n`;
    assert.deepEqual([code, stdout, stderr], [1, "", line]);
  }
  assert.deepEqual(fs.readdirSync(dataDir), before);
  assert.ok(fs.statSync("/dev/null").isCharacterDevice());
});

test("a restore that is killed, or interrupted, leaves the database empty, and can be repeated", async () => {
  const { url, client } = await createEmptyDatabase();
  const environment = { DATABASE_URL: url };
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const program = start(["restore", file], { environment });
    await poll("the rows on their way", async () => {
      assert.equal(program.process.exitCode, null, program.complaints());
      return (await client.query("select from pg_stat_progress_copy where tuples_processed > 5")).rows.length > 0;
    });
    program.process.kill(signal);
    assert.equal(await program.ended, signal === "SIGKILL" ? signal : 130);
    await poll("the end of its connections", async () => (await client.query(OTHERS)).rows.length === 0);
    assert.ok(await isEmpty(client));
  }
  const { code, stdout, stderr } = await run(["restore", file, "--json"], { environment });
  assert.deepEqual([code, stderr, JSON.parse(stdout)], [0, "", { rows: taken.rows, tables: taken.tables }]);
});

test("a restore that is interrupted when all rows are there, and indexes are made, leaves the database empty too", async () => {
  const { url, client } = await createEmptyDatabase();
  const interruption = new AbortController();
  const config = readConfig({ DATABASE_URL: url, LIAISON_DATA_DIR: dataDir });
  const onProgress = (what: string) => {
    if (what === "indexes and keys") interruption.abort(new Error("interrupted there"));
  };
  const options = { file, resumes: false, signal: interruption.signal, onProgress, describe: String };
  await assert.rejects(restoreBackup(config, createLogger("silent"), options), /interrupted there/);
  assert.ok(await isEmpty(client));
});

test("a restore and a start that makes the schema do not wait for each other: the later one gives way", async () => {
  const { url, connection, client } = await createEmptyDatabase();
  const begun = await open(connection);
  await begun.query("select pg_advisory_lock($1)", [advisoryLocks.migration]);
  await begun.query("create table migrations (id integer)");
  const program = start(["restore", file], { environment: { DATABASE_URL: url } });
  await poll("the restore's wait", async () => {
    const asked =
      "select from pg_stat_activity where datname = current_database() and query ilike '%advisory%lock%' and pid <> all($1)";
    const pids = await Promise.all(
      [begun, client].map(async (each) => (await each.query("select pg_backend_pid() as pid")).rows[0].pid),
    );
    return (await client.query(asked, [pids])).rows.length > 0;
  });
  await begun.query("create index concurrently on migrations (id)");
  await begun.query("select pg_advisory_unlock($1)", [advisoryLocks.migration]);
  const { code, stderr } = await program.finished();
  assert.deepEqual(
    [code, stderr],
    [
      1,
      "The database is not empty: it has the table migrations. Restore into an empty database, or a data directory without one.\n",
    ],
  );
});
