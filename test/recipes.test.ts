import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";

/**
 * CONTRIBUTING's recipes, followed to the letter: in a copy of the checkout each of their blocks is applied to the file
 * that its step names, each command that a step names is run, and then the copy has to compile, to be tidy, and to pass the tests of what was added.
 */

const ROOT = path.join(import.meta.dirname, "..");
const FOLDERS = ["src", "test", "migrations", "docs", "bench", "clients", "wms-simulator"];
/** A recipe of more steps is one that nobody remembers. */
const MOST_STEPS = 6;

const contributing = fs.readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8");
const copy = copyCheckout();
after(() => fs.rmSync(copy, { recursive: true, force: true }));

for (const title of ["Adding a field", "Adding an endpoint", "Adding a page"]) {
  const steps = stepsOf(title);

  test(`${title}: each of its steps applies`, async () => {
    assert.ok(steps.length > 0 && steps.length <= MOST_STEPS, `${steps.length} steps`);
    for (const step of steps) {
      apply(step);
      if (step.script !== undefined) await run("npm", "run", "--silent", step.script);
    }
  });
}

test("what the recipes made compiles, and is formatted", async () => {
  await run(path.join(copy, "node_modules/.bin/tsc"));
  await run(path.join(copy, "node_modules/.bin/oxfmt"), "--check", "src", "test");
});

test("what the recipes made passes the tests of the tidy house, of the field, of the endpoint and of the page", async () => {
  const ours = String.raw`vat_rate|exactly the specified members|"complete"|/churn|/label|every field is in the history|every field of every noun|every route has a row|passes the linter|point one way|types of the TypeScript client`;
  const tests = [
    ...["field-limits", "capabilities", "tenancy", "conformance", "openapi", "history-of-writes"].map(
      (name) => `contract/${name}`,
    ),
    "web/history-pages",
    "web/page-roles",
    "clients/generated-types",
  ];
  const report = await run(
    process.execPath,
    "--test",
    "--test-concurrency=2",
    "--test-global-setup=test/global-setup.ts",
    `--test-name-pattern=${ours}`,
    "--test-reporter=tap",
    ...["tidy/rooms", ...tests].map((name) => `test/${name}.test.ts`),
  );
  const passed = [...report.matchAll(/^ok \d+ - (.*)$/gm)].map(([, name]) => name);
  for (const begin of [
    "company.vat_rate: what passes is stored",
    "company: every field is in the history",
    "every field of every noun has a name in both languages",
    "GET /companies/{id}/label: a member",
    "POST /api/v1/companies/{id}/churn is open to companies:write",
    "POST /api/v1/companies/{id}/churn answers another tenant's id like a missing one",
    "POST /api/v1/companies/{id}/churn answers as documented",
    'POST /api/v1/companies accepts the request example "complete"',
    "imports point one way",
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

/** A diff changes its file; anything else is the text of a new one. */
function apply({ file, language, block }: Step): void {
  const target = path.join(copy, file.replace("NNNN", nextMigration()));
  if (language !== "diff") {
    assert.ok(!fs.existsSync(target), `${file} is there already`);
    fs.writeFileSync(target, block);
    return;
  }
  for (const hunk of block.split(/^@@\n/m)) {
    const lines = hunk.split("\n").slice(0, -1);
    const linesWithout = (sign: string) =>
      lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`);
    const text = fs.readFileSync(target, "utf8");
    const before = `\n${linesWithout("+").join("")}`;
    const parts = `\n${text}`.split(before);
    assert.equal(parts.length, 2, `${file} has these lines once, as CONTRIBUTING.md says:${before}`);
    fs.writeFileSync(target, parts.join(`\n${linesWithout("-").join("")}`).slice(1));
  }
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
      filter: (from) => !["node_modules", "data"].includes(path.basename(from)),
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
