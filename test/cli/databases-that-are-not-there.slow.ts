import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import type { Command } from "commander";
import { createProgram, loadCommands } from "../../src/cli/program.ts";
import { createDataDirectory, serveFrom } from "../failure/data-directory.ts";
import type { Finished } from "../hosted-commands.ts";
import { createEmptyDatabase, isEmpty } from "../operation/backup/databases.ts";
import { start } from "../program.ts";

/** The commands that may make a database, and those that need none. */
const OTHERS = new Set(["serve", "init", "restore", "backup verify", "db statements", "listen"]);
/** One for each processor. */
const AT_ONCE = Math.max(2, os.availableParallelism());

const NOWHERE =
  /^There is no installation here: DATABASE_URL is unset, and (\S+) has no database of Liaison\. .*liaison init\.\n$/;
const EMPTY = /^There is no installation here: the database of DATABASE_URL is empty\. .*liaison init\.\n$/;

/** Every command with words in the places of its operands and of the options that it needs. */
const commands = everyCommand(createProgram(await loadCommands()))
  .filter((command) => command.commands.length === 0 || command.registeredArguments.length > 0)
  .map((command) => ({ name: nameOf(command), argv: argvOf(command) }))
  .filter(({ name }) => !OTHERS.has(name));

test("no command but serve, restore and init makes a database: each says where it looked, and makes nothing", async () => {
  assert.ok(commands.length > 30, `${commands.length} commands are tried`);
  const parent = path.dirname(createDataDirectory());
  const accounts = fs.readFileSync("/etc/passwd", "utf8");
  await each(commands, async ({ name, argv }) => {
    const dataDir = path.join(parent, name.replaceAll(" ", "-"));
    const { code, stdout, stderr } = await start(argv, { LIAISON_DATA_DIR: dataDir }).finished();
    const said = name === "doctor" ? stdout.replace(/^database: /, "") : stderr;
    assert.equal(NOWHERE.exec(said)?.[1], dataDir, `${name}: ${stdout}${stderr}`);
    assert.equal(code, 1, name);
    assert.equal(fs.existsSync(dataDir), false, name);
  });
  assert.deepEqual(fs.readdirSync(parent), []);
  assert.equal(fs.readFileSync("/etc/passwd", "utf8"), accounts);
});

test("a data directory without a database gets none from a command, and no key", async () => {
  const dataDir = createDataDirectory();
  fs.mkdirSync(path.join(dataDir, "postgres"), { recursive: true });
  for (const argv of [["backup", path.join(dataDir, "b")], ["tenant", "list"], ["worker"], ["migrate"]]) {
    const { code, stderr } = await start(argv, { LIAISON_DATA_DIR: dataDir }).finished();
    assert.deepEqual([code, NOWHERE.test(stderr)], [1, true], stderr);
  }
  assert.deepEqual(fs.readdirSync(dataDir, { recursive: true }), ["postgres"]);
});

test("an empty database of DATABASE_URL stays empty, but for migrate, which makes its schema", async () => {
  const { url, client } = await createEmptyDatabase();
  const environment = { DATABASE_URL: url, LIAISON_DATA_DIR: createDataDirectory() };
  await each(
    commands.filter(({ name }) => /^(?:backup|worker|tenant list|user create|resume)$/.test(name)),
    async ({ argv }) => {
      const { code, stderr } = await start(argv, environment).finished();
      assert.deepEqual([code, EMPTY.test(stderr)], [1, true], stderr);
    },
  );
  const { code, stdout } = await start(["doctor"], environment).finished();
  assert.deepEqual([code, EMPTY.test(stdout.replace(/^database: /, ""))], [1, true], stdout);
  assert.equal(await isEmpty(client), true);
  assert.equal(fs.existsSync(environment.LIAISON_DATA_DIR), false);
  const { applied } = json(await start(["migrate", "--json"], environment).finished());
  assert.ok(applied.length >= 5);
  assert.deepEqual(json(await start(["tenant", "list", "--json"], environment).finished()), []);
});

test("init makes an empty installation, of which a server makes no second one", async () => {
  const dataDir = createDataDirectory();
  const environment = { LIAISON_DATA_DIR: dataDir };
  const place = `the embedded database of ${dataDir}`;
  const init = async () => json(await start(["init", "--json"], environment).finished());
  assert.deepEqual(await init(), { made: true, database: place });
  const names = fs.readdirSync(dataDir).filter((name) => !name.startsWith("programs-"));
  assert.deepEqual(names.toSorted(), ["encryption.keys", "postgres"]);
  assert.deepEqual(await init(), { made: false, database: place });
  const server = await serveFrom(dataDir, {}, ["--no-demo"]);
  assert.deepEqual(json(await start(["tenant", "list", "--json"], environment).finished()), []);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0);
});

test("backup says which database it read", async () => {
  const { url, connection } = await createEmptyDatabase();
  const dataDir = createDataDirectory();
  const environment = { DATABASE_URL: url, LIAISON_DATA_DIR: dataDir };
  const place = `the database ${connection.database} at ${String(connection.host)}:${connection.port}`;
  assert.deepEqual(json(await start(["init", "--json"], environment).finished()), { made: true, database: place });
  const file = path.join(dataDir, "file.backup");
  const { stdout } = await start(["backup", file], environment).finished();
  assert.match(stdout, /^\S+: \d+ rows of \d+ tables of the database \w+ at \S+:\d+, \d+ bytes/);
  assert.equal(json(await start(["backup", file, "--json"], environment).finished()).database, place);
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert on what it turns out to be
function json({ code, stdout, stderr }: Finished): any {
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  return JSON.parse(stdout);
}

async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const next = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...everyCommand(child)]);
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

function argvOf(command: Command): string[] {
  const needed = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [String(long), "x"]);
  return [...nameOf(command).split(" "), ...command.registeredArguments.map(() => "x"), ...needed];
}
