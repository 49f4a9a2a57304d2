import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { CommanderError, type Command } from "commander";
import { createProgram, loadCommands } from "../../src/cli/program.ts";
import { startServer } from "../harness.ts";
import { databaseUrl } from "../program.ts";
import { marks } from "./endless-texts.ts";
import { firstTooCostly, TELLING, type Attempt } from "./silence.ts";

/**
 * Every option and operand of every command is a text that is as long as the system lets in; the commands run in this
 * process.
 */

const server = await startServer();
const tenant = await server.createTenant();
const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-texts-"));
after(() => fs.rmSync(directory, { recursive: true, force: true }));
Object.assign(process.env, {
  DATABASE_URL: databaseUrl(server.connection),
  LIAISON_DATA_DIR: directory,
  LOG_LEVEL: "silent",
});

/** Linux takes 128 KiB as one argument. */
const ARGUMENT_BYTES = 2 * TELLING;

const loaded = await loadCommands();
const program = () => createProgram(loaded);

function everyCommand(command: Command): Command[] {
  const own = command.commands.flatMap(everyCommand);
  return [...(command.registeredArguments.length > 0 || valuesOf(command).length > 0 ? [command] : []), ...own];
}

function valuesOf({ options }: Command): string[] {
  return options.filter(({ required, optional }) => required || optional).map(({ long }) => String(long));
}

function wordsOf(command: Command): string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}

/** Runs a command until it is refused or through, and says nothing of it. */
async function run(words: readonly string[]): Promise<void> {
  const told = program();
  const quietly = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
    command.commands.forEach(quietly);
  };
  quietly(told);
  const { log, error } = console;
  Object.assign(console, { log: () => {}, error: () => {} });
  try {
    await told.parseAsync([...words], { from: "user" });
  } catch (refusal) {
    if (!(refusal instanceof CommanderError)) throw refusal;
  } finally {
    Object.assign(console, { log, error });
    process.exitCode = 0;
  }
}

for (const command of everyCommand(program())) {
  const words = wordsOf(command);

  test(`liaison ${words.join(" ")} keeps nobody waiting, whatever texts it is given`, async () => {
    const text = marks.of(ARGUMENT_BYTES);
    const operands = command.registeredArguments.map(() => text);
    const given = (exact: Record<string, string>): Attempt => ({
      what: `with ${Object.keys(exact).join(", ") || "texts"}`,
      attempt: async () =>
        await run([...words, ...operands, ...valuesOf(command).flatMap((option) => [option, exact[option] ?? text])]),
    });
    const ofTenant = valuesOf(command).includes("--tenant") ? [given({ "--tenant": tenant.slug })] : [];
    assert.deepEqual(await firstTooCostly(server, [[given({}), ...ofTenant]]), []);
  });
}
