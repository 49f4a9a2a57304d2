import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { releaseOf } from "../../src/platform/version.ts";
import { createInstallation } from "../cli/installation.ts";
import { request } from "../harness.ts";
import { poll, start } from "../program.ts";
import { MIGRATIONS } from "./more-migrations.ts";
import { previousRelease, RELEASED } from "./previous-release.ts";

/**
 * The previous release works beside the schema of this one, as it does while a new version is rolled out
 * (docs/decisions/0062-migrations-beside-requests.md). A failure here: a migration takes away, or demands, something
 * that the release before it does not know of. Add first; take away in the release after.
 */

/**
 * Of its own tests those that go through the most in the shortest time: every route, its jobs, an invoice's way to a
 * warehouse.
 */
const TESTS = ["test/doors/api/conformance.test.ts", "test/kit/jobs/outcomes.test.ts", "test/orders/wms/automatic.test.ts"];

const released = previousRelease();

test("package.json names the previous release, beside which this one works", () => {
  const { version } = JSON.parse(fs.readFileSync(path.join(released, "package.json"), "utf8"));
  assert.equal(releaseOf().upgradesFrom, version);
});

test("a process of the previous release starts on this schema, writes and reads", async () => {
  const { environment, json } = await createInstallation();
  await json(["tenant", "create", "acme", "--name", "Acme"]);
  const { token } = await json(
    ["key", "create", "--tenant", "acme", "--name", "A", "--capabilities", "companies:read,companies:write"],
  );
  const server = start(["serve"], environment, "", [], path.join(released, "src/main.js"));
  const url = () => /ready at (\S+)/.exec(server.output())?.[1];
  await poll(`its start ${server.complaints()}`, () => url() !== undefined);
  const { status, body } = await request(String(url()), "POST", "/api/v1/companies", { name: "A" }, { token });
  assert.equal(status, 201);
  const found = await request(String(url()), "GET", `/api/v1/companies/${body.data.id}`, undefined, { token });
  assert.deepEqual([found.status, found.body.data.name], [200, "A"]);
  assert.equal(server.complaints(), "");
});

test("what the previous release promises, it keeps on this schema: its own tests pass", async () => {
  // The databases are copies of the one that this release's migrations made (test/global-setup.ts).
  // In what Node.js keeps of compiled files its own would take the places of ours, which have the same names.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_COMPILE_CACHE_PORTABLE: undefined };
  const argv = ["--test", "--test-concurrency=2", "--test-reporter=tap", ...TESTS];
  const report = await new Promise<string>((resolve) => {
    execFile(process.execPath, argv, { cwd: released, env, maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve(`${stdout}${stderr}`),
    );
  });
  const [, passed = "0"] = /^# pass (\d+)$/m.exec(report) ?? [];
  assert.ok(Number(passed) > 100, report);
  assert.deepEqual(report.match(/^ *not ok .*$/gm) ?? [], [], report);
});

test("a release that changes a function has a migration, by which the previous one knows not to put its own back", () => {
  const hasMigration = fs.readdirSync(MIGRATIONS).some((name) => /^\d/.test(name) && name > `${RELEASED}_~`);
  const [ours, theirs] = [functionsIn(MIGRATIONS), functionsIn(path.join(released, "migrations"))];
  const changed = [...new Set([...ours.keys(), ...theirs.keys()])].filter((name) => ours.get(name) !== theirs.get(name));
  assert.ok(hasMigration || changed.length === 0, `without a migration: ${changed.join(", ")}`);
});

function functionsIn(migrations: string): Map<string, string> {
  const directory = path.join(migrations, "functions");
  const files = fs.readdirSync(directory);
  return new Map(files.map((name) => [name, fs.readFileSync(path.join(directory, name), "utf8")]));
}
