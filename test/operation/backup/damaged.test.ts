import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { readBackup } from "../../../src/operation/backup/read-backup.ts";
import { writeBackup } from "../../../src/operation/backup/write-backup.ts";
import { Refusal } from "../../../src/platform/refusal.ts";
import { createDataDirectory } from "../../failure/data-directory.ts";
import { createEmptyDatabase, isEmpty } from "./databases.ts";
import { createSeeded } from "./seeded.ts";

const PLACES = 100;
const NEVER = new AbortController().signal;
const { json, run, dataDir } = await createSeeded();
const file = path.join(dataDir, "whole.backup");
const damaged = path.join(dataDir, "damaged.backup");
await json(["backup", file]);
const whole = fs.readFileSync(file);

test("a bit that is turned over anywhere in a backup is found", async () => {
  for (let n = 0; n < PLACES; n++) {
    const place = Math.floor(((whole.length - 1) * n) / (PLACES - 1));
    const bytes = Buffer.from(whole);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << (n % 8));
    fs.writeFileSync(damaged, bytes);
    await assert.rejects(
      readBackup("backup", { file: damaged, signal: NEVER }),
      Refusal,
      `at ${place} of ${whole.length}`,
    );
  }
});

test("a backup that ends too early, goes on too long or is none is found, in one line", async () => {
  const all = [
    ...[0, 1, 39, 40, 41, whole.length / 2, whole.length - 1].map((end) => whole.subarray(0, end)),
    Buffer.concat([whole, Buffer.from("x")]),
    Buffer.concat([whole, whole]),
    Buffer.from("no backup\n".repeat(100)),
  ];
  for (const bytes of all) {
    fs.writeFileSync(damaged, bytes);
    await assert.rejects(readBackup("backup", { file: damaged, signal: NEVER }), Refusal, `${bytes.length} bytes`);
  }
  const { code, stdout, stderr } = await run(["backup", "verify", damaged]);
  assert.deepEqual(
    [code, stdout, stderr],
    [1, "", `${damaged} is damaged, or no backup of Liaison: its sum is wrong. Take another one.\n`],
  );
});

test("a file that cannot be opened is named, with why, and the name that a backup has until it is whole is not", async () => {
  const missing = path.join(dataDir, "not-there");
  const line = (name: string, why: string) => `${name} cannot be opened: ${why}. Check the path.\n`;
  for (const [args, said] of [
    [["backup", "verify", missing], line(missing, "no such file or directory")],
    [["backup", "verify", dataDir], `${dataDir} is a directory: name the backup.\n`],
    [["restore", missing], line(missing, "no such file or directory")],
    [["backup", path.join(missing, "x.backup")], line(missing, "no such file or directory")],
    [["backup", path.join(file, "x.backup")], line(path.join(file, "x.backup"), "not a directory")],
    [["tenant", "restore", file, "--passphrase-file", missing], line(missing, "no such file or directory")],
  ] as const) {
    const { code, stdout, stderr } = await run([...args]);
    assert.deepEqual([code, stdout, stderr], [1, "", said], args.join(" "));
  }
});

test("nothing of a damaged backup is restored, and the database and the directory stay empty", async () => {
  const bytes = Buffer.from(whole);
  bytes[whole.length >> 1] = (bytes[whole.length >> 1] ?? 0) ^ 1;
  fs.writeFileSync(damaged, bytes);
  const { url, client } = await createEmptyDatabase();
  const directory = createDataDirectory();
  for (const environment of [{ DATABASE_URL: url }, { DATABASE_URL: "", LIAISON_DATA_DIR: directory }]) {
    const { code, stderr } = await run(["restore", damaged], { environment });
    assert.deepEqual([code, stderr.includes("is damaged")], [1, true]);
  }
  assert.ok(await isEmpty(client));
  assert.equal(fs.existsSync(directory), false);
});

test("a file whose names of tables or columns are another's SQL is refused, and nothing of it is done", async () => {
  const ofTenant = path.join(dataDir, "acme.backup");
  await json(["tenant", "backup", "acme", ofTenant]);
  const made = path.join(dataDir, "made-by-it");
  const program = `users (name) from program 'touch ${made}' --`;
  const changes: [string, string, RegExp][] = [
    ['"name":"users"', `"name":${JSON.stringify(program)}`, /^The rows of "users \(name\) from program /],
    ['"name":"users"', '"name":"operators"', /^The rows of "operators" in the file do not match /],
    [
      '"email","name","role"',
      `"email) from program 'touch ${made}' --","name","role"`,
      /^The rows of "users" in the file do not match /,
    ],
  ];
  for (const [command, whole] of [
    [["tenant", "restore", damaged, "--as", "copy"], ofTenant],
    [["restore", damaged], file],
  ] as const) {
    const { url, client } = await createEmptyDatabase();
    const content = zstdDecompressSync(fs.readFileSync(whole).subarray(0, -40)).toString("latin1");
    for (const [from, to, message] of changes) {
      assert.ok(content.includes(from), from);
      await writeBackup(damaged, contentOf(content.replace(from, to)), NEVER);
      const environment: Record<string, string> = command[0] === "restore" ? { DATABASE_URL: url } : {};
      const { code, stdout, stderr } = await run([...command], { environment });
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, message);
      assert.equal(fs.existsSync(made), false);
    }
    assert.ok(await isEmpty(client));
  }
  assert.deepEqual(
    (await json(["tenant", "list"])).map(({ slug }: { slug: string }) => slug),
    ["acme", "other"],
  );
});

test("a line between the tables that names none is refused as damage, whatever JSON it is", async () => {
  const lines = zstdDecompressSync(whole.subarray(0, -40)).toString("latin1").split("\n");
  for (const line of ["{}", "[]", "3", "null", '"x"', '{"table":1}', '{"tables":1,"rows":2,"sequences":3}']) {
    await writeBackup(damaged, contentOf([lines[0], line, ...lines.slice(1)].join("\n")), NEVER);
    const { code, stdout, stderr } = await run(["backup", "verify", damaged]);
    assert.deepEqual([code, stdout], [1, ""], line);
    assert.match(stderr, /^\S+ has a line that names no table/, line);
  }
});

test("a backup of one tenant and one of a whole instance each name the command that reads the other", async () => {
  const tenants = path.join(dataDir, "acme.backup");
  await json(["tenant", "backup", "acme", tenants]);
  for (const [args, said] of [
    [["backup", "verify", tenants], `${tenants} is of one tenant: tenant restore reads it.\n`],
    [["tenant", "restore", file, "--as", "copy"], `${file} is of a whole instance: restore reads it.\n`],
  ] as const) {
    const { code, stdout, stderr } = await run([...args]);
    assert.deepEqual([code, stdout, stderr], [1, "", said]);
  }
});

async function* contentOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text, "latin1");
}
