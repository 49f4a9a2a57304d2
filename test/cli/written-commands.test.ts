import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { CommanderError, type Command } from "commander";
import { createProgram, loadCommands } from "../../src/cli/program.ts";
import { wordsOf } from "../doors/api/console.ts";
import { start } from "../program.ts";

/**
 * Every command that the documents name is one that the command line knows, with its options; and the other way round.
 */

const ROOT = path.join(import.meta.dirname, "../..");
const commands = await loadCommands();
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), "utf8");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "docs/operations/alerts.yaml",
  ...fs
    .readdirSync(path.join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
const LIAISON = String.raw`(?:docker compose exec liaison node src\/main\.ts|npm run -s liaison --|liaison)`;
/** A line to be typed as it is, but for what stands for a name. */
const LINE = new RegExp(String.raw`^(?:\$ )?(?:[A-Z_]+=\S+ )*${LIAISON} ([^#\n]+)`, "gm");
/** In a sentence, where options may be left out. */
const SPAN = new RegExp(String.raw`(?<!\x60)\x60${LIAISON} ([^\x60\n]+)\x60(?!\x60)`, "g");

test("each command line of the documents is one that the program takes", () => {
  const found = pages.flatMap((page) => {
    const text = read(page);
    const blocks = [...text.matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, block = ""]) =>
      block.replaceAll(/\s*\\\n\s*/g, " "),
    );
    return [
      ...blocks.flatMap((block) => [...block.matchAll(LINE)].map(([, words = ""]) => ({ page, words, isWhole: true }))),
      ...[...text.matchAll(SPAN)].map(([, words = ""]) => ({ page, words, isWhole: false })),
    ].filter(({ words }) => !words.startsWith("<"));
  });
  assert.ok(found.length > 50, `${found.length} commands are read`);
  const complaints = found.flatMap(({ page, words, isWhole }) => {
    const refusal = refusalOf(wordsOf(words.replace(/ \.\.\.$/, ""), {}), isWhole);
    return refusal === null ? [] : [`${page}: liaison ${words}: ${refusal}`];
  });
  assert.deepEqual(complaints, []);
});

test("docs/operations.md 3.2 has every command with every option, and no other", () => {
  const [, section = ""] = /^### 3\.2 Commands\n([^]*?)^## /m.exec(read("docs/operations.md")) ?? [];
  const program = createProgram(commands);
  const names = new Set(program.commands.map((command) => command.name()));
  const documented = new Map<string, string>();
  for (const row of section.split("\n").filter((line) => line.startsWith("| "))) {
    const cell = row.split(/(?<!\\)\|/)[1] ?? "";
    for (const [, usage = ""] of cell.matchAll(/`([^`]+)`/g)) {
      // One of several values is enough.
      const words = usage.replaceAll(/\\\|[^\s\])]+/g, "").match(/[^\s[\]()|\\]+/g) ?? [];
      if (!names.has(words[0] ?? "")) continue;
      assert.equal(refusalOf(words, false), null, usage);
      documented.set(pathOf(program, words), cell);
    }
  }
  const runnable = everyCommand(program).filter(isRun);
  assert.deepEqual([...documented.keys()].toSorted(), runnable.map(nameOf).toSorted());
  const missing = runnable.flatMap((command) =>
    command.options
      .map(({ long }) => String(long))
      // Those of every command are in 3.1.
      .filter((long) => !["--json", "--config"].includes(long) && !documented.get(nameOf(command))?.includes(long))
      .map((long) => `${nameOf(command)} ${long}`),
  );
  assert.deepEqual(missing, []);
});

test("--version prints the version, and the commit of a checkout", async () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const { stdout } = await start(["--version"], {}).finished();
  const head = spawnSync("git", ["-c", "safe.directory=*", "rev-parse", "HEAD"], { cwd: ROOT, encoding: "utf8" });
  const commit = fs.existsSync(path.join(ROOT, ".git")) ? ` (${head.stdout.slice(0, 12)})` : "";
  assert.equal(stdout, `liaison ${version}${commit}\n`);
});

test("a command, an option or an operand that there is not is refused", () => {
  for (const wrong of [
    "tenants list",
    "tenant lost",
    "wms",
    "backup --fast FILE",
    "doctor now",
    "tenant create S --nam N",
  ]) {
    assert.notEqual(refusalOf(wrong.split(" "), false), null, wrong);
  }
  assert.notEqual(refusalOf(["key", "create", "--tenant", "demo"], true), null, "without an option that is required");
});

/**
 * What the program says of the words of a command line instead of running it; null: it takes them. @param isWhole
 * nothing may be left out
 */
function refusalOf(words: string[], isWhole: boolean): string | null {
  const program = createProgram(commands);
  for (const command of [program, ...everyCommand(program)]) {
    command.exitOverride().configureOutput({ writeOut() {}, writeErr() {} });
    if (isRun(command)) command.action(() => {});
    for (const option of command.options) option.mandatory &&= isWhole;
    for (const argument of command.registeredArguments) argument.required &&= isWhole;
  }
  try {
    program.parse(words, { from: "user" });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.code === "commander.helpDisplayed" ? null : error.message;
  }
}

function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...everyCommand(child)]);
}

/** Whether it does something itself, and is no mere group of commands. */
function isRun(command: Command): boolean {
  return command.parent !== null && (command.commands.length === 0 || command.registeredArguments.length > 0);
}

function nameOf(command: Command): string {
  return command.parent?.parent === null || command.parent === null
    ? command.name()
    : `${nameOf(command.parent)} ${command.name()}`;
}

/** The name of the command that words begin with. */
function pathOf(command: Command, words: readonly string[]): string {
  const child = command.commands.find((one) => one.name() === words[0]);
  return child === undefined ? nameOf(command) : pathOf(child, words.slice(1));
}
