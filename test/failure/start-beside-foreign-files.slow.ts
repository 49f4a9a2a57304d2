import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { isLocked, tryToLock } from "../../src/platform/cluster/directory-lock.ts";
import type { Finished } from "../hosted-commands.ts";
import { poll, start } from "../program.ts";
import { createDataDirectory } from "./data-directory.ts";

test("a first start removes nothing but what a killed start made, and says that it made a new database", async () => {
  const dataDir = createDataDirectory();
  const beside = [
    "postgres.20261121/PG_VERSION",
    "postgres.17/PG_VERSION",
    "postgres.4194303/base/1",
    "postgres.old/PG_VERSION",
    "postgres.dump.20261121",
    "postgres.liaison-unfinished",
    "postgres.liaison-unfinished-mine/content/PG_VERSION",
    // Ours by its name, but without our mark.
    "postgres.liaison-unfinished-0123456789ab/content/PG_VERSION",
    "encryption.keys.17",
  ];
  for (const name of beside) write(path.join(dataDir, name));
  const marked = (random: string): string => path.join(dataDir, `postgres.liaison-unfinished-${random}`);
  const [inUse, mixed, abandoned] = ["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"].map(marked) as [
    string,
    string,
    string,
  ];
  for (const directory of [inUse, mixed, abandoned]) write(path.join(directory, "content", "PG_VERSION"));
  write(path.join(mixed, "notes.txt"));
  const lock = lockOf(inUse);
  for (const directory of [mixed, abandoned]) fs.closeSync(lockOf(directory));

  const { code, stderr } = await init(dataDir);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^A new, empty database was made in \S+\/postgres; what lies beside it was left alone: .*\n$/);
  for (const name of ["postgres.20261121", "postgres.old", "postgres.dump.20261121"]) assert.ok(stderr.includes(name));
  for (const name of beside) assert.equal(fs.readFileSync(path.join(dataDir, name), "utf8"), "precious", name);
  assert.ok(fs.existsSync(path.join(inUse, "content", "PG_VERSION")), "somebody is still making it");
  assert.ok(fs.existsSync(path.join(mixed, "notes.txt")), "it has more in it than what we put there");
  assert.equal(fs.existsSync(abandoned), false, "what a killed start left is removed");
  fs.closeSync(lock);
  const tenants = await start(["tenant", "list", "--json"], { LIAISON_DATA_DIR: dataDir }).finished();
  assert.deepEqual(tenants, { code: 0, stdout: "[]\n", stderr: "" });
});

test("a start that was killed while it set up the database leaves nothing behind after the next one", async () => {
  const dataDir = createDataDirectory();
  const killed = start(["init"], { LIAISON_DATA_DIR: dataDir });
  const unfinished = (): string[] => namesIn(dataDir).filter((name) => name.includes("unfinished"));
  await poll("the database's making", () => unfinished().some((name) => isBegun(path.join(dataDir, name))));
  killed.process.kill("SIGKILL");
  await killed.ended;
  await poll("the end of what it had started", () => unfinished().every((name) => !isLocked(path.join(dataDir, name))));
  assert.equal(unfinished().length, 1, "it was killed in the middle");
  assert.equal((await init(dataDir)).code, 0);
  assert.deepEqual(namesIn(dataDir), ["encryption.keys", "postgres"]);
});

const refused: [what: string, prepare: (place: string) => void, expected: RegExp][] = [
  [
    "half a database",
    (place) => write(path.join(place, "base", "1")),
    /postgres is not empty and has no PG_VERSION, .+: restore it from a backup, or move it away for a new one\.$/,
  ],
  [
    "a database of another major version",
    (place) => write(path.join(place, "PG_VERSION"), "17\n"),
    /postgres is a database of PostgreSQL 17, and this release brings 18: start the release that made it, .+\.$/,
  ],
  [
    "a link to a missing file",
    (place) => fs.symlinkSync(path.join(path.dirname(place), "elsewhere"), place),
    /postgres is a link to \S+\/elsewhere, where nothing is: bring the database back there, or remove the link for a new one\.$/,
  ],
  ["a file", (place) => write(place), /postgres is not a directory: .+ move it away for a new one\.$/],
];
for (const [what, prepare, expected] of refused) {
  test(`${what} in the database's place stops the start with one line that says what to do, and stays as it is`, async () => {
    const dataDir = createDataDirectory();
    fs.mkdirSync(dataDir);
    prepare(path.join(dataDir, "postgres"));
    const before = fs.readdirSync(dataDir, { recursive: true });
    const { code, stderr } = await init(dataDir);
    assert.match(stderr.trim(), expected);
    assert.equal(stderr.trim().includes("\n"), false, stderr);
    assert.equal(code, 1);
    assert.deepEqual(fs.readdirSync(dataDir, { recursive: true }), before);
  });
}

test("an empty directory in the database's place is filled", async () => {
  const dataDir = createDataDirectory();
  fs.mkdirSync(path.join(dataDir, "postgres"), { recursive: true });
  const { code, stderr } = await init(dataDir);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.deepEqual(namesIn(dataDir), ["encryption.keys", "postgres"]);
});

/** A command that needs the database. */
async function init(dataDir: string): Promise<Finished> {
  return await start(["init", "--json"], { LIAISON_DATA_DIR: dataDir }).finished();
}

function write(file: string, text = "precious"): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

function lockOf(directory: string): number {
  const lock = tryToLock(directory, null);
  assert.notEqual(lock, null, directory);
  return Number(lock);
}

function isBegun(directory: string): boolean {
  return namesIn(directory).includes("content");
}

/** Without PostgreSQL's programs, which are copied beside the database. */
function namesIn(directory: string): string[] {
  const names = fs.existsSync(directory) ? fs.readdirSync(directory).toSorted() : [];
  return names.filter((name) => !name.startsWith("programs-"));
}
