import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";

/**
 * CONTRIBUTING's recipes, followed to the letter: in a copy of the checkout each of their blocks is applied to the file
 * that its step names, each command that a step names is run, and then the copy has to compile, to be tidy, and to pass
 * the tests of the additions. Each recipe is followed twice, with names that are free in the copy: the first time as
 * it is written, unless somebody has added just that, and then as the next one does who adds something.
 */

const ROOT = path.join(import.meta.dirname, "..");
const FOLDERS = [
  "src",
  "test",
  "migrations",
  "docs",
  "bench",
  "clients",
  "release",
  "wms-simulator",
  "lookup-simulator",
];
/** A recipe of more steps is one that nobody remembers. */
const MOST_STEPS = 6;
const TIMES = 2;

const contributing = fs.readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
const copy = copyCheckout();
after(() => fs.rmSync(copy, { recursive: true, force: true }));

/** What each recipe adds, as the recipe writes it and as the copy has it by now. */
const recipes = [
  { title: "Adding a field", example: "vat_rate", added: [] as string[] },
  // Of the field before it.
  { title: "Adding a filter", example: "vat_rate", added: [] as string[] },
  { title: "Adding an endpoint", example: "churn", added: [] as string[] },
  { title: "Adding a page", example: "label", added: [] as string[] },
];

for (const { title, example, added } of recipes) {
  const steps = stepsOf(title);

  test(`${title}: each of its steps applies, and applies again`, async () => {
    assert.ok(steps.length > 0 && steps.length <= MOST_STEPS, `${steps.length} steps`);
    for (let time = 0; time < TIMES; time++) {
      const name = freeName(example, steps);
      for (const step of steps) apply(renamed(step, example, name));
      added.push(name);
    }
    for (const { script } of steps) if (script !== undefined) await run("npm", "run", "--silent", script);
  });
}

test("what the recipes made compiles, and is formatted", async () => {
  await run(path.join(copy, "node_modules/.bin/tsc"));
  await run(path.join(copy, "node_modules/.bin/oxfmt"), "--check", "src", "test");
});

test("what the recipes made passes the rules of the tidy house", async () => {
  const report = await run(process.execPath, "--test", "--test-reporter=tap", "test/tidy/together.ts");
  assert.match(report, /^ *ok \d+ - no folder of src\/ has more than/m);
});

test("what the recipes made passes the tests of the field, of the endpoint and of the page", async () => {
  const [fields = [], filters = [], endpoints = [], pages = []] = recipes.map(({ added }) => added);
  const ours = [
    ...recipes.flatMap(({ added }) => added.map((name) => String.raw`\b${name}\b`)),
    'exactly the specified members|"complete"|every field is in the history|every field of every noun',
    "every route has a row|passes the linter|types of the TypeScript client",
  ];
  const tests = [
    "field-limits",
    "filters-at-every-door",
    "capabilities",
    "tenancy",
    "conformance",
    "openapi",
    "history-of-writes",
    "history-pages",
    "page-roles",
    "generated-types",
  ];
  const report = await run(
    process.execPath,
    "--test",
    "--test-concurrency=2",
    "--test-global-setup=test/global-setup.ts",
    `--test-name-pattern=${ours.join("|")}`,
    "--test-reporter=tap",
    ...tests.map((name) => `test/**/${name}.{test,slow}.ts`),
  );
  const passed = [...report.matchAll(/^ok \d+ - (.*)$/gm)].map(([, name]) => name);
  for (const begin of [
    ...fields.map((field) => `company.${field}: what passes is stored`),
    ...filters.map((filter) => `${filter}: every door filters companies by it`),
    "company: every field is in the history",
    "every field of every noun has a name in both languages",
    ...pages.map((page) => `GET /companies/{id}/${page}: a member`),
    ...endpoints.flatMap((endpoint) => [
      `POST /api/v1/companies/{id}/${endpoint} is open to companies:write`,
      `POST /api/v1/companies/{id}/${endpoint} answers another tenant's id like a missing one`,
      `POST /api/v1/companies/{id}/${endpoint} answers as documented`,
    ]),
    'POST /api/v1/companies accepts the request example "complete"',
    "the types of the TypeScript client are those of the OpenAPI document",
  ]) {
    assert.ok(
      passed.some((name) => name?.startsWith(begin)),
      `${begin} in\n${report}`,
    );
  }
});

type Step = { file: string; language: string; block: string; script: string | undefined };

