import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { leftOut } from "../../../src/operation/backup/left-out-of-backup.ts";
import { readBackup } from "../../../src/operation/backup/read-backup.ts";
import { createDataDirectory } from "../../failure/data-directory.ts";
import { isCluster } from "../../harness.ts";
import { serve } from "../../program.ts";
import { createEmptyDatabase, miscounted, stateOf } from "./databases.ts";
import { answersOf, createSeeded } from "./seeded.ts";

const source = await createSeeded();
const { json, run, sql, dataDir } = source;
const fileOf = (name: string) => path.join(dataDir, name);
const NEVER = new AbortController().signal;

test("a backup has every table and column, but for what is generated and what is named as left out", async () => {
  await sql("insert into sign_in_failures values ('x', 1, now())");
  const file = fileOf("whole.backup");
  const taken = await json(["backup", file]);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(Object.keys(taken), ["file", "database", "bytes", "rows", "tables", "sha256"]);
  assert.equal(taken.bytes, fs.statSync(file).size);
  const found = new Map<string, string[]>();
  const { header, trailer } = await readBackup("backup", {
    file,
    signal: NEVER,
    async onTable({ name, columns }, rows) {
      found.set(name, columns);
      await Array.fromAsync(rows);
    },
  });
  const expected = await sql(
    `select table_name as name, string_agg(column_name, ',' order by ordinal_position) as columns from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' and table_name in (select tablename from pg_tables where schemaname = 'public')
     group by table_name order by table_name collate "C"`,
  );
  const named = new Set(expected.map(({ name }) => name));
  assert.deepEqual(
    [...leftOut.keys()].filter((name) => !named.has(name)),
    [],
    "left-out-of-backup.ts names no table",
  );
  // On a cluster a table of tenants comes for each that has rows in it.
  const isExpected = ({ name }: Record<string, string>) =>
    !leftOut.has(String(name)) && (!isCluster || found.has(String(name)));
  assert.deepEqual(
    [...found].map(([name, columns]) => `${name} ${columns.join(",").replaceAll('"', "")}`).toSorted(),
    expected
      .filter(isExpected)
      .map(({ name, columns }) => `${name} ${columns}`)
      .toSorted(),
  );
  assert.deepEqual([trailer.rows, trailer.tables], [taken.rows, taken.tables]);
  assert.equal(header.encryption_keys, null);
  assert.deepEqual(await json(["backup", "verify", file]), {
    rows: taken.rows,
    tables: taken.tables,
    taken_at: header.taken_at,
    version: header.version,
  });
});

test("a restored database is the same row by row and index by index, and its API answers the same", async () => {
  const file = fileOf("same.backup");
  await json(["backup", file]);
  const target = await createEmptyDatabase();
  const environment = { DATABASE_URL: target.url, LIAISON_DATA_DIR: dataDir };
  const restored = await run(["restore", file], { environment });
  assert.match(
    restored.stdout,
    /rows of \d+ tables are restored\. Keys that were revoked, .+ Before servers are started: `liaison resume --after-loss` .+\n$/,
  );
  assert.equal(restored.stderr, "");
  const owner = await source.client();
  const [before, after] = [await stateOf(owner), await stateOf(target.client)];
  for (const name of [...leftOut.keys(), "sign_in_failures"]) {
    for (const state of [before, after]) state.delete(name);
  }
  assert.deepEqual([...after], [...before]);
  assert.deepEqual(await miscounted(target.client), []);
  const { url } = await serve({ ...environment, LIAISON_WORKER: "off" });
  for (const token of source.tokens) {
    assert.deepEqual(await answersOf(url, token), await answersOf(source.url, token));
  }
  const refused = await run(["restore", file], { environment });
  assert.match(refused.stderr, /The database is not empty: it has the table activities\./);
});

test("without the keys of its database a backup is not restored, and the directory stays empty", async () => {
  const file = fileOf("keyless.backup");
  assert.match((await run(["backup", file])).stdout, /The encryption keys are not in it/);
  const directory = createDataDirectory();
  const environment = { LIAISON_DATA_DIR: directory, DATABASE_URL: "" };
  const without = await run(["restore", file], { environment });
  assert.deepEqual(
    [without.code, without.stderr],
    [
      1,
      `${file} has no encryption keys: put the encryption.keys of the database that it is of into LIAISON_DATA_DIR, or set LIAISON_ENCRYPTION_KEYS.\n`,
    ],
  );
  const key = `k1:${Buffer.alloc(32, 7).toString("base64")}`;
  const wrong = await run(["restore", file], { environment: { ...environment, LIAISON_ENCRYPTION_KEYS: key } });
  assert.match(wrong.stderr, /^LIAISON_ENCRYPTION_KEYS does not hold the keys of /);
  assert.equal(fs.existsSync(directory), false);
  fs.mkdirSync(directory);
  fs.copyFileSync(path.join(dataDir, "encryption.keys"), path.join(directory, "encryption.keys"));
  assert.equal((await run(["restore", file], { environment })).code, 0);
});
