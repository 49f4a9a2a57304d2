import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createDataDirectory } from "../../failure/data-directory.ts";
import { poll, serve, start } from "../../program.ts";
import { createEmptyDatabase } from "./databases.ts";
import { createSeeded } from "./seeded.ts";

const { json, run, sql, environment, dataDir } = await createSeeded();
const passphraseFile = path.join(dataDir, "passphrase");
fs.writeFileSync(passphraseFile, "a long and secret sentence\n");
const withPassphrase = ["--passphrase-file", passphraseFile];

test("backup - writes an encrypted backup to standard output, which verify and restore read with the passphrase", async () => {
  const file = path.join(dataDir, "piped.backup");
  const toFile = ["/bin/sh", "-c", `file=$0; exec "$@" > "$file"`, file];
  const piped = await start(
    ["backup", "-", "--with-keys", "--json", ...withPassphrase],
    environment,
    "",
    toFile,
  ).finished();
  assert.deepEqual([piped.code, piped.stdout], [0, ""], piped.stderr);
  const { rows, tables, bytes } = JSON.parse(piped.stderr);
  assert.equal(bytes, fs.statSync(file).size);
  assert.equal(fs.readFileSync(file).includes("liaison-encrypted 1\n"), true);

  const verified = await json(["backup", "verify", file, ...withPassphrase]);
  assert.deepEqual([verified.rows, verified.tables], [rows, tables]);
  const without = `${file} is encrypted: name the file with its passphrase, --passphrase-file.\n`;
  const wrong = path.join(dataDir, "wrong");
  fs.writeFileSync(wrong, "another sentence\n");
  const target = { DATABASE_URL: (await createEmptyDatabase()).url, LIAISON_DATA_DIR: createDataDirectory() };
  for (const command of [["backup", "verify"], ["restore"]]) {
    assert.equal((await run([...command, file], { environment: target })).stderr, without);
    const refused = await run([...command, file, "--passphrase-file", wrong], { environment: target });
    assert.equal(refused.stderr, `The passphrase is not that of ${file}.\n`);
  }
  const restored = await run(["restore", file, "--json", ...withPassphrase], { environment: target });
  assert.deepEqual([restored.stderr, JSON.parse(restored.stdout)], ["", { rows, tables }]);
});

test("tenant backup - does so too: the file has the backup alone, and is restored", async () => {
  const file = path.join(dataDir, "piped.tenant");
  const toFile = ["/bin/sh", "-c", `file=$0; exec "$@" > "$file"`, file];
  const piped = await start(["tenant", "backup", "acme", "-", "--json"], environment, "", toFile).finished();
  assert.deepEqual([piped.code, piped.stdout, JSON.parse(piped.stderr).tenant], [0, "", "acme"], piped.stderr);
  assert.equal((await json(["tenant", "restore", file, "--as", "piped"])).tenant, "piped");
});

test("a server makes a verified backup when one is due, and then removes the oldest of its own database", async () => {
  const directory = createDataDirectory("backups");
  const schedule = ["--backup-to", directory, "--backup-every", "1h", "--backup-keep", "2"];
  const names = () => (fs.existsSync(directory) ? fs.readdirSync(directory).toSorted() : []);
  const made = () => names().filter((name) => name.startsWith("liaison-") && name.endsWith(".backup"));
  const settings = { ...environment, LIAISON_BACKUP_PASSPHRASE_FILE: passphraseFile };
  const first = await serve(settings, [], schedule);
  await poll("the first backup", () => made().length > 0);
  first.process.kill("SIGTERM");
  assert.equal(await first.ended, 0, first.complaints());
  const [own = ""] = made();
  const [, database] = /^liaison-\d{4}-\d\d-\d\dT\d{6}Z-([0-9a-f]{12})\.backup$/.exec(own) ?? [];
  assert.ok(database !== undefined, own);
  fs.rmSync(path.join(directory, own));

  const old = [1, 2, 3].map((day) => `liaison-2026-01-0${day}T000000Z-${database}.backup`);
  // The clock of a machine was wrong.
  const future = `liaison-2999-01-01T000000Z-${database}.backup`;
  const killed = `liaison-2026-01-04T000000Z-${database}.backup.unverified`;
  const foreign = [
    "liaison-2026-01-01T000000Z-0123456789ab.backup",
    `liaison-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}Z-0123456789ab.backup`,
    "liaison-2026-01-04T000000Z-0123456789ab.backup.unverified",
    "liaison.backup",
    "notes",
  ];
  for (const name of [...old, future, killed, `${killed}.liaison-unfinished-0a`, ...foreign])
    fs.writeFileSync(path.join(directory, name), "");
  const server = await serve(settings, [], ["--processes", "2", ...schedule]);
  await poll("the backup", () => !names().includes(String(old[1])));
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
  const left = new Set([...foreign, future, String(old[2])]);
  const [newest = "", ...others] = names().filter((name) => !left.delete(name));
  assert.deepEqual([others, [...left]], [[], []]);
  const file = path.join(directory, newest);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  const { taken_at } = await json(["backup", "verify", file, ...withPassphrase]);
  const [note] = await sql("select value from settings where name = 'last_backup'");
  assert.ok(String(JSON.parse(note?.value ?? "").at) <= taken_at);

  // A schedule that fails keeps the older ones.
  fs.renameSync(file, path.join(directory, `liaison-2026-01-05T000000Z-${database}.backup`));
  const failing = await serve(
    { ...environment, LIAISON_BACKUP_PASSPHRASE_FILE: path.join(dataDir, "nowhere") },
    [],
    [...schedule.slice(0, 2), "--backup-every", "1m"],
  );
  const failures = () => failing.complaints().split("the backup of the schedule failed").length - 1;
  await poll("the failure", () => failures() > 0);
  assert.ok(names().includes(String(old[2])));

  // A directory that has gone was a disk of its own.
  fs.renameSync(directory, `${directory}-gone`);
  const before = failures();
  await poll("another failure", () => failures() > before, 120);
  assert.deepEqual(names(), []);
  assert.match(failing.complaints(), /no such file or directory/);
  const pauses = [...failing.complaints().matchAll(/"again_in_ms":(\d+)/g)].map(([, ms]) => Number(ms));
  assert.deepEqual(pauses.slice(0, 2), [60_000, 120_000]);
  failing.process.kill("SIGTERM");
  assert.equal(await failing.ended, 0, failing.complaints());
});

test("wrong schedules stop the start with one line", async () => {
  for (const [options, line] of [
    [
      ["--backup-every", "2h"],
      "LIAISON_BACKUP_TO is needed where LIAISON_BACKUP_EVERY is set: it names the directory (--backup-to).\n",
    ],
    [
      ["--backup-to", "x", "--backup-every", "daily"],
      "LIAISON_BACKUP_EVERY must be a time like 24h, 30m or 7d, or the word elsewhere.\n",
    ],
    [
      ["--backup-to", "x", "--backup-every", "elsewhere"],
      "LIAISON_BACKUP_TO is set, and LIAISON_BACKUP_EVERY is elsewhere: keep one of them.\n",
    ],
    [["--backup-to", "x", "--backup-keep", "0"], "LIAISON_BACKUP_KEEP must be a whole number from 1 to 10000.\n"],
  ] as const) {
    const { code, stderr } = await start(["serve", ...options], environment).finished();
    assert.deepEqual([code, stderr], [1, line]);
  }
});