/** The steps of a recipe: the first path that the text of each names, its block, and the script that it has run. */
function stepsOf(title: string): Step[] {
  const [, section = ""] = new RegExp(`^## ${title}\\n([^]*?)^## `, "m").exec(contributing) ?? [];
  return section
    .split(/^\d+\. /m)
    .slice(1)
    .map((text) => {
      const [, file] = /`((?:src|test|migrations|docs)\/[\w./-]+|[A-Z]+\.md)`/.exec(text) ?? [];
      const [, language, block] = /^ {3}```(\w+)\n([^]*?)^ {3}```$/m.exec(text) ?? [];
      assert.ok(file !== undefined && language !== undefined && block !== undefined, `a file and a block in: ${text}`);
      const [, script] = /`npm run ([\w-]+)`/.exec(text) ?? [];
      return { file, language, block: block.replaceAll(/^ {3}/gm, ""), script };
    });
}

/** The example of a recipe, or that with the next number: the first of which the copy has neither file nor line. */
function freeName(example: string, steps: readonly Step[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? example : `${example}${number}`;
    if (!steps.some((step) => isThere(renamed(step, example, name)))) return name;
  }
}

/** Of a new file its name, without a migration's number; of a change all lines that it adds to one place. */
function isThere({ file, language, block }: Step): boolean {
  if (language !== "diff") return fs.globSync(file.replace("NNNN", "*"), { cwd: copy }).length > 0;
  const text = fs.readFileSync(path.join(copy, file), "utf8");
  return hunksOf(block).some(({ added }) => !isOfImports(added) && text.includes(added));
}

/** A step that adds something else. "churned" and the <label> of a form are no names of it. */
function renamed(step: Step, example: string, name: string): Step {
  const names = new Map([
    [example, name],
    [example.replaceAll("_", "-"), name.replaceAll("_", "-")],
    [example.replace("vat_rate", "VAT rate"), name.replace("vat_rate", "VAT rate")],
  ]);
  const rename = (text: string) =>
    [...names].reduce(
      (all, [from, to]) => all.replaceAll(new RegExp(String.raw`(?<!<|\w)${from}(?![a-z])`, "g"), to),
      text,
    );
  return { ...step, file: rename(step.file), block: rename(step.block) };
}

/** A diff changes its file; anything else is the text of a new one. */
function apply({ file, language, block }: Step): void {
  const target = path.join(copy, file.replace("NNNN", nextMigration()));
  if (language !== "diff") {
    fs.writeFileSync(target, block);
    return;
  }
  for (const { before, added, after } of hunksOf(block)) {
    const text = `\n${fs.readFileSync(target, "utf8")}`;
    if (isOfImports(added) && text.includes(`\n${added}`)) continue;
    const parts = text.split(`\n${before}`);
    assert.equal(parts.length, 2, `${file} has these lines once, as CONTRIBUTING.md says:\n${before}`);
    fs.writeFileSync(target, parts.join(`\n${after}`).slice(1));
  }
}

type Hunk = { before: string; added: string; after: string };

function hunksOf(block: string): Hunk[] {
  return block.split(/^@@\n/m).map((hunk) => {
    const lines = hunk.split("\n").slice(0, -1);
    const textOf = (those: string[]) => those.map((line) => `${line.slice(1)}\n`).join("");
    return {
      before: textOf(lines.filter((line) => !line.startsWith("+"))),
      added: textOf(lines.filter((line) => line.startsWith("+"))),
      after: textOf(lines.filter((line) => !line.startsWith("-"))),
    };
  });
}

function isOfImports(added: string): boolean {
  return /^(?:import .*\n)+$/.test(added);
}

function nextMigration(): string {
  const numbers = fs.readdirSync(path.join(copy, "migrations")).map((name) => Number.parseInt(name, 10) || 0);
  return String(Math.max(...numbers) + 1).padStart(4, "0");
}

/** The checkout with the packages that it has, but for what somebody's work left in it. */
function copyCheckout(): string {
  const target = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-recipes-"));
  fs.chmodSync(target, 0o755);
  const files = fs.readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const name of [...FOLDERS, ...files.map(({ name }) => name)]) {
    fs.cpSync(path.join(ROOT, name), path.join(target, name), {
      recursive: true,
      // A benchmark's data has pipes in it, which cannot be copied.
      filter: (from) => path.basename(from) !== "node_modules" && from !== path.join(ROOT, "bench/data"),
    });
  }
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(target, "node_modules"));
  return target;
}

/** What a command in the copy says; fails with all of it where the command does. */
async function run(command: string, ...argv: string[]): Promise<string> {
  // Without what makes a run of tests a part of another one.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, LIAISON_TEST_CLUSTER: undefined };
  return await new Promise((resolve, reject) => {
    execFile(command, argv, { cwd: copy, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${path.basename(command)} ${argv.join(" ")}\n${stdout}${stderr}`));
    });
  });
}
